// Changes of a running loan on the wire.

import * as z from "zod";
import { list } from "../../../shared/bounded";
import { badInput } from "../../../shared/errors";
import { toNumber } from "../../../shared/money";
import { all, has, is, lacks, when } from "../../../shared/schema-rules";
import type { CalendarDate } from "../../../shared/time";
import { LocalDate } from "../../../shared/timestamp";
import { MAX_INSTALLMENTS } from "../../loan-terms/periods.policy";
import type { StandingInstallment } from "../book/installments.policy";
import { CHANGE_KINDS, type Change } from "../book/reschedule.policy";

const amount = z.int();

/** Which installments get other due dates, and how. */
export const changeMembers = {
	kind: z.enum(CHANGE_KINDS).meta({
		description:
			"EXTEND: more installments at the end. HOLIDAY: the next ones are due after the last one instead. NEW_DATES: on any other dates",
	}),
	installments: z.int().min(1).max(MAX_INSTALLMENTS).optional().meta({ description: "How many, for EXTEND and HOLIDAY" }),
	due_dates: list(LocalDate, { min: 1, max: MAX_INSTALLMENTS }).optional().meta({
		description: "For NEW_DATES: of all installments that are not yet due; more of them extend the loan",
	}),
};

/** The most dates that an address has room for. */
const MOST_DATES = 400;

/** The same in an address. */
export const changeQuery = {
	kind: changeMembers.kind,
	installments: z
		.string()
		.regex(/^\d{1,4}$/, "must be digits")
		.transform(Number)
		.pipe(z.int().min(1).max(MAX_INSTALLMENTS))
		.optional()
		.meta({ description: "How many, for EXTEND and HOLIDAY" }),
	due_dates: z
		.union([LocalDate, list(LocalDate, { min: 1, max: MOST_DATES })], { error: "must be dates, each by itself" })
		.transform((sent) => [sent].flat())
		.optional()
		.meta({ description: `For NEW_DATES; may be repeated, ${MOST_DATES} times` }),
};

export const changeRule = when(
	is("kind", "NEW_DATES"),
	all(has("due_dates"), lacks("installments")),
	all(has("installments"), lacks("due_dates")),
);

type Asked = {
	readonly kind: Change["kind"];
	readonly installments?: number | undefined;
	readonly due_dates?: readonly CalendarDate[] | undefined;
};

/** The change, or which member is wrong. */
export function changeAsked({
	kind,
	installments,
	due_dates: dueDates,
}: Asked): Change | { readonly member: string; readonly fault: string } {
	const [wanted, other] = kind === "NEW_DATES" ? (["due_dates", installments] as const) : (["installments", dueDates] as const);
	if (other !== undefined) return { member: kind === "NEW_DATES" ? "installments" : "due_dates", fault: `is not for ${kind}` };
	if (kind === "NEW_DATES" && dueDates) return { kind, dueDates };
	if (kind !== "NEW_DATES" && installments !== undefined) return { kind, installments };
	return { member: wanted, fault: `is required for ${kind}` };
}

/** Throws `InvalidInput` for members that do not fit the kind. `at`: where they stand in the request. */
export function changeOf(asked: Asked, at = ""): Change {
	const change = changeAsked(asked);
	if (!("fault" in change)) return change;
	throw badInput(at + change.member, change.fault, change.fault.startsWith("is not") ? "NOT_ALLOWED" : "REQUIRED");
}

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
