// Agents' events are counted once each, however often and together they are reported.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { recordAgentEvents } from "../../../src/domains/commissions/operations";
import { agentEvents, agents } from "../../../src/domains/commissions/table";
import { call, expectOk, send } from "../../support/client";
import { AT, agentEventsOf, at, eventOf, givenAgency, record, supervise } from "../../support/commissions";
import { trips } from "../../support/credit";
import { db, givenOrganization, newId, operatorToken } from "../../support/factories";

const refused = (status: number, code: string, param?: object) => ({ status, body: { code, ...(param && { invalid_params: [param] }) } });

describe("agents' events", () => {
	it("are recorded up to 500 at a time, in two round trips, each once", { tags: ["thorough"] }, async () => {
		const { key, agent } = await givenAgency();
		const events = Array.from({ length: 500 }, (_, index) => eventOf(agent.id, { amount: index }));
		const first = await record(key, events);
		expect(first).toMatchObject({ status: 200, body: { accepted: 500, duplicates: 0 } });
		expect(trips(first)).toBe(2);
		expect(expectOk(await record(key, [...events.slice(1), eventOf(agent.id)]))).toEqual({ accepted: 1, duplicates: 499 });
		expect(await db.select().from(agentEvents)).toHaveLength(501);
		expect(await send(recordAgentEvents, { as: key, body: { events: [...events, eventOf(agent.id)] } })).toMatchObject({ status: 400 });
		expect(await send(recordAgentEvents, { as: key, body: { events: [] } })).toMatchObject({ status: 400 });
	});

	it("with other facts than before are refused, together with their whole batch", async () => {
		const { key, agent } = await givenAgency();
		const known = eventOf(agent.id);
		expectOk(await record(key, [known]));
		for (const change of [
			{ amount: 1 },
			{ reference_id: "x" },
			{ event_occurred_at: at(AT + 1) },
			{ description: "" },
			{ event_type: "SIGN_UP" as const },
		]) {
			expect(await record(key, [eventOf(agent.id), { ...known, ...change }])).toMatchObject(refused(409, "DUPLICATE_CONFLICT"));
		}
		expect(expectOk(await record(key, [{ ...known, event_occurred_at: "2026-03-10T13:00:00+03:00" }]))).toEqual({
			accepted: 0,
			duplicates: 1,
		});
		expect(await db.select().from(agentEvents)).toHaveLength(1);
	});

	it("belong to the organization that reports them", async () => {
		const [one, other] = [await givenAgency(), await givenAgency()];
		const event = eventOf(one.agent.id);
		expectOk(await record(one.key, [event]));
		expect(expectOk(await record(other.key, [{ ...event, amount: 7 }]))).toEqual({ accepted: 1, duplicates: 0 });
		const named = { as: one.key, body: { organization_id: other.organization.id, events: [event] } };
		expect(await call(recordAgentEvents, named)).toMatchObject(refused(400, "INVALID_PARAMS", { path: "organization_id" }));
	});

	it("are refused in the future and in another currency than the agent's", async () => {
		const { key, agent } = await givenAgency();
		expectOk(await record(key, [eventOf(agent.id)]));
		expect(await record(key, [eventOf(agent.id), eventOf(agent.id, { currency: "UGX" })])).toMatchObject(
			refused(400, "INVALID_PARAMS", { path: "events[1].currency", sub_code: "CURRENCY_MISMATCH" }),
		);
		expect(await record(key, [eventOf(agent.id, { event_occurred_at: at(Date.now() + 6 * 60_000) })])).toMatchObject(
			refused(400, "INVALID_PARAMS", { path: "events[0].event_occurred_at", sub_code: "OUT_OF_RANGE" }),
		);
		for (const change of [
			{ amount: -1 },
			{ amount: 1.5 },
			{ currency: "kes" },
			{ event_type: "OTHER" },
			{ event_id: "1" },
			{ event_occurred_at: "2026-03-10" },
		]) {
			expect(await send(recordAgentEvents, { as: key, body: { events: [{ ...eventOf(agent.id), ...change }] } })).toMatchObject({
				status: 400,
			});
		}
	});

	it("must be in the currency of the agent's supervisors", async () => {
		const { key, agent, supervisor } = await givenAgency();
		expectOk(await supervise(agent.id, supervisor.id));
		expectOk(await record(key, [eventOf(supervisor.id, { currency: "UGX" })]));
		expect(await record(key, [eventOf(agent.id)])).toMatchObject(refused(400, "INVALID_PARAMS", { sub_code: "CURRENCY_MISMATCH" }));
		expectOk(await record(key, [eventOf(agent.id, { currency: "UGX" })]));
	});

	it("are recorded by operators for the agents' organization, or for an organization that they name", async () => {
		const { agent, organization } = await givenAgency();
		const as = await operatorToken();
		expectOk(await record(as, [eventOf(agent.id)]));
		expect(await db.select().from(agents)).toMatchObject([{ organizationId: organization.id, userId: agent.id }]);
		expect(await record(as, [eventOf(crypto.randomUUID())])).toMatchObject(
			refused(400, "INVALID_PARAMS", { path: "organization_id", sub_code: "REQUIRED" }),
		);
		const other = await givenOrganization();
		expectOk(await call(recordAgentEvents, { as, body: { organization_id: other.id, events: [eventOf(agent.id)] } }));
		const nobodys = { as, body: { organization_id: newId(), events: [eventOf(agent.id)] } };
		expect(await call(recordAgentEvents, nobodys)).toMatchObject(
			refused(400, "INVALID_PARAMS", { path: "organization_id", sub_code: "NOT_ALLOWED" }),
		);
	});
});

describe("a penalty", () => {
	it("raises an event, and is reversed by no more than its amount", async () => {
		const { organization, key, agent } = await givenAgency();
		const penalty = eventOf(agent.id, { event_type: "PENALTY", amount: 5_000, reference_id: "till-7" });
		expectOk(await record(key, [penalty, eventOf(agent.id)]));
		expect(await agentEventsOf(organization.id)).toEqual([
			{
				type: "agent.penalty_recorded",
				key: `agent.penalty_recorded:${penalty.event_id}`,
				data: { agent_user_id: agent.id, event_id: penalty.event_id, amount: 5_000, currency: "KES" },
			},
		]);
		const reverse = (reference_id: string, amount: number) =>
			record(key, [eventOf(agent.id, { event_type: "PENALTY_REVERSAL", reference_id, amount })]);
		expectOk(await reverse(penalty.event_id, 2_000));
		expect(await reverse(penalty.event_id, 3_001)).toMatchObject(
			refused(400, "INVALID_PARAMS", { path: "events[0].amount", sub_code: "OUT_OF_RANGE" }),
		);
		expectOk(await reverse("till-7", 3_000));
		expect(await reverse("till-7", 1)).toMatchObject({ status: 400 });
		expect(await reverse("unknown", 1)).toMatchObject(
			refused(400, "INVALID_PARAMS", { path: "events[0].reference_id", sub_code: "NOT_ALLOWED" }),
		);
		const [row] = await db.select().from(agentEvents).where(eq(agentEvents.eventId, penalty.event_id));
		expect(row?.reversed).toBe(5_000);
	});
});

// Hundreds of commits, on machines that are busy with other tests.
describe("fifty concurrent batches", () => {
	it("with the same events record each once", { tags: ["thorough"] }, async () => {
		const { organization, key, agent } = await givenAgency();
		const events = Array.from({ length: 5 }, () => eventOf(agent.id, { event_type: "PENALTY" }));
		const answers = await Promise.all(Array.from({ length: 50 }, () => record(key, events)));
		expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
		expect(answers.reduce((sum, answer) => sum + expectOk(answer).accepted, 0)).toBe(5);
		expect(await agentEventsOf(organization.id)).toHaveLength(5);
	});

	it("that reverse one penalty do not exceed its amount", { tags: ["thorough"] }, async () => {
		const { key, agent } = await givenAgency();
		const penalty = eventOf(agent.id, { event_type: "PENALTY", amount: 900 });
		expectOk(await record(key, [penalty]));
		const reversal = () => eventOf(agent.id, { event_type: "PENALTY_REVERSAL", reference_id: penalty.event_id, amount: 45 });
		const answers = await Promise.all(Array.from({ length: 50 }, () => record(key, [reversal()])));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
		expect(answers.filter(({ status }) => status === 400)).toHaveLength(30);
		const [row] = await db.select().from(agentEvents).where(eq(agentEvents.eventId, penalty.event_id));
		expect(row?.reversed).toBe(900);
	});

	it("with an agent's first events in two currencies record only one currency", { tags: ["thorough"] }, async () => {
		const { key, agent } = await givenAgency();
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, index) => record(key, [eventOf(agent.id, { currency: index % 2 ? "KES" : "UGX" })])),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
		expect(new Set((await db.select().from(agentEvents)).map(({ currency }) => currency)).size).toBe(1);
	});
});
