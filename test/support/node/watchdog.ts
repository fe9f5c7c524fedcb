// Ends the process of a test that never comes back, and says which it was: Vitest's own limit is a timer, which does not fire while code
// runs in a loop, and it sets none while a file is loaded.

import type { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { realNow } from "./clock";

const LOOP_MS = 30_000;
const LOADING_MS = 120_000;
const MOST_BYTES = 1_000;

/** What the thread that looks on sees: when the other was last alive, whether it loads a file and since when, and what it does. */
const memory = new SharedArrayBuffer(32 + MOST_BYTES);
const times = new Float64Array(memory, 0, 3);
const text = new Uint8Array(memory, 32);

/** @param loading whether no test runs yet */
export function nowDoing(what: string, loading: boolean): void {
	text.fill(0);
	text.set(new TextEncoder().encode(what).subarray(0, MOST_BYTES));
	times[1] = loading ? 1 : 0;
	times[2] = realNow();
	times[0] = realNow();
}

let isWatched = false;
export function watch(): void {
	if (isWatched) return;
	isWatched = true;
	const alive = () => {
		times[0] = realNow();
	};
	alive();
	setInterval(alive, 1_000).unref();
	new Worker(`(${lookOn.toString()})(require("node:worker_threads").workerData, require("node:fs").writeSync)`, {
		eval: true,
		workerData: { memory, pid: process.pid, LOOP_MS, LOADING_MS },
	}).unref();
}

/** Runs in a thread of its own, from its text. */
function lookOn(given: { memory: SharedArrayBuffer; pid: number; LOOP_MS: number; LOADING_MS: number }, write: typeof writeSync): void {
	const times = new Float64Array(given.memory, 0, 3);
	const text = new Uint8Array(given.memory, 32);
	setInterval(() => {
		const [alive = 0, loading = 0, since = 0] = times;
		const now = Date.now();
		if (now - alive < given.LOOP_MS && !(loading === 1 && now - since > given.LOADING_MS)) return;
		const what = new TextDecoder().decode(text.slice(0, text.indexOf(0)));
		write(2, `\nThis hangs, and its process is ended: ${what}\n`);
		process.kill(given.pid, "SIGKILL");
	}, 1_000);
}
