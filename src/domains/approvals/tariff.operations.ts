// Changing a provider's tariff: a member asks, another approves.

import * as z from "zod";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { badInput } from "../../shared/errors";
import { LocalDate } from "../../shared/timestamp";
import { faultOfDay } from "./executors/ahead.policy";
import { TariffPayload } from "./executors/provider-tariff.plan";
import { request } from "./request.procedure";
import { Approval, pathOfApproval } from "./wire";

export const requestProviderTariff = operation({
	id: "requestProviderTariff",
	method: "POST",
	path: "/v1/ledger/provider-tariffs",
	summary: "Ask for a new tariff of what a provider charges",
	description:
		"Another person approves it by `POST /v1/approvals/{id}/decision`, before the day from which it counts. From then on each payout or receipt of the channel is charged by it at once, until a statement names the charge. A tariff whose only fee is 0 charges nothing.",
	access: alone(member("org:ledger:close")),
	request: {
		body: z.strictObject({
			...TariffPayload.shape,
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
		return request(services, caller, { type: "PROVIDER_TARIFF", entityId: caller.organizationId, payload, reason });
	},
});
