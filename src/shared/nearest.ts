// Which of the known names a misspelt one may mean.

/** The name that is meant most likely: one whose words contain the other's, else one of which at most a third of the letters differ. */
export function nearest(sent: string, names: readonly string[]): string | undefined {
	// Longer names are no misspellings, and would be slow to compare.
	if (sent.length > 64) return undefined;
	const words = wordsOf(sent);
	const [best] = [...new Set(names)]
		.map((name) => ({ name, shared: contain(words, wordsOf(name)), distance: distance(words.join("_"), name) }))
		.filter(({ name, shared, distance }) => shared || distance <= Math.floor(name.length / 3))
		.toSorted((a, b) => Number(b.shared) - Number(a.shared) || a.distance - b.distance);
	return best?.name;
}

const wordsOf = (name: string): string[] =>
	name
		.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");

const contain = (a: readonly string[], b: readonly string[]): boolean => {
	const [few, many] = a.length <= b.length ? [a, b] : [b, a];
	return few.length > 0 && few.every((word) => many.includes(word));
};

/** The optimal string alignment distance: how many characters must be inserted, deleted or replaced, or swapped with the next one. */
function distance(a: string, b: string): number {
	let before: number[] = [];
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const swapped =
				i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
			next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), swapped);
		}
		before = row;
		row = next;
	}
	return row[b.length] ?? 0;
}
