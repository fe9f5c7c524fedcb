// What an operator's token, an identity issuer's key and the disburser's secret can take at most.

import { beforeEach, describe, expect, it } from "vitest";
import { isPublic } from "../../../src/http/callers/access";
import { everyDatabase } from "../../support/databases";
import { operations } from "../../support/domains";
import { CALLBACK_SECRET, naming, signed, title } from "../../support/doors";
import { givenOrganization, operatorToken } from "../../support/factories";
import { givenKey, signed as signedBy } from "../../support/issuers";
import { fakeWorld } from "../../support/webhooks";
import { send } from "../senders";
import { givenParties, OUTSIDE_DISBURSER, validRequest } from "../valid-requests";
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
const rowsOf = async (table: string) => (await everyDatabase.prepare(`select * from ${table}`).all()).results;
const rowsIn = (tables: readonly string[]) => Promise.all(tables.map(rowsOf));

describe("an operator's token", () => {
	const PAIRS = { OPERATOR_PAIRS: "on" };
	const writes = changes.filter(({ access, only }) => !only && (access.operator || access.organization));

	it.each(writes.map((op) => [title(op), op] as const))("moves no money and gives nobody power: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const [money, power] = [await rowsIn(MONEY), await rowsIn(POWER)];
		const { headers = {} } = naming(op, parties.organization.id);
		const named = request.borrower ? { ...request, body: { ...request.body, ...request.borrower } } : request;
		const { status } = await send(op, named, { as: await operatorToken(), headers }, PAIRS);
		expect(await rowsIn(MONEY)).toEqual(money);
		const { operatorWrites } = op.access;
		// What one does alone takes power away.
		if (operatorWrites === undefined || operatorWrites === "HELD") expect(await rowsIn(POWER)).toEqual(power);
		for (const [index, rows] of (await rowsIn(POWER)).entries()) expect(rows.length).toBeLessThanOrEqual(power[index]?.length ?? 0);
		if (operatorWrites === undefined) expect(status).toBe(403);
		if (operatorWrites === "HELD") expect(status).toBe(202);
	});
});

describe("an identity issuer's key", () => {
	const open = changes.filter(({ access }) => access.identity);

	it.each(open.map((op) => [title(op), op] as const))("is nobody outside its organization who is not linked: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const key = await givenKey();
		const issuer = { issuer: "https://stolen.example", kind: "identity", may_assert_user_ids: true, organization_id: "another" };
		const vars = { TRUSTED_ISSUERS: JSON.stringify([{ ...issuer, jwks: { keys: [key.jwk] } }]) };
		await givenOrganization("another");
		const { headers = {} } = naming(op, parties.organization.id);
		const before = await rowsIn([...MONEY, ...POWER]);
		for (const { id } of [parties.owner, parties.user]) {
			const as = await signedBy(key, { iss: issuer.issuer, sub: id });
			// A subject who is no user may accept an invitation to their own verified address, which this token does not have.
			expect([401, 403, 404]).toContain((await send(op, request, { as, headers }, vars)).status);
		}
		expect(await rowsIn([...MONEY, ...POWER])).toEqual(before);
	});

	it.each(open.map((op) => [title(op), op] as const))("moves no money of the users whom it is linked to: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const key = await givenKey();
		const issuer = {
			issuer: "https://stolen.example",
			kind: "identity",
			may_assert_user_ids: true,
			organization_id: parties.organization.id,
		};
		const vars = { TRUSTED_ISSUERS: JSON.stringify([{ ...issuer, jwks: { keys: [key.jwk] } }]) };
		const { headers = {} } = naming(op, parties.organization.id);
		const before = await moved();
		const as = await signedBy(key, { iss: issuer.issuer, sub: parties.user.id });
		await send(op, request, { as, headers: op.access.user ? {} : headers }, vars);
		expect((await moved()) - before).toBe(0);
		expect(await leftOf(parties.user.id)).toBe(0);
	});
});

describe("DISBURSER_SECRET", () => {
	const closed = changes.filter(({ access }) => !isPublic(access));

	it.each(closed.map((op) => [title(op), op] as const))("ends payouts in flight, and opens nothing else: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const before = await rowsIn(MONEY);
		const lent = await moved();
		const headers = await signed(request.body ? JSON.stringify(request.body) : "", CALLBACK_SECRET);
		const { status } = await send(op, request, { headers }, { CUSTODIAN_SECRET: "another", ...OUTSIDE_DISBURSER });
		if (op.access.signature === "DISBURSER_SECRET") expect(status).toBe(200);
		else expect(status).toBe(401);
		if (op.access.signature !== "DISBURSER_SECRET") expect(await rowsIn(MONEY)).toEqual(before);
		// What it ends had been ordered, so that nothing leaves by it.
		expect((await moved()) - lent).toBeLessThanOrEqual(0);
	});

	it("opens two operations, each of which ends a payout that was ordered", async () => {
		const open = operations.filter(({ access }) => access.signature === "DISBURSER_SECRET");
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
