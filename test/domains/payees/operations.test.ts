// Payees over HTTP.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { addPayeeAccount, removePayeeAccount } from "../../../src/domains/payees/account.operations";
import {
	blockPayee,
	createPayee,
	deletePayee,
	getPayee,
	listPayees,
	unblockPayee,
	updatePayee,
} from "../../../src/domains/payees/operations";
import { payeeAccounts } from "../../../src/domains/payees/table";
import { call, expectOk, send } from "../../support/client";
import { everyDatabase } from "../../support/databases";
import { db, givenUser } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { givenPayee, sendMoney } from "../../support/payees";

const NUMBER = "+254722000111";

describe("a payee", () => {
	it("is created with its accounts, and answers the same when it is read", async () => {
		const { token } = await givenUser();
		const made = await call(createPayee, { as: token, body: { label: " Rent ", accounts: [sendMoney(NUMBER, "Jane Doe")] } });
		expect(made).toMatchObject({
			status: 201,
			body: {
				label: "Rent",
				display_name: "Rent",
				is_favorite: false,
				is_blocked: false,
				block_reasons: [],
				block_details: null,
				is_service_user: false,
				service_user_id: null,
				service_user_tag: null,
				accounts: [
					{
						type: "SEND_MONEY",
						account_holder_name: "Jane Doe",
						linked_user_id: null,
						mobile_number: NUMBER,
						transaction_count: 0,
						last_used_at: null,
						verification_status: "VERIFIED",
						verification: { resolved_name: "Jane Doe", account_valid: true, requires_confirmation: false, message: null },
					},
				],
			},
		});
		const payee = expectOk(made);
		expect(payee.resource_id).toBe(`pay_${payee.id.replaceAll("-", "")}`);
		expect(payee.accounts[0]?.resource_id).toMatch(/^pac_[0-9a-f]{32}$/);
		expect(expectOk(await call(getPayee, { as: token, path: { payeeId: payee.id } }))).toEqual(payee);
	});

	it("needs a label or an account", async () => {
		const { token } = await givenUser();
		for (const body of [
			{},
			{ label: null },
			{ label: null, accounts: [] },
			{ label: " " },
			{ label: "x".repeat(61) },
			{ label: "a\u0007b" },
		]) {
			expect(await send(createPayee, { as: token, body })).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		}
		expect((await call(createPayee, { as: token, body: { label: "x".repeat(60) } })).status).toBe(201);
		expect((await call(createPayee, { as: token, body: { accounts: [sendMoney(NUMBER)] } })).status).toBe(201);
	});

	it.each([
		["a number without its country", { type: "SEND_MONEY", mobile_number: "0722000111" }],
		["a number that is too long", { type: "SEND_MONEY", mobile_number: "+2547220001112345" }],
		["an account without its number", { type: "BUY_GOODS" }],
		["a till of letters", { type: "BUY_GOODS", till_number: "till" }],
		["a paybill without a reference", { type: "PAY_BILL", paybill_number: "888880" }],
		["a bank code with a separator", { type: "BANK_ACCOUNT", bank_code: "01#2", account_number: "1" }],
		["an unknown type", { type: "CASH", mobile_number: NUMBER }],
		["an unknown tag", { type: "INTERNAL", user_tag: "@nobody" }],
	])("is refused with %s", async (_, account) => {
		const { token } = await givenUser();
		expect(await send(createPayee, { as: token, body: { accounts: [account] } })).toMatchObject({
			status: 400,
			body: { code: "BAD_REQUEST" },
		});
	});

	it("is refused with the same account twice", async () => {
		const { token } = await givenUser();
		const body = { accounts: [sendMoney(NUMBER), sendMoney(NUMBER, "Jane")] };
		expect((await call(createPayee, { as: token, body })).status).toBe(400);
	});

	it("shows the members that identify an account of each type", async () => {
		const { token } = await givenUser();
		const { accounts } = await givenPayee(
			token,
			"Bills",
			{ type: "BUY_GOODS", till_number: "123456" },
			{ type: "PAY_BILL", paybill_number: "888880", account_reference: "A#1" },
			{ type: "BANK_ACCOUNT", bank_code: "01", account_number: "0099" },
		);
		expect(accounts).toMatchObject([
			{ till_number: "123456", mobile_number: null },
			{ paybill_number: "888880", account_reference: "A#1" },
			{ bank_code: "01", account_number: "0099" },
		]);
	});

	it("of another user answers 404 in every operation, like unknown ids", async () => {
		const owner = await givenUser();
		const { id: payeeId } = await givenPayee(owner.token, "Rent");
		const { token } = await givenUser();
		for (const path of [{ payeeId }, { payeeId: crypto.randomUUID() }]) {
			const answers = [
				await call(getPayee, { as: token, path }),
				await call(updatePayee, { as: token, path, body: { is_favorite: true } }),
				await call(blockPayee, { as: token, path, body: { reasons: ["OTHER"] } }),
				await call(unblockPayee, { as: token, path }),
				await call(deletePayee, { as: token, path }),
				await call(addPayeeAccount, { as: token, path, body: sendMoney(NUMBER) }),
				await call(removePayeeAccount, { as: token, path: { ...path, accountId: crypto.randomUUID() } }),
			];
			for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		}
	});

	it("changes its label and its flag, alone or together; null clears the label", async () => {
		const { token } = await givenUser();
		const { id: payeeId } = await givenPayee(token, "Rent", sendMoney(NUMBER, "Jane"));
		const patch = async (body: object) => expectOk(await call(updatePayee, { as: token, path: { payeeId }, body }));
		expect(await patch({ is_favorite: true })).toMatchObject({ label: "Rent", is_favorite: true });
		expect(await patch({ label: "Home" })).toMatchObject({ label: "Home", is_favorite: true });
		expect(await patch({ label: null, is_favorite: false })).toMatchObject({ label: null, display_name: "Jane", is_favorite: false });
		expect(await send(updatePayee, { as: token, path: { payeeId }, body: {} })).toMatchObject({
			status: 400,
			body: { code: "BAD_REQUEST" },
		});
	});

	it("is changed only if If-Match names its current version", async () => {
		const { token } = await givenUser();
		const { id: payeeId } = await givenPayee(token, "Rent");
		const etag = (await call(getPayee, { as: token, path: { payeeId } })).headers.get("etag") ?? "";
		const patch = (label: string) => call(updatePayee, { as: token, path: { payeeId }, body: { label }, headers: { "if-match": etag } });
		const changed = await patch("Home");
		expect(changed.status).toBe(200);
		expect(await patch("Work")).toMatchObject({ status: 412, body: { code: "PRECONDITION_FAILED" } });
		// Its answer has the tag for the next change.
		const next = { "if-match": changed.headers.get("etag") ?? "" };
		expect((await call(updatePayee, { as: token, path: { payeeId }, body: { label: "Work" }, headers: next })).status).toBe(200);
	});

	it("is not changed by If-Match if it was paid meanwhile", async () => {
		const { token } = await givenUser();
		const { id: payeeId, accounts } = await givenPayee(token, "Rent", sendMoney(NUMBER));
		const etag = (await call(getPayee, { as: token, path: { payeeId } })).headers.get("etag") ?? "";
		const paid = db
			.update(payeeAccounts)
			.set({ transactionCount: 1 })
			.where(eq(payeeAccounts.id, accounts[0]?.id ?? ""));
		const more = { headers: { "if-match": etag }, vars: beforeCommit(async () => paid) };
		expect(await call(updatePayee, { as: token, path: { payeeId }, body: { label: "Home" }, ...more })).toMatchObject({ status: 412 });
		expect(expectOk(await call(getPayee, { as: token, path: { payeeId } })).label).toBe("Rent");
	});

	it("keeps both changes when two are made concurrently", async () => {
		const { token } = await givenUser();
		const path = { payeeId: (await givenPayee(token, "Rent")).id };
		const vars = beforeCommit(async () => {
			expectOk(await call(blockPayee, { as: token, path, body: { reasons: ["SUSPECTED_FRAUD"] } }));
		});
		expect(expectOk(await call(updatePayee, { as: token, path, body: { label: "Home" }, vars }))).toMatchObject({
			label: "Home",
			is_blocked: true,
			block_reasons: ["SUSPECTED_FRAUD"],
		});
	});

	it("collects the reasons of its blocks, and drops them when it is unblocked", async () => {
		const { token } = await givenUser();
		const path = { payeeId: (await givenPayee(token, "Rent")).id };
		const block = (body: { reasons: ("OTHER" | "SUSPECTED_FRAUD")[]; details?: string }) => call(blockPayee, { as: token, path, body });
		await block({ reasons: ["OTHER"], details: "rude" });
		expect(expectOk(await block({ reasons: ["SUSPECTED_FRAUD", "OTHER"] }))).toMatchObject({
			is_blocked: true,
			block_reasons: ["OTHER", "SUSPECTED_FRAUD"],
			block_details: "rude",
		});
		const unblocked = { is_blocked: false, block_reasons: [], block_details: null };
		expect(expectOk(await call(unblockPayee, { as: token, path }))).toMatchObject(unblocked);
		expect(expectOk(await call(unblockPayee, { as: token, path }))).toMatchObject(unblocked);
		expect(await send(blockPayee, { as: token, path, body: { reasons: [] } })).toMatchObject({ status: 400 });
	});

	it("is one of at most 500 of a user, even for concurrent requests", async () => {
		const { token } = await givenUser();
		await givenPayee(token, "Rent");
		await everyDatabase.exec(
			"insert into payees (id, user_id, block_reasons, created_at, updated_at) select id || n, user_id, '[]', 1, 1 from payees, (with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 498) select n from numbers)",
		);
		const add = (vars = {}) => call(createPayee, { as: token, body: { label: "New", accounts: [] }, vars });
		expect(await add(beforeCommit(async () => void expectOk(await add())))).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it("is gone once it is deleted, even if it is changed meanwhile", async () => {
		const { token } = await givenUser();
		const path = { payeeId: (await givenPayee(token, "Rent")).id };
		const vars = beforeCommit(async () => void expectOk(await call(updatePayee, { as: token, path, body: { label: "Home" } })));
		expect((await call(deletePayee, { as: token, path, vars })).status).toBe(204);
		expect((await call(getPayee, { as: token, path })).status).toBe(404);
	});

	it("is gone with its accounts once it is deleted", async () => {
		const { token } = await givenUser();
		const path = { payeeId: (await givenPayee(token, "Rent", sendMoney(NUMBER))).id };
		expect((await call(deletePayee, { as: token, path })).status).toBe(204);
		expect((await call(deletePayee, { as: token, path })).status).toBe(404);
		expect(await everyDatabase.prepare("select count(*) as n from payee_accounts").first("n")).toBe(0);
	});
});

describe("the list of payees", () => {
	it("is newest first, even if payees change meanwhile, and can be filtered", async () => {
		const { token } = await givenUser();
		const a = await givenPayee(token, "Ann", sendMoney(NUMBER, "Ann Mary"));
		const b = await givenPayee(token, "Bob");
		const c = await givenPayee(token, "Cyn", { type: "BUY_GOODS", till_number: "777000" });
		await givenPayee((await givenUser()).token, "Elsewhere");
		const labels = async (query: object) => expectOk(await call(listPayees, { as: token, query })).data.map(({ label }) => label);
		const first = expectOk(await call(listPayees, { as: token, query: { size: "2" } }));
		expect(first.data.map(({ id }) => id)).toEqual([c.id, b.id]);
		expectOk(await call(updatePayee, { as: token, path: { payeeId: a.id }, body: { is_favorite: true } }));
		expectOk(await call(blockPayee, { as: token, path: { payeeId: b.id }, body: { reasons: ["OTHER"] } }));
		expect(await labels({ size: "2", after: first.links.next ?? "" })).toEqual(["Ann"]);
		expect(await labels({ is_favorite: "true" })).toEqual(["Ann"]);
		expect(await labels({ is_favorite: "false", is_blocked: "false" })).toEqual(["Cyn"]);
		expect(await labels({ q: "MARY" })).toEqual(["Ann"]);
		expect(await labels({ q: "7770" })).toEqual(["Cyn"]);
		expect(await labels({ q: "%" })).toEqual([]);
	});

	it("refuses cursors of other filters, and bad flags", async () => {
		const { token } = await givenUser();
		for (const label of ["a", "b"]) await givenPayee(token, label);
		const { links } = expectOk(await call(listPayees, { as: token, query: { size: "1" } }));
		const after = links.next ?? "";
		expect(await call(listPayees, { as: token, query: { after, q: "a" } })).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await send(listPayees, { as: token, query: { is_blocked: "yes" } })).toMatchObject({ status: 400 });
	});
});
