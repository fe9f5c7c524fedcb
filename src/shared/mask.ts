// What those who must recognize a mobile number, and have no need to call it, are shown of it.

/** The first four characters and the last three digits; the rest is masked. */
export const maskNumber = (number: string): string =>
	`${number.slice(0, 4)}${"*".repeat(Math.max(0, number.length - 7))}${number.slice(-3)}`;
