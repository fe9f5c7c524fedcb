// What a bundle is made of, by packages and by folders of the sources.

export type Share = { readonly name: string; readonly bytes: number; readonly share: number };

/**
 * The largest first.
 * @param modules the bytes of each
 */
export function sharesOf(modules: ReadonlyMap<string, number>): readonly Share[] {
	const bytesBy = new Map<string, number>();
	for (const [file, bytes] of modules) {
		const name = partOf(file);
		bytesBy.set(name, (bytesBy.get(name) ?? 0) + bytes);
	}
	const all = [...bytesBy.values()].reduce((sum, bytes) => sum + bytes, 0);
	return [...bytesBy]
		.filter(([, bytes]) => bytes > 0)
		.map(([name, bytes]) => ({ name, bytes, share: bytes / all }))
		.toSorted((a, b) => b.bytes - a.bytes);
}

/** The package, the domain or the folder of `src` that a bundled file belongs to. */
function partOf(file: string): string {
	const named = file.split("node_modules/").at(-1);
	if (named !== undefined && named !== file) return /^(?:@[^/]+\/)?[^/]+/.exec(named)?.[0] ?? named;
	return /(?:^|\/)(src\/(?:domains\/)?[^/]+)\//.exec(file)?.[1] ?? "the rest";
}
