// Calls with an Idempotency-Key, to a real operation and to operations that a test defines.

import * as z from "zod";
import { DIRECTORY_HOME } from "../../src/db/places";
import { createOrganization } from "../../src/domains/organizations/operations";
import { organizations } from "../../src/domains/organizations/table";
import { SANDBOX_ISSUER } from "../../src/domains/tokens/issuers/own.plan";
import { operator } from "../../src/http/callers/access";
import { type KeyedCall, readKey } from "../../src/http/idempotency/idempotency";
import { operation } from "../../src/http/operation";
import type { Committed, HandlerServices, Services } from "../../src/runtime/services";
import { call } from "./client";
import { inObject } from "./durable-objects";
import { operatorToken } from "./factories";
import { type Probed, probe } from "./probe";
import { testEnv } from "./storage";

export const ACME = { name: "Acme", slug: "acme" };
export const create = async (sent = ACME, key = "k") =>
	call(createOrganization, { as: await operatorToken(), headers: { "idempotency-key": key }, body: sent });

const root = { caller: { kind: "operator", operatorId: `${SANDBOX_ISSUER}#root` }, identity: `operator:${SANDBOX_ISSUER}#root` } as const;
export const keyOf = (call: Partial<KeyedCall> = {}, header = "k") =>
	readKey(header, { op: createOrganization, ...root, home: DIRECTORY_HOME, path: {}, body: ACME, ...call });
export const objectOf = async (call?: Partial<KeyedCall>, header?: string) =>
	testEnv.IDEMPOTENCY_KEYS.getByName((await keyOf(call, header)).object);

export const replayed = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";
export const reused = { status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } };

/** An operation for operators whose handler the test defines. */
type Created = { id: string };
export const creating = (handle: (services: HandlerServices, sent: { name: string }) => Promise<Created | Committed<Created>>) =>
	operation({
		id: "create",
		method: "POST",
		path: "/whoami",
		summary: "Creates something",
		access: operator,
		home: "directory",
		request: { body: z.object({ name: z.string() }) },
		response: z.object({ id: z.string() }),
		handle: ({ body }, services) => handle(services, body),
	});
export const insert = ({ db }: Services, id: string) => db.orm.insert(organizations).values({ id, slug: id, name: id, createdAt: 0 });
export const sendTo = async (op: ReturnType<typeof creating>, name = "a", key = "k", vars: Partial<Env> = {}): Promise<Probed> => {
	const headers = { "idempotency-key": key, "content-type": "application/json" };
	return probe([op], { as: await operatorToken(), headers, body: JSON.stringify({ name }) }, { vars });
};

/** Ends the caller's Durable Object, as a deployment does. */
export const loseObjectOfProbe = async (key?: string) => {
	const lost = inObject(await objectOfProbe(key), (state) => state.abort("lost"));
	await lost.catch(() => {});
};
export const objectOfProbe = (key?: string) => objectOf({ op: { method: "POST", path: "/whoami" } }, key);
