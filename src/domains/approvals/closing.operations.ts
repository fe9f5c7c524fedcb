// Closing a month of the ledger: a member asks, another approves.

import * as z from "zod";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Month } from "../../shared/timestamp";
import { request } from "./request.procedure";
import { Approval, pathOfApproval } from "./wire";

export const requestLedgerClosing = operation({
	id: "requestLedgerClosing",
	method: "POST",
	path: "/v1/ledger/closings",
	summary: "Ask to close a month of the ledger",
	description:
		"Another person approves it by `POST /v1/approvals/{id}/decision`. Months are closed one after the other, from the month of the first entry, each once all of its days are closed.",
	access: alone(member("org:ledger:close")),
	request: {
		body: z.strictObject({
			month: Month.meta({ examples: ["2026-03"] }),
			reason: z.string().trim().min(1).max(255).optional(),
		}),
	},
	response: Approval,
	status: 202,
	location: pathOfApproval,
	errors: ["APPROVAL_PENDING", "INVALID_STATE"],
	async handle({ body: { month, reason = null }, caller }, services) {
		return request(services, caller, { type: "LEDGER_CLOSING", entityId: caller.organizationId, payload: { month }, reason });
	},
});
