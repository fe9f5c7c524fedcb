// What one account of an import may cost. A Worker has 128 MB and its cron 30 s, and an account is computed as a whole.

import type { Span } from "../../shared/time";
import { defaultInstallmentEvery } from "../loan-terms/periods.policy";
import type { Fault } from "./fault.policy";

type OldCycle = { readonly tenure: Span; readonly installment_every?: Span | undefined };
type OldAccount = { readonly cycles: readonly OldCycle[] };
type OldFact = { readonly kind: string; readonly due_dates?: readonly string[] };

/** Installments of all cycles of an account, and due dates of its reschedules. */
export const MAX_INSTALLMENTS_IN_ALL = 5_000;
/** Installments times the replays that the account takes: one, and one for each reschedule. */
const MAX_REPLAYED = 50_000;

/** Of an account until today: each is a row, and a line of its explanation. */
export const MAX_PENALTIES = 10_000;

/** Of one account: facts and balances, and the letters of all its lines. */
export const MAX_ACCOUNT_LINES = 1_000;
export const MAX_ACCOUNT_LETTERS = 1_000_000;

/** How often the computation of an account may end without a result: the platform has ended the Worker, or the database the commit. */
export const MAX_ATTEMPTS = 2;

const LONGEST = { DAYS: 1, WEEKS: 7, MONTHS: 31 } as const;
const SHORTEST = { DAYS: 1, WEEKS: 7, MONTHS: 28 } as const;

/** How many installments the tenure has at most, without a calendar. */
function mostOf(tenure: Span, every: Span): number {
	if (tenure.unit === every.unit) return Math.ceil(tenure.duration / every.duration);
	return Math.ceil((tenure.duration * LONGEST[tenure.unit]) / (every.duration * SHORTEST[every.unit]));
}

/** Installments of all cycles, at most. `every`: the product's interval, which counts where a cycle names none. */
function installmentsOf({ cycles }: OldAccount, every: Span | null | undefined): number {
	const ofCycle = ({ tenure, installment_every }: OldCycle) =>
		mostOf(tenure, installment_every ?? every ?? defaultInstallmentEvery(tenure));
	return cycles.reduce((sum, cycle) => sum + ofCycle(cycle), 0);
}

/** Whether the account can have more penalties than the bound: at most one a day for each installment, and for each loan after its end. */
export const mayHaveTooManyPenalties = (account: OldAccount, days: number, every: Span | null | undefined): boolean =>
	(installmentsOf(account, every) + account.cycles.length) * days > MAX_PENALTIES;

const TOO_MANY = `has more than ${MAX_INSTALLMENTS_IN_ALL} installments in all cycles together`;

/** Why an account of these cycles is refused. */
export const faultOfCycles = (account: OldAccount, every: Span | null | undefined): string | undefined =>
	installmentsOf(account, every) > MAX_INSTALLMENTS_IN_ALL ? TOO_MANY : undefined;

/** Why the account is not computed, with its reschedules. */
export function faultOfSize(account: OldAccount, facts: readonly OldFact[], every: Span | null | undefined): Fault | undefined {
	const reschedules = facts.flatMap((fact) => (fact.due_dates ? [fact.due_dates.length] : []));
	const installments = reschedules.reduce((sum, dates) => sum + dates, installmentsOf(account, every));
	if (installments > MAX_INSTALLMENTS_IN_ALL) {
		return { code: "TOO_MANY_INSTALLMENTS", description: `It ${TOO_MANY}, those of its reschedules included` };
	}
	if (installments * (1 + reschedules.length) <= MAX_REPLAYED) return undefined;
	return { code: "TOO_MANY_INSTALLMENTS", description: "It has too many reschedules for so many installments" };
}
