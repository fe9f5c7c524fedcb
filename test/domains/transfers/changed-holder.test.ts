// A payee's number that has another holder by now is paid no more until the payer has seen that holder's name, and then by a code.

import { beforeEach, describe, expect, it } from "vitest";
import { verifyPayeeAccount } from "../../../src/domains/payees/account.operations";
import { lookUpNames } from "../../../src/domains/payees/job";
import { getPayee } from "../../../src/domains/payees/operations";
import { confirmTransfer } from "../../../src/domains/transfers/operations";
import { combinePayees } from "../../../src/domains/transfers/payee-combination.operations";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { codeSentTo } from "../../support/current-accounts";
import { everyDatabase } from "../../support/databases";
import { beforeTrip } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { sendMoney } from "../../support/payees";
import { payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const [HOME] = HOMES;
const CHANGED = { status: 409, body: { code: "PAYEE_CHANGED" } };

beforeEach(openSecond);

const run = (statement: string, ...values: string[]) =>
	everyDatabase
		.prepare(statement)
		.bind(...values)
		.run();
const giveUp = ({ id }: Person) => run("update users set mobile_number = null where id = ?", id);
async function take(person: Person, from: Person): Promise<void> {
	await giveUp(from);
	await run("delete from names where kind = 'PHONE' and id = ?", person.id);
	await run("update users set mobile_number = ? where id = ?", from.number, person.id);
	await run("update names set id = ? where kind = 'PHONE' and id = ?", person.id, from.id);
}

async function givenPaid() {
	const payer = await givenPerson(HOME, 10_000);
	const [before, after] = [await givenPerson(HOME), await givenPerson(HOME)];
	const payee = await payeeOf(payer, sendMoney(before.number));
	expect(expectOk(await transfer(payer, payee.accountId, 100)).status).toBe("COMPLETED");
	return { payer, before, after, ...payee };
}
type Payee = Awaited<ReturnType<typeof givenPaid>>;

const verify = ({ payer, payeeId, accountId }: Payee, vars: object = {}) =>
	call(verifyPayeeAccount, { as: payer.token, path: { payeeId, accountId }, vars: { ...SECOND, ...vars } });
const accountOfPayee = async ({ payer, payeeId }: Payee) => {
	const { accounts } = expectOk(await call(getPayee, { as: payer.token, path: { payeeId }, vars: SECOND }));
	return accounts[0];
};
const confirm = async (payer: Person, transferId: string) =>
	call(confirmTransfer, {
		as: payer.token,
		path: { transferId },
		body: { otp_code: await codeSentTo(payer.number) },
		vars: SECOND,
	});
const NOBODY = { verification_status: "UNVERIFIED", linked_user_id: null, verification: { resolved_name: null } };

describe("a payee's number", () => {
	it.each([
		["another user", true],
		["nobody", false],
	])("that %s has by now is not paid, until the name was shown and a code confirmed it", async (_, taken) => {
		const given = await givenPaid();
		const { payer, before, after, accountId } = given;
		await (taken ? take(after, before) : giveUp(before));
		expect(await transfer(payer, accountId, 100)).toMatchObject(CHANGED);
		expect(await accountOfPayee(given)).toMatchObject(NOBODY);
		expect(await transfer(payer, accountId, 100)).toMatchObject(CHANGED);
		const shown = expectOk(await verify(given)).accounts[0];
		expect(shown).toMatchObject({ verification_status: "VERIFIED", linked_user_id: taken ? after.id : null });
		expect(shown?.verification.resolved_name).not.toBeNull();
		const asked = expectOk(await transfer(payer, accountId, 100));
		expect(asked.status).toBe("AWAITING_OTP");
		expect(expectOk(await confirm(payer, asked.id)).status).toBe("COMPLETED");
		expect(expectOk(await transfer(payer, accountId, 100)).status).toBe("COMPLETED");
		expect([(await accountOf(before)).balance, (await accountOf(after)).balance]).toEqual([100, taken ? 200 : 0]);
	});

	it("is confirmed by no code for a transfer to the holder before", async () => {
		const given = await givenPaid();
		const { payer, before, after, accountId } = given;
		const asked = expectOk(await transfer(payer, accountId, 500, { vars: { TRANSFER_OTP_ABOVE: "0" } }));
		await take(after, before);
		expect(await transfer(payer, accountId, 100)).toMatchObject(CHANGED);
		expectOk(await confirm(payer, asked.id));
		expectOk(await verify(given));
		expect(expectOk(await transfer(payer, accountId, 100)).status).toBe("AWAITING_OTP");
	});

	it("needs a code too if the payer asks for the name before they pay", async () => {
		const given = await givenPaid();
		await take(given.after, given.before);
		expect(expectOk(await verify(given)).accounts[0]).toMatchObject({ linked_user_id: given.after.id });
		expect(expectOk(await transfer(given.payer, given.accountId, 100)).status).toBe("AWAITING_OTP");
	});

	it("stays unpaid until an outside provider has answered with a name", async () => {
		const given = await givenPaid();
		const lookup = { NAME_LOOKUP_URL: "https://names.example/in", NAME_LOOKUP_TOKEN: "token" };
		let name: string | undefined;
		answerOutbound(async () => (name === undefined ? new Response(null, { status: 503 }) : Response.json({ known: true, name })));
		await take(given.after, given.before);
		expect(expectOk(await verify(given, lookup)).accounts[0]).toMatchObject({ verification_status: "PENDING" });
		expect(await transfer(given.payer, given.accountId, 100)).toMatchObject(CHANGED);
		name = "Jane Doe";
		await moveClock(MINUTE_MS);
		await withServices((services) => lookUpNames(services), lookup);
		expect(await accountOfPayee(given)).toMatchObject({ verification: { resolved_name: "Jane Doe" } });
		expect(expectOk(await transfer(given.payer, given.accountId, 100)).status).toBe("AWAITING_OTP");
	});

	it("is not paid if it is found to have changed hands between the order's read and its commit", async () => {
		const given = await givenPaid();
		const { payer, before, after, accountId } = given;
		const changes = async () => {
			await take(after, before);
			expect(await transfer(payer, accountId, 1)).toMatchObject(CHANGED);
		};
		// The round trips of an order to a number: payee and account, the number, the receiver, the commit.
		expect(await transfer(payer, accountId, 100, { vars: beforeTrip(4, changes) })).toMatchObject(CHANGED);
		expect((await accountOf(after)).balance).toBe(0);
	});

	it("keeps its mark when two payees with it are combined", async () => {
		const given = await givenPaid();
		const { payer, before, after, payeeId } = given;
		const other = await payeeOf(payer, sendMoney(before.number));
		await take(after, before);
		expect(await transfer(payer, given.accountId, 100)).toMatchObject(CHANGED);
		expectOk(await call(combinePayees, { as: payer.token, path: { payeeId: other.payeeId }, body: { source_payee_id: payeeId } }));
		expect((await transfer(payer, other.accountId, 100)).status).toBe(409);
	});
});

describe.each(["before", "after"] as const)("a crash %s any round trip of the order that finds another holder", (when) => {
	it("pays nobody, and leaves the payee as it was or with the holder unseen", async () => {
		expectErrors("request failed");
		const given = await givenPaid();
		const { payer, before, after, accountId } = given;
		await take(after, before);
		for (let trip = 1; ; trip++) {
			const { vars, died } = dyingAt(trip, when);
			expect((await transfer(payer, accountId, 100, { vars })).ok).toBe(false);
			const linked = (await accountOfPayee(given))?.linked_user_id;
			expect([before.id, null]).toContain(linked);
			if (!died()) break;
		}
		expect(await transfer(payer, accountId, 100)).toMatchObject(CHANGED);
		expect([(await accountOf(payer)).balance, (await accountOf(after)).balance]).toEqual([9_900, 0]);
	});
});
