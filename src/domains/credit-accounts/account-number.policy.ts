// Account numbers: ten digits and a Luhn check digit, which catches every single mistyped digit and nearly every swap of
// two neighbours.

/** The account number for ten digits: the digits and their check digit. */
export function accountNumberOf(digits: string): string {
	return `${digits}${checkDigit(digits)}`;
}

export function isAccountNumber(text: string): boolean {
	return /^\d{11}$/.test(text) && accountNumberOf(text.slice(0, 10)) === text;
}

function checkDigit(digits: string): number {
	const total = [...digits].reverse().reduce((sum, digit, index) => {
		const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
		return sum + (weighted > 9 ? weighted - 9 : weighted);
	}, 0);
	return (10 - (total % 10)) % 10;
}
