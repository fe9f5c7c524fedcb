// What the end of a month adds to the provisions of a product: the difference between the loss that its stages expect and what the books have.

import { toNumber } from "../../shared/money";
import { expectedLossIn, type StagedDay, suspendedIn } from "../portfolio/model/stages.policy";
import { CHART } from "./model/chart.policy";
import type { JournalLine } from "./model/table";

/** None by the default rules, which nobody has approved. `balances`: by account, a debit is positive. */
export function provisionLinesOf(staged: StagedDay | null, balances: ReadonlyMap<string, number>): JournalLine[] {
	if (staged === null || staged.rules === null) return [];
	const { impairment, provisions, incomeSuspended, suspendedInterest } = CHART;
	const total = (of: typeof expectedLossIn) => toNumber(staged.stages.reduce((sum, stage) => sum + of(stage), 0n));
	const gain = (wanted: number, account: { readonly number: string }) => wanted + (balances.get(account.number) ?? 0);
	const [loss, suspended] = [gain(total(expectedLossIn), provisions), gain(total(suspendedIn), suspendedInterest)];
	const lines: JournalLine[] = [
		[suspendedInterest.number, -suspended],
		[provisions.number, -loss],
		[incomeSuspended.number, suspended],
		[impairment.number, loss],
	];
	return lines.filter(([, amount]) => amount !== 0);
}
