// A lender whose payments Daraja lists, and what is looked for there.

import type { PullBehaviour } from "../../src/dev/stand-ins/daraja.pulls";
import { getDarajaConnection, putDarajaConnection } from "../../src/domains/connections/daraja.operations";
import { verifyConfirmations } from "../../src/domains/repayments/recording/confirmations.job";
import { pullPayments } from "../../src/domains/repayments/recording/pulls.job";
import { MINUTE_MS } from "../../src/shared/time";
import { call, expectOk, send } from "./client";
import { CONNECTED, CREDENTIALS, givenConnectedLoan, timePasses } from "./daraja";
import { runDueWork } from "./loans";

export const NUMBER = "+254722000000";
export const QUARTER_MS = 15 * MINUTE_MS;

export const pull = (vars: Partial<Env> = {}) => runDueWork(pullPayments, { ...CONNECTED, ...vars });
export const verify = (vars: Partial<Env> = {}) =>
	runDueWork(
		async (services) => {
			while (await verifyConfirmations(services));
		},
		{ ...CONNECTED, ...vars },
	);

export async function givenPulling(pulls?: (nth: number) => PullBehaviour, receiverVars?: () => Partial<Env>) {
	const loan = await givenConnectedLoan({ nominated_number: NUMBER }, receiverVars, { pulls });
	const { standIn, lender, account, number } = loan;
	const as = lender.owner.token;
	return {
		...loan,
		/** The customer pays, and nobody says so. */
		lose: (shillings = 10, times = 1) => Array.from({ length: times }, () => standIn.receive({ shillings, account: number }, {}, 0)),
		/** A quarter of an hour passes. Returns how often the list was asked for. */
		sweep: async (ms = QUARTER_MS) => {
			await timePasses(ms);
			const before = standIn.pulls.asked.length;
			await pull();
			await verify();
			await standIn.deliver();
			return standIn.pulls.asked.length - before;
		},
		paid: async () => (await account()).balance.total_paid,
		connection: async () => expectOk(await call(getDarajaConnection, { as, path: lender.path })),
		put: (changes: object) =>
			send(putDarajaConnection as never, { as, path: lender.path, body: { ...CREDENTIALS, nominated_number: NUMBER, ...changes } }),
	};
}
