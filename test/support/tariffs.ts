// Tariffs of providers that count already.

import { providerTariffs } from "../../src/domains/ledger/model/tariff.table";
import { db, newId } from "./factories";

type Of = Pick<typeof providerTariffs.$inferInsert, "channel" | "direction" | "bands"> &
	Partial<Pick<typeof providerTariffs.$inferInsert, "currency" | "effectiveFrom">>;

/** As two people approved it before. */
export async function givenTariff(organizationId: string, of: Of): Promise<string> {
	const id = newId(organizationId);
	await db.insert(providerTariffs).values({
		...{ id, organizationId, currency: "KES", effectiveFrom: "2020-01-01", approvalId: id },
		...{ requestedBy: "one", approvedBy: "another", reason: null, createdAt: 0, ...of },
	});
	return id;
}
