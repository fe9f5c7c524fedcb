// Texts with places for values, as ICU MessageFormat writes them: `{sum}`, and `{minutes, plural, one {# minute} other {# minutes}}`, in
// which `#` is the number.

type Forms = { readonly [rule in Intl.LDMLPluralRule]?: readonly Part[] };
type Part = string | { readonly name: string } | { readonly number: string; readonly forms: Forms } | { readonly count: true };
export type Pattern = readonly Part[];

const COUNT: Part = { count: true };
const RULES: readonly string[] = ["zero", "one", "two", "few", "many", "other"];

/** What is wrong with a text that no pattern can be read from. */
export class PatternFault extends Error {}

/** Throws `PatternFault`. */
export function readPattern(text: string): Pattern {
	const reader = new PatternReader(text);
	const pattern = reader.parts(false);
	if (!reader.isAtEnd) throw new PatternFault("has a } without its {");
	return pattern;
}

class PatternReader {
	readonly #text: string;
	#at = 0;
	constructor(text: string) {
		this.#text = text;
	}

	get isAtEnd(): boolean {
		return this.#at === this.#text.length;
	}

	/** What stands up to the end, or to the brace that closes the form. */
	parts(inForm: boolean): Pattern {
		const parts: Part[] = [];
		while (!this.isAtEnd && this.#text[this.#at] !== "}") {
			const plain = this.#take(inForm ? /[^{}#]+/y : /[^{}]+/y);
			if (plain !== undefined) parts.push(plain);
			else if (this.#take(/#/y) !== undefined) parts.push(COUNT);
			else parts.push(this.#place(inForm));
		}
		return parts;
	}

	#place(inForm: boolean): Part {
		const opened = this.#take(/\{\s*\w+\s*/y);
		const name = opened?.slice(1).trim();
		if (name === undefined) throw new PatternFault("has a { without a name");
		if (this.#take(/\}/y) !== undefined) return { name };
		if (inForm || this.#take(/,\s*plural\s*,\s*/y) === undefined)
			throw new PatternFault(`{${name} must end with } or go on with , plural, and its forms`);
		const forms: Record<string, Pattern> = {};
		for (;;) {
			const rule = this.#take(/\w+\s*\{/y)?.replace(/\s*\{$/, "");
			if (rule === undefined) break;
			if (!RULES.includes(rule)) throw new PatternFault(`${rule} is no form: there are ${RULES.join(", ")}`);
			forms[rule] = this.parts(true);
			if (this.#take(/\}\s*/y) === undefined) throw new PatternFault(`the form ${rule} does not end with }`);
		}
		if (this.#take(/\}/y) === undefined) throw new PatternFault(`{${name}, plural does not end with }`);
		if (!forms.other) throw new PatternFault(`{${name}, plural needs the form other`);
		return { number: name, forms };
	}

	#take(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.#at;
		const found = pattern.exec(this.#text)?.[0];
		this.#at += found?.length ?? 0;
		return found;
	}
}

/** The names of what the text has places for. */
export const namesIn = (pattern: Pattern): ReadonlySet<string> => new Set(pattern.flatMap(namesOf));

function namesOf(part: Part): string[] {
	if (typeof part === "string" || "count" in part) return [];
	if ("name" in part) return [part.name];
	return [part.number, ...Object.values(part.forms).flatMap((form) => form.flatMap(namesOf))];
}

type Values = {
	/** What stands in a place. */
	readonly shown: (name: string) => string;
	/** What a plural counts. */
	readonly counted: (name: string) => number;
	readonly rules: Intl.PluralRules;
};

/** The text with the values in it. */
export function filled(pattern: Pattern, values: Values, count = ""): string {
	return pattern
		.map((part) => {
			if (typeof part === "string") return part;
			if ("count" in part) return count;
			if ("name" in part) return values.shown(part.name);
			const form = part.forms[values.rules.select(values.counted(part.number))] ?? part.forms.other ?? [];
			return filled(form, values, values.shown(part.number));
		})
		.join("");
}
