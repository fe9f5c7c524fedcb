// How a batch of events is judged against those that are known, as pure rules.

import { describe, expect, it } from "vitest";
import { ingest, type Known, type SentEvent } from "../../../src/domains/commissions/ingest.policy.ts";

const event = (eventId: string, changes: Partial<SentEvent> = {}): SentEvent => ({
	eventId,
	agentUserId: "agent",
	eventType: "TRANSACTION",
	referenceId: `ref-${eventId}`,
	amount: 100,
	currency: "KES",
	occurredAt: 1,
	description: "",
	fingerprint: eventId,
	...changes,
});
const known = (changes: Partial<Known> = {}): Known => ({ fingerprints: new Map(), penalties: [], currencies: new Map(), ...changes });
const penalty = (eventId: string, amount: number, changes: Partial<SentEvent> = {}) =>
	event(eventId, { eventType: "PENALTY", amount, ...changes });
const reversal = (eventId: string, referenceId: string, amount: number) =>
	event(eventId, { eventType: "PENALTY_REVERSAL", referenceId, amount });

describe("a batch of events", () => {
	it("counts each event once, even if it is known or sent twice", () => {
		const batch = ingest([event("a"), event("a"), event("b")], known({ fingerprints: new Map([["b", "b"]]) }));
		expect(batch).toMatchObject({ accepted: true, duplicates: 2, fresh: [{ eventId: "a" }] });
	});

	it("is refused when an event has other facts than before", () => {
		const conflict = { accepted: false, reason: "CONFLICT" };
		expect(ingest([event("a")], known({ fingerprints: new Map([["a", "other"]]) }))).toEqual(conflict);
		expect(ingest([event("a"), event("a", { fingerprint: "other" })], known())).toEqual(conflict);
	});

	it("must be in the currency of each agent, of their supervisors and of the agents below them", () => {
		const currencies = new Map([["agent", ["UGX"]]]);
		expect(ingest([event("a")], known({ currencies }))).toEqual({ accepted: false, reason: "CURRENCY", index: 0 });
		expect(ingest([event("a"), event("b", { currency: "UGX" })], known())).toEqual({ accepted: false, reason: "CURRENCY", index: 1 });
		expect(ingest([event("a"), event("b", { currency: "UGX", agentUserId: "other" })], known())).toMatchObject({ accepted: true });
	});
});

describe("a reversal", () => {
	const penalties = [
		{ ...penalty("p1", 100, { referenceId: "till", occurredAt: 2 }), reversed: 60 },
		{ ...penalty("p2", 100, { referenceId: "till", occurredAt: 1 }), reversed: 50 },
	];

	it("names a penalty by its event id, or by its reference: then the earliest penalty with enough left", () => {
		const reversals = (batch: SentEvent[]) => ingest(batch, known({ penalties }));
		expect(reversals([reversal("r", "p1", 40)])).toMatchObject({ reversals: [{ eventId: "p1", amount: 40 }] });
		expect(reversals([reversal("r", "till", 40)])).toMatchObject({ reversals: [{ eventId: "p2", amount: 40 }] });
		expect(reversals([reversal("r", "till", 40), reversal("s", "till", 40)])).toMatchObject({
			reversals: [
				{ eventId: "p1", amount: 40 },
				{ eventId: "p2", amount: 40 },
			],
		});
	});

	it("is refused if all reversals of the batch together exceed what is left of the penalty", () => {
		const tooMuch = { accepted: false, reason: "REVERSED_TOO_MUCH" };
		expect(ingest([reversal("r", "p1", 41)], known({ penalties }))).toMatchObject(tooMuch);
		expect(ingest([reversal("r", "p1", 30), reversal("s", "p1", 11)], known({ penalties }))).toEqual({ ...tooMuch, index: 1 });
	});

	it("of a penalty in the same batch is recorded on that penalty", () => {
		const batch = ingest([reversal("r", "p", 30), penalty("p", 50)], known());
		expect(batch).toMatchObject({
			accepted: true,
			reversals: [],
			fresh: [
				{ eventId: "r", reversed: 0 },
				{ eventId: "p", reversed: 30 },
			],
		});
	});

	it("must name a penalty of its own agent", () => {
		const none = { accepted: false, reason: "NO_PENALTY", index: 0 };
		expect(ingest([reversal("r", "nothing", 1)], known({ penalties }))).toEqual(none);
		expect(ingest([{ ...reversal("r", "p1", 1), agentUserId: "other" }], known({ penalties }))).toEqual(none);
		expect(ingest([reversal("r", "ref-t", 1), event("t")], known())).toEqual(none);
	});
});
