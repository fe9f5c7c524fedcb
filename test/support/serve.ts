// The Worker, called as workerd calls it. Through the pool's own `exports.default.fetch` each request takes longer than
// the one before, which a suite of thousands does not survive.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { worker } from "./outbound";

export const ORIGIN = "http://localhost";

export type Vars = { readonly [name: string]: unknown };

/** `vars` stand in for those of the environment. */
export async function serve(request: Request, vars?: Vars, ctx = createExecutionContext()): Promise<Response> {
	contexts.push(ctx);
	return worker.fetch(request as Parameters<typeof worker.fetch>[0], vars ? { ...env, ...vars } : env, ctx);
}

export const servePath = (path: string, init: RequestInit = {}, vars?: Vars) => serve(new Request(`${ORIGIN}${path}`, init), vars);

/** The same, once what goes on after the answer is over. */
export async function serveToTheEnd(request: Request, vars?: Vars): Promise<Response> {
	const ctx = createExecutionContext();
	const response = await serve(request, vars, ctx);
	await waitOnExecutionContext(ctx);
	return response;
}

const contexts: ExecutionContext[] = [];

/** Waits for what goes on after the answers of this test, so that it does not go on in the next one's database. */
export async function requestsEnded(): Promise<void> {
	await Promise.all(contexts.splice(0).map((ctx) => waitOnExecutionContext(ctx)));
}
