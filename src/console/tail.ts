// Work that continues by itself while somebody looks, each time from where it was before.

import { useEffect, useRef } from "preact/hooks";
import { onWrite, pace, Refused } from "./api.ts";
import { backOff } from "./pace.ts";

/**
 * Does the work so often a minute, and after each change, one after the other: not while it is paused, the page hidden or offline. It
 * backs off after errors.
 */
export function useRepeated(perMinute: number, paused: boolean, work: () => Promise<void>): void {
	const latest = useRef(work);
	latest.current = work;
	useEffect(() => {
		if (paused) return;
		const every = 60_000 / perMinute;
		let timer: ReturnType<typeof setTimeout>;
		let left = false;
		let errors = 0;
		let busy = false;
		const later = (ms: number): void => {
			clearTimeout(timer);
			if (!left) timer = setTimeout(() => void once(), Math.max(ms, pace.wait(Date.now())));
		};
		const once = async (): Promise<void> => {
			if (busy || document.visibilityState !== "visible" || !navigator.onLine) return;
			busy = true;
			let wait = every;
			try {
				await latest.current();
				errors = 0;
			} catch (error) {
				errors++;
				wait = backOff(every, errors, error instanceof Refused ? error.retryAfter : 0);
			}
			busy = false;
			later(wait);
		};
		const resume = (): void => later(0);
		document.addEventListener("visibilitychange", resume);
		addEventListener("online", resume);
		const stop = onWrite(resume);
		later(0);
		return () => {
			left = true;
			clearTimeout(timer);
			document.removeEventListener("visibilitychange", resume);
			removeEventListener("online", resume);
			stop();
		};
	}, [paused, perMinute]);
}
