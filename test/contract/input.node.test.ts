// What the schemas of every operation say of input that is wrong: in whose words it is refused, and which names are unknown. How it is
// answered is tried at one operation of each kind in `input.test.ts`.

import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { isPublic } from "../../src/http/callers/access";
import { type AnyOperation, badInputCode, errorsOf, honoursIdempotencyKey } from "../../src/http/operation";
import { invalidParams, type Part, unknownParameters } from "../../src/http/validation";
import type { InvalidParam } from "../../src/shared/errors";
import { reasonOf } from "../../src/shared/reasons";
import { operations } from "../support/domains";
import { largestPage, lists } from "./pages";

const idsOf = (some: readonly AnyOperation[]) => some.map(({ id }) => id);

/** The fault of the value, or undefined if the schema takes it. */
function toldOf({ request }: AnyOperation, part: Part & keyof AnyOperation["request"], value: unknown): InvalidParam[] | undefined {
	const { error } = (request[part] as z.ZodType).safeParse(value, { error: reasonOf });
	return error && invalidParams(part, request[part], error, value);
}

/** Whether it says what to send instead, and not in zod's words. */
const isInOurWords = ({ reason, sub_code }: InvalidParam): boolean =>
	reason !== "" && !/Invalid input|expected|received|Too (small|big)|Unrecognized/.test(reason) && /^[A-Z_]+$/.test(sub_code);

const withBody = operations.filter((op) => op.request.body);

describe("a body of another type", () => {
	const OTHERS = [[], "text", 42, null, true, undefined, { unknown: "a".repeat(250_000) }];

	it("gets the service's own words from every operation that refuses it", () => {
		const wordless = withBody.flatMap((op) =>
			OTHERS.flatMap((value) => {
				const told = toldOf(op, "body", value);
				return !told || (told.length > 0 && told.every(isInOurWords)) ? [] : [`${op.id}: ${JSON.stringify(told)}`];
			}),
		);
		expect(wordless).toEqual([]);
	});

	it("is an error that every operation with a body declares", () => {
		expect(idsOf(withBody.filter((op) => !errorsOf(op).includes(badInputCode(op))))).toEqual([]);
	});
});

describe("an unknown member of a body", () => {
	// Lines of NDJSON are of several kinds, whose members their own test knows.
	const ofMembers = withBody.filter((op) => !op.ndjson);
	const refused = ({ request }: AnyOperation) =>
		request.body?.safeParse({ unknown: true }).error?.issues.some(({ code }: z.core.$ZodIssue) => code === "unrecognized_keys") ?? false;
	/** Those of apps and of providers, which may be newer than the service. */
	const tolerant = ({ id, path, access }: AnyOperation) =>
		access.user !== undefined ||
		access.signature !== undefined ||
		(isPublic(access) && !path.startsWith("/v1/sandbox")) ||
		id === "recordRepayment";

	it("is refused where an organization or an operator sends it, because it is a spelling mistake there", () => {
		expect(ofMembers.filter((op) => !tolerant(op) && !refused(op)).map(({ id }) => id)).toEqual([]);
	});

	it("is ignored in what apps and providers send", () => {
		expect(ofMembers.filter((op) => tolerant(op) && refused(op)).map(({ id }) => id)).toEqual([]);
	});
});

describe("an unknown name in a query", () => {
	it("is refused by every operation that is not public, because a misspelt filter would answer everything", () => {
		const reason = expect.stringMatching(/^is no parameter of this operation, which has (?:none|\w+(?:(?:, \w+)* and \w+)?)$/);
		const told = [{ path: "query.unheard_of", reason, sub_code: "UNKNOWN_FIELD" }];
		for (const op of operations) expect(unknownParameters(op.request.query, { unheard_of: "1" }), op.id).toEqual(told);
	});

	it("is no fault in the address of a public page, which anybody may decorate", () => {
		const refusing = operations.filter(
			(op) =>
				isPublic(op.access) &&
				op.method === "GET" &&
				op.request.query &&
				JSON.stringify(toldOf(op, "query", { utm_source: "mail" }) ?? []).includes("utm"),
		);
		expect(idsOf(refusing)).toEqual([]);
	});
});

describe("every change", () => {
	const changes = operations.filter(({ method }) => method !== "GET");

	it("declares that a body may be too large", () => {
		expect(idsOf(changes.filter((op) => !errorsOf(op).includes("PAYLOAD_TOO_LARGE")))).toEqual([]);
	});

	it("that honours an Idempotency-Key declares that the key may be wrong", () => {
		const honouring = changes.filter(honoursIdempotencyKey);
		expect(honouring.length).toBeGreaterThan(50);
		expect(idsOf(honouring.filter((op) => !errorsOf(op).includes(badInputCode(op))))).toEqual([]);
	});
});

describe("every list", () => {
	it("takes pages as large as its reference says, and none that are larger", () => {
		expect(lists.length).toBeGreaterThan(20);
		const told = (op: AnyOperation, size: number) => JSON.stringify(toldOf(op, "query", { size: String(size) }) ?? []);
		expect(idsOf(lists.filter((op) => !told(op, largestPage(op) + 1).includes('"query.size"')))).toEqual([]);
		expect(idsOf(lists.filter((op) => told(op, largestPage(op)).includes('"query.size"')))).toEqual([]);
	});
});
