// The events that a posting raises: what became of cycles, installments and penalties, by the transactions or by the time that passed.

import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import type { Services } from "../../runtime/services";
import { resourceId } from "../../shared/ids";
import { toNumber } from "../../shared/money";
import { addDays, daysBetween, toTimestamp } from "../../shared/time";
import { balanceOf } from "./book/balance.policy";
import { installmentsOf } from "./book/installments.policy";
import { NOTICE_DAYS } from "./book/standing.policy";
import {
	creditAccountCycleClosed,
	creditAccountCycleStarted,
	creditAccountDefaulted,
	creditAccountInstallmentDue,
	creditAccountInstallmentOverdue,
	creditAccountPenaltyApplied,
	creditAccountPenaltyCorrected,
} from "./events";
import { idsByPlace, placeKey } from "./ledger.store";
import type { Posted } from "./posting.store";
import type { CreditAccountRow, CreditCycleRow } from "./table";

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
	newCycles: readonly CreditCycleRow[],
): Write[] {
	return [
		...newCycles.map((cycle) => raiseCycleStarted(services, before, cycle)),
		...penaltyEvents(services, before, posted),
		...installmentEvents(services, before, posted),
		...defaultEvents(services, before, posted),
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
	account: CreditAccountRow,
	{ transactions, posting, installments }: Omit<Posted, "writes">,
): Write[] {
	const places = new Map(installments.map(({ id, position }) => [id, position]));
	const { organizationId, currency } = account;
	return transactions.flatMap(({ id, kind, cycleId, installmentId, number, amount, valueDate }) => {
		if ((kind !== "PENALTY" && kind !== "PENALTY_CORRECTION") || !cycleId || !installmentId || number === null) return [];
		const installment = places.get(installmentId);
		const isIt = (row: { cycleId: string | null; installment: number | null }) =>
			row.cycleId === cycleId && row.installment === installment;
		const charged = posting.ledger.penalties.find((row) => isIt(row) && row.number === number);
		const about = { ...accountMembers(account), cycle_id: cycleId, installment_id: installmentId, penalty_number: number, currency };
		if (kind === "PENALTY_CORRECTION") {
			const data = { ...about, amount: toNumber(charged?.amount ?? 0n), posted_on: valueDate, difference: amount };
			return [raise(services, creditAccountPenaltyCorrected, { organizationId, entityId: id, data })];
		}
		const entry = posting.ledger.entries.find((row) => row.rule === "PENALTY_CHARGED" && isIt(row) && row.date === valueDate);
		const { base = 0, rate_basis_points = 0, is_capped = false } = entry?.inputs ?? {};
		const computed = { base_amount: Number(base), rate_basis_points: Number(rate_basis_points), capped: is_capped === true };
		const data = { ...about, amount, posted_on: valueDate, ...computed };
		return [raise(services, creditAccountPenaltyApplied, { organizationId, entityId: id, data })];
	});
}

/** Notices of installments and overdue ones, for the days since the account was last looked at. */
function installmentEvents(
	services: Services,
	before: CreditAccountRow,
	{ posting, account, installments }: Omit<Posted, "writes">,
): Write[] {
	const { workedThrough } = before;
	const today = account.workedThrough;
	if (workedThrough === null || today === null) return [];
	const ids = idsByPlace(installments);
	const hasCome = (date: string) => workedThrough < date && date <= today;
	const { organizationId, currency } = account;
	return installmentsOf(posting.ledger).flatMap(({ cycleId, position, dueDate, outstanding }) => {
		const id = ids.get(placeKey({ cycleId, position }));
		if (outstanding === 0n || !id) return [];
		const amount = toNumber(outstanding);
		const data = { ...accountMembers(account), cycle_id: cycleId, installment_id: id, due_date: dueDate, amount, currency };
		if (hasCome(addDays(dueDate, 1))) {
			const overdue = { ...data, days_overdue: daysBetween(dueDate, today) };
			return [raise(services, creditAccountInstallmentOverdue, { organizationId, entityId: id, data: overdue })];
		}
		return dueDate >= today && hasCome(addDays(dueDate, -NOTICE_DAYS))
			? [raise(services, creditAccountInstallmentDue, { organizationId, entityId: id, data })]
			: [];
	});
}

function defaultEvents(services: Services, before: CreditAccountRow, { account, posting }: Omit<Posted, "writes">): Write[] {
	if (account.status !== "DEFAULTED" || before.status === "DEFAULTED") return [];
	const { organizationId, currency } = account;
	const id = services.newId();
	const principal = toNumber(balanceOf(posting.ledger).breakdown.principal);
	const data = { ...accountMembers(account), principal_at_default: principal, in_duplum_cap: principal, currency };
	return [raise(services, creditAccountDefaulted, { id, organizationId, entityId: id, data })];
}
