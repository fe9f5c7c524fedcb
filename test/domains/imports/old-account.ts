// The lines of an account of another program.

import { addDays, localDate } from "../../../src/shared/time";

const today = localDate(Date.now());
export const NUMBER = "+254712345678";

export type OldAccount = {
	readonly product: string;
	readonly mobileNumber?: string;
	readonly principal?: number;
	readonly payment?: string;
};

/** Ten days ago 10,000 were lent for 30 days at 3 percent; of the 200 fee and interest earned by now, 100 are paid. */
export const linesOf = (account: string, { product, mobileNumber = NUMBER, principal = 10_000, payment = "" }: OldAccount) => [
	{
		type: "ACCOUNT",
		account,
		borrower: { mobile_number: mobileNumber },
		loan_product_id: product,
		cycles: [
			{
				number: 1,
				tenure: { duration: 30, unit: "DAYS" },
				interest_rate: { basis_points: 300, period_value: 30, period_unit: "DAYS" },
				fee_basis_points: 0,
			},
		],
	},
	{ type: "FACT", account, id: "T-1", position: 1, on: addDays(today, -10), kind: "DRAW", amount: 10_000, cycle: 1 },
	{
		...{ type: "FACT", account, id: "T-2", position: 2, on: today, kind: "REPAYMENT", amount: 100 },
		...(payment && { payment: { mobile_money_transaction_id: payment, details: { type: "BUY_GOODS", till_number: "12345" } } }),
	},
	{ type: "BALANCE", account, on: addDays(today, -10), principal: 10_000, interest: 0, arrears: 0, penalty: 0 },
	{ type: "BALANCE", account, on: today, principal, interest: 0, arrears: 0, penalty: 0 },
];
