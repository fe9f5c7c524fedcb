// Account numbers: four digits for the account's home, eight at random and a Luhn check digit, which catches every single mistyped digit
// and nearly every swap of two neighbours. A payer who pays by the number alone thereby names the home.

/** The first home's digits. No number begins with zero, because spreadsheets drop leading zeros. */
const FIRST_HOME = 1_000;

/** The account number in a home for eight digits. */
export function accountNumberOf(home: number, digits: string): string {
	const number = `${FIRST_HOME + home}${digits}`;
	return `${number}${checkDigit(number)}`;
}

/** The home that an account number names. */
export const homeOfAccountNumber = (number: string): number => Number(number.slice(0, 4)) - FIRST_HOME;

export function isAccountNumber(text: string): boolean {
	return /^[1-5]\d{12}$/.test(text) && checkDigit(text.slice(0, 12)) === Number(text[12]);
}

function checkDigit(digits: string): number {
	const total = [...digits].reverse().reduce((sum, digit, index) => {
		const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
		return sum + (weighted > 9 ? weighted - 9 : weighted);
	}, 0);
	return (10 - (total % 10)) % 10;
}
