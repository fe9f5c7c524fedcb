// Books of an organization whose months are over, and the two people who close them.

import { requestLedgerClosing } from "../../src/domains/approvals/closing.operations";
import { decideApproval } from "../../src/domains/approvals/operations";
import { getLedgerClosing, listLedgerClosings } from "../../src/domains/ledger/closings.operations";
import { lastDayOf, monthAfter, monthOf } from "../../src/domains/ledger/model/closing.policy";
import { daysBetween, localDate } from "../../src/shared/time";
import { call, expectOk } from "./client";
import { givenApiKey, givenMember } from "./factories";
import { closeJournal } from "./journal";
import { clock, close, givenPortfolio, waitDays } from "./portfolios";

export const closeDays = async () => {
	await close();
	await closeJournal();
};

/** Waits until so many months are over, and closes their days. */
export async function passMonths(count: number): Promise<string[]> {
	const today = localDate(clock.now());
	const months = Array.from({ length: count - 1 }).reduce<string[]>((list) => [...list, monthAfter(list.at(-1) ?? "")], [monthOf(today)]);
	await waitDays(daysBetween(today, lastDayOf(months.at(-1) ?? "")) + 1);
	await closeDays();
	return months;
}

/** An organization with two loans, and two people who may close its months. */
export async function givenBooks() {
	const portfolio = await givenPortfolio(2);
	const { id } = portfolio.organization;
	const [asker, decider] = [await givenMember(id, "organization-lending-admin"), await givenMember(id, "organization-owner")];
	const headers = { "x-organization-id": id };
	const as = await givenApiKey(id, ["ledger:read"]);
	const ask = (month: string, who = asker.token) =>
		call(requestLedgerClosing, { as: who, headers, body: { month, reason: "end of month" } });
	const decide = (request: string, decision: "APPROVED" | "REJECTED" = "APPROVED", vars?: Partial<Env>, who = decider.token) =>
		call(decideApproval, { as: who, headers, path: { id: request }, body: { decision }, ...(vars && { vars }) });
	const closed = async (month: string) => expectOk(await decide(expectOk(await ask(month)).id));
	const closings = async () => expectOk(await call(listLedgerClosings, { as, query: {} })).data;
	const figures = async (month: string) => expectOk(await call(getLedgerClosing, { as, path: { month } }));
	return { ...portfolio, id, asker, decider, headers, as, ask, decide, closed, closings, figures };
}
