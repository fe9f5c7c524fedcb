// Changes of a running loan on the wire.

import * as z from "zod";
import { toNumber } from "../../../shared/money";
import type { CalendarDate } from "../../../shared/time";
import type { StandingInstallment } from "../book/installments.policy";
import { CHANGE_KINDS, type Change } from "../book/reschedule.policy";

const amount = z.int();

const Scheduled = z
	.object({
		position: z.int(),
		due_date: z.iso.date(),
		principal: amount,
		interest: amount,
		outstanding: amount,
	})
	.meta({ title: "ScheduledInstallment" });

const toScheduled = ({ position, dueDate, principal, interest, outstanding }: StandingInstallment): z.input<typeof Scheduled> => ({
	position,
	due_date: dueDate,
	principal: toNumber(principal),
	interest: toNumber(interest),
	outstanding: toNumber(outstanding),
});

export const Reschedule = z
	.object({
		transaction_id: z.uuid().nullable().meta({ description: "null for a preview" }),
		kind: z.enum(CHANGE_KINDS),
		cycle_id: z.uuid(),
		before: z.array(Scheduled),
		after: z.array(Scheduled).meta({ description: "If nothing is paid or drawn before they are due" }),
	})
	.meta({ id: "Reschedule" });

type ChangedCycle = {
	readonly cycleId: string;
	readonly before: readonly StandingInstallment[];
	readonly after: readonly StandingInstallment[];
};

export const toReschedule = (
	{ cycleId, before, after }: ChangedCycle,
	kind: Change["kind"],
	transactionId: string | null,
): z.input<typeof Reschedule> => ({
	transaction_id: transactionId,
	kind,
	cycle_id: cycleId,
	before: before.map(toScheduled),
	after: after.map(toScheduled),
});

export const Settlement = z
	.object({
		transaction_id: z.uuid(),
		amount,
		total_outstanding: amount.meta({ description: "When it was agreed" }),
		currency: z.string(),
		valid_until: z.iso.date().meta({ description: "The last day on which a payment counts" }),
	})
	.meta({ id: "Settlement" });

type Agreed = {
	readonly transaction: { readonly id: string; readonly amount: number; readonly validUntil: CalendarDate };
	readonly totalOutstanding: number;
};

export const toSettlement = ({ transaction, totalOutstanding }: Agreed, currency: string): z.input<typeof Settlement> => ({
	transaction_id: transaction.id,
	amount: transaction.amount,
	total_outstanding: totalOutstanding,
	currency,
	valid_until: transaction.validUntil,
});
