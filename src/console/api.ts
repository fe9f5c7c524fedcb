// Calls of the service: each with the person's token, and nothing else of theirs.

import { Pace } from "./pace.ts";
import { current, type Demand, renewed, strengthened } from "./session.ts";
import type { Approval, BodyOf, Line, RequestOf, Rest } from "./typed.ts";

/** The service refused. */
export class Refused extends Error {
	readonly status: number;
	readonly code: string;
	/** Why, where the code leaves it open. */
	readonly reason: string | undefined;
	readonly requestId: string | undefined;
	readonly retryAfter: number | undefined;
	readonly reasons: readonly { readonly path: string; readonly reason: string }[];

	constructor(status: number, body: Record<string, unknown>, headers: Headers) {
		super(typeof body.description === "string" ? body.description : "");
		this.status = status;
		this.code = typeof body.code === "string" ? body.code : `HTTP_${status}`;
		this.reason = typeof body.reason === "string" ? body.reason : undefined;
		this.requestId = headers.get("x-request-id") ?? undefined;
		this.retryAfter = Number(headers.get("retry-after")) || undefined;
		this.reasons = Array.isArray(body.invalid_params) ? body.invalid_params : [];
	}
}

/** Nothing is done yet: another operator must approve the call. */
export class Held extends Error {
	readonly approval: Approval;
	constructor(approval: Approval) {
		super("held");
		this.approval = approval;
	}
}

/** What was entered leads to nothing, as its words say. */
export class LeadsNowhere extends Error {}

/** No answer came. */
export class Unreachable extends Error {}

export interface Answered<Body> {
	readonly status: number;
	/** As it was before, with 304. */
	readonly body: Body | undefined;
	readonly headers: Headers;
}

export const pace = new Pace();

const written = new Set<() => void>();
/** Calls back after a change, so that the page reads again. */
export function onWrite(listener: () => void): () => void {
	written.add(listener);
	return () => void written.delete(listener);
}

/** Makes a call and gives the body of its answer. Throws `Refused`, `Held` or `Unreachable`. */
export async function call<L extends Line>(line: L, ...[request]: Rest<L>): Promise<BodyOf<L>> {
	const { body } = await ask(line, request as RequestOf<L> | undefined);
	// A session that is renewed changes nothing of what is shown.
	if (!line.startsWith("GET ") && !PUBLIC.test(line)) for (const listener of written) listener();
	return body as BodyOf<L>;
}

type Loose = {
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: unknown;
	readonly organization?: string | null;
	readonly idempotencyKey?: string;
	readonly ifMatch?: string;
	/** Another type than JSON, whose answer is a text. */
	readonly accept?: string;
	readonly signal?: AbortSignal;
	readonly token?: string;
};

const ATTEMPTS = 3;
/** Takes no token. A renewal must not wait for itself. */
const PUBLIC = /^POST \/v1\/(?:auth\/(?!sign-out)|sandbox\/tokens)|^GET \/(?:healthz|console\/)/;

/** The same with status and headers. A change that got no answer is sent again under its key, which does it once. */
export async function ask<L extends Line>(line: L, request?: RequestOf<L>, etag?: string | null): Promise<Answered<BodyOf<L>>> {
	const loose = (request ?? {}) as Loose;
	const isRead = line.startsWith("GET ");
	const key = isRead ? undefined : (loose.idempotencyKey ?? crypto.randomUUID());
	for (let attempt = 1; ; attempt++) {
		const token = loose.token ?? (PUBLIC.test(line) ? undefined : current()?.token);
		const got = await send(line, loose, { token, key, etag }).catch((error: unknown) => {
			if (loose.signal?.aborted) throw error;
			return undefined;
		});
		const lost = got === undefined || /^50[34]$/.test(`${got.response.status}`);
		if (lost && key !== undefined && token !== undefined && attempt < ATTEMPTS && navigator.onLine) {
			await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
			continue;
		}
		if (got === undefined) throw new Unreachable();
		const { response, text } = got;
		const isOurs = token !== undefined && loose.token === undefined;
		if (response.status === 401 && isOurs && attempt < ATTEMPTS) {
			const demand = demandOf(response.headers.get("www-authenticate"));
			if (await (demand ? strengthened(token, demand) : renewed(token))) continue;
		}
		return read(response, text, loose.accept !== undefined);
	}
}

/** What a refusal demands of the sign-in; undefined where that is not why it refuses. */
function demandOf(challenge: string | null): Demand | undefined {
	if (!challenge?.includes("insufficient_user_authentication")) return undefined;
	const named = (name: string) => challenge.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1];
	const [max_age, acr_values] = [named("max_age"), named("acr_values")];
	return { ...(max_age !== undefined && { max_age }), ...(acr_values !== undefined && { acr_values }) };
}

function read<Body>({ status, headers }: Response, text: string, isFile: boolean): Answered<Body> {
	noteBookmark(headers.get("x-d1-bookmark"));
	// Lines of JSON are a text.
	const isJson = /[/+]json/.test(headers.get("content-type") ?? "");
	const body = isJson && text ? JSON.parse(text) : isFile ? text : undefined;
	if (status >= 400) throw new Refused(status, body ?? {}, headers);
	if (status === 202 && body?.approval_type === "OPERATION") throw new Held(body);
	return { status, body, headers };
}

/** An answer that breaks off has not come. */
async function send(
	line: string,
	{ path, query, body, organization, ifMatch, accept = "application/json", signal }: Loose,
	{ token, key, etag }: { token: string | undefined; key: string | undefined; etag: string | null | undefined },
): Promise<{ readonly response: Response; readonly text: string }> {
	pace.note(Date.now());
	const [method = "", pattern = ""] = line.split(" ");
	const filled = pattern.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(path?.[name] ?? ""));
	const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== "");
	const search = new URLSearchParams(given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])));
	const acting = organization === undefined ? current()?.organization : organization;
	const headers: Record<string, string> = { accept };
	if (token) headers.authorization = `Bearer ${token}`;
	if (token && acting) headers["x-organization-id"] = acting;
	if (token && key) headers["idempotency-key"] = key;
	if (etag) headers["if-none-match"] = etag;
	if (ifMatch) headers["if-match"] = ifMatch;
	if (token && method === "GET" && bookmarks.size > 0) headers["x-d1-bookmark"] = [...bookmarks.values()].join();
	if (body !== undefined) headers["content-type"] = "application/json";
	const response = await fetch(filled + (search.size > 0 ? `?${search}` : ""), {
		method,
		headers,
		cache: "no-store",
		credentials: "omit",
		redirect: "error",
		...(body !== undefined && { body: JSON.stringify(body) }),
		...(signal && { signal }),
	});
	return { response, text: await response.text() };
}

/** The greatest bookmark of each database: each read sees what was written here before. */
const bookmarks = new Map<string, string>();

function noteBookmark(header: string | null): void {
	for (const bookmark of header?.split(",") ?? []) {
		const name = bookmark.split(".", 1)[0] ?? "";
		if (!((bookmarks.get(name) ?? "") > bookmark)) bookmarks.set(name, bookmark);
	}
}
