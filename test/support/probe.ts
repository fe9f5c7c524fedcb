// Serves operations made for a test, with the same authentication and services as the real app.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import * as z from "zod";
import type { Access, Caller } from "../../src/http/callers/access";
import { mount } from "../../src/http/mount";
import { type AnyOperation, type Method, operation } from "../../src/http/operation";
import type { Ports } from "../../src/http/ports";
import { holding } from "../../src/wiring/app";
import { callerLookup } from "../../src/wiring/caller-lookup";
import { expectNotKept } from "./caching";
import { expectDocumented } from "./document";
import { operations as served } from "./domains";
import { environmentWith } from "./environments";
import { servicesFor } from "./outbound";
import { isRecording } from "./recording";
import { answered } from "./trips";

/** An operation that answers who its caller is. */
export const whoami = <C extends Caller>(access: Access<C>, method: Method = "GET", path: `/${string}` = "/whoami") =>
	operation({
		id: "whoami",
		method,
		path,
		summary: "Who calls",
		access,
		request: {},
		response: z.looseObject({}),
		handle: async ({ caller }) => ({ ...(caller as Caller) }),
	});

const REAL: ReadonlySet<AnyOperation> = new Set(served);

export type Probed = { status: number; body: Record<string, unknown>; headers: Headers };

/** Serves one request with these operations, and waits for the work that continues after the response. */
export async function probe(
	operations: readonly AnyOperation[],
	request: { method?: string; path?: string; as?: string; headers?: Record<string, string>; body?: string },
	{ vars = {}, ports = {} }: { vars?: Partial<Env>; ports?: Partial<Ports> } = {},
): Promise<Probed> {
	const { method = operations[0]?.method ?? "GET", path = "/whoami", as, headers, body } = request;
	const ctx = createExecutionContext();
	const { app, add } = mount({ servicesFor, callerLookup, holding, ...ports });
	add(operations);
	const credentials: Record<string, string> =
		as === undefined ? {} : as.startsWith("sk_") ? { "x-api-key": as } : { authorization: `Bearer ${as}` };
	const sent = { method, headers: { ...credentials, ...headers }, ...(body !== undefined && { body }) };
	const asked = new Request(`http://localhost${path}`, sent);
	const unread = isRecording ? asked.clone() : asked;
	const env = environmentWith(vars);
	const response = await app.fetch(asked, env, ctx);
	answered();
	expectNotKept(asked, response);
	if (operations.every((op) => REAL.has(op))) await expectDocumented(unread, response, env.ENVIRONMENT ?? "production");
	const text = await response.text();
	await waitOnExecutionContext(ctx);
	return { status: response.status, body: text === "" ? {} : JSON.parse(text), headers: response.headers };
}
