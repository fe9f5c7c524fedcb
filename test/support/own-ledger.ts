// Loans of a lender whose own ledger has numbers of its own, and the journals that go there.

import { requestLedgerMapping } from "../../src/domains/approvals/mapping.operations";
import { listLedgerJournals } from "../../src/domains/ledger/journals.operations";
import { CHART_ACCOUNTS } from "../../src/domains/ledger/model/chart.policy";
import { getTrialBalance } from "../../src/domains/ledger/operations";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { daysBetween, localDate } from "../../src/shared/time";
import { call, expectOk } from "./client";
import { closeDays, givenBooks } from "./closings";
import { THREE_INSTALLMENTS } from "./credit";
import { givenUser } from "./factories";
import { givenLoanProduct, givenOffer } from "./loans";
import { clock, waitDays } from "./portfolios";
import { servePath } from "./serve";

export const DAY_ONE = "2030-01-01";
export const numbersFrom = (prefix: string) => CHART_ACCOUNTS.map(({ number: account }) => ({ account, number: `${prefix}${account}` }));

export async function passUntil(day: string): Promise<void> {
	await waitDays(daysBetween(localDate(clock.now()), day) + 1);
	await closeDays();
}

/** Two loans of one product and one of another, since 2030-01-01. */
export async function givenLoans() {
	await waitDays(daysBetween(localDate(clock.now()), DAY_ONE));
	const books = await givenBooks();
	const { id, headers, asker, decide, as } = books;
	const { id: otherId } = await givenLoanProduct({ ...THREE_INSTALLMENTS, organization_id: id });
	const borrower = await givenUser({ organizationId: id });
	const offer = await givenOffer(borrower.token, otherId);
	const path = { application_id: offer.id };
	expectOk(await call(applyForLoan, { as: borrower.token, path, body: { loan_amount: 20_000 } }));
	const propose = (body: object, who = asker.token) => call(requestLedgerMapping, { as: who, headers, body: body as never });
	const adopt = async (body: object) => expectOk(await decide(expectOk(await propose(body)).id));
	const csv = async (query: string) => {
		const answer = await servePath(`/v1/ledger/journals?${query}`, { headers: { "x-api-key": as, accept: "text/csv" } });
		return { text: await answer.text(), status: answer.status };
	};
	const balances = async (on: string, loan_product_id?: string) => {
		const query = { size: "500", on, ...(loan_product_id && { loan_product_id }) };
		return new Map(expectOk(await call(getTrialBalance, { as, query })).data.map((row) => [row.account, row.debit - row.credit]));
	};
	const journals = async (query: { [name: string]: string }) => expectOk(await call(listLedgerJournals, { as, query })).data;
	return { ...books, otherId, propose, adopt, csv, balances, journals };
}
