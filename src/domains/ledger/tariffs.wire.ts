// Tariffs of providers on the wire. Amounts are in minor units.

import * as z from "zod";
import { toTimestamp } from "../../shared/time";
import { DIRECTIONS, TARIFF_CHANNELS } from "./model/tariff.policy";
import type { TariffRow } from "./model/tariff.table";

export const ProviderTariff = z
	.object({
		id: z.uuid(),
		channel: z.enum(TARIFF_CHANNELS),
		direction: z.enum(DIRECTIONS),
		currency: z.string(),
		effective_from: z.iso.date(),
		bands: z
			.array(z.object({ up_to: z.int().nullable(), fee: z.int() }))
			.meta({ description: "By the amount of the payment; null for the last one" }),
		approval_request_id: z.uuid(),
		requested_by: z.string(),
		approved_by: z.string(),
		reason: z.string().nullable(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "ProviderTariff" });

export const toProviderTariff = (row: TariffRow): z.input<typeof ProviderTariff> => ({
	id: row.id,
	channel: row.channel,
	direction: row.direction,
	currency: row.currency,
	effective_from: row.effectiveFrom,
	bands: row.bands.map(({ upTo, fee }) => ({ up_to: upTo, fee })),
	approval_request_id: row.approvalId,
	requested_by: row.requestedBy,
	approved_by: row.approvedBy,
	reason: row.reason,
	created_at: toTimestamp(row.createdAt),
});
