// Every list, map and text that an operation takes has a bound, read off its schema; and what is beyond it is refused with few faults and in
// a small answer, because the length is compared before the items are looked at.

import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { AnyOperation } from "../../src/http/operation";
import { invalidParams } from "../../src/http/validation";
import { reasonOf } from "../../src/shared/reasons";
import { operations } from "../support/domains";
import { type Json, type Place, placesIn, type Schema } from "./places";

const PARTS = ["path", "query", "body"] as const;
type Part = (typeof PARTS)[number];

const MOST_FAULTS = 50;
const MOST_BYTES = 32 * 1024;
/** More than any bound. */
const MANY = 10_001;
const LETTERS = 40_000;

const members = (count: number, value: Json) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value]));

const HUGE: { readonly [what: string]: Json } = {
	"10,001 zeros": Array<Json>(MANY).fill(0),
	"10,001 empty objects": Array<Json>(MANY).fill({}),
	"10,001 short texts": Array<Json>(MANY).fill("ab"),
	"10,001 members": members(MANY, 0),
	"a text of 40,000 letters": "a".repeat(LETTERS),
	"a member with a name of 40,000 letters": { ["a".repeat(LETTERS)]: 0 },
};

const all = operations.flatMap((op) => PARTS.flatMap((part) => (op.request[part] ? [{ op, part }] : [])));

const placesOf = (op: AnyOperation, part: Part): Place[] =>
	placesIn(z.toJSONSchema(op.request[part], { io: "input", unrepresentable: "any" }));

/** Whether the schema refuses the value at exactly this place, with any faults elsewhere. */
function isRefused(op: AnyOperation, part: Part, { path, bodyWith }: Place, value: Json): boolean {
	const { error } = op.request[part].safeParse(bodyWith(value)) as z.ZodSafeParseResult<unknown>;
	return error?.issues.some((issue) => issue.path.join(".") === path.join(".")) ?? false;
}

/** What a text may consist of that has no longest length. */
const LETTERS_OF_TEXTS = ["a", "A", "0", "1", "z", " ", "-", "_", ".", "/", "+", "é"];

/** Whether every text that matches has a longest length: nothing in the pattern may come any number of times, or all of it is bounded ahead. */
function isBoundedPattern(pattern: string): boolean {
	if (/^\^\(\?=\.\{\d*,\d+\}\$\)/.test(pattern)) return true;
	const withoutClasses = pattern.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
	return /^\^.*\$$/.test(withoutClasses) && !/[*+]|\{\d+,\}/.test(withoutClasses);
}

/** Whether the schema says how long a text of this form is at most, or refuses a text that is far too long. */
function isBoundedText(op: AnyOperation, part: Part, place: Place): boolean {
	const { maxLength, pattern, allOf } = place.schema;
	if (maxLength !== undefined) return true;
	const patterns = [pattern, ...((allOf ?? []) as Schema[]).map((one) => one.pattern)].filter((one) => typeof one === "string");
	if (patterns.length > 0) return patterns.some(isBoundedPattern);
	return LETTERS_OF_TEXTS.every((letter) => isRefused(op, part, place, letter.repeat(LETTERS)));
}

function isBounded(op: AnyOperation, part: Part, place: Place): boolean {
	switch (place.kind) {
		case "list":
			return place.schema.maxItems !== undefined;
		case "map":
			// JSON Schema does not say what bounds them.
			return [0, "a", true].every((value) => isRefused(op, part, place, members(MANY, value)));
		case "text":
			return isBoundedText(op, part, place);
		default:
			return true;
	}
}

const REPORT = "A report of a provider is taken as it comes.";
const TYPE = "It is compared with the types that there are, and kept nowhere.";
const TOKEN = "A token's signature is verified over all of it.";
/** What has no bound of its own but that of a body, or of an address. */
const WITHOUT: { readonly [place: string]: string } = {
	"recordRepayment: the text body.transacted_at": "An instant may have any number of decimals, and is kept as a number.",
	"reportDarajaBalance: the map body": REPORT,
	"reportDarajaStatus: the map body": REPORT,
	"reportDarajaResult: the map body": REPORT,
	"postMomoResult: the map body": REPORT,
	"putMomoResult: the map body": REPORT,
	"reportTwilioMessage: the map body": REPORT,
	"reportAfricasTalkingMessage: the map body": REPORT,
	"confirmDaraja: the map body": REPORT,
	"verifyDarajaConfirmation: the map body": REPORT,
	"validateDarajaPayment: the map body": REPORT,
	"reportDarajaReturn: the map body": REPORT,
	"answerDarajaBreak: the map body": REPORT,
	"reportDarajaPrompt: the map body": REPORT,
	"exchangePartnerToken: the text body.partner_token": TOKEN,
	"exchangeIdentityToken: the text body.identity_token": TOKEN,
	"exchangePhoneToken: the text body.phone_verification_token": TOKEN,
	"listDeliveries: the text query.event_type": TYPE,
	"listEvents: the text query.type": TYPE,
	"createWebhook: the text body.events[]": TYPE,
	"updateWebhook: the text body.events[]": TYPE,
	"tryWebhookFilter: the text body.events[]": TYPE,
	"requestApproval: the map body.payload": "The schema of the type of approval reads it.",
	"createIssuer: the map body.jwks.keys[]": "Keys have members that the service does not read.",
	"updateIssuer: the map body.jwks.keys[]": "Keys have members that the service does not read.",
	"createSandboxToken: the map body.claims": "Only local tests make tokens with claims of their own.",
};

/** The name of a user of the provider's, which it is sent to alone. */
const NOT_SHOWN: readonly string[] = ["putDarajaConnection: .initiator_name"];

it("every name that an operation takes is read as it is stored: no marks of direction, line breaks or control characters", () => {
	const taken = all.flatMap(({ op, part }) =>
		placesOf(op, part)
			.filter(({ kind, path }) => part === "body" && kind === "text" && /(?:^|_)(?:name|label)$/.test(String(path.at(-1))))
			.filter((place) => !["Al\u202eice", "Al\nice", "Al\u0007ice"].every((text) => isRefused(op, part, place, text)))
			.map(({ name }) => `${op.id}: ${name}`),
	);
	expect(taken.filter((place) => !NOT_SHOWN.includes(place))).toEqual([]);
});

describe("every list, map and text that an operation takes", () => {
	it("has a bound", () => {
		const unbounded = all.flatMap(({ op, part }) =>
			placesOf(op, part)
				.filter((place) => !isBounded(op, part, place))
				.map(({ kind, name }) => `${op.id}: the ${kind} ${part}${name}`),
		);
		expect([...new Set(unbounded)].filter((place) => !(place in WITHOUT))).toEqual([]);
		expect(Object.keys(WITHOUT).filter((place) => !unbounded.includes(place))).toEqual([]);
	});

	it("is refused beyond it with few faults and in a small answer", { tags: ["thorough"] }, () => {
		const large: string[] = [];
		for (const { op, part } of all) {
			const schema = op.request[part] as z.ZodType;
			for (const { name, bodyWith } of placesOf(op, part)) {
				for (const [what, value] of Object.entries(HUGE)) {
					const sent = bodyWith(value);
					const { error } = schema.safeParse(sent, { error: reasonOf });
					if (!error) continue;
					const told = JSON.stringify(invalidParams(part, schema, error, sent)).length;
					if (error.issues.length <= MOST_FAULTS && told <= MOST_BYTES) continue;
					large.push(`${op.id}: ${what} at ${part}${name} have ${error.issues.length} faults, told in ${told} bytes`);
				}
			}
		}
		expect(large).toEqual([]);
	});
});
