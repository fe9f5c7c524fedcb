// Checks an export of the audit trail. It follows only what the API reference says about rows and seals, and shares no code with the
// service that made them.

import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import * as z from "zod";

const Row = z.looseObject({ stream: z.string(), sequence: z.int() });
const Seal = z.object({
	stream: z.string(),
	from_sequence: z.int(),
	through_sequence: z.int(),
	leaves: z.array(z.string()),
	root: z.string(),
	previous: z.string(),
	hash: z.string(),
	signature: z.string(),
	sealed_at: z.string(),
});
type Row = z.output<typeof Row>;
type Seal = z.output<typeof Seal>;

/** A line of an export. */
export const Line = z.union([z.strictObject({ row: Row }), z.strictObject({ seal: Seal })]);
export type Line = z.output<typeof Line>;

/** A head that was kept elsewhere: the data of an `audit.sealed` event. */
export const Head = z.object({ stream: z.string(), through_sequence: z.int(), hash: z.string() });
export type Head = z.output<typeof Head>;

export const KeySet = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });

type Verdict = {
	readonly stream: string;
	/** The first thing that is wrong; undefined when the trail is whole. */
	readonly fault: string | undefined;
	readonly sealedThrough: number;
	/** Rows after the last seal, which nothing proves yet. */
	readonly unsealed: number;
};

const ZEROS = "0".repeat(64);

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** JSON with the members of each object in the order of their names. */
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

/** One verdict for each stream that the export or a known head names. */
export function checkTrail(lines: readonly Line[], keys: z.output<typeof KeySet>, known: readonly Head[]): Verdict[] {
	const rows = lines.flatMap((line) => ("row" in line ? [line.row] : []));
	const seals = lines.flatMap((line) => ("seal" in line ? [line.seal] : []));
	const publicKeys = new Map(keys.keys.map((key) => [key.kid, createPublicKey({ key: key as JsonWebKey, format: "jwk" })]));
	const streams = new Set([...rows, ...seals, ...known].map(({ stream }) => stream));
	return [...streams].sort().map((stream) => {
		const of = <T extends { stream: string }>(all: readonly T[]) => all.filter((one) => one.stream === stream);
		return checkStream(stream, of(rows), of(seals), publicKeys, of(known));
	});
}

function checkStream(
	stream: string,
	rows: readonly Row[],
	seals: readonly Seal[],
	keys: ReadonlyMap<string, KeyObject>,
	known: readonly Head[],
): Verdict {
	const bySequence = Map.groupBy(rows, ({ sequence }) => sequence);
	const last = Math.max(0, ...bySequence.keys());
	let head = { through: 0, hash: ZEROS };
	const verdict = (fault?: string): Verdict => ({ stream, fault, sealedThrough: head.through, unsealed: Math.max(0, last - head.through) });

	for (const seal of seals.toSorted((a, b) => a.through_sequence - b.through_sequence)) {
		const fault = faultOfSeal(seal, head, keys) ?? faultOfRows(seal.from_sequence, seal.through_sequence, bySequence, seal.leaves);
		if (fault) return verdict(fault);
		head = { through: seal.through_sequence, hash: seal.hash };
	}
	const fault = faultOfRows(head.through + 1, last, bySequence);
	if (fault) return verdict(fault);
	const before = [...bySequence.keys()].find((sequence) => sequence < 1);
	if (before !== undefined) return verdict(`row ${before} was added`);
	const lost = known.find(
		({ through_sequence, hash }) => !seals.some((seal) => seal.through_sequence === through_sequence && seal.hash === hash),
	);
	return verdict(lost && `the known seal through row ${lost.through_sequence} is not in it: the trail was cut off, or written again`);
}

function faultOfSeal(seal: Seal, before: { through: number; hash: string }, keys: ReadonlyMap<string, KeyObject>): string | undefined {
	const { stream, from_sequence, through_sequence, leaves, root, previous, hash, signature, sealed_at } = seal;
	const name = `the seal through row ${through_sequence}`;
	if (from_sequence !== before.through + 1) return `the seal of row ${before.through + 1} is missing`;
	if (previous !== before.hash) return `${name} does not follow the one before it`;
	if (hash !== sha256(canonical({ stream, from_sequence, through_sequence, root, previous, sealed_at }))) return `${name} was changed`;
	if (!isSigned(hash, signature, keys)) return `the signature of ${name} is by no known key, or of another seal`;
	if (leaves.length !== through_sequence - from_sequence + 1 || root !== sha256(leaves.join("")))
		return `the leaves of ${name} were changed`;
	return undefined;
}

/** @param leaves of the rows, where they are sealed */
function faultOfRows(
	from: number,
	through: number,
	bySequence: ReadonlyMap<number, readonly Row[]>,
	leaves?: readonly string[],
): string | undefined {
	for (let sequence = from; sequence <= through; sequence++) {
		const [row, another] = bySequence.get(sequence) ?? [];
		if (!row) return `row ${sequence} is missing`;
		if (another) return `row ${sequence} is there twice`;
		if (leaves && leaves[sequence - from] !== sha256(canonical(row))) return `row ${sequence} was changed`;
	}
	return undefined;
}

/** Whether the compact JWS signs this text with one of the keys. */
function isSigned(text: string, signature: string, keys: ReadonlyMap<string, KeyObject>): boolean {
	const [head = "", payload = "", bytes = "", ...more] = signature.split(".");
	const header = headerOf(head);
	const key = keys.get(header?.kid ?? "");
	if (!key || more.length > 0 || header?.alg !== "RS256" || header.typ !== "audit-seal") return false;
	if (Buffer.from(payload, "base64url").toString("utf8") !== text) return false;
	return verify("RSA-SHA256", Buffer.from(`${head}.${payload}`), key, Buffer.from(bytes, "base64url"));
}

const Header = z.object({ alg: z.string(), typ: z.string(), kid: z.string() });

function headerOf(text: string): z.output<typeof Header> | undefined {
	try {
		return Header.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
	} catch {
		return undefined;
	}
}
