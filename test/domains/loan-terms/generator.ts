// A seeded source of whole numbers, so that a failing property names the seed that breaks it. Integer arithmetic only.

export type Generator = {
	/** A whole number from low to high, both included. */
	between(low: number, high: number): number;
	pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
};

export function generatorFrom(seed: number): Generator {
	let state = seed >>> 0 || 1;
	const next = () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		state >>>= 0;
		return state;
	};
	const between = (low: number, high: number) => {
		const wide = (BigInt(next()) << 32n) | BigInt(next());
		return low + Number(wide % (BigInt(high) - BigInt(low) + 1n));
	};
	return { between, pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0] };
}
