// What a loan of a product would cost, on the wire.

import * as z from "zod";
import { AprBasisPoints, AvailableFrom, charges, InterestRate, PenaltyTerms, Tenure, termsTextMembers } from "./wire";

export const Quote = z
	.object({
		loan_amount: z.int(),
		currency: z.string(),
		tenure: Tenure,
		interest_rate: InterestRate,
		installments: z.array(z.object({ position: z.int(), due_date: z.iso.date(), principal: z.int(), interest: z.int(), total: z.int() })),
		fee: z.int(),
		total_interest: z.int().meta({ description: "Includes the fee, which is part of the first installment's interest" }),
		total_cost: z.int(),
		total_due: z.int(),
		charges,
		penalty_terms: PenaltyTerms,
		apr_basis_points: AprBasisPoints,
		...termsTextMembers,
		available_from: AvailableFrom,
	})
	.meta({ id: "Quote" });
