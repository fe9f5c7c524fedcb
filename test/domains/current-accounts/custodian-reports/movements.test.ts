// Money that the custodian reports moves the balance once.

import { describe, expect, it } from "vitest";
import { recordMovement } from "../../../../src/domains/current-accounts/custodian-reports/movements.operations";
import { custodianMovements } from "../../../../src/domains/current-accounts/custodian-reports/table";
import { MAX_BALANCE } from "../../../../src/runtime/current-account-terms";
import { MINUTE_MS } from "../../../../src/shared/time";
import { call, expectOk, send } from "../../../support/client";
import { trips } from "../../../support/credit";
import {
	bookOf,
	givenAccountHolder,
	givenCustomer,
	givenOpened,
	move,
	movementOf,
	postAt,
	termsWith,
} from "../../../support/current-accounts";
import { CALLBACK_SECRET, signed } from "../../../support/doors";
import { db, newId, operatorToken } from "../../../support/factories";
import { beforeCommit } from "../../../support/loans";

const vars = { CUSTODIAN_SECRET: CALLBACK_SECRET };
const sendSigned = async (body: object, secret?: string) =>
	send(recordMovement, { body: JSON.stringify(body), headers: await signed(JSON.stringify(body), secret), vars });

describe("a movement", () => {
	it("signed by the custodian moves the balance, in one read and one commit", async () => {
		const { accountId } = await givenAccountHolder();
		const body = movementOf(accountId, 500);
		const answer = await sendSigned(body);
		const { occurred_at: _, ...echoed } = body;
		expect([answer.status, answer.body]).toEqual([200, echoed]);
		expect(trips(answer)).toBe(2);
		expect((await bookOf(accountId)).account.balance).toBe(500);
	});

	it("is refused with another secret, and while no secret is configured", async () => {
		const { accountId } = await givenAccountHolder();
		const body = movementOf(accountId, 500);
		expect((await sendSigned(body, "another")).status).toBe(401);
		const unconfigured = await send(recordMovement, {
			body: JSON.stringify(body),
			headers: await signed(JSON.stringify(body)),
			vars: { CUSTODIAN_SECRET: undefined },
		});
		expect(unconfigured.status).toBe(401);
		expect((await bookOf(accountId)).entries).toEqual([]);
	});

	it("repeated with the same facts is 200 and posted once, with others 409", async () => {
		const { accountId } = await givenAccountHolder();
		const at = Date.now();
		for (let times = 1; times <= 3; times++) expectOk(await move(accountId, 500, { id: "m-1", at }));
		for (const [amount, about] of [
			[501, {}],
			[500, { direction: "DEBIT" as const }],
			[500, { at: at - 1_000 }],
			[500, { currency: "UGX" }],
		] as const) {
			expect((await move(accountId, amount, { id: "m-1", at, ...about })).body).toMatchObject({ code: "DUPLICATE_CONFLICT" });
		}
		expect((await bookOf(accountId)).account.balance).toBe(500);
	});

	it("sent twice concurrently is posted once, and both are 200", async () => {
		const { accountId } = await givenAccountHolder();
		const at = Date.now();
		const between = beforeCommit(async () => expectOk(await move(accountId, 500, { id: "m-1", at })));
		expectOk(await move(accountId, 500, { id: "m-1", at }, between));
		expect((await bookOf(accountId)).account.balance).toBe(500);
	});

	it("takes the account's resource_id too", async () => {
		const { accountId } = await givenAccountHolder();
		const body = { ...movementOf(accountId, 500), account_id: `acc_${accountId.replaceAll("-", "")}` };
		expect(expectOk(await call(recordMovement, { as: await operatorToken(), body })).account_id).toBe(accountId);
	});

	it("refuses what is no id of an account", async () => {
		for (const account_id of ["operator-1", "acc_1", `trf_${"0".repeat(32)}`]) {
			const sent = { ...movementOf(newId(), 500), account_id };
			expect((await call(recordMovement, { as: await operatorToken(), body: sent })).body).toMatchObject({
				invalid_params: [{ path: "account_id", reason: "must be an id or a resource_id" }],
			});
		}
	});

	it("is 404 for an unknown account, and 400 in another currency or from the future", async () => {
		const { accountId } = await givenAccountHolder();
		expect((await move(newId(), 5)).status).toBe(404);
		expect((await move(accountId, 5, { currency: "UGX" })).body).toMatchObject({
			code: "INVALID_PARAMS",
			invalid_params: [{ path: "currency", sub_code: "CURRENCY_MISMATCH" }],
		});
		expect((await move(accountId, 5, { at: Date.now() + 6 * MINUTE_MS })).status).toBe(400);
		expectOk(await move(accountId, 5, { at: Date.now() + 4 * MINUTE_MS }));
	});

	it.each([0, -1, 1.5, MAX_BALANCE + 1])("is 400 with the amount %s", async (amount) => {
		const { accountId } = await givenAccountHolder();
		expect((await move(accountId, amount)).status).toBe(400);
	});

	it("that would take the balance below zero or above its maximum gets 409, is not recorded, and may be sent again", async () => {
		const { accountId } = await givenAccountHolder();
		const debit = () => move(accountId, 500, { id: "m-1", direction: "DEBIT", at: 1_700_000_000_000 });
		expect((await debit()).body).toMatchObject({ code: "INVALID_STATE" });
		expect(await db.select().from(custodianMovements)).toEqual([]);
		expectOk(await move(accountId, 500));
		expectOk(await debit());
		expectOk(await move(accountId, MAX_BALANCE));
		expect((await move(accountId, 1)).body).toMatchObject({ code: "INVALID_STATE" });
	});

	it("is 409 before the account is active", async () => {
		const { token } = await givenCustomer();
		const { id } = await givenOpened(token);
		expect((await move(id, 500)).body).toMatchObject({ code: "INVALID_STATE" });
	});

	it("is 409 when a concurrent debit has already taken the money", async () => {
		const { accountId } = await givenAccountHolder();
		expectOk(await move(accountId, 100));
		const between = beforeCommit(async () => expectOk(await move(accountId, 60, { direction: "DEBIT" })));
		expect((await move(accountId, 60, { direction: "DEBIT" }, between)).body).toMatchObject({ code: "INVALID_STATE" });
		expect((await bookOf(accountId)).account.balance).toBe(40);
	});

	it("may have the id of any other source, such as a payday", async () => {
		const rates = termsWith({ "2026-01-01": 3_650 });
		const { accountId } = await givenAccountHolder();
		const { interestDueOn } = (await bookOf(accountId)).account;
		expectOk(await move(accountId, 100_000, { id: interestDueOn }));
		await postAt(accountId, Date.parse(`${interestDueOn}T12:00:00Z`), rates);
		expect((await bookOf(accountId)).entries.map(({ type, sourceId }) => [type, sourceId])).toEqual([
			["MOVEMENT", interestDueOn],
			["INTEREST", interestDueOn],
		]);
	});
});
