// Exact fractions for the oracle of the book, which shares no arithmetic with the sources.

export class Fraction {
	readonly top: bigint;
	readonly bottom: bigint;

	constructor(top: bigint | number, bottom: bigint | number = 1n) {
		let [a, b] = [BigInt(top), BigInt(bottom)];
		const [up, down] = [a, b];
		while (b !== 0n) [a, b] = [b, a % b];
		this.top = up / a;
		this.bottom = down / a;
		if (this.bottom < 0n) [this.top, this.bottom] = [-this.top, -this.bottom];
	}

	plus = (other: Fraction) => new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
	times = (other: Fraction | bigint) => {
		const by = typeof other === "bigint" ? new Fraction(other) : other;
		return new Fraction(this.top * by.top, this.bottom * by.bottom);
	};
	over = (other: Fraction | number) => {
		const by = typeof other === "number" ? new Fraction(other) : other;
		return new Fraction(this.top * by.bottom, this.bottom * by.top);
	};

	/** The nearest whole number; a tie goes to the even one. */
	rounded(): bigint {
		let whole = this.top / this.bottom;
		if (whole * this.bottom > this.top) whole -= 1n;
		const twice = 2n * (this.top - whole * this.bottom);
		return twice > this.bottom || (twice === this.bottom && whole % 2n !== 0n) ? whole + 1n : whole;
	}
}
