// The accounts of payees, linked to users and named by the name look-up.

import { describe, expect, it } from "vitest";
import { addPayeeAccount, removePayeeAccount, verifyPayeeAccount } from "../../../src/domains/payees/account.operations";
import { lookUpNames } from "../../../src/domains/payees/job";
import { createPayee, getPayee } from "../../../src/domains/payees/operations";
import { payees } from "../../../src/domains/payees/table";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { everyDatabase } from "../../support/databases";
import { db, givenUser } from "../../support/factories";
import { runDueWork } from "../../support/loans";
import { answerOutbound } from "../../support/outbound";
import { type AccountInput, givenPayee, givenTag, sendMoney } from "../../support/payees";

const NUMBER = "+254722000111";
const OUTSIDE = { NAME_LOOKUP_URL: "https://names.example/lookups", NAME_LOOKUP_TOKEN: "secret" };
const NOBODY = { DISBURSER: "http" };

/** A provider that gives these answers in turn and repeats the last one; null means no response. */
function providerAnswering(...answers: (object | null)[]) {
	const asked: unknown[] = [];
	answerOutbound(async (input, init) => {
		const request = new Request(input, init);
		expect(request.url).toBe(OUTSIDE.NAME_LOOKUP_URL);
		expect(request.headers.get("authorization")).toBe("Bearer secret");
		asked.push(await request.json());
		const answer = answers[Math.min(asked.length, answers.length) - 1];
		if (!answer) throw new TypeError("connection lost");
		return Response.json(answer);
	});
	return asked;
}

const create = async (as: string, account: AccountInput, vars: Partial<Env>) =>
	expectOk(await call(createPayee, { as, body: { accounts: [account] }, vars }));
const stateOf = async (as: string, payeeId: string) => expectOk(await call(getPayee, { as, path: { payeeId } })).accounts[0];

describe("the accounts of a payee", () => {
	it("are added and removed; the payee stays when its last account is removed", async () => {
		const { token } = await givenUser();
		const { id: payeeId } = await givenPayee(token, "Jane");
		const added = await call(addPayeeAccount, { as: token, path: { payeeId }, body: sendMoney(NUMBER) });
		expect(added).toMatchObject({ status: 201, body: { id: payeeId, accounts: [{ mobile_number: NUMBER }] } });
		const accountId = expectOk(added).accounts[0]?.id ?? "";
		const remove = () => call(removePayeeAccount, { as: token, path: { payeeId, accountId } });
		expect(await remove()).toMatchObject({ status: 200, body: { id: payeeId, accounts: [] } });
		expect((await remove()).status).toBe(404);
		expect(expectOk(await call(getPayee, { as: token, path: { payeeId } })).accounts).toEqual([]);
	});

	it("cannot be added twice", async () => {
		const { token } = await givenUser();
		const { id: payeeId } = await givenPayee(token, "Jane", sendMoney(NUMBER));
		const add = () => call(addPayeeAccount, { as: token, path: { payeeId }, body: sendMoney(NUMBER, "Jane") });
		expect(await add()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it("are added once by concurrent calls", async () => {
		const { token } = await givenUser();
		const { id: payeeId } = await givenPayee(token, "Jane");
		const answers = await Promise.all(
			[0, 1, 2].map(() => call(addPayeeAccount, { as: token, path: { payeeId }, body: sendMoney(NUMBER) })),
		);
		expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
	});

	it("of another payee of the same user are 404", async () => {
		const { token } = await givenUser();
		const a = await givenPayee(token, "a", sendMoney(NUMBER));
		const b = await givenPayee(token, "b");
		const path = { payeeId: b.id, accountId: a.accounts[0]?.id ?? "" };
		expect((await call(removePayeeAccount, { as: token, path })).status).toBe(404);
		expect((await call(verifyPayeeAccount, { as: token, path })).status).toBe(404);
	});

	it("are at most 20", async () => {
		const { token } = await givenUser();
		const tills = Array.from({ length: 20 }, (_, index) => ({ type: "BUY_GOODS" as const, till_number: `${10_000 + index}` }));
		const { id: payeeId } = await givenPayee(token, "Tills", ...tills);
		expect(await call(addPayeeAccount, { as: token, path: { payeeId }, body: sendMoney(NUMBER) })).toMatchObject({ status: 409 });
	});
});

describe("a number or tag of a user of the service", () => {
	it("links the account to them", async () => {
		const { token } = await givenUser();
		const other = await givenUser({ mobileNumber: NUMBER });
		const tag = await givenTag(other.id);
		const linked = { is_service_user: true, service_user_id: other.id, service_user_tag: tag };
		const account = { linked_user_id: other.id, linked_user_tag: tag };
		expect(await givenPayee(token, "by number", sendMoney(NUMBER))).toMatchObject({ ...linked, accounts: [account] });
		expect(await givenPayee(token, "by tag", { type: "INTERNAL", user_tag: tag })).toMatchObject({
			...linked,
			accounts: [{ ...account, mobile_number: null, verification_status: "UNVERIFIED" }],
		});
	});

	it("links nobody while the user waits, is blocked, or is the caller", async () => {
		const me = await givenUser({ mobileNumber: "+254722000001" });
		await givenUser({ mobileNumber: "+254722000002", status: "WAITING_LIST" });
		await givenUser({ mobileNumber: "+254722000003", blocked: true });
		const numbers = [1, 2, 3].map((n) => sendMoney(`+25472200000${n}`));
		const payee = await givenPayee(me.token, "Nobody", ...numbers);
		expect(payee).toMatchObject({ is_service_user: false, service_user_id: null });
		expect(payee.accounts.map(({ linked_user_id }) => linked_user_id)).toEqual([null, null, null]);
		const own = { type: "INTERNAL" as const, user_tag: await givenTag(me.id) };
		expect((await call(createPayee, { as: me.token, body: { accounts: [own] } })).status).toBe(400);
	});

	it("links nobody while the number is only reserved", async () => {
		const { token } = await givenUser();
		const other = await givenUser({ mobileNumber: NUMBER });
		await everyDatabase.prepare("update users set mobile_number = null where id = ?").bind(other.id).run();
		expect((await givenPayee(token, "Nobody", sendMoney(NUMBER))).is_service_user).toBe(false);
	});
});

describe("the name of an account", () => {
	it("is looked up at the provider after the commit", async () => {
		const { token } = await givenUser();
		const asked = providerAnswering({ known: true, name: "DOE Jane" });
		const { id, accounts } = await create(token, sendMoney(NUMBER, "Jane Doe"), OUTSIDE);
		expect(accounts[0]).toMatchObject({ verification_status: "PENDING", verified_at: null, verification: { account_valid: null } });
		expect(asked).toEqual([{ type: "SEND_MONEY", identifier: NUMBER }]);
		expect(await stateOf(token, id)).toMatchObject({ verification_status: "VERIFIED", verification: { resolved_name: "DOE Jane" } });
	});

	it("that differs from the given one asks for confirmation", async () => {
		const { token } = await givenUser();
		providerAnswering({ known: true, name: "John Smith" });
		const { id } = await create(token, sendMoney(NUMBER, "Jane Doe"), OUTSIDE);
		expect(await stateOf(token, id)).toMatchObject({
			verification_status: "MISMATCH",
			account_holder_name: "Jane Doe",
			verification: { resolved_name: "John Smith", account_valid: true, requires_confirmation: true },
		});
	});

	it("is unknown when the provider knows no such account", async () => {
		const { token } = await givenUser();
		providerAnswering({ known: false });
		const { id } = await create(token, sendMoney(NUMBER), OUTSIDE);
		expect(await stateOf(token, id)).toMatchObject({
			verification_status: "FAILED",
			verified_at: null,
			verification: { account_valid: false },
		});
	});

	it("is looked up again until the provider answers, a limited number of times", async () => {
		const { token } = await givenUser();
		const asked = providerAnswering(null, { unreadable: true }, { known: true, name: "Jane" });
		const { id } = await create(token, sendMoney(NUMBER), OUTSIDE);
		await runDueWork((services) => lookUpNames(services), OUTSIDE);
		expect(asked).toHaveLength(1);
		for (let round = 0; round < 3; round++) {
			await moveClock(5 * MINUTE_MS);
			await runDueWork((services) => lookUpNames(services), OUTSIDE);
		}
		expect(asked).toHaveLength(3);
		expect((await stateOf(token, id))?.verification_status).toBe("VERIFIED");

		const silent = providerAnswering(null);
		const other = await create(token, sendMoney("+254722000999"), OUTSIDE);
		for (let round = 0; round < 6; round++) {
			await moveClock(5 * MINUTE_MS);
			await runDueWork((services) => lookUpNames(services), OUTSIDE);
		}
		expect(silent).toHaveLength(4);
		expect((await stateOf(token, other.id))?.verification_status).toBe("UNVERIFIED");
	});

	it("is asked for once by concurrent sweeps", async () => {
		const { token } = await givenUser();
		const asked = providerAnswering(null, { known: true, name: "Jane" });
		await create(token, sendMoney(NUMBER), OUTSIDE);
		await moveClock(MINUTE_MS);
		await Promise.all([0, 1].map(() => runDueWork((services) => lookUpNames(services), OUTSIDE)));
		expect(asked).toHaveLength(2);
	});

	it("raises the payee's version, so that a concurrent change is decided again", async () => {
		const { token } = await givenUser();
		providerAnswering({ known: true, name: "Jane" });
		await create(token, sendMoney(NUMBER), OUTSIDE);
		expect((await db.select().from(payees))[0]?.version).toBe(2);
	});

	it("stays unverified without a provider, and cannot be looked up", async () => {
		const { token } = await givenUser();
		const { id: payeeId, accounts } = await create(token, sendMoney(NUMBER), NOBODY);
		expect(accounts[0]?.verification_status).toBe("UNVERIFIED");
		const path = { payeeId, accountId: accounts[0]?.id ?? "" };
		expect((await call(verifyPayeeAccount, { as: token, path, vars: NOBODY })).status).toBe(503);
	});

	it("is looked up again on request, and links the user who has the number now", async () => {
		const { token } = await givenUser();
		const { id: payeeId, accounts } = await create(token, sendMoney(NUMBER, "Jane"), NOBODY);
		const other = await givenUser({ mobileNumber: NUMBER });
		providerAnswering({ known: true, name: "Jane" });
		const path = { payeeId, accountId: accounts[0]?.id ?? "" };
		const asked = await call(verifyPayeeAccount, { as: token, path, vars: OUTSIDE });
		expect(asked).toMatchObject({ status: 200, body: { accounts: [{ verification_status: "PENDING", linked_user_id: other.id }] } });
		expect(await stateOf(token, payeeId)).toMatchObject({ verification_status: "VERIFIED", linked_user_id: other.id });
	});
});
