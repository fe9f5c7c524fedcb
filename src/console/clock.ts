// The service's clock, which the sandbox may have moved ahead of this machine's.

import { useEffect, useState } from "preact/hooks";
import { call } from "./api.ts";

let ahead = 0;
const listeners = new Set<() => void>();

export const now = (): number => Date.now() + ahead;
/** How far the service is ahead; what the network and rounding add is none. */
export const lead = (): number => (Math.abs(ahead) < 5_000 ? 0 : ahead);

/** The date of the service's calendar: `2026-03-31`. */
export const calendarDay = (at: number = now()): string => new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Nairobi" }).format(at);

export function setClock(at: string): void {
	ahead = Date.parse(at) - Date.now();
	for (const listener of [...listeners]) listener();
}

/** Asks for the time, which another person may have moved. */
export async function readClock(): Promise<void> {
	const { now: at } = await call("GET /healthz").catch(() => ({ now: undefined }));
	if (at) setClock(at);
}

/** Renders again whenever the clock is moved, and each minute. */
export function useClock(): number {
	const [, render] = useState({});
	useEffect(() => {
		const again = (): void => render({});
		listeners.add(again);
		const timer = setInterval(again, 60_000);
		return () => {
			listeners.delete(again);
			clearInterval(timer);
		};
	}, []);
	return now();
}
