// Node's own timers and clock, which fake ones of a test do not replace: what stands for the platform continues while a test stops the
// time.

const { setTimeout, clearTimeout, setImmediate } = globalThis;
const { now } = Date;

export const realNow = now;

/** Keeps no process alive. Returns how to cancel it. */
export function after(ms: number, work: () => void): () => void {
	const timer = setTimeout(work, Math.min(Math.max(ms, 0), 2 ** 31 - 1)).unref();
	return () => clearTimeout(timer);
}

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export const waited = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let way: () => Promise<void> | undefined = () => undefined;

/** What a call of the platform waits for on its way: nothing, unless `callsTake` says otherwise. */
export const arrival = (): Promise<void> | undefined => way();

export function callsTake(along: typeof way): void {
	way = along;
}
