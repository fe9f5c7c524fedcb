/**
 * An endpoint's timeout: PT1S to PT30S on the wire, milliseconds internally. Only durations in seconds are accepted: PT1.5S is valid,
 * PT0.5M is not, although it is within the bounds.
 */
export const MIN_TIMEOUT_MS = 1_000;
export const MAX_TIMEOUT_MS = 30_000;
export const DEFAULT_TIMEOUT = "PT5S";

const SECONDS = /^PT([1-9][0-9]?(?:\.[0-9]{1,3})?)S$/;

/** The timeout in ms, or undefined unless it is 1 to 30 seconds with at most three decimals. */
export function parseTimeout(text: string): number | undefined {
	const seconds = SECONDS.exec(text)?.[1];
	if (seconds === undefined) return undefined;
	const timeoutMs = Math.round(Number(seconds) * 1000);
	return timeoutMs <= MAX_TIMEOUT_MS ? timeoutMs : undefined;
}

export function formatTimeout(timeoutMs: number): string {
	return `PT${timeoutMs / 1000}S`;
}
