// The entries of the journal that a posting makes: what it adds to the lines of its account, as debits and credits.

import type { Statement } from "../../../db/database";
import type { Services } from "../../../runtime/services";
import { toNumber } from "../../../shared/money";
import { localDate } from "../../../shared/time";
import { CHART, type ChartName } from "../../ledger/model/chart.policy";
import { entryId, insertEntry } from "../../ledger/model/store";
import { type JournalLine, NO_PRODUCT } from "../../ledger/model/table";
import { NO_ORGANIZATION } from "../../portfolio/model/table";
import { LINES, type Line, type Lines } from "../book/lines.policy";
import type { AccountTransactionRow, CreditAccountRow } from "../table";
import type { Posting } from "./policy";

/** What each line debits and credits. */
export const SIDES_OF_LINES: Readonly<Record<Line, readonly [debit: ChartName, credit: ChartName]>> = {
	drawn: ["principal", "payouts"],
	rolledOver: ["principal", "borrowersCredit"],
	fees: ["interest", "feeIncome"],
	feesUnearned: ["feeIncome", "unearnedFees"],
	feesGivenUp: ["feeIncome", "writeOffs"],
	interestEarned: ["interest", "interestIncome"],
	penaltiesCharged: ["penalties", "penaltyIncome"],
	refundedUncovered: ["refundsReceivable", "payouts"],
	paidPrincipal: ["unallocated", "principal"],
	paidInterest: ["unallocated", "interest"],
	paidPenalty: ["unallocated", "penalties"],
	paidRefundUncovered: ["unallocated", "refundsReceivable"],
	waivedPrincipal: ["waivers", "principal"],
	waivedInterest: ["waivers", "interest"],
	waivedPenalty: ["waivers", "penalties"],
	waivedRefundUncovered: ["waivers", "refundsReceivable"],
	writtenOffPrincipal: ["writeOffs", "principal"],
	writtenOffInterest: ["writeOffs", "interest"],
	writtenOffPenalty: ["writeOffs", "penalties"],
	writtenOffRefundUncovered: ["writeOffs", "refundsReceivable"],
	recovered: ["unallocated", "recoveries"],
	overpaymentReceived: ["unallocated", "borrowersCredit"],
	overpaymentUsed: ["borrowersCredit", "unallocated"],
	refunded: ["borrowersCredit", "payouts"],
};

/** The lines as amounts by account of the chart; a debit is positive. Accounts whose sum is zero are left out. */
export function journalLinesOf(lines: Lines): JournalLine[] {
	const sums = new Map<string, bigint>();
	const add = (name: ChartName, amount: bigint) => sums.set(CHART[name].number, (sums.get(CHART[name].number) ?? 0n) + amount);
	for (const line of LINES) {
		const [debit, credit] = SIDES_OF_LINES[line];
		add(debit, lines[line]);
		add(credit, -lines[line]);
	}
	return [...sums]
		.filter(([, amount]) => amount !== 0n)
		.map(([account, amount]) => [account, toNumber(amount)] as const)
		.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** What history of another program moved in its time is no money of ours: it is an opening balance. */
function takenOver(lines: readonly JournalLine[]): JournalLine[] {
	const moved = lines.filter(([account]) => account === CHART.unallocated.number || account === CHART.payouts.number);
	const sum = moved.reduce((total, [, amount]) => total + amount, 0);
	const opposite = moved.map(([account, amount]) => [account, -amount] as const);
	return sum === 0 ? opposite : [...opposite, [CHART.opening.number, sum]];
}

type How = { readonly facts: readonly AccountTransactionRow[]; readonly isBackfill: boolean };

/** `account`: after the posting. A posting that moves nothing makes no entry. */
export function journalEntries(
	{ now }: Pick<Services, "now">,
	account: CreditAccountRow,
	{ lines }: Pick<Posting, "lines">,
	{ facts, isBackfill }: How,
): Statement[] {
	const own = journalLinesOf(lines);
	const last = facts.at(-1);
	if (!last || own.length === 0) return [];
	const day = localDate(now, account.terms.timeZone);
	// A payment and its transaction have one id, and an entry each.
	const entry = {
		...{ organizationId: account.organizationId ?? NO_ORGANIZATION, day, id: entryId(`${last.id}:loan`, day), source: "LOAN" as const },
		...{ sourceId: last.id, accountId: account.id, loanProductId: account.loanProductId, currency: account.currency },
		valueDate: last.valueDate,
		correctsId: facts.find(({ reversesId }) => reversesId !== null)?.reversesId ?? null,
		...{ lines: own, bookedAt: now },
	};
	const opening = isBackfill ? takenOver(own) : [];
	if (opening.length === 0) return [insertEntry(entry)];
	const taken = { id: entryId(`${last.id}:taken-over`, day), source: "OPENING" as const, loanProductId: NO_PRODUCT, lines: opening };
	return [insertEntry(entry), insertEntry({ ...entry, ...taken })];
}
