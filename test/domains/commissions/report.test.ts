// What a commission report shows, to whom, and what it costs to read.

import { describe, expect, it } from "vitest";
import { getCommissionReport } from "../../../src/domains/commissions/operations";
import { expectOk, send } from "../../support/client";
import { AT, at, eventOf, givenAgency, givenModel, MARCH, ONE_PERCENT, record, report, supervise } from "../../support/commissions";
import { rowsRead, trips } from "../../support/credit";
import { givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { expectRows } from "../../support/rows";
import { servePath } from "../../support/serve";

const DAY = 86_400_000;

describe("a commission report", () => {
	it("lists every event of the period with its commission, and adds up", async () => {
		const { key, agent } = await givenAgency();
		await givenModel();
		const [sale, signUp, penalty, back] = [
			eventOf(agent.id, { amount: 12_345, reference_id: "trx-9" }),
			eventOf(agent.id, { event_type: "SIGN_UP", amount: 0, event_occurred_at: at(AT + 1) }),
			eventOf(agent.id, { event_type: "PENALTY", amount: 50, event_occurred_at: at(AT + 2) }),
			eventOf(agent.id, { event_type: "PENALTY_REVERSAL", amount: 20, event_occurred_at: at(AT + 3) }),
		];
		expectOk(await record(key, [penalty, { ...back, reference_id: penalty.event_id }, signUp, sale]));
		expect(expectOk(await report(agent.token, agent.id))).toEqual({
			agent_user_id: agent.id,
			from: "2026-03-01T00:00:00.000Z",
			to: "2026-04-01T00:00:00.000Z",
			total_commission: 93.45,
			transaction_commissions: 123.45,
			penalties: 50,
			penalty_reversals: 20,
			currency: "KES",
			event_count: 4,
			model_id: "standard",
			line_items: [
				{
					event_id: sale.event_id,
					event_type: "TRANSACTION",
					reference_id: "trx-9",
					amount: 123.45,
					description: "cash in",
					event_occurred_at: at(AT),
					is_supervisor_commission: false,
				},
				expect.objectContaining({ event_type: "SIGN_UP", amount: 0 }),
				expect.objectContaining({ event_type: "PENALTY", amount: -50 }),
				expect.objectContaining({ event_type: "PENALTY_REVERSAL", amount: 20 }),
			],
		});
	});

	it("without events has zeros, no currency and no model", async () => {
		const { agent } = await givenAgency();
		expect(expectOk(await report(agent.token, agent.id))).toMatchObject({
			total_commission: 0,
			transaction_commissions: 0,
			penalties: 0,
			penalty_reversals: 0,
			currency: "XXX",
			event_count: 0,
			model_id: "default",
			line_items: [],
		});
	});

	it("lists events that earn nothing under any model", async () => {
		const { key, agent } = await givenAgency();
		expectOk(
			await record(key, [eventOf(agent.id), eventOf(agent.id, { event_type: "PENALTY", amount: 7, event_occurred_at: at(AT + 1) })]),
		);
		expect(expectOk(await report(agent.token, agent.id))).toMatchObject({
			total_commission: -7,
			currency: "KES",
			model_id: "default",
			line_items: [{ amount: 0 }, { amount: -7 }],
		});
	});

	it("includes its start and excludes its end, so that adjacent reports add up", async () => {
		const { key, agent } = await givenAgency();
		await givenModel();
		expectOk(
			await record(
				key,
				Array.from({ length: 9 }, (_, index) => eventOf(agent.id, { amount: 33 * index, event_occurred_at: at(AT + index) })),
			),
		);
		const between = async (from: number, to: number) => expectOk(await report(agent.token, agent.id, { from: at(from), to: at(to) }));
		const whole = await between(AT, AT + 9);
		expect(whole.event_count).toBe(9);
		for (let cut = AT + 1; cut < AT + 9; cut++) {
			const [early, late] = [await between(AT, cut), await between(cut, AT + 9)];
			expect([...early.line_items, ...late.line_items]).toEqual(whole.line_items);
			expect(early.total_commission + late.total_commission).toBeCloseTo(whole.total_commission, 10);
		}
		expect((await between(AT - 1, AT)).event_count).toBe(0);
	});

	it("pays each event by the version, of any model in its currency, that took effect last", async () => {
		const { key, agent } = await givenAgency();
		await givenModel();
		await givenModel({
			model_id: "spring",
			effective_from: at(AT + 10),
			rules: [{ event_type: "TRANSACTION", tiers: [{ from: 0, flat: 3 }] }],
		});
		await givenModel({ model_id: "abroad", currency: "UGX", effective_from: at(AT + 15) });
		await givenModel({ effective_from: at(AT + 20), rules: [] });
		expectOk(
			await record(
				key,
				[9, 10, 19, 20].map((ms) => eventOf(agent.id, { event_occurred_at: at(AT + ms) })),
			),
		);
		const found = expectOk(await report(agent.token, agent.id));
		expect(found.line_items.map(({ amount }) => amount)).toEqual([100, 3, 3, 0]);
		expect(found.model_id).toBe("standard");
	});

	it("recalculates everything by the model that the query names", async () => {
		const { key, agent } = await givenAgency();
		await givenModel();
		await givenModel({
			model_id: "new",
			effective_from: at(AT + 10),
			rules: [{ event_type: "TRANSACTION", tiers: [{ from: 0, flat: 5 }] }],
		});
		await givenModel({ model_id: "abroad", currency: "UGX" });
		expectOk(await record(key, [eventOf(agent.id), eventOf(agent.id, { event_occurred_at: at(AT + 10) })]));
		const by = (model_id: string) => report(agent.token, agent.id, { ...MARCH, model_id });
		expect(expectOk(await by("new"))).toMatchObject({ model_id: "new", total_commission: 10 });
		expect(expectOk(await by("standard"))).toMatchObject({ model_id: "standard", total_commission: 200 });
		expect(await by("unknown")).toMatchObject({ status: 404 });
		expect(await by("abroad")).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "query.model_id", sub_code: "CURRENCY_MISMATCH" }] },
		});
		const newcomer = await givenUser();
		expect(expectOk(await report(newcomer.token, newcomer.id, { ...MARCH, model_id: "abroad" }))).toMatchObject({
			currency: "UGX",
			model_id: "abroad",
		});
	});

	it("accepts instants with any offset, even if the plus sign arrives as a space", async () => {
		const { key, agent } = await givenAgency();
		expectOk(await record(key, [eventOf(agent.id, { event_occurred_at: "2026-03-10T00:00:00+03:00" })]));
		const get = (query: string) =>
			servePath(`/v1/agents/${agent.id}/commissions?${query}`, { headers: { authorization: `Bearer ${agent.token}` } });
		for (const plus of ["+", "%2B", "%20"]) {
			const response = await get(`from=2026-03-10T00:00:00${plus}03:00&to=2026-03-10T00:00:00.001${plus}03:00`);
			expect(await response.json()).toMatchObject({ from: "2026-03-09T21:00:00.000Z", to: "2026-03-09T21:00:00.001Z", event_count: 1 });
		}
		expect((await get("from=2026-03-09T18:00:00-03:00&to=2026-03-10T00:00:00Z")).status).toBe(200);
	});

	it("refuses times without a zone, out of order, or over 366 days", async () => {
		const { agent } = await givenAgency();
		const faults: [object, string][] = [
			[{ to: MARCH.to }, "query.from"],
			[{ from: MARCH.from }, "query.to"],
			[{ ...MARCH, from: "2026-03-01T00:00:00" }, "query.from"],
			[{ ...MARCH, from: "2026-03-01" }, "query.from"],
			[{ ...MARCH, to: "2026-03-01 03:00" }, "query.to"],
			[{ from: MARCH.to, to: MARCH.from }, "query.to"],
			[{ from: MARCH.from, to: MARCH.from }, "query.to"],
			[{ from: "2025-01-01T00:00:00Z", to: "2026-01-02T00:00:00.001Z" }, "query.to"],
		];
		for (const [query, path] of faults) {
			expect(await send(getCommissionReport, { as: agent.token, path: { userId: agent.id }, query: query as never })).toMatchObject({
				status: 400,
				body: { code: "INVALID_PARAMS", invalid_params: [{ path }] },
			});
		}
		expectOk(await report(agent.token, agent.id, { from: "2025-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }));
	});
});

describe("a supervisor", () => {
	it("earns a share of the commissions of the agents they supervise at the time, on separate lines", async () => {
		const { key, agent, supervisor } = await givenAgency();
		const next = await givenUser();
		await givenModel();
		expectOk(await supervise(agent.id, supervisor.id, at(AT)));
		expectOk(
			await record(
				key,
				[-1, 0, DAY - 1, DAY].map((ms) => eventOf(agent.id, { event_occurred_at: at(AT + ms) })),
			),
		);
		expectOk(
			await record(key, [
				eventOf(agent.id, { event_type: "PENALTY", amount: 5 }),
				eventOf(supervisor.id, { event_occurred_at: at(AT + 1) }),
			]),
		);
		expectOk(await supervise(agent.id, next.id, at(AT + DAY)));
		const found = expectOk(await report(supervisor.token, supervisor.id));
		expect(found.line_items.map((line) => [line.event_occurred_at, line.amount, line.is_supervisor_commission])).toEqual([
			[at(AT), 10, true],
			[at(AT + 1), 100, false],
			[at(AT + DAY - 1), 10, true],
		]);
		expect(found).toMatchObject({ total_commission: 120, transaction_commissions: 120, penalties: 0, event_count: 3 });
		// The agent's own report is the same with a supervisor.
		expect(expectOk(await report(agent.token, agent.id))).toMatchObject({ total_commission: 395, event_count: 5 });
	});

	it("without own events has a report in the currency of their agents", async () => {
		const { key, agent, supervisor } = await givenAgency();
		expectOk(await supervise(agent.id, supervisor.id));
		expectOk(await record(key, [eventOf(agent.id)]));
		expect(expectOk(await report(supervisor.token, supervisor.id))).toMatchObject({
			currency: "KES",
			event_count: 1,
			line_items: [{ amount: 0 }],
		});
	});
});

describe("readers", () => {
	it("are the agent, their supervisors, members with the permission and operators; everybody else gets 404", async () => {
		const { organization, key, agent, supervisor } = await givenAgency();
		const top = await givenUser({ organizationId: organization.id });
		const below = await givenUser({ organizationId: organization.id });
		await givenModel();
		expectOk(await supervise(below.id, agent.id));
		expectOk(await supervise(agent.id, supervisor.id));
		expectOk(await supervise(supervisor.id, top.id));
		expectOk(await record(key, [eventOf(agent.id), eventOf(below.id)]));
		const count = async (as: string, headers = {}) => expectOk(await report(as, agent.id, MARCH, headers)).event_count;
		const named = { "x-organization-id": organization.id };
		expect(await count(agent.token)).toBe(2);
		// Only the agent's own lines.
		for (const { token } of [supervisor, top]) expect(await count(token)).toBe(1);
		for (const role of ["organization-owner", "organization-viewer"] as const) {
			const { token } = await givenMember(organization.id, role);
			expect(await count(token)).toBe(2);
			expect(await count(token, named)).toBe(2);
		}
		expect(await count(await operatorToken())).toBe(2);
		expect(await count(await operatorToken(), named)).toBe(2);

		const developer = await givenMember(organization.id, "organization-developer");
		expect(await report(developer.token, agent.id, MARCH, named)).toMatchObject({ status: 403 });
		const stranger = await givenMember((await givenOrganization()).id);
		const colleague = await givenUser({ organizationId: organization.id });
		for (const { token } of [developer, stranger, colleague, below]) {
			expect(await report(token, agent.id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
		}
		for (const as of [(await givenMember(organization.id)).token, await operatorToken()]) {
			expect(await report(as, crypto.randomUUID())).toMatchObject({ status: 404 });
		}
	});

	it("on the waiting list can read their own report", async () => {
		const { organization } = await givenAgency();
		const waiting = await givenUser({ organizationId: organization.id, status: "WAITING_LIST" });
		expectOk(await report(waiting.token, waiting.id));
	});
});

describe("the cost of a report", () => {
	it("is one row for each line and a few more, however many other events there are", { tags: ["thorough"] }, async () => {
		const { organization, key, agent, supervisor } = await givenAgency();
		const other = await givenUser({ organizationId: organization.id });
		await givenModel({ rules: ONE_PERCENT });
		expectOk(await supervise(agent.id, supervisor.id));
		const spread = (userId: string, size: number) =>
			Array.from({ length: size }, (_, index) => eventOf(userId, { event_occurred_at: at(AT + index * 1_000) }));
		for (const userId of [other.id, other.id, agent.id]) expectOk(await record(key, spread(userId, 500)));
		const headers = { "x-organization-id": organization.id };
		const owner = await givenMember(organization.id);
		const part = { from: at(AT), to: at(AT + 100_000) };
		for (const userId of [agent.id, supervisor.id]) {
			expectOk(await report(owner.token, userId, part, headers));
			const answer = await report(owner.token, userId, part, headers);
			expect(expectOk(answer).event_count).toBe(100);
			expect(trips(answer)).toBe(1);
			expectRows(rowsRead(answer)).atMost(100 + 40);
		}
	});
});
