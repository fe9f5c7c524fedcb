// Judges a batch of agents' events by the known ones: which are new, which are duplicates, and how much of each penalty is reversed.

import type { AgentEventType } from "./tariff.policy";

export type SentEvent = {
	eventId: string;
	agentUserId: string;
	eventType: AgentEventType;
	referenceId: string;
	amount: number;
	currency: string;
	occurredAt: number;
	description: string;
	/** SHA-256 of all facts, to distinguish a duplicate from a conflict. */
	fingerprint: string;
};

/** `reversed`: the part of the amount that reversals have taken back. */
export type Penalty = Pick<SentEvent, "eventId" | "agentUserId" | "referenceId" | "amount" | "occurredAt"> & { reversed: number };

export type Known = {
	/** Fingerprints of known events among those sent. */
	fingerprints: ReadonlyMap<string, string>;
	/** The penalties that the reversals among those sent may refer to. */
	penalties: readonly Penalty[];
	/** The currency of each agent; for an agent without events, those of their supervisors and of the agents that they supervise. */
	currencies: ReadonlyMap<string, readonly string[]>;
};

export type Ingested =
	| {
			accepted: true;
			/** New events. `reversed`: the part of a new penalty that reversals of the same batch take back. */
			fresh: readonly (SentEvent & { reversed: number })[];
			duplicates: number;
			/** Known penalties, and by how much more they are reversed. */
			reversals: readonly { eventId: string; amount: number }[];
	  }
	| { accepted: false; reason: "CONFLICT" }
	| { accepted: false; reason: "CURRENCY" | "NO_PENALTY" | "REVERSED_TOO_MUCH"; index: number };

export function ingest(sent: readonly SentEvent[], known: Known): Ingested {
	const fingerprints = new Map(known.fingerprints);
	const fresh: { event: SentEvent; index: number }[] = [];
	for (const [index, event] of sent.entries()) {
		const before = fingerprints.get(event.eventId);
		if (before === undefined) fresh.push({ event, index });
		else if (before !== event.fingerprint) return { accepted: false, reason: "CONFLICT" };
		fingerprints.set(event.eventId, event.fingerprint);
	}
	const currencies = new Map(known.currencies);
	for (const { event, index } of fresh) {
		const held = currencies.get(event.agentUserId) ?? [];
		if (held.some((one) => one !== event.currency)) return { accepted: false, reason: "CURRENCY", index };
		currencies.set(event.agentUserId, [event.currency]);
	}
	const left = new Map<string, { penalty: Penalty; more: number }>();
	for (const penalty of known.penalties) left.set(penalty.eventId, { penalty, more: 0 });
	for (const { event } of fresh)
		if (event.eventType === "PENALTY") left.set(event.eventId, { penalty: { ...event, reversed: 0 }, more: 0 });
	for (const { event, index } of fresh) {
		if (event.eventType !== "PENALTY_REVERSAL") continue;
		const meant = penaltiesNamed(event, [...left.values()]);
		if (meant.length === 0) return { accepted: false, reason: "NO_PENALTY", index };
		const fits = meant.find(({ penalty, more }) => penalty.reversed + more + event.amount <= penalty.amount);
		if (!fits) return { accepted: false, reason: "REVERSED_TOO_MUCH", index };
		fits.more += event.amount;
	}
	const isFresh = new Set(fresh.map(({ event }) => event.eventId));
	return {
		accepted: true,
		fresh: fresh.map(({ event }) => ({ ...event, reversed: left.get(event.eventId)?.more ?? 0 })),
		duplicates: sent.length - fresh.length,
		reversals: [...left.values()]
			.filter(({ penalty, more }) => more > 0 && !isFresh.has(penalty.eventId))
			.map(({ penalty, more }) => ({ eventId: penalty.eventId, amount: more })),
	};
}

/** A reversal names a penalty of its agent by the penalty's event id, else by its reference, the earliest first. */
function penaltiesNamed(reversal: SentEvent, candidates: { penalty: Penalty; more: number }[]) {
	const ofAgent = candidates.filter(({ penalty }) => penalty.agentUserId === reversal.agentUserId);
	const named = ofAgent.filter(({ penalty }) => penalty.eventId === reversal.referenceId);
	if (named.length > 0) return named;
	return ofAgent
		.filter(({ penalty }) => penalty.referenceId === reversal.referenceId)
		.sort((a, b) => a.penalty.occurredAt - b.penalty.occurredAt || (a.penalty.eventId < b.penalty.eventId ? -1 : 1));
}
