// Confirmations that no payment came of, or that contradict what is known: people compare them with the statement, and dismiss them. None
// leaves the list by itself but those that the provider has refuted, after 30 days.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../../db/keyset";
import { actingFor, reachOfStaff } from "../../../db/reach";
import { first } from "../../../db/reads";
import { held } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import type { Confirmation } from "../../../providers/daraja/callbacks";
import { ApiError, wrongState } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { lendingWorker } from "../../users/model/callers";
import { CONFIRMATION_STATES } from "../lifecycle";
import { Money } from "../wire";
import { openConfirmation } from "./confirmations.procedure";
import { dismiss } from "./confirmations.store";
import { type ConfirmationRow, darajaConfirmations, NEEDS_SOMEBODY } from "./confirmations.table";

const PaymentConfirmation = z
	.object({
		id: z.uuid(),
		organization_id: z.uuid(),
		mobile_money_transaction_id: z.string(),
		amount: Money.nullable().meta({ description: "null where the confirmation has none that could be asked about" }),
		account_number: z.string().nullable().meta({ description: "As the payer typed it in, by the first confirmation" }),
		short_code: z.string().nullable(),
		status: z.enum(CONFIRMATION_STATES),
		contradicted_at: z.iso
			.datetime()
			.nullable()
			.meta({ description: "Since when it is reported with another account number too, or recorded with other facts" }),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "PaymentConfirmation" });

/** `told`: undefined when the key is gone that it was sealed with. */
const toConfirmation = (row: ConfirmationRow, told: Confirmation | undefined): z.input<typeof PaymentConfirmation> => ({
	id: row.id,
	organization_id: row.organizationId,
	mobile_money_transaction_id: row.transactionId,
	amount: row.amount === 0 ? null : { value: row.amount, currency: "KES" },
	account_number: String(told?.BillRefNumber ?? "").slice(0, 64) || null,
	short_code: String(told?.BusinessShortCode ?? "").slice(0, 64) || null,
	status: row.status,
	contradicted_at: row.contradictedAt === null ? null : toTimestamp(row.contradictedAt),
	created_at: toTimestamp(row.createdAt),
});

export const listConfirmations = operation({
	id: "listConfirmations",
	method: "GET",
	path: "/v1/platform/confirmations",
	summary: "Confirmations that no payment came of, or that contradict what is known, oldest first",
	access: lendingWorker,
	home: "everywhere",
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(PaymentConfirmation), links: Links }),
	async handle({ query, caller }, services) {
		const own = actingFor(caller);
		const page = await readPage(services, query, {
			list: "confirmations",
			owner: own ?? "operators",
			filters: {},
			everywhere: true,
			select: rowsOf(darajaConfirmations),
			key: byCreation(darajaConfirmations, "oldest"),
			where: and(NEEDS_SOMEBODY, own === undefined ? undefined : eq(darajaConfirmations.organizationId, own)),
		});
		const { rows, ...neighbours } = page;
		const opened = await Promise.all(rows.map(async (row) => ({ ...row, told: await openConfirmation(services.config.keyring, row) })));
		return listReply(services, { rows: opened, ...neighbours }, ({ told, ...row }) => toConfirmation(row, told));
	},
});

export const dismissConfirmation = operation({
	id: "dismissConfirmation",
	method: "POST",
	path: "/v1/platform/confirmations/{id}/dismiss",
	summary: "Take a confirmation off the list that somebody has seen to",
	description: "Nothing is posted or undone by it. One whose payment is being verified waits for that: 409.",
	access: held(lendingWorker),
	home: ({ path }) => path.id,
	request: {
		path: z.object({ id: z.uuid().toLowerCase() }),
		body: z
			.strictObject({ reason: z.string().trim().min(1).max(255) })
			.meta({ examples: [{ reason: "Paid to the till, and banked by the branch" }] }),
	},
	response: PaymentConfirmation,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { id }, caller }, services) {
		const { db, config } = services;
		const isOfCaller = reachOfStaff(caller, darajaConfirmations.organizationId);
		const row = await db.read(
			first(
				db.orm
					.select()
					.from(darajaConfirmations)
					.where(and(eq(darajaConfirmations.id, id), isOfCaller)),
			),
		);
		if (!row) throw new ApiError("NOT_FOUND");
		const told = await openConfirmation(config.keyring, row);
		if (row.status === "DISMISSED") return toConfirmation(row, told);
		if (row.status === "WAITING") throw wrongState("The confirmation", row.status, ["LAPSED", "REFUTED", "OTHER_SHORTCODE", "UNVERIFIED"]);
		const dismissed = { ...row, status: "DISMISSED" as const, contradictedAt: null };
		return services.commit([dismiss(db.orm, row)], toConfirmation(dismissed, told));
	},
});
