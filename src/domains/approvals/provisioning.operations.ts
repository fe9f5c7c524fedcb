// Changing the rules of provisions: a member asks, another approves.

import * as z from "zod";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { badInput } from "../../shared/errors";
import { LocalDate } from "../../shared/timestamp";
import { faultOfDay } from "./executors/ahead.policy";
import { RulesPayload } from "./executors/provisioning-rules.plan";
import { request } from "./request.procedure";
import { Approval, pathOfApproval } from "./wire";

export const requestProvisioningRules = operation({
	id: "requestProvisioningRules",
	method: "POST",
	path: "/v1/ledger/provisioning-rules",
	summary: "Ask for new rules of provisions",
	description:
		"Another person approves them by `POST /v1/approvals/{id}/decision`, before the day from which they count. From then on the loss that they expect is posted at the end of each month.",
	access: alone(member("org:ledger:close")),
	request: {
		body: z.strictObject({
			...RulesPayload.shape,
			loan_product_id: RulesPayload.shape.loan_product_id.default(null),
			effective_from: LocalDate.meta({ examples: ["2099-01-01"] }),
			reason: z.string().trim().min(1).max(255).optional(),
		}),
	},
	response: Approval,
	status: 202,
	location: pathOfApproval,
	errors: ["APPROVAL_PENDING", "INVALID_STATE"],
	async handle({ body: { reason = null, ...payload }, caller }, services) {
		const fault = faultOfDay(payload.effective_from, services.now);
		if (fault) throw badInput("body.effective_from", fault.must, "OUT_OF_RANGE");
		return request(services, caller, { type: "PROVISIONING_RULES", entityId: caller.organizationId, payload, reason });
	},
});
