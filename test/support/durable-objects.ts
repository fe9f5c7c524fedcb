// What tests do with Durable Objects from outside. Stubs lose their type on the way: the compiler takes half a second to compare two.

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";

export type Stub = { readonly id: DurableObjectId };

/** Runs `use` within the object. */
export const inObject = <R>(stub: Stub, use: (state: DurableObjectState, instance: object) => R | Promise<R>): Promise<R> =>
	runInDurableObject(stub as never, (instance, state) => use(state, instance));

/** Runs the object's alarm, and returns whether one was set. */
export const runAlarm = (stub: Stub): Promise<boolean> => runDurableObjectAlarm(stub as never);

export const evict = (stub: Stub): Promise<void> => evictDurableObject(stub as never);
