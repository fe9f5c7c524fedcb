// Which line reports which fact, where a receipt alone does not say it.

import { expect, it } from "vitest";
import { byReceipt, type Compared, type Fact, reportedFacts } from "../../../src/domains/reconciliation/match.policy";

const of = { at: 0, hasTime: true, linked: null, reference: null } as const;
const payout: Fact = { kind: "PAYOUT", id: "p", key: "p", receipts: ["FIRST", "SECOND"], amount: -5_000, at: 0, references: [] };

it.each([
	["nothing", []],
	["another line", [payout]],
])(
	"a charge with the second receipt of a payout and its whole amount is the payout a second time, if %s reports the payout",
	(_, others) => {
		const line: Compared = { ...of, row: 0, kind: "CHARGE", receipt: "SECOND", amount: -5_000 };
		const small: Compared = { ...line, row: 1, amount: -1_300 };
		expect(byReceipt([line, small], [payout], reportedFacts(others))).toEqual([
			{ row: 0, status: "BREAK", kind: "TWICE", fact: payout, difference: -5_000 },
			{ row: 1, status: "MATCHED", charged: payout },
		]);
	},
);
