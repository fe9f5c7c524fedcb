// The event of a portfolio.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const portfolioClosed = eventType({
	type: "portfolio.closed",
	category: "CREDIT_ACCOUNT",
	description: "A day of a product's portfolio was closed: its figures can be read, and never change",
	data: z.object({ loan_product_id: z.uuid(), day: z.iso.date() }),
	example: { loan_product_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21", day: "2026-03-31" },
});
