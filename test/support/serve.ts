// The Worker, called as workerd calls it. Through the pool's own `exports.default.fetch` each request takes longer than
// the one before, which a suite of thousands does not survive.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../src/worker";

export const ORIGIN = "http://localhost";

/** `vars` stand in for those of the environment. */
export async function serve(path: string, init: RequestInit = {}, vars: Partial<Env> = {}): Promise<Response> {
	const environment = Object.keys(vars).length > 0 ? { ...env, ...vars } : env;
	return worker.fetch(new Request(`${ORIGIN}${path}`, init), environment, createExecutionContext());
}
