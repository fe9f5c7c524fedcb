// Combining payees moves their accounts and their open transfers.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { removePayeeAccount } from "../../../src/domains/payees/account.operations";
import { blockPayee, deletePayee, getPayee, listPayees, updatePayee } from "../../../src/domains/payees/operations";
import { payeeAccounts } from "../../../src/domains/payees/table";
import { combinePayees } from "../../../src/domains/transfers/payee-combination.operations";
import { call, expectOk, send } from "../../support/client";
import { db, givenUser } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { givenPayee, sendMoney } from "../../support/payees";

const [ONE, TWO, THREE] = ["+254722000111", "+254722000222", "+254722000333"] as const;
const combine = (
	as: string,
	payeeId: string,
	source_payee_id: string,
	more: { vars?: Partial<Env>; headers?: Record<string, string> } = {},
) => call(combinePayees, { as, path: { payeeId }, body: { source_payee_id }, ...more });
const read = async (as: string, payeeId: string) => call(getPayee, { as, path: { payeeId } });
const used = (id: string | undefined, transactionCount: number, lastUsedAt: number) =>
	db
		.update(payeeAccounts)
		.set({ transactionCount, lastUsedAt })
		.where(eq(payeeAccounts.id, id ?? ""));

describe("combining payees", () => {
	it("moves the source's accounts with their ids, and deletes the source", async () => {
		const { token } = await givenUser();
		const target = await givenPayee(token, "Jane", sendMoney(ONE));
		const source = await givenPayee(token, "Jane at work", sendMoney(TWO));
		const combined = expectOk(await combine(token, target.id, source.id));
		expect(combined).toMatchObject({
			id: target.id,
			label: "Jane",
			accounts: [{ id: target.accounts[0]?.id }, { id: source.accounts[0]?.id }],
		});
		expect(expectOk(await read(token, target.id))).toEqual(combined);
		expect((await read(token, source.id)).status).toBe(404);
		expect(expectOk(await call(listPayees, { as: token, query: {} })).data).toHaveLength(1);
		expect((await combine(token, target.id, source.id)).status).toBe(404);
	});

	it("joins an account that both have: the target's id, the uses of both, the latest use", async () => {
		const { token } = await givenUser();
		const target = await givenPayee(token, "Jane", sendMoney(ONE), sendMoney(THREE));
		const source = await givenPayee(token, "Jane again", sendMoney(ONE, "Jane Doe"), sendMoney(TWO));
		await used(target.accounts[0]?.id, 3, 1_000);
		await used(source.accounts[0]?.id, 4, 2_000);
		const combined = expectOk(await combine(token, target.id, source.id));
		expect(combined.accounts.map(({ mobile_number }) => mobile_number)).toEqual([ONE, THREE, TWO]);
		expect(combined.accounts[0]).toMatchObject({
			id: target.accounts[0]?.id,
			transaction_count: 7,
			last_used_at: new Date(2_000).toISOString(),
		});
		expect(expectOk(await read(token, target.id))).toEqual(combined);
	});

	it("keeps the block of either payee", async () => {
		const { token } = await givenUser();
		for (const side of ["target", "source"] as const) {
			const pair = { target: await givenPayee(token, "a"), source: await givenPayee(token, "b") };
			expectOk(
				await call(blockPayee, { as: token, path: { payeeId: pair[side].id }, body: { reasons: ["SUSPECTED_FRAUD"], details: "scam" } }),
			);
			expect(expectOk(await combine(token, pair.target.id, pair.source.id))).toMatchObject({
				is_blocked: true,
				block_reasons: ["SUSPECTED_FRAUD"],
				block_details: "scam",
			});
		}
	});

	it.each(["target", "source"] as const)("keeps the uses of the %s that come between its read and its commit", async (side) => {
		const { token } = await givenUser();
		const target = await givenPayee(token, "Jane", sendMoney(ONE));
		const source = await givenPayee(token, "Jane again", sendMoney(ONE, "Jane Doe"));
		const vars = beforeCommit(() => used({ target, source }[side].accounts[0]?.id, 4, 2_000));
		const combined = expectOk(await combine(token, target.id, source.id, { vars }));
		expect(combined.accounts).toMatchObject([{ transaction_count: 4, last_used_at: new Date(2_000).toISOString() }]);
		expect(expectOk(await read(token, target.id))).toEqual(combined);
	});

	it("keeps a block that comes between its read and its commit", async () => {
		const { token } = await givenUser();
		const target = await givenPayee(token, "a");
		const source = await givenPayee(token, "b");
		const vars = beforeCommit(async () => {
			expectOk(await call(blockPayee, { as: token, path: { payeeId: source.id }, body: { reasons: ["OTHER"] } }));
		});
		expect(expectOk(await combine(token, target.id, source.id, { vars }))).toMatchObject({ is_blocked: true, block_reasons: ["OTHER"] });
		expect(expectOk(await read(token, target.id)).is_blocked).toBe(true);
	});

	it("carries out one of two opposite calls", async () => {
		const { token } = await givenUser();
		const a = await givenPayee(token, "a", sendMoney(ONE));
		const b = await givenPayee(token, "b", sendMoney(TWO));
		const vars = beforeCommit(async () => {
			expect((await combine(token, b.id, a.id)).status).toBe(200);
		});
		expect((await combine(token, a.id, b.id, { vars })).status).toBe(404);
		expect(expectOk(await read(token, b.id)).accounts).toHaveLength(2);
		expect((await read(token, a.id)).status).toBe(404);
	});

	it("carries out one of many concurrent opposite calls, and loses no account", async () => {
		const { token } = await givenUser();
		const a = await givenPayee(token, "a", sendMoney(ONE));
		const b = await givenPayee(token, "b", sendMoney(TWO));
		const answers = await Promise.all([0, 1, 2, 3].map((n) => (n % 2 === 0 ? combine(token, a.id, b.id) : combine(token, b.id, a.id))));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
		for (const { status } of answers) expect([200, 404, 409]).toContain(status);
		const { data } = expectOk(await call(listPayees, { as: token, query: {} }));
		expect(data.map(({ accounts }) => accounts.length)).toEqual([2]);
	});

	it.each(["target", "source"] as const)("is 404 when the %s is deleted between its read and its commit", async (side) => {
		const { token } = await givenUser();
		const pair = { target: await givenPayee(token, "a", sendMoney(ONE)), source: await givenPayee(token, "b", sendMoney(TWO)) };
		const vars = beforeCommit(() => call(deletePayee, { as: token, path: { payeeId: pair[side].id } }));
		expect((await combine(token, pair.target.id, pair.source.id, { vars })).status).toBe(404);
		const left = side === "target" ? pair.source : pair.target;
		expect(expectOk(await read(token, left.id)).accounts).toEqual(left.accounts);
	});

	it("is replayed for the same Idempotency-Key", async () => {
		const { token } = await givenUser();
		const a = await givenPayee(token, "a");
		const b = await givenPayee(token, "b");
		const headers = { "idempotency-key": "combine" };
		const first = await combine(token, a.id, b.id, { headers });
		const second = await combine(token, a.id, b.id, { headers });
		expect(second).toMatchObject({ status: 200, text: first.text });
		expect(second.headers.get("idempotent-replayed")).toBe("true");
	});

	it("is refused for a payee with itself, for another user's payee, and beyond 20 accounts", async () => {
		const { token } = await givenUser();
		const tills = (from: number) =>
			Array.from({ length: 11 }, (_, index) => ({ type: "BUY_GOODS" as const, till_number: `${from + index}` }));
		const a = await givenPayee(token, "a", ...tills(10_000));
		const b = await givenPayee(token, "b", ...tills(20_000));
		const stranger = await givenUser();
		const c = await givenPayee(stranger.token, "c");
		expect(await combine(token, a.id, a.id)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect((await combine(token, a.id, c.id)).status).toBe(404);
		expect((await combine(token, c.id, a.id)).status).toBe(404);
		expect(await combine(token, a.id, b.id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await send(combinePayees, { as: token, path: { payeeId: a.id }, body: {} })).toMatchObject({ status: 400 });
		const path = { payeeId: b.id, accountId: b.accounts[0]?.id ?? "" };
		expectOk(await call(removePayeeAccount, { as: token, path }));
		await call(removePayeeAccount, { as: token, path: { ...path, accountId: b.accounts[1]?.id ?? "" } });
		expect(expectOk(await combine(token, a.id, b.id)).accounts).toHaveLength(20);
	});

	it("keeps a label that changes meanwhile", async () => {
		const { token } = await givenUser();
		const a = await givenPayee(token, "a");
		const b = await givenPayee(token, "b");
		const vars = beforeCommit(() => call(updatePayee, { as: token, path: { payeeId: a.id }, body: { label: "new", is_favorite: true } }));
		expect(expectOk(await combine(token, a.id, b.id, { vars }))).toMatchObject({ label: "new", is_favorite: true });
	});
});
