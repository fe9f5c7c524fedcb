// The worked operation of docs/money.md, over HTTP: money leaves one wallet and reaches the other in one commit.

import { expect, it } from "vitest";
import { blockPayee } from "../../../src/domains/payees/operations";
import { call, expectOk } from "../../support/client";
import { bookOf, givenCurrentAccount } from "../../support/current-accounts";
import { givenUser } from "../../support/factories";
import { givenPayee, givenTag } from "../../support/payees";
import { probe } from "../../support/probe";
import { giveTip } from "./operations";

async function givenTipping() {
	const [giver, taker] = [await givenUser(), await givenUser()];
	const from = await givenCurrentAccount({ user: giver, balance: 20_000 });
	const to = await givenCurrentAccount({ user: taker });
	const { id, accounts } = await givenPayee(giver.token, null, { type: "INTERNAL", user_tag: await givenTag(taker.id) });
	const give = (amount: number) => {
		const body = JSON.stringify({ payee_account_id: accounts[0]?.id, amount });
		return probe([giveTip], { path: giveTip.path, as: giver.token, headers: { "content-type": "application/json" }, body });
	};
	const balances = async () => [(await bookOf(from.id)).balance, (await bookOf(to.id)).balance];
	return { giver, payeeId: id, give, balances };
}

it("a tip moves money from one wallet to the other, and no more than there is", async () => {
	const { give, balances } = await givenTipping();
	expect(await give(2_000)).toMatchObject({ status: 201, body: { amount: 2_000, currency: "KES" } });
	expect(await balances()).toEqual([18_000, 2_000]);
	expect(await give(18_001)).toMatchObject({ status: 409, body: { description: "The available balance is too low" } });
	expect(await balances()).toEqual([18_000, 2_000]);
});

it("a tip to a blocked payee is refused", async () => {
	const { giver, payeeId, give, balances } = await givenTipping();
	expectOk(await call(blockPayee, { as: giver.token, path: { payeeId }, body: { reasons: ["OTHER"] } }));
	expect(await give(2_000)).toMatchObject({ status: 409, body: { description: "The payee is blocked" } });
	expect(await balances()).toEqual([20_000, 0]);
});
