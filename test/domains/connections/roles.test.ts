// What a lender learns of an initiator that may not ask what became of transactions: payments are not verified then, and it pays all the same.

import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/dev/stand-ins/daraja.account";
import { checkDarajaConnection } from "../../../src/domains/connections/balances.operations";
import { getDarajaConnection } from "../../../src/domains/connections/daraja.operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { verifyConfirmations } from "../../../src/domains/repayments/recording/confirmations.job";
import { listWork, retryWork } from "../../../src/domains/work/operations";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import {
	CONNECTED,
	darajaStandsIn,
	givenConnectedLoan,
	givenLender,
	givenOfferOf,
	lose,
	sweepPayouts,
	timePasses,
} from "../../support/daraja";
import { db, operatorToken } from "../../support/factories";
import { eventsOf, runDueWork } from "../../support/loans";

async function givenLoanOf(lacks: () => readonly Role[]) {
	const loan = await givenConnectedLoan({}, undefined, { lacks });
	const { lender, standIn } = loan;
	const [as, path] = [lender.owner.token, lender.path];
	const settle = async () => {
		while (standIn.reports.length > 0) await standIn.deliver();
	};
	return {
		...loan,
		settle,
		check: async () => {
			expectOk(await call(checkDarajaConnection, { as, path, vars: CONNECTED }));
			await settle();
		},
		seen: async () => expectOk(await call(getDarajaConnection, { as, path })),
		told: async () => (await eventsOf(lender.organization.id)).filter(({ type }) => type === "payment_connection.cannot_verify"),
	};
}

describe("an initiator without the role Transaction Status query", () => {
	it("fails the check, which asks about a transaction too, and not the balance; with the role it succeeds", async () => {
		let lacks: readonly Role[] = ["STATUS"];
		const { check, seen, told } = await givenLoanOf(() => lacks);
		await check();
		expect(await seen()).toMatchObject({
			status: "ACTIVE",
			last_check: {
				...{ outcome: "FAILED", result_code: "21", balance: { outcome: "SUCCEEDED" } },
				transaction_status: { outcome: "FAILED", result_code: "21" },
			},
			balances: expect.any(Array),
		});
		expect(await told()).toMatchObject([{ data: { provider: "daraja", result_code: "21" } }]);
		lacks = ["BALANCE"];
		await check();
		const { last_check } = await seen();
		expect(last_check).toMatchObject({ outcome: "FAILED", result_code: "21", transaction_status: { outcome: "SUCCEEDED" } });
		lacks = [];
		await check();
		expect((await seen()).last_check).toMatchObject({ outcome: "SUCCEEDED", result_code: null });
	});

	it("is seen at the first payment that cannot be verified, and announced once; a later verified payment ends it", async () => {
		let lacks: readonly Role[] = ["STATUS"];
		const { standIn, number, settle, seen, told, account } = await givenLoanOf(() => lacks);
		expect((await seen()).last_check).toBeNull();
		// The lender's account at another provider, about which nothing is known.
		const connections = await db.select().from(paymentConnections);
		expect(connections).toHaveLength(1);
		await db.insert(paymentConnections).values(connections.map((row) => ({ ...row, provider: "momo" as const })));
		for (let nth = 0; nth < 2; nth++) {
			standIn.receive({ shillings: 100, account: number });
			await settle();
		}
		expect(await seen()).toMatchObject({ status: "ACTIVE", last_check: { outcome: "FAILED", result_code: "21", balance: null } });
		expect(await told()).toHaveLength(1);
		lacks = [];
		await timePasses(2 * MINUTE_MS);
		await runDueWork(verifyConfirmations, CONNECTED);
		await settle();
		expect((await account()).balance.total_paid).toBe(20_000);
		expect((await seen()).last_check).toMatchObject({ outcome: "SUCCEEDED" });
	});

	it("pays nevertheless: a payout about which it may not ask pauses nothing", async () => {
		const standIn = darajaStandsIn({ lacks: () => ["STATUS"], plan: () => ({ results: 0 }) });
		const lender = await givenLender();
		const { apply } = await givenOfferOf(lender);
		expectOk(await apply());
		await timePasses(HOUR_MS);
		await sweepPayouts();
		await standIn.deliver();
		expect(await db.select().from(paymentConnections)).toMatchObject([{ status: "ACTIVE", statusOutcome: "FAILED", statusResult: "21" }]);
		expect(await db.select().from(disbursements)).toMatchObject([{ status: "ACCEPTED" }]);
	});
});

it("work on a payout that a provider has is done again by asking the provider", async () => {
	const standIn = darajaStandsIn({ plan: () => ({ results: 0 }) });
	const { id, apply } = await givenOfferOf(await givenLender());
	expectOk(await apply());
	await timePasses(11 * MINUTE_MS);
	await sweepPayouts();
	lose(standIn);
	expect(expectOk(await call(listWork, { as: await operatorToken(), query: { kind: "DISBURSEMENT" } })).data).toMatchObject([
		{ id, state: "ACCEPTED", next_attempt_at: expect.any(String) },
	]);
	expectOk(await call(retryWork, { as: await operatorToken(), path: { kind: "DISBURSEMENT", id } }));
	await sweepPayouts();
	await standIn.deliver();
	expect(await db.select().from(disbursements)).toMatchObject([{ status: "SUCCEEDED", attempts: 1 }]);
	expect(standIn.asked).toHaveLength(1);
});
