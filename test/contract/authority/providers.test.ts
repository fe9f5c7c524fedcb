// What the secrets of the custodian and of mobile money can take at most.

import { beforeEach, describe, expect, it } from "vitest";
import { getAccount } from "../../../src/domains/accounts/operations";
import { recordMovement } from "../../../src/domains/current-accounts/custodian-reports/movements.operations";
import { confirmDaraja } from "../../../src/domains/repayments/recording/daraja.operations";
import { listUnmatchedPayments } from "../../../src/domains/repayments/unmatched/operations";
import { call, expectOk } from "../../support/client";
import { expectCredit, givenLoan } from "../../support/credit";
import { givenAccountHolder, movementOf } from "../../support/current-accounts";
import { operations } from "../../support/domains";
import { CALLBACK_SECRET, signed, title } from "../../support/doors";
import { operatorToken } from "../../support/factories";
import { expectErrors } from "../../support/log";
import { fakeWorld } from "../../support/webhooks";
import { send } from "../senders";
import { givenParties, validRequest } from "../valid-requests";
import { moved } from "./moved";

beforeEach(() => {
	fakeWorld();
});

describe("CUSTODIAN_SECRET", () => {
	it.each(operations.filter(({ access }) => access.signature === "CUSTODIAN_SECRET").map((op) => [title(op), op] as const))(
		"moves money only by movements: %s",
		async (_, op) => {
			const parties = await givenParties();
			const request = await validRequest(op, parties);
			const before = await moved();
			await send(op, request, { headers: await signed(JSON.stringify(request.body), CALLBACK_SECRET) }, {});
			expect((await moved()) - before > 0).toBe(op.id === "recordMovement");
		},
	);

	it("pays in CUSTODIAN_CREDITS_PER_DAY over all accounts, however many reports come at once; then 503", async () => {
		expectErrors("the custodian's credits exceed CUSTODIAN_CREDITS_PER_DAY");
		const holders = await Promise.all([givenAccountHolder(), givenAccountHolder(), givenAccountHolder()]);
		const vars = { CUSTODIAN_SECRET: CALLBACK_SECRET, CUSTODIAN_CREDITS_PER_DAY: "2500" };
		const before = await moved();
		const credit = async (body: ReturnType<typeof movementOf>) =>
			call(recordMovement, { body, headers: await signed(JSON.stringify(body), CALLBACK_SECRET), vars });
		const answers = await Promise.all(holders.map(({ accountId }) => credit(movementOf(accountId, 1_000))));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
		const refused = answers.find(({ status }) => status === 503);
		expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(5);
		expect((await moved()) - before).toBe(2_000);
		const [holder] = holders;
		const debit = movementOf(holder?.accountId ?? "", 500, { direction: "DEBIT" });
		const byOperator = movementOf(holder?.accountId ?? "", 1_000);
		expectOk(await call(recordMovement, { as: await operatorToken(), body: byOperator, vars }));
		expect(await credit(debit)).toMatchObject({ status: 200 });
	});
});

describe("a Daraja path", () => {
	it("posts amount_per_day of claims, however many come at once, and keeps the others as unmatched", async () => {
		const { organization, accountId, borrower } = await givenLoan();
		const { account_number } = expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
		const source = { secret: "a-long-secret", organization_id: organization.id, amount_per_day: 2_500 };
		const vars = { DARAJA_SECRETS: JSON.stringify([source]) };
		const confirm = (TransID: string) =>
			call(confirmDaraja, {
				path: { secret: source.secret },
				body: { TransID, TransTime: "20251122063845", TransAmount: "10.00", BillRefNumber: account_number },
				vars,
			});
		const before = await moved();
		const answers = await Promise.all(["A", "B", "C", "D"].map(confirm));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		for (const id of ["A", "B", "C", "D"]) expect(await confirm(id)).toMatchObject({ status: 200 });
		expect((await moved()) - before).toBe(2_000);
		const { data } = expectOk(await call(listUnmatchedPayments, { as: await operatorToken(), query: {} }));
		expect(data.map(({ reason }) => reason)).toEqual(["OVER_DAILY_AMOUNT", "OVER_DAILY_AMOUNT"]);
	});
});
