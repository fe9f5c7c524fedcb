// What a search finds, on the wire.

import * as z from "zod";
import { maskNumber } from "../../shared/mask";
import type { UserRow } from "../users/model/table";

const money = z.object({ value: z.int(), currency: z.string() }).nullable();
const whose = z.uuid().nullable().meta({ description: "Whose it is; null for what belongs to no organization" });

export const Found = z
	.object({
		users: z.array(
			z
				.object({
					id: z.uuid(),
					tag: z.string(),
					display_name: z.string().nullable(),
					mobile_number: z.string().nullable().meta({ description: "Masked" }),
					organization_id: whose,
				})
				.meta({ id: "FoundUser" }),
		),
		accounts: z.array(
			z
				.object({
					id: z.uuid(),
					account_number: z.string(),
					type: z.enum(["CREDIT", "CURRENT"]),
					user_id: z.uuid(),
					organization_id: whose,
				})
				.meta({ id: "FoundAccount" }),
		),
		payments: z.array(
			z
				.object({
					id: z.uuid(),
					mobile_money_transaction_id: z.string(),
					status: z.string(),
					account_id: z.uuid().nullable(),
					amount: money,
					organization_id: whose,
				})
				.meta({ id: "FoundPayment" }),
		),
		invoices: z.array(
			z
				.object({ id: z.uuid(), invoice_number: z.string(), status: z.string(), amount: money, organization_id: whose })
				.meta({ id: "FoundInvoice" }),
		),
	})
	.meta({ id: "Found" });

export type ShownUser = Pick<UserRow, "id" | "tag" | "displayName" | "mobileNumber" | "homeOrganizationId">;

export const toFoundUser = ({ id, tag, displayName, mobileNumber, homeOrganizationId }: ShownUser) => ({
	id,
	tag,
	display_name: displayName,
	mobile_number: mobileNumber && maskNumber(mobileNumber),
	organization_id: homeOrganizationId,
});
