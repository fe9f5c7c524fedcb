// A frozen account takes money and spends none.

import { describe, expect, it } from "vitest";
import { freezeAccount, unfreezeAccount } from "../../../../src/domains/current-accounts/accounts/freezing.operations";
import { startClosure } from "../../../../src/domains/current-accounts/closures/operations";
import { confirmTransfer } from "../../../../src/domains/transfers/operations";
import { call, expectOk } from "../../../support/client";
import {
	bookOf,
	codeSentTo,
	givenAccountHolder,
	givenActive,
	givenConfirmedClosure,
	givenCustomer,
	move,
} from "../../../support/current-accounts";
import { operatorToken } from "../../../support/factories";
import { beforeTrip, eventsOf } from "../../../support/loans";
import { payeeOf, transfer } from "../../../support/transfers";

const TILL = { type: "BUY_GOODS", till_number: "123456" } as const;
const CONFLICT = { status: 409, body: { code: "INVALID_STATE" } };

const act = async (op: typeof freezeAccount, accountId: string) =>
	call(op, { as: await operatorToken(), path: { accountId }, body: { reason: "a court order" } });
const freeze = (accountId: string) => act(freezeAccount, accountId);

describe("a frozen account", () => {
	it("takes money and spends nothing until it is released", async () => {
		const holder = await givenAccountHolder();
		expectOk(await move(holder.accountId, 1_000));
		const { accountId: till } = await payeeOf(holder, TILL);
		expect(expectOk(await freeze(holder.accountId)).status).toBe("FROZEN");
		expectOk(await move(holder.accountId, 500));
		expect(await transfer(holder, till, 100)).toMatchObject(CONFLICT);
		expect(await call(startClosure, { as: holder.token, body: { reasons: ["OTHER"] } })).toMatchObject({ status: 409 });
		expect((await bookOf(holder.accountId)).account).toMatchObject({ balance: 1_500, held: 0, status: "FROZEN" });
		expect(expectOk(await act(unfreezeAccount, holder.accountId)).status).toBe("ACTIVE");
		expect(expectOk(await transfer(holder, till, 100)).status).toBe("COMPLETED");
		const events = (await eventsOf(holder.organization.id)).map(({ type }) => type);
		expect(events).toEqual(expect.arrayContaining(["current_account.frozen", "current_account.unfrozen"]));
	});

	it("refuses the code of a waiting transfer, even if it is frozen during the confirmation, and gives the try back", async () => {
		const holder = await givenAccountHolder();
		expectOk(await move(holder.accountId, 1_000));
		const { accountId: till } = await payeeOf(holder, TILL);
		const { id } = expectOk(await transfer(holder, till, 400, { vars: { TRANSFER_OTP_ABOVE: "1" } }));
		const otp_code = await codeSentTo(holder.number);
		const confirm = (vars: Partial<Env> = {}) =>
			call(confirmTransfer, { as: holder.token, path: { transferId: id }, body: { otp_code }, vars });
		const raced = await confirm(beforeTrip(4, () => freeze(holder.accountId)));
		expect(raced).toMatchObject(CONFLICT);
		for (let tries = 0; tries < 6; tries++) expect(await confirm()).toMatchObject(CONFLICT);
		expect((await bookOf(holder.accountId)).account).toMatchObject({ balance: 1_000, held: 400 });
		expectOk(await act(unfreezeAccount, holder.accountId));
		expect(expectOk(await confirm()).status).toBe("COMPLETED");
	});

	it("was active before: an account in any other status cannot be frozen", async () => {
		const unused = await givenCustomer();
		expect((await freeze(crypto.randomUUID())).status).toBe(404);
		const { id } = await givenActive(unused.token);
		expect(await act(unfreezeAccount, id)).toMatchObject(CONFLICT);
		const answers = await Promise.all([freeze(id), freeze(id)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const leaving = await givenAccountHolder();
		await givenConfirmedClosure(leaving.token, leaving.number);
		expect(await freeze(leaving.accountId)).toMatchObject(CONFLICT);
	});
});
