// Starts a separate service, to make data or to measure, and calls it; each call must succeed.

import { type Service, type ServiceOptions, startService } from "./service.ts";

const MAX_ATTEMPTS = 5;

export type Fields = { readonly [name: string]: unknown };
export type Caller = {
	readonly token?: string;
	/** The organization for which the caller acts. */
	readonly organization?: string;
	/** The Idempotency-Key. */
	readonly key?: string;
};
type Method = "GET" | "POST" | "PATCH";
export type Answer = {
	readonly body: Fields;
	readonly bytes: number;
	/** The Server-Timing header. */
	readonly timing: string;
	readonly ms: number;
};

/** Starts the service on any free port, in one database, without rate limits. By default only errors are printed. */
export const startOwnService = (
	statePath: string,
	options: Pick<ServiceOptions, "beside" | "inspect" | "onLog" | "variables"> = {},
): Promise<Service> =>
	startService({
		port: 0,
		statePath,
		databases: 0,
		onLog: printError,
		...options,
		variables: { RATE_LIMITS: "off", ...options.variables },
	});

const printError: ServiceOptions["onLog"] = ({ level, message }) => void (level === "error" && process.stderr.write(`${message}\n`));

/** Sends a request. Throws unless it succeeds. */
export async function ask(url: string, method: Method, pathname: string, by: Caller = {}, body?: Fields): Promise<Answer> {
	for (let attempt = 1; ; attempt++) {
		const began = performance.now();
		const response = await fetch(`${url}${pathname}`, {
			method,
			headers: {
				...(body && { "content-type": "application/json" }),
				...(by.token !== undefined && { authorization: `Bearer ${by.token}` }),
				...(by.organization !== undefined && { "x-organization-id": by.organization }),
				...(by.key !== undefined && { "idempotency-key": by.key }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		const ms = performance.now() - began;
		// The local runtime may close a connection that is being used again.
		const repeatable = method === "GET" || by.key !== undefined;
		if (response.status === 503 && repeatable && attempt < MAX_ATTEMPTS) continue;
		if (!response.ok) throw new Error(`${method} ${pathname} answered ${response.status} ${text}`);
		return {
			body: text === "" ? {} : (JSON.parse(text) as Fields),
			bytes: text.length,
			timing: response.headers.get("server-timing") ?? "",
			ms,
		};
	}
}

export const clientOf =
	({ url }: { readonly url: string }) =>
	async (method: Method, pathname: string, by: Caller = {}, body?: Fields): Promise<Fields> =>
		(await ask(url, method, pathname, by, body)).body;
export type Client = ReturnType<typeof clientOf>;

export const textOf = (fields: Fields, name: string): string => {
	const value = fields[name];
	if (typeof value !== "string") throw new Error(`the answer has no ${name}: ${JSON.stringify(fields)}`);
	return value;
};

export const operatorOf = async (call: Client, subject = "seed"): Promise<Caller> => ({
	token: textOf(await call("POST", "/v1/sandbox/tokens", {}, { kind: "operator", subject, expires_in: 3600 }), "token"),
});
