// What a repayment prompt asks for, when the next one may be made, and the reference by which its payment is known.

import { DAY_MS, MINUTE_MS } from "../../../shared/time";

export const CURRENCY = "KES";

/** What can be asked for, in cents: KES 1 to 250,000, and no cents. */
export const UNIT = 100;
export const LEAST = 1_00;
export const MOST = 250_000_00;

/** The whole units that cover what is due; at most what one payment can be. */
export const askedFor = (due: number): number => Math.min(MOST, Math.ceil(due / UNIT) * UNIT);

/** The provider refuses a second prompt of the same amount to the same payer within two minutes. */
const BETWEEN_MS = 2 * MINUTE_MS;
export const A_DAY = 10;

/** How long the account must wait until its next prompt. `newest`: when its last ten were made, newest first. */
export function waitBefore(newest: readonly number[], now: number): number {
	const [last] = newest;
	const tenth = newest[A_DAY - 1];
	return Math.max(0, last === undefined ? 0 : last + BETWEEN_MS - now, tenth === undefined ? 0 : tenth + DAY_MS - now);
}

// The provider takes twelve characters, and account numbers have thirteen. A reference names the home as they do.

const FIRST_HOME = 1_000;
/** Without letters that look like others. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const RANDOM_LETTERS = 7;

/** @param bytes at random */
export const referenceOf = (home: number, bytes: Uint8Array): string =>
	`R${FIRST_HOME + home}${Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("")}`;

/** The reference of a prompt in what a confirmation says; undefined for any other text. */
export function referenceIn(text: string): string | undefined {
	const written = text.toUpperCase();
	return /^R[1-5]\d{3}[0-9A-HJKMNP-TV-Z]{7}$/.test(written) ? written : undefined;
}
