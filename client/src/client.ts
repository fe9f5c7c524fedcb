// The client: the generated `Api`, whose calls one function sends.

import { type Api, OPERATIONS } from "./generated.ts";
import { targets } from "./operations.ts";
import { type Request, type SendingOptions, sender, type Target } from "./sending.ts";
import { sent } from "./sent.ts";
import type { Answer, List } from "./types.ts";

export interface ClientOptions extends SendingOptions {}

/** A client of the service. Each of its reads sees what its calls before have written. */
export function createClient(options: ClientOptions): Api {
	const send = sender(options);
	const call = (target: Target, request: Request = {}): List<unknown, unknown, Answer> =>
		sent(target.operation, send(target, request), (after) => call(target, { ...request, query: { ...request.query, after } }));
	const methods = targets(OPERATIONS).map((target) => [target.operation, (request?: Request) => call(target, request)]);
	return Object.fromEntries(methods);
}
