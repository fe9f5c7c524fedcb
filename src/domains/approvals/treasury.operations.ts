// Treasury records: a member asks for one, another approves.

import * as z from "zod";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { isCurrency } from "../../shared/currency";
import { badInput } from "../../shared/errors";
import { justWith } from "../../shared/schema-rules";
import { isShown, MUST_BE_SHOWN } from "../../shared/shown-text";
import { localDate } from "../../shared/time";
import { LocalDate } from "../../shared/timestamp";
import { visibleKey } from "../../shared/visible-key";
import { CASH_ACCOUNTS, TREASURY_KINDS } from "../ledger/model/treasury.policy";
import { request } from "./request.procedure";
import { Approval, pathOfApproval } from "./wire";

const CashAccount = z.enum(CASH_ACCOUNTS);

export const requestTreasuryRecord = operation({
	id: "requestTreasuryRecord",
	method: "POST",
	path: "/v1/ledger/treasury-records",
	summary: "Ask to record money of the lender that entered or left a cash account",
	description:
		"Another person approves it by `POST /v1/approvals/{id}/decision`, and its entry is booked on that day with its value date. A record is never changed: another with its id in `corrects_id` takes it back.",
	access: alone(member("org:ledger:close")),
	request: {
		body: z
			.strictObject({
				kind: z.enum(TREASURY_KINDS).meta({
					description:
						"BORROWED, REPAID: borrowed funds come in, or are paid back. INTEREST: is paid for them. CONTRIBUTED, DRAWN: owners' money comes in, or leaves. TRANSFER: from one cash account to another",
				}),
				amount: z.int().min(1).meta({ description: "In minor units" }),
				currency: z.string().refine(isCurrency, "must be a currency of ISO 4217"),
				account: CashAccount.meta({ description: "The cash account of the chart; of a TRANSFER, the account that the money leaves" }),
				to_account: CashAccount.optional().meta({ description: "For a TRANSFER: where the money goes" }),
				value_date: LocalDate.meta({ description: "The day on which the money moved" }),
				reference: z
					.string()
					.trim()
					.min(1)
					.max(100)
					.refine((text) => isShown(text) && visibleKey(text) !== "", MUST_BE_SHOWN)
					.meta({ description: "By which it is found on the statement, such as a receipt" }),
				corrects_id: z.uuid().toLowerCase().optional().meta({ description: "A record that this one takes back whole" }),
				reason: z.string().trim().min(1).max(255).optional(),
			})
			.meta({
				...justWith("to_account", "kind", "TRANSFER"),
				examples: [
					{
						...{ kind: "BORROWED", amount: 50_000_000, currency: "KES", account: "1130" },
						...{ value_date: "2026-01-05", reference: "KCB facility 4711" },
					},
				],
			}),
	},
	response: Approval,
	status: 202,
	location: pathOfApproval,
	errors: ["APPROVAL_PENDING", "INVALID_STATE", "DUPLICATE_CONFLICT"],
	async handle({ body, caller }, services) {
		const { reason = null, to_account = null, corrects_id = null, ...rest } = body;
		if ((rest.kind === "TRANSFER") !== (to_account !== null)) {
			throw badInput("to_account", "is for a TRANSFER, which needs it", to_account === null ? "REQUIRED" : "NOT_ALLOWED");
		}
		if (to_account === rest.account) throw badInput("to_account", "is the account that the money leaves", "NOT_ALLOWED");
		if (rest.value_date > localDate(services.now)) throw badInput("value_date", "must not be in the future", "OUT_OF_RANGE");
		const payload = { organization_id: caller.organizationId, ...rest, to_account, corrects_id };
		const refusals = { RECORDED_ALREADY: "DUPLICATE_CONFLICT" } as const;
		return request(services, caller, { type: "TREASURY_RECORD", entityId: services.newId(), payload, reason, refusals });
	},
});
