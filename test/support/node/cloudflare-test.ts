// What the tests and their support import of `cloudflare:test`, for Node.

import { loseMemory, type Objects, runWithin } from "./durable-objects";

export { env, SELF } from "./cloudflare-workers";
export { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult, waitOnExecutionContext } from "./execution";
export { reset } from "./reset";

type Migration = { readonly name: string; readonly queries: readonly string[] };

/** Applies the migrations that the database lacks. */
export async function applyD1Migrations(database: D1Database, migrations: readonly Migration[]): Promise<void> {
	const { results } = await database.prepare("select name from d1_migrations").all<{ name: string }>();
	const applied = new Set(results.map(({ name }) => name));
	const lacking = migrations.filter(({ name }) => !applied.has(name));
	if (lacking.length > 0) throw new Error(`a database in Node begins with all migrations, and lacks ${lacking.map(({ name }) => name)}`);
}

export const runInDurableObject = runWithin;

/** Runs the object's alarm now. Returns whether one was set. */
export const runDurableObjectAlarm = (stub: object): Promise<boolean> =>
	runWithin(stub, async (instance, { storage }) => {
		if ((await storage.getAlarm()) === null) return false;
		await storage.deleteAlarm();
		await (instance as { alarm?: () => unknown }).alarm?.();
		return true;
	});

export async function evictDurableObject(stub: object): Promise<void> {
	loseMemory(stub);
}

export const listDurableObjectIds = async (objects: Objects) => objects.ids();
