// What an operator's token, an identity issuer's key and the disburser's secret can take at most.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { APPROVAL_TYPES } from "../../../src/domains/approvals/table";
import { isPublic } from "../../../src/http/callers/access";
import type { AnyOperation } from "../../../src/http/operation";
import { everyDatabase } from "../../support/databases";
import { operations } from "../../support/domains";
import { CALLBACK_SECRET, naming, signed, title } from "../../support/doors";
import { givenOrganization, operatorToken } from "../../support/factories";
import { givenKey, signed as signedBy } from "../../support/issuers";
import { linkTo } from "../../support/links";
import type { ValidRequest } from "../../support/valid-request";
import { fakeWorld } from "../../support/webhooks";
import { DECISIONS } from "../approvals";
import { type Credentials, send } from "../senders";
import { givenParties, OUTSIDE_DISBURSER, type Parties, validRequest } from "../valid-requests";
import { changes, moved } from "./moved";
import { leftOf } from "./payer";

beforeEach(() => {
	fakeWorld();
});

/** Where money is recorded, and what gives power over it. */
const MONEY = [
	"account_transactions",
	"credit_accounts",
	"credit_cycles",
	"current_account_entries",
	"custodian_movements",
	"disbursements",
	"invoice_advances",
	"invoice_repayments",
	"payments",
	"transfers",
];
const POWER = ["api_keys", "credit_profiles", "identity_links", "loan_products", "memberships", "mobile_number_changes", "trusted_issuers"];
const PAIRS = { OPERATOR_PAIRS: "on" };
const rowsIn = async (tables: readonly string[]) =>
	(await everyDatabase.batch(tables.map((table) => everyDatabase.prepare(`select * from ${table}`)))).map(({ results }) => results);

describe("an operator's token", () => {
	const writes = changes.filter(({ access, only }) => !only && (access.operator || access.organization));

	it.each(writes.map((op) => [title(op), op] as const))("moves no money and gives nobody power: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const [money, power] = [await rowsIn(MONEY), await rowsIn(POWER)];
		const { headers = {} } = naming(op, parties.organization.id);
		const named = request.borrower ? { ...request, body: { ...request.body, ...request.borrower } } : request;
		const operator = await operatorToken();
		const { status, body } = await send(op, named, { as: operator, headers }, PAIRS);
		expect(await rowsIn(MONEY)).toEqual(money);
		const { operatorWrites } = op.access;
		// Acts that one operator does alone take power away.
		if (operatorWrites === undefined || operatorWrites === "HELD") expect(await rowsIn(POWER)).toEqual(power);
		for (const [index, rows] of (await rowsIn(POWER)).entries()) expect(rows.length).toBeLessThanOrEqual(power[index]?.length ?? 0);
		if (operatorWrites === undefined) expect(status).toBe(403);
		if (operatorWrites === "HELD") expect(status).toBe(202);
		if ("approval_type" in body && op.id !== decideApproval.id)
			await expectUndecidedByAsker("root", operator, parties, { path: { id: String(body.id) } });
	});

	it.each(APPROVAL_TYPES.filter((type) => type !== "OPERATION"))(
		"decides nothing that it asked for before it became a user's: %s",
		async (type) => {
			const parties = await givenParties();
			const request = await DECISIONS[`${decideApproval.id}@${type}`]?.(parties);
			const asker = "who asks";
			await expectUndecidedByAsker(asker, await operatorToken(asker), parties, { path: request?.path ?? {} });
		},
	);
});

/** The operator who asked is linked to an owner of the lender. As neither of the two may they decide. */
async function expectUndecidedByAsker(subject: string, operator: string, { owner, organization }: Parties, asked: ValidRequest) {
	await linkTo(owner.id, subject);
	const before = await rowsIn([...MONEY, ...POWER, "approvals"]);
	const decision = { ...asked, body: { decision: "APPROVED" } };
	const decide = (credentials: Credentials) => send(decideApproval as unknown as AnyOperation, decision, credentials, PAIRS);
	expect(await decide({ as: operator })).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
	// Many requests are decided by operators alone, and some an owner does not see.
	const byOwner = await decide({ as: owner.token, headers: { "x-organization-id": organization.id } });
	expect([403, 404]).toContain(byOwner.status);
	expect(await rowsIn([...MONEY, ...POWER, "approvals"])).toEqual(before);
}

describe("an identity issuer's key", () => {
	const open = changes.filter(({ access }) => access.identity);

	it.each(open.map((op) => [title(op), op] as const))(
		"is nobody outside its organization who is not linked, and moves no money of those who are: %s",
		async (_, op) => {
			const parties = await givenParties();
			const request = await validRequest(op, parties);
			const key = await givenKey();
			const iss = "https://stolen.example";
			const trusting = (organization_id: string) => {
				const issuer = { issuer: iss, kind: "identity", may_assert_user_ids: true, organization_id, jwks: { keys: [key.jwk] } };
				return { TRUSTED_ISSUERS: JSON.stringify([issuer]) };
			};
			await givenOrganization("another");
			const { headers = {} } = naming(op, parties.organization.id);
			const before = await rowsIn([...MONEY, ...POWER]);
			for (const { id } of [parties.owner, parties.user]) {
				const as = await signedBy(key, { iss, sub: id });
				// A subject who is no user may accept an invitation to their own verified address, which this token does not have.
				expect([401, 403, 404]).toContain((await send(op, request, { as, headers }, trusting("another"))).status);
			}
			expect(await rowsIn([...MONEY, ...POWER])).toEqual(before);
			const lent = await moved();
			const as = await signedBy(key, { iss, sub: parties.user.id });
			await send(op, request, { as, headers: op.access.user ? {} : headers }, trusting(parties.organization.id));
			expect((await moved()) - lent).toBe(0);
			expect(await leftOf(parties.user.id)).toBe(0);
		},
	);
});

describe("DISBURSER_SECRET", () => {
	const closed = changes.filter(({ access }) => !isPublic(access) && access.signature !== "DISBURSER_SECRET");

	it.each(closed.map((op) => [title(op), op] as const))("does not open %s", async (_, op) => {
		const request = { path: Object.fromEntries([...op.path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => [name, "x"])), body: {} };
		const headers = await signed("{}", CALLBACK_SECRET);
		expect((await send(op, request, { headers }, { CUSTODIAN_SECRET: "another", ...OUTSIDE_DISBURSER })).status).toBe(401);
	});

	const open = operations.filter(({ access }) => access.signature === "DISBURSER_SECRET");

	it.each(open.map((op) => [title(op), op] as const))("ends payouts in flight, which had been ordered: %s", async (_, op) => {
		const request = await validRequest(op, await givenParties());
		const lent = await moved();
		const headers = await signed(JSON.stringify(request.body), CALLBACK_SECRET);
		expect((await send(op, request, { headers }, { CUSTODIAN_SECRET: "another", ...OUTSIDE_DISBURSER })).status).toBe(200);
		expect((await moved()) - lent).toBeLessThanOrEqual(0);
	});

	it("opens two operations, each of which ends a payout that was ordered", async () => {
		expect(open.map(({ id }) => id).sort()).toEqual(["reportDisbursement", "reportTransfer"]);
		const parties = await givenParties();
		for (const op of open) {
			const request = await validRequest(op, parties);
			const id = crypto.randomUUID();
			const name = Object.keys(request.path ?? {})[0] ?? "";
			const body = { ...request.body, [name]: id };
			const before = await rowsIn(MONEY);
			const headers = await signed(JSON.stringify(body), CALLBACK_SECRET);
			expect((await send(op, { path: { [name]: id }, body }, { headers }, {})).status).toBe(404);
			expect(await rowsIn(MONEY)).toEqual(before);
		}
	});
});
