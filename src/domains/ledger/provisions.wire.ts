// Provisions on the wire: the stages, buckets and moves of a portfolio as rows of one table. Amounts are in minor units.

import * as z from "zod";
import { toNumber } from "../../shared/money";
import { type CalendarDate, toTimestamp } from "../../shared/time";
import { BUCKETS, type Cell, expectedLossIn, MOST_STAGES, type StagedDay, suspendedIn } from "../portfolio/model/stages.policy";
import type { ProvisioningRulesRow } from "../portfolio/model/table";

export const PARTS = ["STAGE", "BUCKET", "MOVE"] as const;

const stage = z.int().min(1).max(MOST_STAGES).nullable();
const amount = z.int().min(0);

export const ProvisionRow = z
	.object({
		on: z.iso.date().meta({ description: "The closed day at whose end it was so" }),
		loan_product_id: z.uuid(),
		currency: z.string(),
		part: z
			.enum(PARTS)
			.meta({ description: "A stage, a bucket of days past due, or a move between stages since the end of the month before" }),
		stage: stage.meta({ description: "Of a move, the stage now; null for loans that have ended" }),
		from_stage: stage.meta({ description: "Of a move, the stage at the end of the month before; null for new loans" }),
		over_days: z.int().min(0).nullable().meta({ description: "Past due for more days than these" }),
		up_to_days: z.int().min(0).nullable().meta({ description: "Past due for at most these days" }),
		accounts: amount,
		exposure: amount.meta({ description: "The sum that the accounts owe" }),
		suspended_interest: amount
			.nullable()
			.meta({ description: "Of a stage: interest, fees and penalties in the exposure that are no income" }),
		rate_basis_points: amount.nullable(),
		expected_loss: amount
			.nullable()
			.meta({ description: "Of a stage: the rate of the exposure without suspended interest, rounded half up" }),
		rules_id: z.uuid().nullable().meta({ description: "The version of the rules; null for the default rules, by which nothing is posted" }),
	})
	.meta({ id: "ProvisionRow" });

export type ProvisionPart = (typeof PARTS)[number];
type Row = z.input<typeof ProvisionRow>;

/** `before`: the stages at the end of the month before. */
function rowsOf(of: Pick<Row, "on" | "loan_product_id" | "currency">, staged: StagedDay, before: StagedDay | null): Row[] {
	const { stages, buckets, moves, rules } = staged;
	const row = (part: ProvisionPart, { accounts, exposure }: Pick<Cell, "accounts" | "exposure">, more: Partial<Row>): Row => ({
		...{ ...of, part, stage: null, from_stage: null, over_days: null, up_to_days: null, accounts, exposure },
		...{ suspended_interest: null, rate_basis_points: null, expected_loss: null, rules_id: rules, ...more },
	});
	const ended = (before?.stages ?? []).flatMap(({ accounts }, index) => {
		const left = accounts - moves.reduce((sum, move) => sum + (move.from === index + 1 ? move.accounts : 0), 0);
		return left === 0 ? [] : [row("MOVE", { accounts: left, exposure: 0 }, { from_stage: index + 1 })];
	});
	return [
		...stages.map((cell, index) =>
			row("STAGE", cell, {
				stage: index + 1,
				over_days: stages[index - 1]?.upToDays ?? null,
				up_to_days: cell.upToDays,
				suspended_interest: toNumber(suspendedIn(cell)),
				rate_basis_points: cell.rateBasisPoints,
				expected_loss: toNumber(expectedLossIn(cell)),
			}),
		),
		...buckets.map((cell, index) => row("BUCKET", cell, { over_days: BUCKETS[index - 1] ?? null, up_to_days: BUCKETS[index] ?? null })),
		...moves
			.toSorted((one, other) => (one.from ?? 0) - (other.from ?? 0) || one.to - other.to)
			.map((move) => row("MOVE", move, { stage: move.to, from_stage: move.from })),
		...ended,
	];
}

/** The stages of a portfolio's day; no day where it has none that was asked for. */
export type FoundStages = {
	readonly loanProductId: string;
	readonly currency: string;
	readonly closedThrough: CalendarDate;
	readonly day: CalendarDate | null;
	readonly stages: StagedDay | null;
};

/** Of each portfolio whose day has stages. */
export function toProvisionRows(found: readonly FoundStages[], on: CalendarDate | undefined): Row[] {
	return [...Map.groupBy(found, ({ loanProductId }) => loanProductId).values()].flatMap((rows) => {
		const [{ loanProductId, currency, closedThrough } = { loanProductId: "", currency: "", closedThrough: "" }] = rows;
		const day = on ?? closedThrough;
		const staged = rows.find((row) => row.day === day)?.stages;
		const before = rows.find((row) => row.day !== day)?.stages ?? null;
		return staged ? rowsOf({ on: day, loan_product_id: loanProductId, currency }, staged, before) : [];
	});
}

export const ProvisioningRules = z
	.object({
		id: z.uuid(),
		loan_product_id: z.uuid().nullable().meta({ description: "null: of all loan products that have none of their own" }),
		effective_from: z.iso.date(),
		stages: z
			.array(z.object({ up_to_days: z.int().nullable(), rate_basis_points: z.int(), suspends_interest: z.boolean() }))
			.meta({ description: "By days past due; null for the last one" }),
		cure_days: z.int().meta({ description: "So many days nothing is overdue before a loan goes back a stage" }),
		approval_request_id: z.uuid(),
		requested_by: z.string(),
		approved_by: z.string(),
		reason: z.string().nullable(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "ProvisioningRules" });

export const toProvisioningRules = (row: ProvisioningRulesRow): z.input<typeof ProvisioningRules> => ({
	id: row.id,
	loan_product_id: row.loanProductId || null,
	effective_from: row.effectiveFrom,
	stages: row.stages.map(({ upToDays, rateBasisPoints, suspendsInterest }) => ({
		up_to_days: upToDays,
		rate_basis_points: rateBasisPoints,
		suspends_interest: suspendsInterest,
	})),
	cure_days: row.cureDays,
	approval_request_id: row.approvalId,
	requested_by: row.requestedBy,
	approved_by: row.approvedBy,
	reason: row.reason,
	created_at: toTimestamp(row.createdAt),
});
