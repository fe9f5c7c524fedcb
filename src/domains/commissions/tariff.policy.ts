// What an event earns under a model, in ten-thousandths of the minor unit: in this unit an amount times basis points is exact, and
// only a supervisor's share is rounded. A line depends on its event alone, so reports of adjacent periods add up.

import { divideHalfEven, smallest, toBigInt } from "../../shared/money";

/** Types that earn a commission. */
export const COMMISSION_TYPES = ["TRANSACTION", "SIGN_UP", "REPAYMENT_COLLECTED"] as const;
export type CommissionType = (typeof COMMISSION_TYPES)[number];
export const AGENT_EVENT_TYPES = [...COMMISSION_TYPES, "PENALTY", "PENALTY_REVERSAL"] as const;
export type AgentEventType = (typeof AGENT_EVENT_TYPES)[number];

/** Applies to events with an amount from `from` to below `to`: a flat amount plus a share of the event's amount, at most the cap. */
export type Tier = { from: number; to: number | null; flat: number; basisPoints: number; cap: number | null };
export type Rule = { eventType: CommissionType; tiers: readonly Tier[]; supervisorShareBasisPoints: number };

/** One version of a model. */
export type Tariff = { modelId: string; effectiveFrom: number; createdAt: number; id: string; rules: readonly Rule[] };

/** The units in a minor unit. It is also the number of basis points in a whole, so amount times basis points is a number of units. */
export const UNITS = 10_000n;

type Earning = { eventType: AgentEventType; amount: number };

const ruleFor = (tariff: Tariff | undefined, { eventType }: Earning): Rule | undefined =>
	tariff?.rules.find((rule) => rule.eventType === eventType);

/** What the agent earns; nothing without a rule or a tier for the event. */
export function commissionOf(event: Earning, tariff: Tariff | undefined): bigint {
	const tier = ruleFor(tariff, event)?.tiers.find(({ from, to }) => from <= event.amount && (to === null || event.amount < to));
	if (!tier) return 0n;
	const earned = toBigInt(tier.flat) * UNITS + toBigInt(event.amount) * toBigInt(tier.basisPoints);
	return tier.cap === null ? earned : smallest(earned, toBigInt(tier.cap) * UNITS);
}

/** What the agent's direct supervisor earns: a share of the commission, rounded half to even. */
export const supervisorShareOf = (event: Earning, tariff: Tariff | undefined): bigint =>
	divideHalfEven(commissionOf(event, tariff) * toBigInt(ruleFor(tariff, event)?.supervisorShareBasisPoints ?? 0), UNITS);

const begunBefore = (a: Tariff, b: Tariff): number =>
	a.effectiveFrom - b.effectiveFrom || a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Sorted by when they take effect; of two that take effect together, the one created later comes later. */
export const inOrder = (tariffs: readonly Tariff[]): Tariff[] => tariffs.toSorted(begunBefore);

/** The tariff in effect at an instant. Before the first one there is none; a what-if applies the first one then. */
export const tariffAt = (ordered: readonly Tariff[], at: number, whatIf: boolean): Tariff | undefined =>
	ordered.findLast(({ effectiveFrom }) => effectiveFrom <= at) ?? (whatIf ? ordered[0] : undefined);

export type RuleFault = { path: string; reason: string; sub_code: "DUPLICATE" | "OUT_OF_RANGE" };

/** The faults of rules whose members are each valid on their own: repeated event types, and tiers out of order. */
export function faultsOf(rules: readonly Rule[]): RuleFault[] {
	const faults: RuleFault[] = [];
	for (const [index, { eventType, tiers }] of rules.entries()) {
		const path = `rules[${index}]`;
		if (rules.findIndex((rule) => rule.eventType === eventType) < index) {
			faults.push({ path: `${path}.event_type`, reason: "has a rule already", sub_code: "DUPLICATE" });
		}
		for (const [place, { from, to }] of tiers.entries()) {
			if (to !== null && to <= from) {
				faults.push({ path: `${path}.tiers[${place}].to`, reason: "must be greater than from", sub_code: "OUT_OF_RANGE" });
			}
			const before = tiers[place - 1];
			if (before && (before.to === null || from < before.to)) {
				faults.push({ path: `${path}.tiers[${place}].from`, reason: "must not be below the previous tier's to", sub_code: "OUT_OF_RANGE" });
			}
		}
	}
	return faults;
}
