// Transfers to numbers outside of the service, by the embedded and by an outside provider.

import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getPayee } from "../../../src/domains/payees/operations";
import { workOnTransfers } from "../../../src/domains/transfers/job";
import { getTransfer } from "../../../src/domains/transfers/operations";
import { combinePayees } from "../../../src/domains/transfers/payee-combination.operations";
import { reportTransfer } from "../../../src/domains/transfers/result.operations";
import { HOUR_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { operatorToken } from "../../support/factories";
import { answerOutbound } from "../../support/outbound";
import type { AccountInput } from "../../support/payees";
import { payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const SECRET = "a provider's secret";
const OUTSIDE = { DISBURSER: "http", DISBURSER_URL: "https://payouts.example/instructions", DISBURSER_SECRET: SECRET };
const PAYBILL: AccountInput = { type: "PAY_BILL", paybill_number: "888880", account_reference: "A-1", account_holder_name: "Power Ltd" };

type Sent = { body: string; headers: Headers };

/** A provider that responds with these statuses in turn and repeats the last one; 0 means no response. */
function providerAnswering(...statuses: number[]): Sent[] {
	const sent: Sent[] = [];
	answerOutbound(async (input, init) => {
		const request = new Request(input, init);
		expect(request.url).toBe(OUTSIDE.DISBURSER_URL);
		sent.push({ body: await request.text(), headers: request.headers });
		const status = statuses[Math.min(sent.length, statuses.length) - 1] ?? 202;
		if (status === 0) throw new TypeError("connection lost");
		return new Response(null, { status });
	});
	return sent;
}

const sign = (body: string, secret = SECRET) => {
	const t = Math.floor(Date.now() / 1000);
	return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
};
const occurred_at = new Date().toISOString();
const PAID = { status: "SUCCEEDED", reference: "TX1", occurred_at };
const REFUSED = { status: "FAILED", failure_reason: "ACCOUNT_CLOSED", occurred_at };
const report = (transfer_id: string, facts: object, header?: string) => {
	const body = JSON.stringify({ transfer_id, ...facts });
	const headers = { "x-service-signature": header ?? sign(body) };
	return send(reportTransfer, { path: { transfer_id }, body, headers, vars: { ...SECOND, ...OUTSIDE } });
};
const sweep = () => withServices((services) => workOnTransfers(services), OUTSIDE);
const read = async ({ token }: Person, transferId: string) =>
	expectOk(await call(getTransfer, { as: token, path: { transferId }, vars: SECOND }));

async function givenOrdered() {
	const payer = await givenPerson(HOMES[0], 10_000);
	const { payeeId, accountId } = await payeeOf(payer, PAYBILL);
	const ordered = expectOk(await transfer(payer, accountId, 1_000, { vars: OUTSIDE, note: "May" }));
	return { payer, payeeId, accountId, id: ordered.id, ordered };
}

beforeEach(openSecond);

describe("the embedded provider", () => {
	it("pays in the order's commit", async () => {
		const payer = await givenPerson(HOMES[0], 10_000);
		const { accountId } = await payeeOf(payer, PAYBILL);
		expect(expectOk(await transfer(payer, accountId, 1_000)).status).toBe("COMPLETED");
		expect(await accountOf(payer)).toMatchObject({ balance: 9_000, held: 0 });
	});
});

describe("an outside provider", () => {
	it("is instructed after the commit, signed, with the transfer's id as reference; the money is held", async () => {
		const sent = providerAnswering(202);
		const { payer, id, ordered } = await givenOrdered();
		expect(ordered.status).toBe("PENDING");
		expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 1_000 });
		expect(sent).toHaveLength(1);
		expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
			transfer_id: id,
			reference: id,
			account_id: payer.account.id,
			amount: { value: 1_000, currency: "KES" },
			recipient: {
				type: "PAY_BILL",
				name: "Power Ltd",
				mobile_number: null,
				till_number: null,
				paybill_number: "888880",
				account_reference: "A-1",
				bank_code: null,
				account_number: null,
			},
			note: "May",
		});
		const header = sent[0]?.headers.get("x-service-signature") ?? "";
		const t = /^t=(\d+),/.exec(header)?.[1];
		expect(header).toBe(`t=${t},v1=${createHmac("sha256", SECRET).update(`${t}.${sent[0]?.body}`).digest("hex")}`);
	});

	it("is instructed again with the same reference until it accepts, and then no more", async () => {
		const sent = providerAnswering(0, 500, 400, 202);
		const { id } = await givenOrdered();
		await sweep();
		expect(sent).toHaveLength(1);
		for (let round = 0; round < 5; round++) {
			await moveClock(HOUR_MS);
			await sweep();
		}
		expect(sent).toHaveLength(4);
		expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
		expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(Array(4).fill(id));
	});

	it("is instructed once by two concurrent sweeps", async () => {
		const sent = providerAnswering(0, 202);
		await givenOrdered();
		await moveClock(HOUR_MS);
		await Promise.all([sweep(), sweep()]);
		expect(sent).toHaveLength(2);
	});

	it("keeps the hold as long as it does not answer, and operators are alerted after a day", async () => {
		providerAnswering(0);
		const logged = vi.spyOn(console, "error").mockImplementation(() => {});
		const { payer, id } = await givenOrdered();
		for (let day = 0; day < 3; day++) {
			await moveClock(24 * HOUR_MS);
			await sweep();
		}
		expect((await read(payer, id)).status).toBe("PENDING");
		expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 1_000 });
		expect(logged.mock.calls.join()).toContain("a transfer is pending for more than a day");
		vi.restoreAllMocks();
	});
});

describe("the provider's report", () => {
	it("of success settles the hold and counts as a use of the payee", async () => {
		providerAnswering(202);
		const { payer, payeeId, id } = await givenOrdered();
		expect(await report(id, PAID)).toMatchObject({ status: 200, body: { transfer_id: id, status: "SUCCEEDED" } });
		expect((await read(payer, id)).status).toBe("COMPLETED");
		expect(await accountOf(payer)).toMatchObject({ balance: 9_000, held: 0 });
		const { accounts } = expectOk(await call(getPayee, { as: payer.token, path: { payeeId }, vars: SECOND }));
		expect(accounts[0]?.transaction_count).toBe(1);
	});

	it("counts for the account that remains when payees were combined meanwhile", async () => {
		providerAnswering(202);
		const { payer, payeeId, accountId, id } = await givenOrdered();
		const other = await payeeOf(payer, PAYBILL);
		const path = { payeeId: other.payeeId };
		expectOk(await call(combinePayees, { as: payer.token, path, body: { source_payee_id: payeeId }, vars: SECOND }));
		expect(await read(payer, id)).toMatchObject({ payee_id: other.payeeId, payee_account_id: other.accountId });
		expect((await report(id, PAID)).status).toBe(200);
		const { accounts } = expectOk(await call(getPayee, { as: payer.token, path, vars: SECOND }));
		expect(accounts).toMatchObject([{ id: other.accountId, transaction_count: 1 }]);
		expect(accountId).not.toBe(other.accountId);
	});

	it("of failure releases the hold, with the provider's reason", async () => {
		providerAnswering(202);
		const { payer, payeeId, id } = await givenOrdered();
		expect((await report(id, REFUSED)).status).toBe(200);
		expect(await read(payer, id)).toMatchObject({ status: "FAILED", failure_reason: "ACCOUNT_CLOSED" });
		expect(await accountOf(payer)).toMatchObject({ balance: 10_000, held: 0, outTotal: 0 });
		const { accounts } = expectOk(await call(getPayee, { as: payer.token, path: { payeeId }, vars: SECOND }));
		expect(accounts[0]?.transaction_count).toBe(0);
	});

	it("may come before the provider has answered the instruction, and ends the attempts", async () => {
		const sent = providerAnswering(0);
		const { payer, id } = await givenOrdered();
		expect((await report(id, PAID)).status).toBe(200);
		await moveClock(HOUR_MS);
		await sweep();
		expect(sent).toHaveLength(1);
		expect((await accountOf(payer)).balance).toBe(9_000);
	});

	it("is final: repeating it changes nothing, and a different report is 409", async () => {
		providerAnswering(202);
		const { payer, id } = await givenOrdered();
		const answers = await Promise.all([report(id, PAID), report(id, PAID), report(id, PAID)]);
		for (const { status } of answers) expect([200, 409]).toContain(status);
		expect((await report(id, PAID)).status).toBe(200);
		const conflict = { status: 409, body: { code: "DUPLICATE_CONFLICT" } };
		expect(await report(id, { ...PAID, reference: "TX2" })).toMatchObject(conflict);
		expect(await report(id, { ...PAID, occurred_at: "2020-01-01T00:00:00Z" })).toMatchObject(conflict);
		expect(await report(id, REFUSED)).toMatchObject(conflict);
		expect(await accountOf(payer)).toMatchObject({ balance: 9_000, held: 0 });
	});

	it("of success or of failure wins when both are sent concurrently", async () => {
		providerAnswering(202);
		const { payer, id } = await givenOrdered();
		const [paid, refused] = await Promise.all([report(id, PAID), report(id, REFUSED)]);
		expect([paid.status, refused.status].sort()).toEqual([200, 409]);
		expect(await accountOf(payer)).toMatchObject({ balance: paid.status === 200 ? 9_000 : 10_000, held: 0 });
	});

	it("cannot use a payment of the provider twice", async () => {
		providerAnswering(202);
		const { payer, accountId, id } = await givenOrdered();
		expect((await report(id, PAID)).status).toBe(200);
		const second = expectOk(await transfer(payer, accountId, 1_000, { vars: OUTSIDE }));
		expect(await report(second.id, PAID)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect((await read(payer, second.id)).status).toBe("PENDING");
	});

	it.each([
		["without a reference", { ...PAID, reference: undefined }, 400],
		["of the future", { ...PAID, occurred_at: new Date(Date.now() + HOUR_MS).toISOString() }, 400],
		["about another transfer than the path's", { ...PAID, transfer_id: crypto.randomUUID() }, 400],
	])("%s is %i", async (_, facts, status) => {
		providerAnswering(202);
		const { id } = await givenOrdered();
		expect((await report(id, facts)).status).toBe(status);
	});

	it("is refused with another signature, and 404 for a transfer that is not a payout", async () => {
		providerAnswering(202);
		const { id } = await givenOrdered();
		expect((await report(id, PAID, sign("another body"))).status).toBe(401);
		expect((await report(crypto.randomUUID(), PAID)).status).toBe(404);
		const as = await operatorToken();
		const body = { ...PAID, transfer_id: `trf_${id.replaceAll("-", "")}` };
		const path = { transfer_id: id };
		expect((await send(reportTransfer, { as, path, body, vars: { ...SECOND, ...OUTSIDE } })).status).toBe(200);
	});
});
