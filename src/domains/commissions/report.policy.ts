// Computes the commission report of an agent from their events. Reports are not stored.

import { toBigInt } from "../../shared/money";
import { type AgentEventType, commissionOf, inOrder, supervisorShareOf, type Tariff, tariffAt, UNITS } from "./tariff.policy";

export type ReportedEvent = {
	eventId: string;
	eventType: AgentEventType;
	referenceId: string;
	amount: number;
	description: string;
	occurredAt: number;
};

/** In ten-thousandths of the minor unit; negative for a penalty. */
export type Line = Omit<ReportedEvent, "amount"> & { units: bigint; isSupervisorCommission: boolean };

export type Report = {
	lines: readonly Line[];
	transactionCommissions: bigint;
	/** The absolute values of the sums. */
	penalties: bigint;
	penaltyReversals: bigint;
	/** The sum of the lines. */
	total: bigint;
};

export type ReportInput = {
	own: readonly ReportedEvent[];
	/** Events of agents whom this one supervised directly when they happened. */
	supervised: readonly ReportedEvent[];
	/** The versions that may apply: of one model in a what-if, otherwise of all models in the currency. */
	tariffs: readonly Tariff[];
	whatIf: boolean;
};

export function reportOf({ own, supervised, tariffs, whatIf }: ReportInput): Report {
	const ordered = inOrder(tariffs);
	const lineOf = (event: ReportedEvent, isSupervisorCommission: boolean): Line => {
		const { amount, ...rest } = event;
		const tariff = tariffAt(ordered, event.occurredAt, whatIf);
		const units = isSupervisorCommission ? supervisorShareOf(event, tariff) : ownUnits(event, tariff);
		return { ...rest, units, isSupervisorCommission };
	};
	const lines = [...own.map((event) => lineOf(event, false)), ...supervised.map((event) => lineOf(event, true))].sort(inTime);
	const sumOf = (belongs: (line: Line) => boolean) => lines.reduce((sum, line) => (belongs(line) ? sum + line.units : sum), 0n);
	const penalties = -sumOf(({ eventType }) => eventType === "PENALTY");
	const penaltyReversals = sumOf(({ eventType }) => eventType === "PENALTY_REVERSAL");
	const total = sumOf(() => true);
	return { lines, transactionCommissions: total + penalties - penaltyReversals, penalties, penaltyReversals, total };
}

/** Penalties and their reversals count in full under every tariff. */
function ownUnits(event: ReportedEvent, tariff: Tariff | undefined): bigint {
	switch (event.eventType) {
		case "PENALTY":
			return -toBigInt(event.amount) * UNITS;
		case "PENALTY_REVERSAL":
			return toBigInt(event.amount) * UNITS;
		default:
			return commissionOf(event, tariff);
	}
}

const inTime = (a: Line, b: Line): number => a.occurredAt - b.occurredAt || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0);

/** Converts to minor units: exact to fifteen digits, four of them after the point. */
export function toMinorUnits(units: bigint): number {
	const magnitude = units < 0n ? -units : units;
	const text = `${magnitude / UNITS}.${String(magnitude % UNITS).padStart(4, "0")}`;
	const value = Number(text);
	return units < 0n ? -value : value;
}
