// Input that no schema allows: values, members and whole bodies, as an attacker sends them to make the service fail.

/** Bodies are edited as trees whose members may repeat and whose leaves may be any text. */
export class Raw {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
}
export type Tree = Raw | Tree[] | { members: [name: string, value: Tree][] };

export function treeOf(json: unknown): Tree {
	if (Array.isArray(json)) return json.map(treeOf);
	if (typeof json === "object" && json !== null) return { members: Object.entries(json).map(([name, value]) => [name, treeOf(value)]) };
	return new Raw(JSON.stringify(json));
}

export function textOf(tree: Tree): string {
	if (tree instanceof Raw) return tree.text;
	if (Array.isArray(tree)) return `[${tree.map(textOf).join(",")}]`;
	return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(",")}}`;
}

export interface Slot {
	/** `penalty_terms.grace_period_days`, `scopes[]`: items of one list are one place. */
	readonly place: string;
	put(value: Tree): void;
	take(): Tree;
}

/** Every value inside, however deep. */
export function slotsOf(tree: Tree, at = ""): Slot[] {
	if (tree instanceof Raw) return [];
	const own: Slot[] = Array.isArray(tree)
		? tree.map((_, index) => ({
				place: `${at}[]`,
				put(value) {
					tree[index] = value;
				},
				take: () => tree[index] ?? new Raw("null"),
			}))
		: tree.members.map((member) => ({
				place: at === "" ? member[0] : `${at}.${member[0]}`,
				put(value) {
					member[1] = value;
				},
				take: () => member[1],
			}));
	return own.flatMap((slot) => [slot, ...slotsOf(slot.take(), slot.place)]);
}

/** The tree itself, where it is an object, and every object inside. */
export function objectsOf(tree: Tree): { members: [name: string, value: Tree][] }[] {
	if (tree instanceof Raw) return [];
	const inside = Array.isArray(tree) ? tree : tree.members.map(([, value]) => value);
	return [...(Array.isArray(tree) ? [] : [tree]), ...inside.flatMap(objectsOf)];
}

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Replacements for a value: JSON text, or text that only looks like JSON. */
export const WRONG_VALUES: Readonly<Record<string, string>> = {
	null: "null",
	true: "true",
	"an empty string": '""',
	"a blank": '" "',
	"an empty list": "[]",
	"an empty object": "{}",
	zero: "0",
	"minus zero": "-0",
	"minus one": "-1",
	"a fraction": "0.1",
	"2^31": "2147483648",
	"2^53 - 1": "9007199254740991",
	"2^53": "9007199254740992",
	"minus 2^53": "-9007199254740992",
	"2^64": "18446744073709551616",
	"1e308": "1e308",
	"1e999": "1e999",
	"1e-320": "1e-320",
	"a thousand digits": "9".repeat(1000),
	"a number as text": '"1"',
	NaN: "NaN",
	"a NUL": '"a\\u0000b"',
	"a lone surrogate": '"\\ud800"',
	"a surrogate pair": '"\\ud83d\\ude00"',
	"right to left": '"\\u202eabc\\u2066"',
	"combining marks": `"e${"\u0301".repeat(500)}"`,
	"a letter that grows in lower case": '"\u0130\u0130\u0130"',
	"full-width digits": '"\uff11\uff12"',
	"a homoglyph": '"\u0430dmin"',
	"no-break and zero-width spaces": '"\u00a0\u200b\ufeff"',
	"line ends": '"a\\r\\nSet-Cookie: a=b\\r\\n\\r\\n"',
	SQL: `"' OR 1=1; DROP TABLE users; --"`,
	"wildcards of LIKE": '"%_%"',
	markup: '"<script>alert(1)</script>"',
	"a path": '"../../../../etc/passwd\\u002f%2e%2e%00"',
	"a template": '"{{7*7}}#{7*7}<%= 7*7 %>"',
	"a name of Object": '"constructor"',
	"10,000 letters": `"${"a".repeat(10_000)}"`,
	"200,000 letters": `"${"a".repeat(200_000)}"`,
	"40,000 emoji": `"${"\u{1f600}".repeat(40_000)}"`,
	"8,000 brackets in a string": `"${"[".repeat(8_000)}"`,
	"4,000 levels in a string": `"${"[".repeat(4_000)}${"]".repeat(4_000)}"`,
	"30,000 levels in a string": `"${"[".repeat(30_000)}${"]".repeat(30_000)}"`,
	"120,000 levels in a string": `"${"[".repeat(120_000)}${"]".repeat(120_000)}"`,
	"30 times 4,000 levels in a string": `"[${`${"[".repeat(4_000)}${"]".repeat(4_000)},`.repeat(29)}1]"`,
	"50,000 numbers in a string": `"[${"1,".repeat(50_000)}1]"`,
	"30 levels around 32,000 numbers in a string": `"${"[".repeat(30)}${"1,".repeat(32_000)}1${"]".repeat(30)}"`,
	"6,000 members of one object in a string": `"{${Array.from({ length: 6_000 }, (_, i) => `\\"${i}\\":1`).join(",")}}"`,
	"13,000 numbers that grow in a string": `"[${"1e20,".repeat(13_000)}1]"`,
	"32,000 characters outside ASCII as JSON in a string": `"\\"${"\u00e9".repeat(32_000)}\\""`,
	"31 levels": nested("[", "]", 31),
	"33 levels": nested("[", "]", 33),
	"33 levels of objects": nested('{"a":', "}", 33),
	"20,000 levels": nested("[", "]", 20_000),
	"1,000 members": `{${Array.from({ length: 1000 }, (_, i) => `"m${i}":${i}`).join(",")}}`,
	"100,000 zeros": `[${"0,".repeat(100_000)}0]`,
	"60,000 empty objects": `[${"{},".repeat(60_000)}{}]`,
	"50,000 names": `[${'"ab",'.repeat(40_000)}"ab"]`,
	"a date that is none": '"2026-02-30"',
	"a time beyond all": '"+275761-01-01T00:00:00Z"',
	"a nil id": '"00000000-0000-0000-0000-000000000000"',
	"a long duration": '"P99999999999999999999Y"',
	"an address inside": '"https://169.254.169.254/latest/meta-data"',
	"an address in disguise": '"https://0x7f.1/"',
	"an address with user info": '"https://user:password@receiver.invalid/"',
	"an address of a script": '"javascript:alert(1)"',
};

/** Names that a body should not have. */
export const WRONG_MEMBERS = ["__proto__", "constructor", "toString", "", "id", "unknown", "a.b[0]", "$ref", "a".repeat(5_000)] as const;

export const BODY_LIMIT = 262_144;

/** Replacements for a whole body. */
export const WRONG_BODIES: Readonly<Record<string, Buffer>> = Object.fromEntries(
	Object.entries({
		nothing: "",
		blanks: " \n",
		null: "null",
		"a list": "[]",
		"a text": '"text"',
		"an unfinished object": '{"a":',
		"two documents": "{}{}",
		"a comment": "{} // done",
		"a byte order mark": "\ufeff{}",
		"a form": "a=1&b=2",
		"as long as may be": `{"a":"${"a".repeat(BODY_LIMIT - 8)}"}`,
		"a byte too long": `{"a":"${"a".repeat(BODY_LIMIT - 7)}"}`,
		"three times as long as may be": `{"a":"${"a".repeat(3 * BODY_LIMIT)}"}`,
		"120,000 levels": "[".repeat(120_000) + "]".repeat(120_000),
		"brackets that are never closed": "[".repeat(250_000),
		"the same member 20,000 times": `{${'"a":1,'.repeat(20_000)}"a":1}`,
		"20,000 members": `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join(",")}}`,
		"escapes only": `{"a":"${"\\u0061".repeat(40_000)}"}`,
	}).map(([name, text]) => [name, Buffer.from(text)]),
);

export const NOT_UTF8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);

/** Replacements for a segment of the path; URL parsing resolves none of them away. */
export const WRONG_SEGMENTS = [
	"0",
	"null",
	"undefined",
	"00000000-0000-0000-0000-000000000000",
	"ffffffff-ffff-ffff-ffff-ffffffffffff",
	"%00",
	"%ff",
	"%E2%82",
	"%",
	"%zz",
	"a%2Fb",
	"%2e%2e%2fadmin",
	"..;",
	"%F0%9F%98%80",
	"%E2%80%AE",
	"' OR 1=1",
	"*",
	"__proto__",
	"a".repeat(5_000),
].map((segment) => segment.replaceAll(" ", "%20"));

/** Replacements for a value in the query, or additions to it; sent without encoding. */
export const WRONG_QUERIES = [
	"",
	"0",
	"-1",
	"1e9",
	"101",
	"NaN",
	"null",
	"%00",
	"%ff",
	"%",
	"+",
	"%20",
	"a%5B%5D",
	"%F0%9F%98%80",
	"%27%20OR%201=1",
	"00000000-0000-0000-0000-000000000000",
	"2026-02-30T00:00:00Z",
	"9999-12-31T23:59:59Z",
	"a".repeat(4_097),
	// Longer addresses are refused before the Worker: Cloudflare takes 16 KB.
	"a".repeat(15_000),
] as const;
