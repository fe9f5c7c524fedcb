// What the tests' support imports of `cloudflare:test`, for Node.

const underWay = new WeakMap<object, Promise<unknown>[]>();

export function createExecutionContext(): ExecutionContext {
	const works: Promise<unknown>[] = [];
	const ctx = { waitUntil: (work: Promise<unknown>) => void works.push(work), passThroughOnException: () => {}, props: {} };
	underWay.set(ctx, works);
	return ctx as unknown as ExecutionContext;
}

/** Waits for the work of the context, and for what that work adds. */
export async function waitOnExecutionContext(ctx: object): Promise<void> {
	const works = underWay.get(ctx) ?? [];
	while (works.length > 0) await works.shift();
}

export const createScheduledController = () => ({ scheduledTime: Date.now(), cron: "* * * * *", noRetry: () => {} });

const onlyInWorkerd = (): never => {
	throw new Error("this is for tests in workerd");
};
export const applyD1Migrations = onlyInWorkerd;
export const createMessageBatch = onlyInWorkerd;
export const evictDurableObject = onlyInWorkerd;
export const getQueueResult = onlyInWorkerd;
export const reset = onlyInWorkerd;
export const runDurableObjectAlarm = onlyInWorkerd;
export const runInDurableObject = onlyInWorkerd;
