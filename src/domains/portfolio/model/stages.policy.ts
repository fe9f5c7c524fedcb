// Stages of loans by days past due: which rules count on a day, in which stage an account is, and what loss is expected. A stage's loss is
// rounded half up once, on the sum of its accounts.

import { addDays, type CalendarDate, daysBetween } from "../../../shared/time";

export type Stage = {
	/** The most days past due; null for the last stage. */
	readonly upToDays: number | null;
	readonly rateBasisPoints: number;
	/** Interest and penalties that are not paid are no income in this stage. */
	readonly suspendsInterest: boolean;
};

export type StageRules = {
	readonly stages: readonly Stage[];
	/** So many days nothing is overdue before an account goes back a stage. */
	readonly cureDays: number;
};

export const MOST_STAGES = 6;

/** Of an organization that has no rules of its own. Nothing is posted by them. */
export const DEFAULT_RULES: StageRules = {
	stages: [
		{ upToDays: 30, rateBasisPoints: 100, suspendsInterest: false },
		{ upToDays: 90, rateBasisPoints: 1_000, suspendsInterest: false },
		{ upToDays: null, rateBasisPoints: 5_000, suspendsInterest: true },
	],
	cureDays: 90,
};

export type RulesVersion = StageRules & {
	readonly id: string;
	/** Empty for those of all products that have none of their own. */
	readonly loanProductId: string;
	readonly effectiveFrom: CalendarDate;
};

/** The version of the product that counts on the day, else that of the organization, else the default, which has no id. */
export function rulesOn(
	versions: readonly RulesVersion[],
	loanProductId: string,
	day: CalendarDate,
): StageRules & { readonly id: string | null } {
	const newestOf = (id: string) =>
		versions
			.filter((version) => version.loanProductId === id && version.effectiveFrom <= day)
			.reduce<RulesVersion | undefined>((last, one) => (last && last.effectiveFrom > one.effectiveFrom ? last : one), undefined);
	return newestOf(loanProductId) ?? newestOf("") ?? { ...DEFAULT_RULES, id: null };
}

/** Past due for up to so many days: the buckets of an ageing. */
export const BUCKETS = [0, 30, 60, 90, 180, 360, null] as const;

const placeIn = (edges: readonly (number | null)[], days: number): number => edges.findIndex((edge) => edge === null || days <= edge);

/** An account's way through the stages. */
export type Staging = {
	/** From 1. */
	readonly stage: number;
	/** The first of the days without anything overdue that count for its cure. */
	readonly since: CalendarDate | null;
	/** The last month at whose end something was owed, such as 2026-03, and the stage then. */
	readonly month: string | null;
	readonly was: number | null;
};

const BEGINNING: Staging = { stage: 1, since: null, month: null, was: null };

const monthOf = (day: CalendarDate): string => day.slice(0, 7);
export const isLastOfMonth = (day: CalendarDate): boolean => monthOf(addDays(day, 1)) !== monthOf(day);
/** The last day of the month before. */
export const lastOfMonthBefore = (day: CalendarDate): CalendarDate => addDays(`${monthOf(day)}-01`, -1);

export type Standing = { readonly exposure: bigint; readonly oldestDue: CalendarDate | null };

export const daysPastDue = ({ oldestDue }: Standing, day: CalendarDate): number => (oldestDue === null ? 0 : daysBetween(oldestDue, day));

/** The account at the end of the day, which follows the last one. Where nothing is owed its way begins again. */
export function stagingOn(before: Staging | null, standing: Standing, day: CalendarDate, { stages, cureDays }: StageRules): Staging {
	const { month, was } = before ?? BEGINNING;
	if (standing.exposure === 0n) return { ...BEGINNING, month, was };
	const moved = { ...step(before, daysPastDue(standing, day), day, stages, cureDays), month, was };
	return isLastOfMonth(day) ? { ...moved, month: monthOf(day), was: moved.stage } : moved;
}

function step(before: Staging | null, days: number, day: CalendarDate, stages: readonly Stage[], cureDays: number) {
	const by = placeIn(
		stages.map(({ upToDays }) => upToDays),
		days,
	);
	const own = by + 1;
	const stage = Math.min(before?.stage ?? own, stages.length);
	if (own >= stage || cureDays === 0) return { stage: own, since: null };
	if (days > 0) return { stage, since: null };
	const since = before?.since ?? day;
	return daysBetween(since, day) < cureDays ? { stage, since } : { stage: stage - 1, since: stage - 1 > own ? day : null };
}

/** Accounts, what they owe, and how much of it is interest, penalties and fees that are earned. */
export type Cell = { accounts: number; exposure: number; interest: number };

/** What a closed day keeps of its stages: the rules that counted, and the sums by them. */
export type StagedDay = {
	/** The version of the rules; null for the default. */
	readonly rules: string | null;
	readonly stages: readonly (Stage & Cell)[];
	readonly buckets: readonly Cell[];
	/** From the stage at the end of the month before to that of the day; `from` is null for those that owed nothing then. */
	readonly moves: readonly (Cell & { readonly from: number | null; readonly to: number })[];
};

const NOTHING: Cell = { accounts: 0, exposure: 0, interest: 0 };
const plus = (cell: Cell, { exposure, interest }: { exposure: number; interest: number }): Cell => ({
	accounts: cell.accounts + 1,
	exposure: cell.exposure + exposure,
	interest: cell.interest + interest,
});

export const emptyDay = ({ id, stages }: StageRules & { readonly id: string | null }): StagedDay => ({
	rules: id,
	stages: stages.map(({ upToDays, rateBasisPoints, suspendsInterest }) => ({ upToDays, rateBasisPoints, suspendsInterest, ...NOTHING })),
	buckets: BUCKETS.map(() => NOTHING),
	moves: [],
});

type Counted = { readonly exposure: number; readonly interest: number; readonly daysPastDue: number };

/** The day with one account more; `before` is how it got there, without the day. */
export function withAccount(of: StagedDay, day: CalendarDate, before: Staging | null, after: Staging, counted: Counted): StagedDay {
	if (counted.exposure === 0) return of;
	const from = before?.month === monthOf(lastOfMonthBefore(day)) ? before.was : null;
	const bucket = placeIn(BUCKETS, counted.daysPastDue);
	const isMove = (move: { from: number | null; to: number }) => move.from === from && move.to === after.stage;
	const moves = of.moves.some(isMove) ? of.moves : [...of.moves, { from, to: after.stage, ...NOTHING }];
	return {
		...of,
		stages: of.stages.map((stage, index) => (index === after.stage - 1 ? { ...stage, ...plus(stage, counted) } : stage)),
		buckets: of.buckets.map((cell, index) => (index === bucket ? plus(cell, counted) : cell)),
		moves: moves.map((move) => (isMove(move) ? { ...move, ...plus(move, counted) } : move)),
	};
}

type Provision = Stage & Pick<Cell, "exposure" | "interest">;

export const suspendedIn = ({ suspendsInterest, interest }: Provision): bigint => (suspendsInterest ? BigInt(interest) : 0n);

/** On what is owed without the interest that is suspended, half up. */
export const expectedLossIn = (stage: Provision): bigint =>
	((BigInt(stage.exposure) - suspendedIn(stage)) * BigInt(stage.rateBasisPoints) + 5_000n) / 10_000n;
