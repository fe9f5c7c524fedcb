// Sends a call, again where that is safe, with what the client has: its token, its organization, its bookmarks.

import { ApiError, ConnectionError, type OperationId, type Refusal } from "./errors.ts";
import type { Answer, Signal } from "./types.ts";

/** What is used of `fetch`. */
export type Fetch = (
	url: string,
	// biome-ignore lint/suspicious/noExplicitAny: each platform has an AbortSignal of its own
	init: { method: string; headers: Record<string, string>; body?: string; signal: any },
) => Promise<{ readonly status: number; readonly headers: Answer["headers"]; text(): Promise<string> }>;

type Answered = { readonly status: number; readonly headers: Answer["headers"] };

export interface SendingOptions {
	/** The address of the service: `https://api.example.com`. */
	readonly baseUrl: string;
	/**
	 * The bearer token, or a function that gets one. The client calls it for the first token, and for another after a 401 with the refused
	 * token: once, for any number of refused calls.
	 */
	readonly token?: string | ((refused: string | undefined) => string | Promise<string>) | undefined;
	/** A partner's key, `sk_…`, instead of a token. */
	readonly apiKey?: string | undefined;
	/** The organization to act for: its id or slug. Members of only one need not name it. */
	readonly organization?: string | undefined;
	/** Sent with every call, such as `X-App-Version`. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** How often a call is sent at most. By default 4. */
	readonly attempts?: number | undefined;
	/** How long a call waits at most before it is sent again. By default 20,000. A refusal that asks for longer is final. */
	readonly maxWaitMs?: number | undefined;
	/** How long an attempt may take before it counts as lost. By default 8,000: less than the 10 s for which the service repeats any answer. */
	readonly timeoutMs?: number | undefined;
	/** By default the global one. */
	readonly fetch?: Fetch | undefined;
}

/** The members that requests have. */
export type Request = {
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: unknown;
	readonly signal?: Signal;
	readonly headers?: Readonly<Record<string, string>>;
	readonly idempotencyKey?: string;
	readonly organization?: string;
	readonly ifNoneMatch?: string;
	readonly ifMatch?: string;
	readonly as?: string;
};

/** What is called. */
export type Target = {
	readonly operation: OperationId;
	readonly method: string;
	readonly path: string;
	/** Whether the operation takes no credentials. */
	readonly isPublic: boolean;
};

const isAnsweredAgain = /^(refreshSession|signIn|confirmPhoneVerification|exchangePhoneToken)$/;

export function sender(options: SendingOptions) {
	const { attempts = 4, maxWaitMs = 20_000, timeoutMs = 8_000, fetch = globalThis.fetch } = options;
	const tokenAfter = tokens(options.token);
	/** What the client sends back to read what it wrote: the greatest bookmark of each database. */
	const bookmarks = new Map<string, string>();
	const note = (bookmark: string): void => {
		const [database = ""] = bookmark.split(".");
		if (!((bookmarks.get(database) ?? "") > bookmark)) bookmarks.set(database, bookmark);
	};

	return async ({ operation, method, path, isPublic }: Target, request: Request): Promise<Answer> => {
		const { body, signal } = request;
		const isRead = method === "GET";
		const key = request.idempotencyKey ?? (isRead || isPublic ? undefined : newKey());
		// Work that is done twice under one key is done once, and a used token or code gets the same answer again for a while.
		const isRepeatable = isRead || key !== undefined || isAnsweredAgain.test(operation);
		const url = options.baseUrl.replace(/\/+$/, "") + pathOf(path, request);
		const isText = typeof body === "string";
		let token = isPublic ? undefined : await tokenAfter();
		let mayRefresh = !isPublic;

		for (let attempt = 1; ; attempt++) {
			if (signal?.aborted) throw reasonOf(signal);
			const headers = present({
				accept: `${request.as ?? "application/json"}, application/problem+json`,
				authorization: token && `Bearer ${token}`,
				"x-api-key": !isPublic && options.apiKey,
				"x-organization-id": request.organization ?? options.organization,
				"idempotency-key": key,
				"if-none-match": request.ifNoneMatch,
				"if-match": request.ifMatch,
				"x-d1-bookmark": isRead && [...bookmarks.values()].join(),
				"content-type": body !== undefined && `application/${isText ? "x-nd" : ""}json`,
				...options.headers,
				...request.headers,
			});
			const init = { method, headers, ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }) };
			const got = await within(timeoutMs, signal, async (ended) => {
				const response = await fetch(url, { ...init, signal: ended });
				return { response, answered: bodyOf(response, await response.text(), request.as !== undefined) };
			}).catch((lost: unknown) => ({ lost }));
			if (signal?.aborted) throw reasonOf(signal);

			let waitMs = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
			let error: Error;
			let mayTryAgain = isRepeatable;
			if ("lost" in got) error = new ConnectionError(operation, got.lost, key);
			else {
				const { answered } = got;
				const { status, headers } = got.response;
				headers.get("x-d1-bookmark")?.split(",").forEach(note);
				if (status < 400) return { status, body: answered, headers };
				const after = Number(headers.get("retry-after")) || undefined;
				const refusal = typeof answered === "object" ? answered : {};
				const refused = new ApiError(operation, status, refusal as Refusal, headers.get("x-request-id") ?? undefined, after);
				error = refused;
				if (status === 401 && mayRefresh) {
					mayRefresh = false;
					const another = await tokenAfter(token);
					if (another === token) throw error;
					token = another;
					attempt--;
					continue;
				}
				// 429: it was not looked at. The others: it may have been done, or the attempt before is still at it.
				mayTryAgain = status === 429 || (isRepeatable && (/^50[234]$/.test(`${status}`) || refused.code === "IDEMPOTENCY_IN_PROGRESS"));
				waitMs = Math.max(waitMs, (after ?? 0) * 1_000);
			}
			if (!mayTryAgain || attempt >= attempts || waitMs > maxWaitMs) throw error;
			await within(waitMs, signal, (ended) => new Promise((resolve) => ended.addEventListener("abort", resolve)));
		}
	};
}

/** The token to send after this one was refused: a token that was got since, else another, for which the source is asked once. */
function tokens(source: SendingOptions["token"]): (refused?: string) => Promise<string | undefined> {
	let current: string | undefined;
	let asked: Promise<string> | undefined;
	return async (refused) => {
		if (typeof source !== "function") return source;
		if (current !== undefined && current !== refused) return current;
		asked ??= (async () => source(refused))().finally(() => {
			asked = undefined;
		});
		current = await asked;
		return current;
	};
}

/**
 * The body of an answer. An answer that should be JSON and is not comes from something between this program and the service, such as the
 * sign-in page of a hotel's network, so it counts as lost.
 */
function bodyOf({ status, headers }: Answered, text: string, mayBeText: boolean): unknown {
	if (!text) return undefined;
	if (headers.get("content-type")?.includes("json")) return JSON.parse(text);
	if (status < 400 && !mayBeText) throw new Error("the answer is not JSON");
	return text;
}

/** Why the caller ended a call. Older platforms' signals have no reason. */
const reasonOf = (signal: Signal): unknown => signal.reason ?? new Error("the call was ended");

/** Begins work that is ended by the signal, or after so long. */
async function within<T>(ms: number, signal: Signal | undefined, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
	const ended = new AbortController();
	const end = () => ended.abort(signal?.aborted ? reasonOf(signal) : new Error(`none within ${ms} ms`));
	const timer = setTimeout(end, ms);
	signal?.addEventListener("abort", end);
	try {
		return await work(ended.signal);
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", end);
	}
}

const pathOf = (path: string, request: Request): string => {
	const query = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined);
	const pairs = query.map((pair) => pair.map((part) => encodeURIComponent(String(part))).join("="));
	const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? ""));
	return filled + (pairs.length > 0 ? `?${pairs.join("&")}` : "");
};

/** The headers that have a value. */
const present = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => Boolean(header[1])));

/** React Native, and pages without TLS, have no `randomUUID`. */
const newKey = (): string => (typeof crypto === "object" && crypto.randomUUID?.()) || `${Date.now()}${Math.random()}${Math.random()}`;
