// Parses a request's path, query and body by the schemas of its operation.

import type { Context } from "hono";
import { ApiError, badInput, InvalidInput, type InvalidParam } from "../shared/errors";
import { HostileJson, type Json, parseJson } from "../shared/json";
import { reasonOf } from "../shared/reasons";
import { isPublic } from "./callers/access";
import type { AnyOperation } from "./operation";
import { invalidParams, misspeltMembers, type Part, unknownParameters } from "./validation";

const MAX_BODY_BYTES = 256 * 1024;

/** The parsed parts of a request. */
export type Input = { path?: Record<string, unknown>; query?: unknown; body?: unknown };

/** A request's parts as sent, from which they can be parsed again. */
export type SentParts = { readonly path: Json; readonly query: Json; readonly body?: Json | undefined };

/** `body` is the JSON body as sent. */
export type Parsed = { readonly input: Input; readonly body: Json | undefined; readonly sent: SentParts };

/** Throws `InvalidInput`. */
export function readInput(op: AnyOperation, c: Context, bytes: Uint8Array | undefined): Parsed {
	const input: Input = {};
	const path = c.req.param() as { [name: string]: string };
	if (op.request.path) input.path = parse(op.request.path, "path", path) as Record<string, unknown>;
	const query = queryOf(c);
	if (!isPublic(op.access)) refuseAny(unknownParameters(op.request.query, query));
	if (op.request.query) input.query = parse(op.request.query, "query", query);
	const body = bytes && bytes.length > 0 ? readJson(op, c, bytes) : undefined;
	if (op.request.body) {
		input.body = parse(op.request.body, "body", body, body === undefined);
		// What a provider reports has happened: it is not refused for a name.
		if (!op.access.signature) refuseAny(misspeltMembers(op.request.body, body));
	}
	return { input, body, sent: { path, query, body } };
}

/** The parts as the operation's schemas read them now; undefined if they refuse them. */
export function parseAgain({ request }: AnyOperation, sent: SentParts): Input | undefined {
	try {
		const input: Input = {};
		for (const part of ["path", "query", "body"] as const) {
			if (request[part]) Object.assign(input, { [part]: parse(request[part], part, sent[part]) });
		}
		return input;
	} catch (error) {
		if (error instanceof InvalidInput) return undefined;
		throw error;
	}
}

function parse(schema: AnyOperation["request"], part: Part, value: unknown, unreadable = false): unknown {
	const result = schema.safeParse(value, { error: reasonOf });
	if (!result.success) throw new InvalidInput(invalidParams(part, schema, result.error, value), unreadable);
	return result.data;
}

function refuseAny(params: readonly InvalidParam[]): void {
	if (params.length > 0) throw new InvalidInput(params);
}

function queryOf(c: Context): { [name: string]: string | string[] } {
	const sent = Object.entries(c.req.queries());
	return Object.fromEntries(sent.map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]));
}

function readJson(op: AnyOperation, c: Context, bytes: Uint8Array): Json | undefined {
	const type = c.req.header("content-type");
	const isLines = op.ndjson === true && type !== undefined && /^application\/(x-)?ndjson\s*(;|$)/i.test(type);
	const isForm = op.form === true && type !== undefined && /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
	if (op.request.body && type !== undefined && !isLines && !isForm && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
		throw unreadable(
			"header.Content-Type",
			`must be application/json${op.ndjson ? " or application/x-ndjson" : ""}${op.form ? " or application/x-www-form-urlencoded" : ""}`,
		);
	}
	try {
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
		if (isForm) return Object.fromEntries(new URLSearchParams(text));
		return isLines ? parseLines(text) : parseJson(text);
	} catch (error) {
		if (!op.request.body) return undefined;
		if (error instanceof InvalidInput) throw error;
		throw unreadable("body", error instanceof HostileJson ? error.message : "is not UTF-8");
	}
}

/** Each line is parsed by itself, so that its faults come with its number, from 0. Empty lines count for nothing. */
function parseLines(text: string): Json {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	return lines.map((line, index) => {
		try {
			return parseJson(line);
		} catch (error) {
			throw error instanceof HostileJson ? unreadable(`[${index}]`, error.message) : error;
		}
	});
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
