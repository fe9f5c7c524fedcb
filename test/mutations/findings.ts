// What is known of a domain's guards: which some test notices, which tests pass without, and which none reaches.

import type { Place, SchemaGuard } from "./places.ts";
import type { Verdict } from "./plan.ts";

/** The guards of one domain, and the folders whose tests must notice each of them: its own, or of its users if it has none. */
export type Domain = {
	readonly name: string;
	readonly places: readonly Place[];
	readonly schema: readonly SchemaGuard[];
	readonly tests: readonly string[];
	/** Those that try what its own do not notice. */
	readonly further: readonly string[];
};
type Survivor = { readonly key: string; readonly place: string; readonly what: string; readonly why: string };

export type Told = { readonly file: string; readonly name: string; readonly verdict?: Verdict; readonly state: string };

/** What is known of a domain's guards after all of its tests. */
export class Findings {
	readonly visited = new Set<string>();
	/** With the first test that has noticed it. */
	readonly noticed = new Map<string, { readonly file: string; readonly name: string }>();
	readonly missed = new Map<string, string[]>();
	readonly unsound: string[] = [];
	/** Tests were left out, because the time was over: what is missed so far is not judged. */
	incomplete = false;

	/** @param severalHomes that rows had homes in several databases, where tests that speak of a single one fail */
	add(told: readonly Told[], severalHomes = false): void {
		for (const { file, name, verdict, state } of told) {
			if (!severalHomes && (verdict?.unsound !== undefined || state === "failed"))
				this.unsound.push(`${file} > ${name}: ${verdict?.unsound ?? state}`);
			if (verdict?.late) this.incomplete = true;
			for (const place of verdict?.visited ?? []) this.visited.add(place);
			for (const key of verdict?.noticed ?? []) if (!this.noticed.has(key)) this.noticed.set(key, { file, name });
			for (const key of verdict?.missed ?? []) this.missed.set(key, [...(this.missed.get(key) ?? []), name]);
		}
	}

	/** Of a sample only what was tried: the rest was not. */
	survivorsOf({ places, schema }: Domain, sampled: boolean): Survivor[] {
		const tried = new Set([...this.noticed.keys(), ...this.missed.keys()]);
		const survivor = (at: string, condition: string, why: string): Survivor => {
			const guard = schema.find(({ name }) => name === at);
			if (guard) return { key: guard.name, place: guard.place, what: `${guard.kind} ${guard.name}`, why };
			const what = whatOf(places, at, condition);
			return { key: `${at.replace(/:\d+$/, "")} ${what}`, place: at, what, why };
		};
		const isTried = (place: string) => [...tried].some((key) => key === place || key.startsWith(`${place} `));
		const passed = [...this.missed].flatMap(([key, tests]) => {
			if (this.noticed.has(key)) return [];
			const [place, condition] = partsOf(key);
			return [survivor(place, condition, `${tests.length} tests pass without it, such as "${tests[0]}"`)];
		});
		const unreached = places.flatMap(({ kind, place }) => {
			if (kind === "write" || isTried(place)) return [];
			return [survivor(place, "", this.visited.has(place) ? "it never fires in a test" : "no test runs it")];
		});
		const idle = schema.filter(({ name }) => !tried.has(name)).map(({ name }) => survivor(name, "", "it never fires in a test"));
		return [...passed, ...(sampled ? [] : [...unreached, ...idle])].sort((a, b) => a.place.localeCompare(b.place, "en", { numeric: true }));
	}

	/** Names a guard by what does not change with the lines of its file, as `ACCEPTED` does. */
	nameOf({ places, schema }: Domain, key: string): string {
		if (schema.some(({ name }) => name === key)) return key;
		const [place, condition] = partsOf(key);
		return `${place.replace(/:\d+$/, "")} ${whatOf(places, place, condition)}`;
	}

	get judged(): number {
		return new Set([...this.noticed.keys(), ...(this.incomplete ? [] : this.missed.keys())]).size;
	}
}

/** A key's place and condition. */
function partsOf(key: string): readonly [place: string, condition: string] {
	const [, place = "", condition = ""] = /^(\S+) ?([\s\S]*)$/.exec(key) ?? [];
	return [place, condition];
}

function whatOf(places: readonly Place[], at: string, condition: string): string {
	const { within = "", name = "" } = places.find(({ place }) => place === at) ?? {};
	return `${within}: ${condition || name || "a write"}`;
}

export const say = ({ place, what, why }: Survivor): string => `  ${place}  ${what}\n    ${why}\n`;
