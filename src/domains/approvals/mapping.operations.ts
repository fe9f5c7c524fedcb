// Changing the mapping to the lender's own ledger: a member asks, another approves.

import * as z from "zod";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { badInput } from "../../shared/errors";
import { LocalDate } from "../../shared/timestamp";
import { ALL_PRODUCTS, faultOf } from "../ledger/model/mapping.policy";
import { latestStart } from "./executors/ahead.policy";
import { MappingPayload } from "./executors/ledger-mapping.plan";
import { request } from "./request.procedure";
import { Approval, pathOfApproval } from "./wire";

export const requestLedgerMapping = operation({
	id: "requestLedgerMapping",
	method: "POST",
	path: "/v1/ledger/mappings",
	summary: "Ask for other numbers of accounts in the lender's own ledger",
	description:
		"Another person approves them by `POST /v1/approvals/{id}/decision`. A version replaces the earlier version of the same product, or of all products, whole, until the next one counts.",
	access: alone(member("org:ledger:close")),
	request: {
		body: z.strictObject({
			...MappingPayload.shape,
			loan_product_id: MappingPayload.shape.loan_product_id.default(null),
			effective_from: LocalDate.meta({ description: "A day that is not closed yet, at most 366 days ahead" }),
			reason: z.string().trim().min(1).max(255).optional(),
		}),
	},
	response: Approval,
	status: 202,
	location: pathOfApproval,
	errors: ["NOT_FOUND", "APPROVAL_PENDING", "INVALID_STATE"],
	async handle({ body: { reason = null, ...payload }, caller }, services) {
		const fault = faultOf(payload.loan_product_id ?? ALL_PRODUCTS, payload.accounts);
		if (fault) throw badInput("body.accounts", fault, "NOT_ALLOWED");
		const latest = latestStart(services.now);
		if (payload.effective_from > latest) throw badInput("body.effective_from", `must not be later than ${latest}`, "OUT_OF_RANGE");
		const refusals = { NO_SUCH_PRODUCT: "NOT_FOUND" } as const;
		return request(services, caller, { type: "LEDGER_MAPPING", entityId: caller.organizationId, payload, reason, refusals });
	},
});
