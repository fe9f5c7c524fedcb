// A transfer that needs a code waits for it, and holds the money meanwhile.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { listMessages } from "../../../src/domains/messages/operations";
import { blockPayee } from "../../../src/domains/payees/operations";
import { workOnTransfers } from "../../../src/domains/transfers/job";
import { confirmTransfer, getTransfer } from "../../../src/domains/transfers/operations";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { operatorToken } from "../../support/factories";
import { beforeTrip } from "../../support/loans";
import { sendMoney } from "../../support/payees";
import { payeeFor, payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const ABOVE = { TRANSFER_OTP_ABOVE: "999" };
const [HOME, OTHER_HOME] = HOMES;

beforeEach(openSecond);

const codeFor = async ({ number }: Person) => {
	const as = await operatorToken();
	const { data } = expectOk(await call(listMessages, { as, query: { recipient: number }, vars: SECOND }));
	const code = data[0]?.otp_code;
	if (code == null) throw new Error("expected a code");
	return code;
};
const confirm = ({ token }: Person, transferId: string, otp_code: string, vars: object = {}) =>
	call(confirmTransfer, { as: token, path: { transferId }, body: { otp_code }, vars: { ...SECOND, ...vars } });
const read = async ({ token }: Person, transferId: string) =>
	expectOk(await call(getTransfer, { as: token, path: { transferId }, vars: SECOND }));
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const sweep = () =>
	withServices(async (services) =>
		services.everywhere().reduce((done, here) => done.then(() => workOnTransfers(here)), Promise.resolve(false)),
	);

async function givenAwaited(home: number = HOME) {
	const payer = await givenPerson(HOME, 10_000);
	const payee = await givenPerson(home);
	const { payeeId, accountId } = await payeeFor(payer, payee);
	const ordered = expectOk(await transfer(payer, accountId, 1_000, { vars: ABOVE }));
	return { payer, payee, payeeId, accountId, id: ordered.id, ordered };
}

describe("a transfer above the threshold", () => {
	it("waits for a code while its money is held; a transfer at the threshold does not", async () => {
		const { payer, payee, accountId, ordered } = await givenAwaited();
		expect(ordered).toMatchObject({ status: "AWAITING_OTP", requires_confirmation: true, completed_at: null });
		expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 1_000, outTotal: 1_000 });
		expect((await accountOf(payee)).balance).toBe(0);
		expect(await codeFor(payer)).toMatch(/^\d{6}$/);
		expect(expectOk(await transfer(payer, accountId, 999, { vars: ABOVE })).status).toBe("COMPLETED");
	});

	it("is completed by the right code, and only once", async () => {
		const { payer, payee, id } = await givenAwaited();
		const code = await codeFor(payer);
		expect(await confirm(payer, id, code)).toMatchObject({ status: 200, body: { status: "COMPLETED", requires_confirmation: false } });
		expect(await accountOf(payer)).toMatchObject({ balance: 9_000, held: 0 });
		expect((await accountOf(payee)).balance).toBe(1_000);
		expect(await confirm(payer, id, code)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect((await accountOf(payee)).balance).toBe(1_000);
	});

	it("to another database becomes PENDING by the right code, and is then completed", async () => {
		const { payer, payee, id } = await givenAwaited(OTHER_HOME);
		expect(expectOk(await confirm(payer, id, await codeFor(payer))).status).toBe("PENDING");
		expect((await read(payer, id)).status).toBe("COMPLETED");
		expect([(await accountOf(payer)).balance, (await accountOf(payee)).balance]).toEqual([9_000, 1_000]);
	});

	it("is paid out by the right code", async () => {
		const payer = await givenPerson(HOME, 10_000);
		const { accountId } = await payeeOf(payer, sendMoney("+254733000001"));
		const { id } = expectOk(await transfer(payer, accountId, 1_000, { vars: ABOVE }));
		expect(expectOk(await confirm(payer, id, await codeFor(payer))).status).toBe("COMPLETED");
		expect(await accountOf(payer)).toMatchObject({ balance: 9_000, held: 0 });
	});

	it.each(["a wrong code", "a malformed code", "five wrong codes"])("keeps waiting after %s", async (what) => {
		const { payer, payee, id } = await givenAwaited();
		const code = await codeFor(payer);
		const body = { otp_code: what === "a malformed code" ? 123456 : wrong(code) };
		const guess = () => send(confirmTransfer, { as: payer.token, path: { transferId: id }, body, vars: SECOND });
		expect(await guess()).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect((await read(payer, id)).status).toBe("AWAITING_OTP");
		if (what === "five wrong codes") {
			for (let tries = 2; tries <= 5; tries++) await guess();
			expect(await confirm(payer, id, code)).toMatchObject({ status: 429 });
		} else {
			expect((await confirm(payer, id, code)).status).toBe(200);
			expect((await accountOf(payee)).balance).toBe(1_000);
		}
	});

	it("fails after five minutes, and its money is the payer's again, also towards the day's limit", async () => {
		const { payer, id } = await givenAwaited();
		const code = await codeFor(payer);
		await moveClock(5 * MINUTE_MS);
		expect(await confirm(payer, id, code)).toMatchObject({ status: 409 });
		await sweep();
		expect(await read(payer, id)).toMatchObject({ status: "FAILED", failure_reason: "EXPIRED", requires_confirmation: false });
		expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 0, outTotal: 0 });
		await sweep();
		expect((await accountOf(payer)).held).toBe(0);
	});

	it("of a stranger is 404 to confirm, with any code", async () => {
		const { payer, id } = await givenAwaited();
		const stranger = await givenPerson(HOME);
		expect((await confirm(stranger, id, await codeFor(payer))).status).toBe(404);
		expect((await confirm(payer, crypto.randomUUID(), "123456")).status).toBe(404);
	});

	it("cannot be confirmed with the code of another transfer", async () => {
		const { payer, accountId, id } = await givenAwaited();
		const first = await codeFor(payer);
		await moveClock(1_000);
		expectOk(await transfer(payer, accountId, 1_500, { vars: ABOVE }));
		const second = await codeFor(payer);
		expect(second).not.toBe(first);
		expect((await confirm(payer, id, second)).status).toBe(400);
	});

	it("is confirmed once, even if the right code is sent many times concurrently", async () => {
		const { payer, payee, id } = await givenAwaited();
		const code = await codeFor(payer);
		const answers = await Promise.all([0, 1, 2, 3].map(() => confirm(payer, id, code)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const { status } of answers) expect([200, 400, 409]).toContain(status);
		expect([(await accountOf(payer)).balance, (await accountOf(payee)).balance]).toEqual([9_000, 1_000]);
	});

	it("is confirmed or expired, never both", async () => {
		const { payer, payee, id } = await givenAwaited();
		const code = await codeFor(payer);
		await moveClock(5 * MINUTE_MS - 300);
		const [answer] = await Promise.all([confirm(payer, id, code), moveClock(400).then(sweep)]);
		await sweep();
		const { status } = await read(payer, id);
		expect(status).toBe(answer.ok ? "COMPLETED" : "FAILED");
		const [paid, received] = [await accountOf(payer), await accountOf(payee)];
		expect(paid.held).toBe(0);
		expect([paid.balance, received.balance]).toEqual(answer.ok ? [9_000, 1_000] : [10_000, 0]);
	});

	it("is expired, and not confirmed, when that happens between the confirmation's read and its commit", async () => {
		const { payer, payee, id } = await givenAwaited(OTHER_HOME);
		const code = await codeFor(payer);
		// The round trips of a confirmation: the transfer, the try, transfer and account, the commit.
		const expires = beforeTrip(4, async () => {
			await moveClock(5 * MINUTE_MS);
			await sweep();
		});
		expect((await confirm(payer, id, code, expires)).status).toBe(409);
		expect(await read(payer, id)).toMatchObject({ status: "FAILED", failure_reason: "EXPIRED" });
		expect([(await accountOf(payer)).balance, (await accountOf(payee)).balance]).toEqual([10_000, 0]);
	});

	it.each([3, 4, 5])(
		"is not confirmed when the payer's account is frozen before round trip %i, and can be confirmed later",
		async (trip) => {
			const { payer, id } = await givenAwaited();
			const code = await codeFor(payer);
			const status = (to: "FROZEN" | "ACTIVE") =>
				withServices(({ db, commit }) =>
					commit([db.orm.update(currentAccounts).set({ status: to }).where(eq(currentAccounts.id, payer.account.id))]),
				);
			const frozen = await confirm(
				payer,
				id,
				code,
				beforeTrip(trip, () => status("FROZEN")),
			);
			expect(frozen).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
			expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 1_000 });
			await status("ACTIVE");
			expect((await confirm(payer, id, code)).status).toBe(200);
		},
	);

	it.each(["blocked the payer", "closed the account"])("fails when the payee has %s meanwhile", async (what) => {
		const { payer, payee, id } = await givenAwaited();
		if (what === "blocked the payer") {
			const { payeeId } = await payeeOf(payee, sendMoney(payer.number));
			expectOk(await call(blockPayee, { as: payee.token, path: { payeeId }, body: { reasons: ["OTHER"] } }));
		} else {
			await withServices(({ db, commit }) =>
				commit([db.orm.update(currentAccounts).set({ status: "CLOSED" }).where(eq(currentAccounts.id, payee.account.id))]),
			);
		}
		expect(expectOk(await confirm(payer, id, await codeFor(payer)))).toMatchObject({
			status: "FAILED",
			failure_reason: "PAYEE_UNAVAILABLE",
		});
		expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 0, outTotal: 0 });
	});
});
