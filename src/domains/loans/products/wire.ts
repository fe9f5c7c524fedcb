// Quotes on the wire.

import * as z from "zod";
import { InterestRate, Tenure } from "../../loan-products/wire";

export const Quote = z
	.object({
		loan_amount: z.int(),
		currency: z.string(),
		tenure: Tenure,
		interest_rate: InterestRate,
		installments: z.array(z.object({ position: z.int(), due_date: z.iso.date(), principal: z.int(), interest: z.int(), total: z.int() })),
		total_interest: z.int().meta({ description: "Includes the fee, which is part of the first installment's interest" }),
		total_due: z.int(),
	})
	.meta({ id: "Quote" });
