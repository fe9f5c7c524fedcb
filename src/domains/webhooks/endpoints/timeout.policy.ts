/**
 * An endpoint's timeout: PT1S to PT30S on the wire, milliseconds inside. Surprising: only the seconds form is read, so PT0.5M
 * is refused though it lies within the bounds, while PT1.5S is taken.
 */
export const MIN_TIMEOUT_MS = 1_000;
export const MAX_TIMEOUT_MS = 30_000;
export const DEFAULT_TIMEOUT = "PT5S";

const SECONDS = /^PT([1-9][0-9]?(?:\.[0-9]{1,3})?)S$/;

/** Milliseconds, or undefined for anything but a number of seconds from 1 to 30 with at most three decimals. */
export function parseTimeout(text: string): number | undefined {
	const seconds = SECONDS.exec(text)?.[1];
	if (seconds === undefined) return undefined;
	const timeoutMs = Math.round(Number(seconds) * 1000);
	return timeoutMs <= MAX_TIMEOUT_MS ? timeoutMs : undefined;
}

export function formatTimeout(timeoutMs: number): string {
	return `PT${timeoutMs / 1000}S`;
}
