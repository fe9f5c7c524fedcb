// Exports of the audit trail that were tampered with, one thing at a time. The service's own code makes the seals; the check shares
// no code with it.

import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditRow, AuditStreamRow } from "../src/db/audit.table";
import { checkTrail, type Head, Line } from "../src/dev/audit-trail";
import { seal } from "../src/domains/audit/seals.plan";
import { toAuditRow, toAuditSeal } from "../src/domains/audit/wire";
import type { Config } from "../src/runtime/config";

const STREAM = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12/000";
const SIZES = [4, 1, 5];
const UNSEALED = 2;

const keyPair = (kid: string) => {
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const jwk = { ...privateKey.export({ format: "jwk" }), kid };
	return { config: { SERVICE_KEYS: { keys: [jwk] } } as unknown as Config, set: { keys: [{ kty: jwk.kty, n: jwk.n, e: jwk.e, kid }] } };
};
const own = keyPair("own");
const foreign = keyPair("own");

const row = (sequence: number): AuditRow => ({
	stream: STREAM,
	sequence,
	id: `01920f8e-7b1c-7a52-9a4e-${String(sequence).padStart(12, "0")}`,
	operation: sequence % 2 === 0 ? "createApiKey" : "addMember",
	actorKind: "MEMBER",
	actorId: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e13",
	entityId: null,
	target: { organizationId: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12" },
	changes: { name: "hmac:a", scopes: ["loans:write"] },
	requestId: `request-${sequence}`,
	createdAt: 1_700_000_000_000 + sequence,
});

/** An export of rows, sealed in portions by a key. */
async function exported({ config }: typeof own, change: (one: AuditRow) => AuditRow = (one) => one): Promise<Line[]> {
	const lines: unknown[] = [];
	let stream = { stream: STREAM, sealedThrough: 0, head: "0".repeat(64) } as AuditStreamRow;
	for (const size of SIZES) {
		const rows = Array.from({ length: size }, (_, index) => change(row(stream.sealedThrough + index + 1)));
		const sealed = await seal({ config, now: 1_700_000_100_000 } as never, stream, rows);
		lines.push(...rows.map((one) => ({ row: toAuditRow(one) })), { seal: toAuditSeal(sealed) });
		stream = { ...stream, sealedThrough: sealed.throughSequence, head: sealed.hash };
	}
	for (let index = 1; index <= UNSEALED; index++) lines.push({ row: toAuditRow(row(stream.sealedThrough + index)) });
	return lines.map((line) => Line.parse(JSON.parse(JSON.stringify(line))));
}

const faultIn = (lines: readonly Line[], known: readonly Head[] = [], keys = own.set) => checkTrail(lines, keys, known)[0]?.fault;
const headOf = (lines: readonly Line[]): Head => {
	const last = lines.findLast((line) => "seal" in line);
	if (!last || !("seal" in last)) throw new Error("expected a seal");
	return last.seal;
};
const isRow = (sequence: number) => (line: Line) => "row" in line && line.row.sequence === sequence;

describe("an export of the audit trail", () => {
	it("is intact when nothing was changed, in any order of its lines", async () => {
		const lines = await exported(own);
		const verdict = { stream: STREAM, fault: undefined, sealedThrough: 10, unsealed: UNSEALED };
		expect(checkTrail(lines, own.set, [headOf(lines)])).toEqual([verdict]);
		expect(checkTrail(lines.toReversed(), own.set, [])).toEqual([verdict]);
	});

	it("names the first row that was changed, removed or added", async () => {
		const lines = await exported(own);
		const replaced = lines.map((line) => (isRow(3)(line) && "row" in line ? { row: { ...line.row, actor_kind: "OPERATOR" } } : line));
		expect(faultIn(replaced)).toBe("row 3 was changed");
		expect(faultIn(lines.filter((line) => !isRow(7)(line)))).toBe("row 7 is missing");
		expect(faultIn(lines.filter((line) => !isRow(11)(line)))).toBe("row 11 is missing");
		expect(faultIn([...lines, ...lines.filter(isRow(5))])).toBe("row 5 is there twice");
		expect(faultIn([...lines, { row: { ...toAuditRow(row(0)) } }])).toBe("row 0 was added");
	});

	it("names the seal that was changed, removed or signed by another key", async () => {
		const lines = await exported(own);
		const without = lines.filter((line) => !("seal" in line && line.seal.through_sequence === 5));
		expect(faultIn(without)).toBe("the seal of row 5 is missing");
		const later = lines.map((line) => ("seal" in line ? { seal: { ...line.seal, sealed_at: "2020-01-01T00:00:00.000Z" } } : line));
		expect(faultIn(later)).toBe("the seal through row 4 was changed");
		expect(faultIn(await exported(foreign))).toBe("the signature of the seal through row 4 is by no known key, or of another seal");
		expect(faultIn(lines, [], { keys: [] })).toBe("the signature of the seal through row 4 is by no known key, or of another seal");
	});

	it("reveals, with a known head, that its end was cut off or that a stolen key rewrote all of it", async () => {
		const lines = await exported(own);
		const cut = lines.slice(0, lines.findIndex(isRow(6)));
		expect(faultIn(cut)).toBeUndefined();
		const lost = "the known seal through row 10 is not in it: the trail was cut off, or written again";
		expect(faultIn(cut, [headOf(lines)])).toBe(lost);
		expect(faultIn([], [headOf(lines)])).toBe(lost);
		const again = await exported(own, (one) => ({ ...one, actorId: "somebody else" }));
		expect([faultIn(again), faultIn(again, [headOf(lines)])]).toEqual([undefined, lost]);
	});

	it("reveals a change of any member of any row or seal", async () => {
		const lines = await exported(own);
		const sealed = lines.filter((line) => "seal" in line || line.row.sequence <= 10);
		fc.assert(
			fc.property(fc.nat(sealed.length - 1), fc.nat(20), fc.nat(), (which, member, character) => {
				const tampered = structuredClone(sealed);
				const [thing] = Object.values(tampered[which] ?? {}) as Record<string, unknown>[];
				if (!thing) throw new Error("expected a line");
				const name = Object.keys(thing)[member % Object.keys(thing).length] ?? "";
				thing[name] = altered(thing[name], character);
				expect(checkTrail(tampered as Line[], own.set, []).some(({ fault }) => fault !== undefined)).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});
});

/** Another value of the same kind. */
function altered(value: unknown, at: number): unknown {
	if (typeof value === "number") return value + 1 + (at % 3);
	if (Array.isArray(value)) return value.length === 0 ? ["a"] : value.slice(1);
	if (typeof value !== "string") return { another: "value" };
	const place = at % value.length;
	// The last character of base64url has bits that carry no data.
	const other = value[place] === "A" ? "g" : "A";
	return `${value.slice(0, place)}${other}${value.slice(place + 1)}`;
}
