// The events that a posting raises: what became of cycles, installments and penalties, by the transactions or by the time that passed.

import type { Write } from "../../../db/database";
import { raise, raiseAll } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { resourceId } from "../../../shared/ids";
import { toBigInt, toNumber } from "../../../shared/money";
import { addDays, daysBetween, toTimestamp } from "../../../shared/time";
import { totalOf } from "../../loan-terms/allocation.policy";
import { balanceOf } from "../book/balance.policy";
import { installmentsOf } from "../book/installments.policy";
import { NOTICE_DAYS } from "../book/standing.policy";
import {
	creditAccountCycleClosed,
	creditAccountCycleStarted,
	creditAccountDefaulted,
	creditAccountInDuplumReached,
	creditAccountInstallmentDue,
	creditAccountInstallmentOverdue,
	creditAccountPenaltyApplied,
	creditAccountPenaltyCorrected,
	creditAccountSettled,
} from "../events";
import { idsByPlace, placeKey } from "../ledger.store";
import type { CreditAccountRow, CreditCycleRow } from "../table";
import type { Posted } from "./rows.plan";

/** What every event of an account says. */
export const accountMembers = ({ id, userId }: Pick<CreditAccountRow, "id" | "userId">) => ({
	account_id: id,
	resource_id: resourceId("acc", id),
	user_id: userId,
});

/** `before`: the account as it was read. */
export function postingEvents(
	services: Services,
	before: CreditAccountRow,
	posted: Omit<Posted, "writes">,
	newCycles: readonly { readonly cycle: CreditCycleRow }[],
): Write[] {
	return [
		...newCycles.map(({ cycle }) => raiseCycleStarted(services, before, cycle)),
		...penaltyEvents(services, before, posted),
		...installmentEvents(services, before, posted),
		...defaultEvents(services, before, posted),
		...inDuplumEvents(services, before, posted),
		...settledEvents(services, posted),
		...posted.closed.map(({ cycleId, paidAt }) => {
			const id = services.newId();
			const data = { ...accountMembers(before), cycle_id: cycleId, paid_at: toTimestamp(paidAt) };
			return raise(services, creditAccountCycleClosed, { id, organizationId: before.organizationId, entityId: id, data });
		}),
	];
}

function raiseCycleStarted(services: Services, account: CreditAccountRow, cycle: CreditCycleRow): Write {
	const { duration, unit } = cycle.terms.tenure;
	return raise(services, creditAccountCycleStarted, {
		organizationId: account.organizationId,
		entityId: cycle.id,
		data: {
			...accountMembers(account),
			cycle_id: cycle.id,
			cycle_number: cycle.number,
			principal: cycle.principal,
			currency: account.currency,
			tenure: { duration, unit },
			final_payment_due_date: cycle.finalDueDate,
		},
	});
}

function penaltyEvents(
	services: Services,
	{ organizationId, ...account }: CreditAccountRow,
	{ transactions, posting, installments }: Omit<Posted, "writes">,
): Write[] {
	if (organizationId === null) return [];
	const places = new Map(installments.map(({ id, position }) => [id, position]));
	const keyOf = (cycleId: string | null, installment: number | null | undefined, rest: number | string) =>
		`${cycleId} ${installment} ${rest}`;
	const { penalties, entries } = posting.ledger;
	const charged = new Map(penalties.map((row) => [keyOf(row.cycleId, row.installment, row.number), row]));
	const reasons = new Map(
		entries.filter(({ rule }) => rule === "PENALTY_CHARGED").map((row) => [keyOf(row.cycleId, row.installment, row.date), row.inputs]),
	);
	const of = (kind: "PENALTY" | "PENALTY_CORRECTION") =>
		transactions.flatMap((row) => {
			const { id, cycleId, installmentId, number, amount, valueDate } = row;
			if (row.kind !== kind || !cycleId || !installmentId || number === null) return [];
			const about = { ...accountMembers(account), cycle_id: cycleId, installment_id: installmentId, penalty_number: number };
			return [
				{ id, about: { ...about, currency: account.currency, posted_on: valueDate }, amount, cycleId, installmentId, number, valueDate },
			];
		});
	const applied = of("PENALTY").map(({ id, about, amount, cycleId, installmentId, valueDate }) => {
		const { base = 0, rate_basis_points = 0, is_capped = false } = reasons.get(keyOf(cycleId, places.get(installmentId), valueDate)) ?? {};
		const computed = { base_amount: Number(base), rate_basis_points: Number(rate_basis_points), capped: is_capped === true };
		return { entityId: id, data: { ...about, amount, ...computed } };
	});
	const corrected = of("PENALTY_CORRECTION").map(({ id, about, amount, cycleId, installmentId, number }) => {
		const now = charged.get(keyOf(cycleId, places.get(installmentId), number))?.amount ?? 0n;
		return { entityId: id, data: { ...about, amount: toNumber(now), difference: amount } };
	});
	return [
		raiseAll(services, creditAccountPenaltyApplied, { organizationId, events: applied }),
		raiseAll(services, creditAccountPenaltyCorrected, { organizationId, events: corrected }),
	];
}

/** Notices of installments and overdue ones, for the days since the account was last looked at. */
function installmentEvents(
	services: Services,
	{ workedThrough, organizationId }: CreditAccountRow,
	{ posting, account, installments }: Omit<Posted, "writes">,
): Write[] {
	const today = account.workedThrough;
	if (organizationId === null || workedThrough === null || today === null) return [];
	const ids = idsByPlace(installments);
	const hasCome = (date: string) => workedThrough < date && date <= today;
	const unpaid = installmentsOf(posting.ledger).flatMap(({ cycleId, position, dueDate, outstanding }) => {
		const id = ids.get(placeKey({ cycleId, position }));
		if (outstanding === 0n || !id) return [];
		const about = { ...accountMembers(account), cycle_id: cycleId, installment_id: id, due_date: dueDate };
		return [{ entityId: id, data: { ...about, amount: toNumber(outstanding), currency: account.currency } }];
	});
	const overdue = unpaid.filter(({ data }) => hasCome(addDays(data.due_date, 1)));
	const coming = unpaid.filter(({ data }) => data.due_date >= today && hasCome(addDays(data.due_date, -NOTICE_DAYS)));
	const withDays = overdue.map(({ entityId, data }) => ({
		entityId,
		data: { ...data, days_overdue: daysBetween(data.due_date, today) },
	}));
	return [
		raiseAll(services, creditAccountInstallmentOverdue, { organizationId, events: withDays }),
		raiseAll(services, creditAccountInstallmentDue, { organizationId, events: coming }),
	];
}

function defaultEvents(services: Services, before: CreditAccountRow, { account, posting }: Omit<Posted, "writes">): Write[] {
	if (account.status !== "DEFAULTED" || before.status === "DEFAULTED") return [];
	const { organizationId, currency } = account;
	const id = services.newId();
	const principal = toNumber(balanceOf(posting.ledger).breakdown.principal);
	const cap = toNumber(posting.ledger.inDuplum?.cap ?? balanceOf(posting.ledger).breakdown.principal);
	const data = { ...accountMembers(account), principal_at_default: principal, in_duplum_cap: cap, currency };
	return [raise(services, creditAccountDefaulted, { id, organizationId, entityId: id, data })];
}

/** Settlements that the posted payments complete. */
function settledEvents(services: Services, { account, allocations, posting }: Omit<Posted, "writes">): Write[] {
	const settlements = posting.book.facts.filter(({ kind }) => kind === "SETTLEMENT").map(({ id }) => id);
	return settlements.flatMap((id) => {
		const waived = allocations.reduce((sum, row) => (row.transactionId === id ? sum + row.allocatedAmount : sum), 0);
		const inAll = posting.ledger.allocations.reduce((sum, row) => (row.transactionId === id ? sum + totalOf(row) : sum), 0n);
		// A later replay may move what was waived.
		if (waived <= 0 || inAll !== toBigInt(waived)) return [];
		const { organizationId, currency } = account;
		const data = { ...accountMembers(account), settlement_id: id, waived, currency };
		const eventId = services.newId();
		return [raise(services, creditAccountSettled, { id: eventId, organizationId, entityId: eventId, data })];
	});
}

/** Once in each streak of overdue days; a replay may move the day on which the cap was reached. */
function inDuplumEvents(services: Services, before: CreditAccountRow, { account, posting }: Omit<Posted, "writes">): Write[] {
	const { inDuplum } = posting.ledger;
	if (!inDuplum?.reachedOn || account.inDuplumToldOn === before.inDuplumToldOn) return [];
	const { organizationId, currency } = account;
	const id = services.newId();
	const { since, cap, reachedOn } = inDuplum;
	const data = { ...accountMembers(account), defaulted_on: since, cap: toNumber(cap), reached_on: reachedOn, currency };
	return [raise(services, creditAccountInDuplumReached, { id, organizationId, entityId: id, data })];
}
