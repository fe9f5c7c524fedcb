// What the sources and the tests import of `cloudflare:workers`, for Node. `bindings.ts` puts the bindings into `env`.

export class DurableObject {
	readonly ctx: DurableObjectState;
	readonly env: object;
	constructor(ctx: DurableObjectState, env: object) {
		this.ctx = ctx;
		this.env = env;
	}
}
export class RpcTarget {}
export class WorkerEntrypoint {
	readonly ctx: ExecutionContext;
	readonly env: object;
	constructor(ctx: ExecutionContext, env: object) {
		this.ctx = ctx;
		this.env = env;
	}
}

export const env: Record<string, unknown> = {};

/** The Worker's entry points, by which it calls itself. `local.ts` puts them here. */
export const exports: { default: { fetch: typeof fetch }; [entryPoint: string]: object } = {
	default: {
		fetch() {
			throw new Error("the Worker is not loaded");
		},
	},
};

export const SELF = exports.default;
