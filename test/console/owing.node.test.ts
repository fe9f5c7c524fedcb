// What may be waived of an installment, and what an approval changes, as the console computes it before somebody decides.

import { describe, expect, it } from "vitest";
import { firstOf, owingOf, takenOf } from "../../src/console/pages/lending/owing.ts";
import { beforeAndAfter } from "../../src/console/pages/organization/before-after.ts";
import type { Explanation, Installment, ShownApproval } from "../../src/console/typed.ts";

const CYCLE = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";
const installment = (id: string, status: Installment["status"], outstanding: number): Installment => ({
	...{ id, cycle_id: CYCLE, position: Number(id), due_date: "2026-03-06", status, outstanding },
	...{ principal: 2_000_000, interest: 230_000, arrears: 0, penalty: 0, paid: 0, waived: 0 },
});
const line = (installment_id: string, component: "PRINCIPAL" | "ARREARS" | "PENALTY", amount: number): Explanation["lines"][number] => ({
	...{ installment_id, component, amount, rule: "PAID", inputs: {}, transaction_id: null },
});

describe("a waiver", () => {
	const rows = [installment("1", "OVERDUE", 2_230_000), installment("2", "OVERDUE", 2_243_031), installment("3", "UPCOMING", 2_230_000)];
	const lines = [
		line("1", "PRINCIPAL", 2_000_000),
		line("1", "ARREARS", 230_000),
		line("2", "PRINCIPAL", 2_000_000),
		line("2", "ARREARS", 220_823),
		line("2", "PENALTY", 30_000),
		line("2", "PENALTY", -7_792),
	];

	it("is proposed where a penalty is owed, and knows its parts", () => {
		const owing = owingOf(rows, lines);
		expect(firstOf(owing)).toMatchObject({ row: { id: "2" }, penalty: 22_208, interest: 220_823, principal: 2_000_000 });
		expect(owing[2]).toMatchObject({ penalty: 0, interest: 0, principal: 2_000_000 });
		expect(firstOf(owingOf(rows, lines.slice(0, 4)))?.row.id).toBe("1");
	});

	it("takes the penalty first, then interest, then principal", () => {
		const parts = { penalty: 300, interest: 500, principal: 1_000 };
		expect(takenOf(200, parts)).toEqual({ penalty: 200, interest: 0, principal: 0 });
		expect(takenOf(900, parts)).toEqual({ penalty: 300, interest: 500, principal: 100 });
	});
});

describe("an approval", () => {
	const subject: ShownApproval["subject"] = {
		...{ user_id: CYCLE, account_id: CYCLE, account_number: "1058110918866", currency: "KES", transaction_amount: 350_000 },
	};
	const account = { currency: "KES", available_balance: 4_000, balance: { total_outstanding: 2_243_031 } as never };
	it.each([
		["WAIVER", { amount: 22_208 }, "22,430.31 KES owed", "22,208.23 KES owed"],
		["OPERATION", { operation: "waive", path: {}, body: { amount: 22_208 } }, "22,430.31 KES owed", "22,208.23 KES owed"],
		[
			"SETTLEMENT",
			{ amount: 2_000_000, valid_until: "2026-03-31" },
			"22,430.31 KES owed",
			"20,000.00 KES to pay by 31 Mar 2026, then 2,430.31 KES is waived",
		],
		["OVERPAYMENT_REFUND", { amount: 1_000 }, "40.00 KES overpaid", "30.00 KES overpaid"],
		[
			"TRANSACTION_REVERSAL",
			{},
			"22,430.31 KES owed",
			"3,500.00 KES is undone: what it had settled is owed again, with the interest that follows",
		],
	] as const)("shows before and after: %s %j", (approval_type, payload, before, after) => {
		expect(beforeAndAfter({ approval_type, payload, subject }, { account })).toEqual([
			["Before", before],
			["After", after],
		]);
	});
});
