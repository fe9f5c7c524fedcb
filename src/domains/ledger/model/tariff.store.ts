// Finds versions of tariffs, and stores a new one.

import { and, desc, eq } from "drizzle-orm";
import type { Orm, Write } from "../../../db/database";
import { providerTariffs, type TariffRow } from "./tariff.table";

type Of = Pick<TariffRow, "organizationId" | "channel" | "direction" | "currency">;

/** The newest version. */
export const findNewestTariff = (orm: Orm, { organizationId, channel, direction, currency }: Of) =>
	orm
		.select()
		.from(providerTariffs)
		.where(
			and(
				eq(providerTariffs.organizationId, organizationId),
				eq(providerTariffs.channel, channel),
				eq(providerTariffs.direction, direction),
				eq(providerTariffs.currency, currency),
			),
		)
		.orderBy(desc(providerTariffs.effectiveFrom))
		.limit(1);

export const insertTariff = (orm: Orm, row: TariffRow): Write => orm.insert(providerTariffs).values(row);
