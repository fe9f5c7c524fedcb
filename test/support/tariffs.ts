// Tariffs of providers that count already, and what must hold of receipts under one.

import { expect } from "vitest";
import { providerTariffs, tariffCharges } from "../../src/domains/ledger/model/tariff.table";
import { payments } from "../../src/domains/repayments/table";
import { db, newId } from "./factories";
import { entriesOf } from "./journal";

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

/** Expects that each payment that counts is charged once, and that the journal has these charges. `feeOf`: by its amount. */
export async function expectChargedOnce(organizationId: string, feeOf: (amount: number) => number): Promise<void> {
	const counted = (await db.select().from(payments)).filter(
		(row) => row.organizationId === organizationId && !["FAILED", "MATCHED"].includes(row.status) && row.reversedAmount < row.amount,
	);
	const charges = (await db.select().from(tariffCharges)).filter((row) => row.organizationId === organizationId && row.amount > 0);
	const byFact = (rows: readonly (readonly [fact: string, amount: number])[]) => rows.toSorted(([one], [other]) => (one < other ? -1 : 1));
	const wanted = byFact(counted.map((row) => [`PAYMENT ${row.mobileMoneyTransactionId}`, feeOf(row.amount)] as const));
	expect(byFact(charges.map(({ fact, amount }) => [fact, amount] as const))).toEqual(wanted);
	const booked = (await entriesOf(organizationId)).filter(({ source }) => source === "CHARGE").flatMap(({ lines }) => lines);
	const sum = booked.reduce((total, [account, amount]) => total + (account === "5230" ? amount : 0), 0);
	expect(sum).toBe(wanted.reduce((total, [, fee]) => total + fee, 0));
}
