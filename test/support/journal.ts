// What must hold of an organization's journal, after anything that has happened.

import { expect } from "vitest";
import { disbursements } from "../../src/domains/disbursements/model/table";
import { closeLedgers } from "../../src/domains/ledger/job";
import { CHART } from "../../src/domains/ledger/model/chart.policy";
import { journalEntries, ledgerDays, ledgers } from "../../src/domains/ledger/model/table";
import { tariffCharges } from "../../src/domains/ledger/model/tariff.table";
import { treasuryRecords } from "../../src/domains/ledger/model/treasury.table";
import { providerCharges } from "../../src/domains/reconciliation/table";
import { payments } from "../../src/domains/repayments/table";
import { db } from "./factories";
import { runDueWork } from "./loans";
import { dayRows } from "./portfolios";

export const closeJournal = () =>
	runDueWork(async (services) => {
		while (await closeLedgers(services));
	});

const ofOrganization = <Row extends { organizationId: string | null }>(rows: readonly Row[], id: string): Row[] =>
	rows.filter(({ organizationId }) => organizationId === id);

export const entriesOf = async (organizationId: string) => ofOrganization(await db.select().from(journalEntries), organizationId);
export const ledgerOf = async (organizationId: string) => ofOrganization(await db.select().from(ledgers), organizationId)[0];

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Expects of each closed day that its balances are the portfolios', the entries' and, in cash, those of payments and payouts. */
export async function expectJournal(organizationId: string): Promise<void> {
	const entries = await entriesOf(organizationId);
	const figures = await dayRows(organizationId);
	const rows = ofOrganization(await db.select().from(ledgerDays), organizationId);
	const ledger = await ledgerOf(organizationId);
	expect(figures.length).toBeGreaterThan(0);
	expect(figures.at(-1)?.day).toBe(ledger?.closedThrough);
	const { principal, interest, penalties, refundsReceivable, borrowersCredit, unearnedFees, unallocated, payouts } = CHART;
	for (const entry of entries) {
		expect(total(entry.lines.map(([, amount]) => amount))).toBe(0);
		// Time moves no money.
		if (entry.source !== "DAY") continue;
		for (const [account] of entry.lines) expect([unallocated.number, payouts.number]).not.toContain(account);
	}
	for (const figure of figures) {
		const { day, loanProductId } = figure;
		const [row] = rows.filter((one) => one.day === day && one.loanProductId === loanProductId);
		const balance = (account: { readonly number: string }) => row?.balances[account.number] ?? 0;
		expect({
			principal: balance(principal),
			interest: balance(interest),
			penalty: balance(penalties),
			refundUncovered: balance(refundsReceivable),
			overpaid: 0 - balance(borrowersCredit),
			unearnedFees: 0 - balance(unearnedFees),
		}).toEqual({
			principal: figure.principal,
			interest: figure.interest + figure.arrears,
			penalty: figure.penalty,
			refundUncovered: figure.refundUncovered,
			overpaid: figure.overpaid,
			unearnedFees: figure.feesUnearned,
		});
		const ofDay = rows.filter((one) => one.day === day);
		expect(total(ofDay.flatMap(({ balances }) => Object.values(balances)))).toBe(0);
		const posted = entries.filter((entry) => entry.day <= day).flatMap(({ lines }) => lines);
		const sums = new Map<string, number>();
		for (const [account, amount] of posted) sums.set(account, (sums.get(account) ?? 0) + amount);
		const balances = new Map<string, number>();
		for (const one of ofDay)
			for (const [account, amount] of Object.entries(one.balances)) balances.set(account, (balances.get(account) ?? 0) + amount);
		expect(nonZero(balances)).toEqual(nonZero(sums));
	}
	const last = rows.filter(({ day }) => day === ledger?.closedThrough);
	const held = (account: { readonly number: string }) => total(last.map(({ balances }) => balances[account.number] ?? 0));
	const received = ofOrganization(await db.select().from(payments), organizationId).filter(
		({ status, fingerprint }) => fingerprint !== "imported" && status !== "FAILED" && status !== "MATCHED",
	);
	const paid = ofOrganization(await db.select().from(disbursements), organizationId).filter(({ status }) => status === "SUCCEEDED");
	const cash = total([CHART.mpesa, CHART.momo, CHART.bank, CHART.agents, CHART.walletLoans].map(held));
	const moved = ofOrganization(await db.select().from(treasuryRecords), organizationId).map(({ kind, amount, toAccount, correctsId }) => {
		const towards = kind === "BORROWED" || kind === "CONTRIBUTED" ? 1 : toAccount === null || toAccount === CHART.custody.number ? -1 : 0;
		return towards * (correctsId === null ? amount : -amount);
	});
	const ofStatements = ofOrganization(await db.select().from(providerCharges), organizationId);
	const byTariff = ofOrganization(await db.select().from(tariffCharges), organizationId);
	const charged = [...ofStatements, ...byTariff].map(({ amount }) => amount);
	expect(cash).toBe(
		total([...received.map(({ amount, reversedAmount }) => amount - reversedAmount), ...moved]) -
			total([...paid.map(({ amount }) => amount), ...charged]),
	);
	const waiting = received.filter(({ status }) => status === "CONFIRMED" || status === "UNMATCHED");
	expect(0 - held(unallocated)).toBe(total(waiting.map(({ amount }) => amount)));
}

const nonZero = (sums: ReadonlyMap<string, number>) => Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort());
