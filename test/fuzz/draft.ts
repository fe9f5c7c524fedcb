// Requests before they are sent: drawn from an operation's schemas, most of them with one or two things wrong.
// A draft is a pure function of seed and case number; what it refers to is filled in when it is sent.

import fc from "fast-check";
import type { Operation, ServiceDocument } from "./document.ts";
import { type Json, reference, valuesOf } from "./values.ts";
import {
	NOT_UTF8,
	objectsOf,
	Raw,
	slotsOf,
	type Tree,
	textOf,
	treeOf,
	WRONG_BODIES,
	WRONG_MEMBERS,
	WRONG_QUERIES,
	WRONG_SEGMENTS,
	WRONG_VALUES,
} from "./wrong.ts";

export type Header = readonly [name: string, value: string];

export interface Draft {
	readonly operation: Operation;
	/** The caller: one whom the operation admits if `likely`, otherwise any. */
	readonly caller: { readonly likely: boolean; readonly pick: number };
	/** With its query; encoded, except for the references. */
	readonly path: string;
	readonly headers: readonly Header[];
	readonly body: Buffer | undefined;
	/** Whether it is sent a second time right afterwards. */
	readonly twice: boolean;
	/** What is wrong with it, in words. */
	readonly wrong: readonly string[];
}

type Query = readonly (readonly [name: string, value: string])[];

interface Parts {
	segments: Record<string, string>;
	query: Query;
	headers: Header[];
	tree: Tree | undefined;
	/** The bytes to send instead of the tree. */
	bytes: Buffer | undefined;
	wrong: string[];
}

type Edit = (parts: Parts) => void;

/** Headers that a client, a proxy or an attacker may add to anything. */
const ODD_HEADERS: readonly Header[] = [
	["Accept", "application/problem+json"],
	["Accept", "text/html;q=0.9, */*;q=0.1"],
	["Accept-Encoding", "gzip, br;q=0.5"],
	["Authorization", "Bearer "],
	["Authorization", "Basic dXNlcjpwYXNzd29yZA=="],
	["Authorization", `Bearer ${"a".repeat(10_000)}`],
	["Authorization", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."],
	["CF-Connecting-IP", "127.0.0.1"],
	["Content-Encoding", "gzip"],
	["Content-Type", "text/plain"],
	["Content-Type", "application/json; charset=utf-16"],
	["Cookie", "a=b; ".repeat(500)],
	["Forwarded", "for=127.0.0.1;host=evil.invalid;proto=http"],
	["Idempotency-Key", ""],
	["Idempotency-Key", "a".repeat(255)],
	["Idempotency-Key", "a".repeat(256)],
	["Idempotency-Key", "\u00e9\u00ff\u0080"],
	["If-Match", '"0"'],
	["If-Match", "*"],
	["If-Match", '"a", "b", W/"c"'],
	["If-None-Match", "*"],
	["If-None-Match", '"0"'.concat(', "0"'.repeat(5_000))],
	["Origin", "https://evil.invalid"],
	["Range", "bytes=0-1"],
	["X-API-Key", "sk_"],
	["X-API-Key", `sk_${"A".repeat(86)}`],
	["X-App-Platform", "ANDROID"],
	["X-App-Platform", "__proto__"],
	["X-App-Version", "0.0.1"],
	["X-App-Version", "999999999999999999999.0.0"],
	["X-App-Version", "1.2.3-\u00ff"],
	["X-D1-Bookmark", "first-unconstrained"],
	["X-D1-Bookmark", "00000000-00000000-00000000-00000000000000000000000000000000"],
	["X-D1-Bookmark", "ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff"],
	["X-D1-Bookmark", "a".repeat(5_000)],
	["X-Forwarded-Host", "evil.invalid"],
	["X-HTTP-Method-Override", "DELETE"],
	["X-Organization-Id", "nobodys"],
	["X-Organization-Id", "\u00ff"],
	["X-Organization-Id", "a".repeat(10_000)],
	["X-Request-Id", "fuzz-1"],
	["X-Request-Id", "a".repeat(129)],
	["X-Request-Id", "\u00e9 b"],
	["X-Service-Signature", "t=1,v1=0"],
	["X-Service-Signature", `t=${"9".repeat(5_000)},${"v1=0,".repeat(2_000)}`],
];

const spaced: readonly [RegExp, (at: string) => string] = [/([a-z])([A-Z])/g, (at) => `${at[0]}_${at[1]?.toLowerCase()}`];

/** `userId` of paths and `user_id` of bodies are one name; an `{id}` goes by the collection it stands in. */
export const nameInPath = (path: string, parameter: string): string =>
	parameter === "id" ? path.slice(0, path.indexOf(`/{${parameter}}`)) : parameter.replace(...spaced);

/** What may be wrong with one draft. */
function edits(operation: Operation): fc.Arbitrary<Edit> {
	const at = fc.nat(9_999);
	const pathNames = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
	const queryNames = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
	const kinds: fc.WeightedArbitrary<Edit>[] = [
		{
			weight: 2,
			arbitrary: fc.constantFrom(...ODD_HEADERS).map(([name, value]) => ({ headers, wrong }) => {
				headers.push([name, value]);
				wrong.push(`header ${name}: ${value.slice(0, 40)}`);
			}),
		},
		{
			weight: queryNames.length > 0 ? 4 : 1,
			arbitrary: fc
				.tuple(fc.constantFrom(...queryNames, ...queryNames, "unknown", "__proto__"), fc.constantFrom(...WRONG_QUERIES))
				.map(([name, value]) => (parts) => {
					parts.query = [...parts.query, [name, value]];
					parts.wrong.push(`query ${name}=${value.slice(0, 40)}`);
				}),
		},
	];
	if (pathNames.length > 0) {
		kinds.push({
			weight: 1,
			arbitrary: fc.tuple(fc.constantFrom(...pathNames), fc.constantFrom(...WRONG_SEGMENTS)).map(([name, segment]) => (parts) => {
				parts.segments[name] = segment;
				parts.wrong.push(`path {${name}}: ${segment.slice(0, 40)}`);
			}),
		});
	}
	if (operation.body) {
		kinds.push(
			{
				weight: 8,
				arbitrary: fc.tuple(at, fc.constantFrom(...Object.entries(WRONG_VALUES))).map(([place, [name, text]]) => (parts) => {
					if (!parts.tree) return;
					parts.tree = replaceValue(parts.tree, place, new Raw(text));
					parts.wrong.push(`a value of the body: ${name}`);
				}),
			},
			{
				weight: 3,
				arbitrary: fc
					.tuple(at, fc.constantFrom("removed", "twice", "added"), fc.constantFrom(...WRONG_MEMBERS))
					.map(([place, how, name]) => (parts) => {
						if (!parts.tree) return;
						changeMembers(parts.tree, place, how, name);
						parts.wrong.push(`a member of the body ${how}${how === "added" ? `: ${name.slice(0, 20)}` : ""}`);
					}),
			},
			{
				weight: 2,
				arbitrary: fc.constantFrom(...Object.entries({ ...WRONG_BODIES, "not UTF-8": NOT_UTF8 })).map(([name, bytes]) => (parts) => {
					parts.bytes = bytes;
					parts.wrong.push(`the body: ${name}`);
				}),
			},
		);
	} else if (operation.method !== "GET") {
		kinds.push({
			weight: 1,
			arbitrary: fc.constantFrom(...Object.entries(WRONG_BODIES)).map(([name, bytes]) => (parts) => {
				parts.bytes = bytes;
				parts.wrong.push(`a body where none is read: ${name}`);
			}),
		});
	}
	return fc.oneof(...kinds);
}

/** The value at a place; where there is none, the body itself. */
function replaceValue(tree: Tree, place: number, by: Tree): Tree {
	const slots = slotsOf(tree);
	const slot = slots[place % Math.max(1, slots.length)];
	if (!slot) return by;
	slot.put(by);
	return tree;
}

function changeMembers(tree: Tree, place: number, how: "removed" | "twice" | "added", name: string): void {
	const objects = objectsOf(tree);
	const members = objects[place % Math.max(1, objects.length)]?.members;
	const index = place % Math.max(1, members?.length ?? 0);
	const member = members?.[index];
	if (how === "added" || !member) members?.push([name, new Raw('"1"')]);
	else if (how === "removed") members.splice(index, 1);
	else members.push([member[0], member[1]]);
}

/** All that may be sent to one operation. `templates`: bodies that are known to be taken. */
export function draftsOf(document: ServiceDocument, operation: Operation, templates: readonly Json[]): fc.Arbitrary<Draft> {
	const parameters = (place: "path" | "query") => operation.parameters.filter((one) => one.in === place);
	const segments = fc.record(Object.fromEntries(parameters("path").map(({ name }) => [name, reference(nameInPath(operation.path, name))])));
	const query = fc
		.record(Object.fromEntries(parameters("query").map(({ name, schema }) => [name, valuesOf(document, schema, name)])), {
			requiredKeys: parameters("query").flatMap(({ name, required }) => (required ? [name] : [])),
		})
		// Each filter is left out more often than not, because all of them together find nothing.
		.chain((all) => fc.subarray(Object.entries(all)));
	const headers = fc
		.record({
			organization: operation.parameters.some(({ name }) => name === "X-Organization-Id")
				? fc.option(reference("organization_id"), { freq: 3 })
				: fc.constant(null),
			key: operation.parameters.some(({ name }) => name === "Idempotency-Key") ? fc.option(fc.nat(30), { freq: 1 }) : fc.constant(null),
			odd: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray([...ODD_HEADERS], { maxLength: 2 }) }),
		})
		.map(({ organization, key, odd }): Header[] => [
			...(organization === null ? [] : [["X-Organization-Id", organization] as const]),
			...(key === null ? [] : [["Idempotency-Key", `key-${key}`] as const]),
			...odd,
		]);
	const body = operation.body
		? fc.oneof(
				{ weight: 1, arbitrary: valuesOf(document, operation.body, "body") },
				...(templates.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...templates) }] : []),
			)
		: fc.constant(undefined);
	return fc
		.record({
			caller: fc.record({ likely: fc.integer({ min: 0, max: 3 }).map((n) => n > 0), pick: fc.nat(997) }),
			parts: fc.record({ segments, query, headers, body }),
			changes: fc.oneof(
				{ weight: 3, arbitrary: fc.constant([]) },
				{ weight: 3, arbitrary: fc.array(edits(operation), { minLength: 1, maxLength: 2 }) },
			),
			twice: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
		})
		.map(({ caller, parts: drawn, changes, twice }) => {
			const parts: Parts = {
				segments: { ...drawn.segments },
				query: drawn.query.map(([name, value]) => [name, keepReferences(String(value))]),
				headers: [...drawn.headers],
				tree: drawn.body === undefined ? undefined : treeOf(drawn.body),
				bytes: undefined,
				wrong: [],
			};
			for (const change of changes) change(parts);
			const body = parts.bytes ?? (parts.tree && Buffer.from(textOf(parts.tree)));
			const typed = body && !parts.headers.some(([name]) => name === "Content-Type");
			const search = parts.query.map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join("&");
			return {
				operation,
				caller,
				path: operation.path.replaceAll(/{(\w+)}/g, (_, name: string) => parts.segments[name] ?? "") + (search ? `?${search}` : ""),
				headers: [...parts.headers, ...(typed ? [["Content-Type", "application/json"] as const] : [])],
				body,
				twice,
				wrong: parts.wrong,
			};
		});
}

/** Encodes everything but references; a lone surrogate cannot be encoded at all. */
const keepReferences = (text: string): string =>
	text
		.split(/(@@[^@]+:\d+@@)/)
		.map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part.toWellFormed())))
		.join("");

/** The draft of a case: neighbouring cases have nothing in common. */
export function draw(drafts: fc.Arbitrary<Draft>, seed: number, number: number): Draft {
	const mixed = Math.imul((seed ^ Math.imul(number + 1, 0x9e3779b1)) | 0, 0x85ebca6b);
	const [draft] = fc.sample(drafts, { seed: (mixed ^ (mixed >>> 15)) | 0, numRuns: 1 });
	if (!draft) throw new Error("nothing was drawn");
	return draft;
}
