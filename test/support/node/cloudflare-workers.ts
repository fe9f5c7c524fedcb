// What the sources and the tests import of `cloudflare:workers`, for Node. `test/support/node/setup.ts` puts the bindings into `env`.

export class DurableObject {
	readonly ctx: DurableObjectState;
	readonly env: object;
	constructor(ctx: DurableObjectState, env: object) {
		this.ctx = ctx;
		this.env = env;
	}
}
export class RpcTarget {}
export class WorkerEntrypoint {}

export const env: Record<string, unknown> = {};
