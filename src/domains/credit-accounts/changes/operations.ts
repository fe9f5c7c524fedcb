// Operators change a running loan: they move its due dates, or agree to a settlement at a discount.

import * as z from "zod";
import { held, operator } from "../../../http/callers/access";
import { operation, Reply } from "../../../http/operation";
import { ApiError, badInput } from "../../../shared/errors";
import { LocalDate } from "../../../shared/timestamp";
import { staffReader } from "../../users/model/callers";
import { findLoaded, loadedOf, reachedAccount, theAccount } from "../ledger.store";
import { FAULTS, planReschedule, planSettlement, type RescheduleRefusal, type SettlementRefusal } from "./plan";
import { changeMembers, changeOf, changeQuery, changeRule, Reschedule, Settlement, toReschedule, toSettlement } from "./wire";

const path = z.object({ accountId: z.uuid().toLowerCase() });
const reason = z.string().trim().min(1).max(255);
const date = LocalDate;

const RescheduleBody = z
	.strictObject({
		...changeMembers,
		reason,
		cycle_id: z.uuid().toLowerCase().optional().meta({ description: "The newest open cycle by default" }),
		dry_run: z.boolean().default(false).meta({ description: "Only show what would become of the installments" }),
	})
	.meta(changeRule);

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

export const previewReschedule = operation({
	id: "previewReschedule",
	method: "GET",
	path: "/v1/accounts/{accountId}/reschedule",
	summary: "Show what other due dates would make of the installments to come",
	description: "Members ask for an approval of the type RESCHEDULE, whose payload has the same members.",
	access: staffReader("accounts:read"),
	home: ({ path: { accountId } }) => accountId,
	request: { path, query: z.object(changeQuery) },
	response: Reschedule,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { accountId }, query, caller }, services) {
		const change = changeOf(query, "query.");
		const loaded = loadedOf(await services.db.read(findLoaded(reachedAccount(accountId, caller))));
		if (!loaded || loaded.cycles.length === 0) throw new ApiError("NOT_FOUND");
		const plan = planReschedule(services, loaded, change, undefined, { reason: "", actor: "" });
		if ("refusal" in plan) return refuseReschedule(plan.refusal, "query.");
		return toReschedule(plan, query.kind, null);
	},
});

function refuseReschedule(refusal: RescheduleRefusal, at = ""): never {
	if (refusal === "NOTHING_TO_COME") throw new ApiError("INVALID_STATE", { description: "No installment is still to come" });
	const [name, fault, subCode] = FAULTS[refusal];
	throw badInput(at + name, fault, subCode);
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
