// Calls the Workers as workerd does: the edge, which hands requests to the core. The test pool's own `exports.default.fetch` is not used, because each request through it takes longer
// than the one before.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import edge, { Kept } from "../../src/edge";
import { expectNotKept } from "./caching";
import { expectDocumented } from "./document";
import { environmentWith, type Vars } from "./environments";
import { worker } from "./outbound";
import { isRecording, wantsProblem } from "./recording";

export const ORIGIN = "http://localhost";

export type { Vars };

/** `vars` override variables of the environment. */
export async function serve(request: Request, vars?: Vars, ctx = createExecutionContext()): Promise<Response> {
	follow(ctx);
	const env = environmentWith(vars);
	const CORE = { fetch: (it: Request) => worker.fetch(it as Parameters<typeof worker.fetch>[0], env, ctx) };
	const exports = { Kept: new Kept(ctx, { CORE }) };
	const fetch = (it: Request) => edge.fetch(it, { CORE }, { exports });
	const [unread, again] = isRecording ? [request.clone(), request.clone()] : [request, request];
	const response = await fetch(request);
	expectNotKept(request, response);
	await expectDocumented(unread, response, env.ENVIRONMENT ?? "production");
	if (await wantsProblem(again, response)) {
		const problem = new Request(again, { headers: { ...Object.fromEntries(again.headers), accept: "application/problem+json" } });
		await expectDocumented(problem.clone(), await fetch(problem), env.ENVIRONMENT ?? "production");
	}
	return response;
}

export const servePath = (path: string, init: RequestInit = {}, vars?: Vars) => serve(new Request(`${ORIGIN}${path}`, init), vars);

/** Serves the request and waits for the work that continues after the response. */
export async function serveToTheEnd(request: Request, vars?: Vars): Promise<Response> {
	const ctx = createExecutionContext();
	const response = await serve(request, vars, ctx);
	await waitOnExecutionContext(ctx);
	return response;
}

const contexts: ExecutionContext[] = [];

/** A context whose work the test's end waits for. */
export function follow(ctx: ExecutionContext): ExecutionContext {
	contexts.push(ctx);
	return ctx;
}

/** Waits for the work that continues after this test's responses, which would otherwise write into the next test's database. */
export async function requestsEnded(): Promise<void> {
	await Promise.all(contexts.splice(0).map((ctx) => waitOnExecutionContext(ctx)));
}

/** Waits until this work, and what it adds to the list meanwhile, has ended. */
export async function endsOf(work: Promise<unknown>[]): Promise<void> {
	while (work.length > 0) await work.shift();
}
