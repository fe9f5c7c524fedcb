// Gives an organization a new version of a provider's tariff from a day on.

import * as z from "zod";
import { first } from "../../../db/reads";
import { isCurrency } from "../../../shared/currency";
import { ascend, DIRECTIONS, MOST_BANDS, TARIFF_CHANNELS } from "../../ledger/model/tariff.policy";
import { findNewestTariff, insertTariff } from "../../ledger/model/tariff.store";
import { faultOfDay } from "./ahead.policy";
import { executor } from "./executor.plan";

const MOST = 100_000_000_000;

const Band = z.strictObject({
	up_to: z.int().min(1).max(MOST).nullable().meta({ description: "The largest amount of the band; null for the last one" }),
	fee: z.int().min(0).max(MOST).meta({ description: "The provider's charge" }),
});

export const TariffPayload = z.strictObject({
	channel: z.enum(TARIFF_CHANNELS).meta({ description: "BANK: bank transfers, and payouts by the organization's own disburser" }),
	direction: z.enum(DIRECTIONS),
	currency: z.string().refine(isCurrency, "must be a currency of ISO 4217"),
	effective_from: z.string().meta({ description: "Later than the day of the approval, by a year at most" }),
	bands: z
		.array(Band)
		.min(1)
		.max(MOST_BANDS)
		.refine((bands) => ascend(bands.map(({ up_to }) => up_to)), "must ascend by amount, and the last one alone must have null")
		.meta({
			description: "Amounts are in minor units",
			examples: [
				[
					{ up_to: 100_000, fee: 500 },
					{ up_to: 500_000, fee: 900 },
					{ up_to: null, fee: 1_300 },
				],
			],
		}),
});

export const providerTariff = executor({
	entity: "ORGANIZATION",
	payload: TariffPayload,
	home: (organizationId) => organizationId,
	find: (orm, organizationId, { channel, direction, currency }) => ({
		newest: first(findNewestTariff(orm, { organizationId, channel, direction, currency })),
	}),
	target(services, { newest }, organizationId, { effective_from, bands, ...of }) {
		return {
			organizationId,
			decider: "ORGANIZATION",
			version: `TARIFF_${newest?.id ?? "NONE"}`,
			plan({ approvalId, asker, person, reason }) {
				const fault = faultOfDay(effective_from, services.now);
				if (fault) return { accepted: false, reason: fault.reason, description: `The day ${fault.must}` };
				if (newest && newest.effectiveFrom >= effective_from)
					return { accepted: false, reason: "NOT_NEWEST", description: `There is a tariff from ${newest.effectiveFrom} on already` };
				const row = {
					...{ organizationId, ...of, effectiveFrom: effective_from, id: services.newId() },
					bands: bands.map(({ up_to, fee }) => ({ upTo: up_to, fee })),
					...{ approvalId, reason, requestedBy: asker, approvedBy: person, createdAt: services.now },
				};
				return { accepted: true, writes: [insertTariff(services.db.orm, row)] };
			},
		};
	},
});
