// The console has words for every state, request and held call that the API has.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Asked, EFFECTS, effectOf, failureOf, isOfOperators } from "../../src/console/pages/organization/effects.ts";
import { HELD } from "../../src/console/pages/organization/held.ts";
import { reasonOfPayment, STATES, stateInWords } from "../../src/console/states.ts";
import { HOLDERS } from "../../src/console/who.ts";
import { MOVE_REFUSALS } from "../../src/domains/repayments/corrections/move.plan";
import { RESTORATION_REFUSALS, REVERSAL_REFUSALS } from "../../src/domains/repayments/corrections/plan";
import { RETURN_REFUSALS } from "../../src/domains/repayments/returns/plan";
import { type Permission, ROLES, rolePermits } from "../../src/shared/permissions";

type Schema = { $ref?: string; allOf?: Schema[]; enum?: string[]; "x-extensible-enum"?: string[]; properties?: Record<string, Schema> };
type Answer = { $ref?: string; description?: string };
type Operation = { operationId?: string; responses?: Record<string, Answer> };
const root = path.resolve(import.meta.dirname, "../..");
const document = JSON.parse(readFileSync(path.join(root, "docs/openapi.json"), "utf8")) as {
	components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
	paths: Record<string, Record<string, Operation>>;
};

const resolved = (schema: Schema | undefined): Schema | undefined =>
	schema?.$ref ? resolved(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]) : schema;

/** A member of a model, or of the model that it extends. */
function memberOf(schema: Schema | undefined, name: string): Schema | undefined {
	const model = resolved(schema);
	return resolved(model?.properties?.[name]) ?? model?.allOf?.map((part) => memberOf(part, name)).find((found) => found);
}

function valuesOf(schema = "", member = ""): string[] {
	const found = memberOf(document.components.schemas[schema], member);
	return found?.enum ?? found?.["x-extensible-enum"] ?? [];
}

/** What these sources say in quotes where the expression matches. */
const codesIn = (folder: string, where: RegExp): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.flatMap((file) => [...readFileSync(path.join(root, folder, file), "utf8").matchAll(where)])
		.flatMap(([text]) => [...text.matchAll(/"([A-Z]+(?:_[A-Z]+)+)"/g)].map(([, code = ""]) => code));

it("the console names every state by a word of its own", () => {
	for (const place of Object.keys(STATES) as (keyof typeof STATES)[]) {
		const values = valuesOf(...place.split("."));
		expect([place, Object.keys(STATES[place]).sort()]).toEqual([place, values.toSorted()]);
		const words = values.map((value) => stateInWords(place, value)[1]);
		expect(new Set(words).size).toBe(words.length);
	}
	expect(stateInWords("CreditAccount.status", "OF_LATER")).toEqual(["idle", "OF_LATER"]);
});

it("the console says why a payment has no account", () => {
	const codes = codesIn("src/domains/repayments/recording", /unmatchedReason\b.*|^\s*(?:if .*)?return (?!fail\().*"[A-Z_]+".*$/gm);
	expect(codes).toEqual(expect.arrayContaining(["UNKNOWN_ACCOUNT", "OVER_DAILY_AMOUNT", "AMOUNT_BELOW_MINOR_UNIT"]));
	expect(codes.filter((code) => reasonOfPayment(code) === code)).toEqual([]);
});

describe("what an approval will do", () => {
	const heldOperations = Object.values(document.paths)
		.flatMap((methods) => Object.values(methods))
		.filter(({ responses }) => {
			const { $ref = "", description = document.components.responses[$ref.split("/").at(-1) ?? ""]?.description } =
				responses?.["202"] ?? {};
			return description?.includes("waits for a second operator");
		})
		.map(({ operationId = "" }) => operationId);

	it("has words for every type of request and every operation that may be held", () => {
		expect(Object.keys(EFFECTS).sort()).toEqual(
			valuesOf("ShownApproval", "approval_type")
				.filter((type) => type !== "OPERATION")
				.sort(),
		);
		expect(heldOperations.length).toBeGreaterThan(30);
		expect(Object.keys(HELD).sort()).toEqual(heldOperations.sort());
	});

	const asked = (approval_type: Asked["approval_type"], payload: Asked["payload"] = {}): Asked => ({
		approval_type,
		entity_type: approval_type === "OPERATION" ? "OPERATION" : "USER",
		entity_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		payload,
	});

	it("is written in sentences for every payload", () => {
		const all = [
			...Object.keys(EFFECTS).map((type) => asked(type as Asked["approval_type"])),
			...[...Object.keys(HELD), "ofLater"].map((operation) => asked("OPERATION", { operation, operator: "o", path: {}, query: {} })),
		].map((one) => effectOf(one, "KES"));
		for (const { title, effect, about } of all) {
			expect(title).toMatch(/^[A-Z].*[^.\s]$|^ofLater$/);
			expect(effect).toMatch(/^[A-Z].*[.]$|none$/);
			expect(about).not.toBe("");
			expect(title + effect).not.toMatch(/undefined|NaN|null|\s{2}/);
		}
	});

	it("names the amount, the person and the direction of a change", () => {
		const change = asked("LIMIT_CHANGE", { limit: 15_000_000 });
		expect(["KES", null, undefined].map((currency) => effectOf(change, currency).title)).toEqual([
			"Set a user's limit to 150,000.00 KES",
			"Set a user's limit to 15,000,000 minor units",
			"Set a user's limit to …",
		]);
		expect(effectOf(asked("WAIVER", { amount: 1_500 }), "UGX").title).toBe("Waive 1,500 UGX");
		const waive = { operation: "waive", path: {}, body: { amount: 1_500 } };
		expect(effectOf(asked("OPERATION", waive), "KES").title).toBe("Waive 15.00 KES");
		expect(effectOf(asked("LIMIT_CHANGE", { limit: null }), "KES").title).toBe("Restore a user's computed limit");
		expect([true, false].map((blocked) => effectOf(asked("BLOCK_CHANGE", { blocked }), null).title)).toEqual([
			"Block a user",
			"Lift the block of a user",
		]);
		const reversals = [{}, { return_money: true }].map((payload) => effectOf(asked("REPAYMENT_REVERSAL", payload), null));
		expect(reversals.map(({ title }) => title)).toEqual(["Reverse a payment", "Reverse a payment and return its money"]);
		expect(reversals.map(({ effect }) => effect.endsWith("The payer gets the money back."))).toEqual([false, true]);
		const body = { email: "njeri@example.com", role: "organization-lending-admin" };
		const call = { operation: "createInvitation", operator: "o", path: {}, query: {}, body };
		expect(effectOf(asked("OPERATION", call), null).title).toBe("Invite njeri@example.com as lending admin");
	});

	it("is offered to operators alone where the service lets nobody else decide", () => {
		const executors = path.join(root, "src/domains/approvals/executors");
		const types = Object.keys(EFFECTS) as Asked["approval_type"][];
		const fileOf = (type: string) =>
			readdirSync(executors).find((file) => file.startsWith(`${type.toLowerCase().replaceAll("_", "-")}.`)) ?? "";
		// A transaction's reversal, and the undoing of one, is decided like a repayment's reversal, in one file.
		for (const type of types.filter((one) => one !== "TRANSACTION_REVERSAL" && one !== "REPAYMENT_RESTORATION")) {
			const isOperators = readFileSync(path.join(executors, fileOf(type)), "utf8").includes('decider: "OPERATOR"');
			expect([type, isOfOperators(asked(type))]).toEqual([type, isOperators]);
		}
		expect(isOfOperators(asked("OPERATION"))).toBe(true);
	});

	it("says why it was not carried out", () => {
		const codes = codesIn("src/domains/approvals", /accepted: false, reason: .*|failed\(.*/g);
		codes.push(...Object.keys(RETURN_REFUSALS), ...Object.keys(RESTORATION_REFUSALS), "MORE_THAN_REMAINS", "ALREADY_REVERSED");
		codes.push(...Object.keys(MOVE_REFUSALS).filter((code) => !(code in REVERSAL_REFUSALS)));
		expect(codes.length).toBeGreaterThan(11);
		expect(codes.filter((code) => failureOf(code).toLowerCase().replaceAll(" ", "_") === `${code.toLowerCase()}.`)).toEqual([]);
	});
});

it("offers a page to the roles that hold what it needs", () => {
	for (const [permission, roles] of Object.entries(HOLDERS)) {
		const holders = ROLES.filter((role) => rolePermits(role, permission as Permission)).map((role) => role.replace("organization-", ""));
		expect([permission, ...holders]).toEqual([permission, "owner", "admin", ...roles]);
	}
});
