// One old account as it would be here: replayed on the product's and its own terms, and compared with its old balances. The writes that
// import it are made only when they are asked for.

import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { resourceId } from "../../shared/ids";
import { toNumber } from "../../shared/money";
import { type CalendarDate, daysBetween, localDate, startOfDay } from "../../shared/time";
import { balanceOf } from "../credit-accounts/book/balance.policy";
import { replay } from "../credit-accounts/book/book.policy";
import { TooManyPenalties } from "../credit-accounts/book/passage.policy";
import { changedDates } from "../credit-accounts/book/reschedule.policy";
import { planPosting } from "../credit-accounts/postings/plan";
import { ScheduleOutOfRange } from "../credit-accounts/postings/rows.plan";
import { newAccount } from "../credit-accounts/store";
import { type CreditAccountRow, creditAccounts } from "../credit-accounts/table";
import type { FrozenTerms } from "../loan-products/model/policy";
import type { LoanProductRow } from "../loan-products/model/table";
import { fromInterestRate, fromPenaltyTerms } from "../loan-products/model/wire";
import { insertPayment } from "../repayments/store";
import type { PaymentRow } from "../repayments/table";
import { transactionIdOf } from "../repayments/transaction-id.policy";
import { faultOfSize, MAX_ACCOUNT_LETTERS, MAX_ACCOUNT_LINES, MAX_PENALTIES, mayHaveTooManyPenalties } from "./bounds.policy";
import { differenceOf } from "./difference.policy";
import { creditAccountImported } from "./events";
import type { Fault } from "./fault.policy";
import { type History, historyOf, type OldCycle } from "./history.policy";
import type { AccountLine, BalanceLine, FactLine, Line } from "./lines.wire";
import type { ImportRow } from "./table";

export type OldAccount = { readonly account: AccountLine; readonly facts: readonly FactLine[]; readonly balances: readonly BalanceLine[] };

/** The lines of one account, or what they lack. */
export function oldAccountOf(lines: readonly Line[]): OldAccount | Fault {
	// It was staged by a line: if none was read, there are too many letters.
	if (lines.length === 0) return { code: "TOO_MANY_LINES", description: `Its lines have more than ${MAX_ACCOUNT_LETTERS} characters` };
	const account = lines.find((line) => line.type === "ACCOUNT");
	const facts = lines.filter((line) => line.type === "FACT");
	const balances = lines.filter((line) => line.type === "BALANCE");
	if (!account) return { code: "NO_ACCOUNT_LINE", description: "No ACCOUNT line names it" };
	if (facts.length + balances.length > MAX_ACCOUNT_LINES) {
		return { code: "TOO_MANY_LINES", description: `It has more than ${MAX_ACCOUNT_LINES} facts and balances` };
	}
	return balances.length === 0 ? { code: "NO_BALANCE", description: "No BALANCE line says what it owed" } : { account, facts, balances };
}

function cyclesOf({ cycles }: AccountLine, product: LoanProductRow, autoRenews: boolean): OldCycle[] {
	return cycles.map((cycle) => {
		const interestRate = fromInterestRate(cycle.interest_rate);
		const accessFeeRecognition = cycle.access_fee_recognition ?? product.accessFeeRecognition;
		const terms: FrozenTerms = {
			productType: cycle.loan_product_type ?? product.loanProductType,
			tenure: cycle.tenure,
			installmentEvery: cycle.installment_every ?? product.installmentEvery,
			interestRate,
			standardInterestRate: interestRate,
			appliedDeal: null,
			dayCount: cycle.day_count ?? product.dayCount,
			feeBasisPoints: cycle.fee_basis_points ?? product.feeBasisPoints,
			...(accessFeeRecognition !== "AT_ONCE" && { accessFeeRecognition }),
			penaltyTerms: cycle.penalty_terms ? fromPenaltyTerms(cycle.penalty_terms) : product.penaltyTerms,
			allocation: product.allocation,
			inDuplum: product.inDuplum,
			timeZone: product.timeZone,
			autoRenews,
			amountStep: product.amountStep,
		};
		return { number: cycle.number, rolledOverFrom: cycle.rolled_over_from, terms };
	});
}

/** A replay finds how many penalties come of the terms and the payments; it ends with the first that is too many. */
function faultOfPenalties({ account }: OldAccount, history: History, today: CalendarDate, product: LoanProductRow): Fault | undefined {
	const first = history.facts.reduce((day, { valueDate }) => (valueDate < day ? valueDate : day), today);
	if (!mayHaveTooManyPenalties(account, daysBetween(first, today), product.installmentEvery)) return undefined;
	try {
		const { allocation, inDuplum } = product;
		replay({ ...history, allocation, inDuplum, mostPenalties: MAX_PENALTIES }, today);
		return undefined;
	} catch (error) {
		if (!(error instanceof TooManyPenalties)) throw error;
		return { code: "TOO_MANY_PENALTIES", description: `It has more than ${MAX_PENALTIES} penalties until today` };
	}
}

/** A reschedule is checked as it would have been on its day: a replay expects dates that make a schedule. */
function faultOfReschedules({ facts, cycles }: History): Fault | undefined {
	for (const fact of facts) {
		if (fact.kind !== "RESCHEDULE") continue;
		const before = facts.filter(({ position }) => position < fact.position);
		const state = replay({ facts: before, cycles }, fact.valueDate).cycles.find(({ cycle }) => cycle.id === fact.cycleId);
		const changed = state && changedDates(state, { kind: "NEW_DATES", dueDates: fact.dueDates ?? [] }, fact.valueDate);
		if (!changed || "fault" in changed) {
			const why = changed && "fault" in changed ? changed.fault : "NOTHING_TO_COME";
			return { code: "BAD_FACT", description: `Its due dates make no schedule: ${why}`, fact: fact.line.id };
		}
	}
	return undefined;
}

type Owner = { readonly userId: string; readonly of: ImportRow };

/** `services`: in the borrower's home. */
export function planAccount(
	services: Services,
	old: OldAccount,
	product: LoanProductRow,
	owner: Owner,
): { readonly accountId: string; readonly writes: readonly Write[] } | Fault {
	const today = localDate(services.now, product.timeZone);
	const autoRenews = old.account.auto_renews ?? product.autoRenews;
	const latest = old.balances.reduce((last, { on }) => (on > last ? on : last), "");
	if (latest > today) return { code: "NO_BALANCE", description: "A BALANCE line is of a day to come" };
	const tooLarge = faultOfSize(old.account, old.facts, product.installmentEvery);
	if (tooLarge) return tooLarge;
	const history = historyOf(old.facts, cyclesOf(old.account, product, autoRenews), { today, newId: () => services.newId() });
	if ("code" in history) return history;
	try {
		return (
			faultOfPenalties(old, history, today, product) ??
			faultOfReschedules(history) ??
			posted(services, old, { history, product, owner, autoRenews })
		);
	} catch (error) {
		if (!(error instanceof RangeError || error instanceof ScheduleOutOfRange)) throw error;
		return { code: "OUT_OF_RANGE", description: "Its terms and facts make no schedule within range" };
	}
}

type Made = { readonly history: History<FactLine>; readonly product: LoanProductRow; readonly owner: Owner; readonly autoRenews: boolean };

function posted(services: Services, old: OldAccount, { history, product, owner, autoRenews }: Made) {
	const { timeZone, currency } = product;
	const { facts, cycles } = history;
	const terms = cycles.at(-1)?.terms;
	const [first] = facts;
	if (!terms || !first) throw new Error("a history without facts or cycles");
	const account: CreditAccountRow = {
		...newAccount(services, {
			userId: owner.userId,
			organizationId: owner.of.organizationId,
			loanProductId: product.id,
			currency,
			terms,
			rateSchedule: product.rateSchedule,
			autoRenews,
		}),
		openedAt: startOfDay(first.valueDate, timeZone),
		loansRepaidOnTime: old.account.loans_repaid_on_time,
	};
	const imported = planPosting(
		services,
		{ account, transactions: [], cycles: [], installments: [], allocations: [] },
		facts.map(({ line: _, position: __, installment, ...fact }) => ({
			...fact,
			...(installment !== null && { installment }),
			...{ occurredAt: startOfDay(fact.valueDate, timeZone), reason: owner.of.name, actor: owner.of.createdBy },
		})),
		{ newCycles: cycles.map((cycle) => ({ ...cycle, applicationId: null, mobileMoneyTransactionId: null })), isBackfill: true },
	);
	const difference = differenceOf(imported.posting.book, old.balances);
	if (difference) return { code: "DIFFERENT", description: "The replay differs from an old balance", difference } as const;
	const { totalOutstanding } = balanceOf(imported.posting.ledger);
	const data = {
		...{ account_id: account.id, resource_id: resourceId("acc", account.id), user_id: owner.userId, account_number: account.accountNumber },
		...{ import_id: owner.of.id, old_account_id: old.account.account, total_outstanding: toNumber(totalOutstanding), currency },
	};
	return {
		accountId: account.id,
		writes: [
			services.db.orm.insert(creditAccounts).values(account),
			...facts.flatMap(({ id, line }) =>
				paymentOf(services, account, { id, line, timeZone, reversedById: facts.find(({ reversesId }) => reversesId === id)?.id ?? null }),
			),
			...imported.writes,
			raise(services, creditAccountImported, { organizationId: owner.of.organizationId, entityId: account.id, data }),
		],
	};
}

/** The provider's side of a payment, under whose id a later report of it is known. */
function paymentOf(
	{ now }: Services,
	account: CreditAccountRow,
	{ id, line, timeZone, reversedById }: { id: string; line: FactLine; timeZone: string; reversedById: string | null },
): Write[] {
	if (line.kind !== "REPAYMENT" || !line.payment || account.organizationId === null) return [];
	const transactedAt = startOfDay(line.on, timeZone);
	const row: PaymentRow = {
		id,
		organizationId: account.organizationId,
		...transactionIdOf(line.payment.mobile_money_transaction_id),
		// No report has it: the facts of this payment were reported elsewhere.
		fingerprint: "imported",
		status: reversedById === null ? "POSTED" : "REVERSED",
		accountId: account.id,
		postedAsId: null,
		movedAsId: null,
		accountNumber: null,
		amount: line.amount,
		reversedAmount: reversedById === null ? 0 : line.amount,
		reversedById,
		currency: account.currency,
		feeAmount: 0,
		details: line.payment.details,
		unmatchedReason: null,
		failureReason: null,
		transactedAt,
		confirmedAt: transactedAt,
		postedAt: now,
		failedAt: null,
		createdAt: now,
		changedAt: null,
	};
	return [insertPayment(row)];
}
