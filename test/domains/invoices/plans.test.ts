// Every statement of invoices searches by an index.

import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { findDueInstructions } from "../../../src/domains/disbursements/job";
import { findAdvance, findHeld, findInvoice, findLatestAdvance, findPastDue, findRepayment } from "../../../src/domains/invoices/store";
import { findPerson } from "../../../src/domains/organizations/person.procedure";
import { db } from "../../support/factories";
import { plansOf } from "../../support/plans";

describe("the statements of invoices", () => {
	it("use indexes and sort nothing", async () => {
		const orm = db as never;
		const steps = await plansOf(
			findInvoice("i", "o"),
			findLatestAdvance("i"),
			findHeld("o", [{ merchantId: "m", numberKey: "n", documentId: "d" }]),
			findRepayment(orm, sql`'o'`, "x"),
			findPastDue(orm, "2026-01-01", 20),
			findDueInstructions(orm, 1),
			findAdvance("a"),
			findPerson(orm, sql`(select created_by from api_keys where id = 'k')`),
		);
		expect(steps.filter((detail) => /SCAN (?!CONSTANT ROW|u VIRTUAL TABLE)|TEMP B-TREE/.test(detail))).toEqual([]);
		const used = steps.join();
		for (const index of ["invoices_number", "invoices_document", "invoices_due", "invoice_advances_of", "invoice_repayments_once"]) {
			expect(used).toContain(index);
		}
	});
});
