// Operators change a running loan: they move its due dates, or agree to a settlement at a discount.

import * as z from "zod";
import { held, operator } from "../../../http/callers/access";
import { operation, Reply } from "../../../http/operation";
import { list } from "../../../shared/bounded";
import { ApiError, badInput, type SubCode } from "../../../shared/errors";
import { all, has, is, lacks, when } from "../../../shared/schema-rules";
import { LocalDate } from "../../../shared/timestamp";
import { MAX_INSTALLMENTS } from "../../loan-terms/periods.policy";
import { CHANGE_KINDS, type Change } from "../book/reschedule.policy";
import { findLoaded, loadedOf, theAccount } from "../ledger.store";
import { planReschedule, planSettlement, type RescheduleRefusal, type SettlementRefusal } from "./plan";
import { Reschedule, Settlement, toReschedule, toSettlement } from "./wire";

const path = z.object({ accountId: z.uuid().toLowerCase() });
const reason = z.string().trim().min(1).max(255);
const date = LocalDate;

const RescheduleBody = z
	.strictObject({
		kind: z.enum(CHANGE_KINDS).meta({
			description:
				"EXTEND: more installments at the end. HOLIDAY: the next ones are due after the last one instead. NEW_DATES: on any other dates",
		}),
		installments: z.int().min(1).max(MAX_INSTALLMENTS).optional().meta({ description: "How many, for EXTEND and HOLIDAY" }),
		due_dates: list(date, { min: 1, max: MAX_INSTALLMENTS }).optional().meta({
			description: "For NEW_DATES: of all installments that are not yet due; more of them extend the loan",
		}),
		reason,
		cycle_id: z.uuid().toLowerCase().optional().meta({ description: "The newest open cycle by default" }),
		dry_run: z.boolean().default(false).meta({ description: "Only show what would become of the installments" }),
	})
	.meta(when(is("kind", "NEW_DATES"), all(has("due_dates"), lacks("installments")), all(has("installments"), lacks("due_dates"))));

function changeOf({ kind, installments, due_dates: dueDates }: z.output<typeof RescheduleBody>): Change {
	const [wanted, other] = kind === "NEW_DATES" ? (["due_dates", installments] as const) : (["installments", dueDates] as const);
	if (other !== undefined) throw badInput(kind === "NEW_DATES" ? "installments" : "due_dates", `is not for ${kind}`, "NOT_ALLOWED");
	if (kind === "NEW_DATES" && dueDates) return { kind, dueDates };
	if (kind !== "NEW_DATES" && installments !== undefined) return { kind, installments };
	throw badInput(wanted, `is required for ${kind}`, "REQUIRED");
}

export const rescheduleAccount = operation({
	id: "rescheduleAccount",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/reschedules",
	summary: "Give the installments to come other due dates",
	description:
		"Due installments stay due. The principal that is not yet due is spread over the later installments in equal amounts; interest runs as long as it is owed.",
	access: held(operator),
	home: ({ path: { accountId } }) => accountId,
	request: { path, body: RescheduleBody },
	response: Reschedule,
	status: 201,
	otherStatuses: { 200: "A preview" },
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { accountId }, body, caller }, services) {
		const change = changeOf(body);
		const loaded = loadedOf(await services.db.read(findLoaded(theAccount(accountId))));
		if (!loaded || loaded.cycles.length === 0) throw new ApiError("NOT_FOUND");
		const by = { reason: body.reason, actor: caller.operatorId };
		const plan = planReschedule(services, loaded, change, body.cycle_id, by);
		if ("refusal" in plan) return refuseReschedule(plan.refusal);
		if (body.dry_run) return new Reply(toReschedule(plan, body.kind, null), { status: 200 });
		return services.commit(plan.writes(), new Reply(toReschedule(plan, body.kind, plan.transaction.id), { status: 201 }));
	},
});

const FAULTS = {
	NO_SUCH_CYCLE: ["cycle_id", "is no cycle that owes something", "NOT_ALLOWED"],
	TOO_MANY_INSTALLMENTS: ["installments", "are too many", "OUT_OF_RANGE"],
	TOO_FEW_DATES: ["due_dates", "must be at least as many as there are installments to come", "OUT_OF_RANGE"],
	DATES_NOT_ASCENDING: ["due_dates", "must each be later than the one before", "OUT_OF_RANGE"],
	DATE_NOT_AHEAD: ["due_dates", "must be after today", "OUT_OF_RANGE"],
	DATE_TOO_FAR: ["due_dates", "are too far ahead", "OUT_OF_RANGE"],
} as const satisfies Record<Exclude<RescheduleRefusal, "NOTHING_TO_COME">, readonly [string, string, SubCode]>;

function refuseReschedule(refusal: RescheduleRefusal): never {
	if (refusal === "NOTHING_TO_COME") throw new ApiError("INVALID_STATE", { description: "No installment is still to come" });
	const [member, reason, subCode] = FAULTS[refusal];
	throw badInput(member, reason, subCode);
}

export const settleAccount = operation({
	id: "settleAccount",
	method: "POST",
	path: "/v1/platform/accounts/{accountId}/settlements",
	summary: "Agree to waive the rest once an amount is paid in time",
	description:
		"Payments from now on count towards the amount. The payment that completes it waives the rest in the same posting. A later settlement replaces it, a draw ends it.",
	access: held(operator),
	home: ({ path: { accountId } }) => accountId,
	request: { path, body: z.strictObject({ amount: z.int().min(1), valid_until: date, reason }) },
	response: Settlement,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { accountId }, body, caller }, services) {
		const loaded = loadedOf(await services.db.read(findLoaded(theAccount(accountId))));
		if (!loaded || loaded.cycles.length === 0) throw new ApiError("NOT_FOUND");
		const offer = { amount: body.amount, validUntil: body.valid_until, reason: body.reason, actor: caller.operatorId };
		const plan = planSettlement(services, loaded, offer);
		if (!plan.accepted) return refuseSettlement(plan.reason);
		return services.commit(plan.writes, toSettlement(plan, loaded.account.currency));
	},
});

function refuseSettlement(refusal: SettlementRefusal): never {
	switch (refusal) {
		case "NOTHING_OWED":
			throw new ApiError("INVALID_STATE", { description: "Nothing is owed" });
		case "NO_DISCOUNT":
			throw badInput("amount", "must be less than what is owed", "OUT_OF_RANGE");
		case "NOT_AHEAD":
			throw badInput("valid_until", "must be today or within a year", "OUT_OF_RANGE");
	}
}
