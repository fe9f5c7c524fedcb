// Parses a request's path, query and body by the schemas of its operation.

import type { Context } from "hono";
import { ApiError, badInput, InvalidInput } from "../shared/errors";
import { HostileJson, type Json, parseJson } from "../shared/json";
import { reasonOf } from "../shared/reasons";
import type { AnyOperation } from "./operation";
import { invalidParams, type Part } from "./validation";

const MAX_BODY_BYTES = 256 * 1024;

/** The parsed parts of a request. */
export type Input = { path?: Record<string, unknown>; query?: unknown; body?: unknown };

/** `body` is the JSON body as sent. */
export type Parsed = { readonly input: Input; readonly body: Json | undefined };

/** Throws `InvalidInput`. */
export function readInput(op: AnyOperation, c: Context, bytes: Uint8Array | undefined): Parsed {
	const input: Input = {};
	const parse = (part: Part & keyof typeof op.request, value: unknown, unreadable = false) => {
		const schema = op.request[part];
		const result = schema.safeParse(value, { error: reasonOf });
		if (!result.success) throw new InvalidInput(invalidParams(part, schema, result.error, value), unreadable);
		Object.assign(input, { [part]: result.data });
	};
	if (op.request.path) parse("path", c.req.param());
	if (op.request.query) {
		const sent = Object.entries(c.req.queries());
		parse("query", Object.fromEntries(sent.map(([name, values]) => [name, values.length === 1 ? values[0] : values])));
	}
	const body = bytes && bytes.length > 0 ? readJson(op, c, bytes) : undefined;
	if (op.request.body) parse("body", body, body === undefined);
	return { input, body };
}

function readJson(op: AnyOperation, c: Context, bytes: Uint8Array): Json | undefined {
	const type = c.req.header("content-type");
	if (op.request.body && type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
		throw unreadable("header.Content-Type", "must be application/json");
	}
	try {
		return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
	} catch (error) {
		if (!op.request.body) return undefined;
		throw unreadable("body", error instanceof HostileJson ? error.message : "is not UTF-8");
	}
}

const unreadable = (path: string, reason: string) => badInput(path, reason, "INVALID_FORMAT", true);

/** Reads at most 256 KiB, counted as they arrive, because Content-Length may be wrong. */
export async function readBody(request: Request): Promise<Uint8Array> {
	const tooLarge = () => new ApiError("PAYLOAD_TOO_LARGE");
	if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
	if (!request.body) return new Uint8Array();
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of request.body) {
		length += chunk.length;
		if (length > MAX_BODY_BYTES) throw tooLarge();
		chunks.push(chunk);
	}
	const bytes = new Uint8Array(length);
	let at = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, at);
		at += chunk.length;
	}
	return bytes;
}
