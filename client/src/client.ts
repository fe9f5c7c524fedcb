// The client: the generated `Api`, whose calls one function sends.

import type { OperationId } from "./errors.ts";
import { type Api, OPERATIONS } from "./generated.ts";
import { type Request, type SendingOptions, sender } from "./sending.ts";
import { Sent } from "./sent.ts";

export interface ClientOptions extends SendingOptions {}

/** A client of the service. Each of its reads sees what its calls before have written. */
export function createClient(options: ClientOptions): Api {
	const send = sender(options);
	const call = (operation: OperationId, request: Request = {}): Sent =>
		new Sent(operation, send(operation, request), (after) => call(operation, { ...request, query: { ...request.query, after } }));
	const operations = Object.keys(OPERATIONS) as OperationId[];
	return Object.fromEntries(operations.map((operation) => [operation, (request?: Request) => call(operation, request)])) as unknown as Api;
}
