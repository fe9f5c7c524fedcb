// The accounts of a user, credit and current, as one list.

import { describe, expect, it } from "vitest";
import { getAccount, listAccounts } from "../../../src/domains/accounts/operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, trips } from "../../support/credit";
import {
	bookOf,
	codeSentTo,
	confirmWith,
	decideAs,
	givenAccountHolder,
	givenActive,
	givenClosure,
	givenOpened,
} from "../../support/current-accounts";
import { givenUser } from "../../support/factories";

const list = async (as: string, query: object = {}) => expectOk(await call(listAccounts, { as, query }));
const read = (as: string, accountId: string) => call(getAccount, { as, path: { accountId } });

describe("a user's accounts", () => {
	it("include both kinds, newest first, in one round trip", async () => {
		const { borrower, accountId } = await givenLoan();
		const { id } = await givenOpened(borrower.token);
		const answer = await call(listAccounts, { as: borrower.token, query: {} });
		expect(expectOk(answer).data.map((account) => [account.type, account.id])).toEqual([
			["CURRENT", id],
			["CREDIT", accountId],
		]);
		expect(trips(answer)).toBe(1);
		for (const account of expectOk(answer).data) expect(expectOk(await read(borrower.token, account.id))).toEqual(account);
	});

	it("are paged over both kinds, in both directions", async () => {
		const { borrower, accountId } = await givenLoan();
		const { id } = await givenActive(borrower.token);
		const first = await list(borrower.token, { size: "1" });
		expect(first.data.map((account) => account.id)).toEqual([id]);
		const second = await list(borrower.token, { size: "1", after: first.links.next ?? "" });
		expect(second.data.map((account) => account.id)).toEqual([accountId]);
		expect(second.links.next).toBeNull();
		const back = await list(borrower.token, { size: "1", before: second.links.prev ?? "" });
		expect(back.data.map((account) => account.id)).toEqual([id]);
	});

	it("leave out a closed account, which can still be read by its id", async () => {
		const { token: as, number, accountId } = await givenAccountHolder();
		expect((await list(as)).data.map(({ id }) => id)).toEqual([accountId]);
		const { id } = await givenClosure(as);
		expectOk(await confirmWith(as, await codeSentTo(number)));
		expect((await list(as)).data.map(({ status }) => status)).toEqual(["CLOSING"]);
		expectOk(await decideAs(id, { subject: "CLOSURE", decision: "APPROVED" }));
		expect((await list(as)).data).toEqual([]);
		expect(expectOk(await read(as, accountId))).toMatchObject({ id: accountId, type: "CURRENT", status: "CLOSED" });
	});

	it("are 404 for other users", async () => {
		const { accountId } = await givenAccountHolder();
		const { token } = await givenUser();
		expect((await read(token, accountId)).status).toBe(404);
		expect((await list(token)).data).toEqual([]);
		expect((await bookOf(accountId)).account.status).toBe("ACTIVE");
	});
});
