// Operators set commission models and supervisors.

import { describe, expect, it } from "vitest";
import { createCommissionModel, listCommissionModels, setSupervisor } from "../../../src/domains/commissions/administration.operations";
import * as store from "../../../src/domains/commissions/store";
import { agentSupervisions, commissionModels } from "../../../src/domains/commissions/table";
import { call, expectOk, send } from "../../support/client";
import { AT, at, eventOf, givenAgency, givenModel, modelBody, record, supervise } from "../../support/commissions";
import { rowsRead } from "../../support/credit";
import { databases } from "../../support/databases";
import { db, givenUser, operatorToken } from "../../support/factories";
import { beforeTrip } from "../../support/loans";
import { plansOf } from "../../support/plans";
import { expectRows } from "../../support/rows";

describe("a commission model", () => {
	it("is created in every database, with defaults for what was left out", async () => {
		const model = await givenModel();
		expect(model).toEqual({
			id: expect.any(String),
			model_id: "standard",
			currency: "KES",
			effective_from: "2026-01-01T00:00:00.000Z",
			rules: [
				{
					event_type: "TRANSACTION",
					tiers: [{ from: 0, to: null, flat: 0, basis_points: 100, cap: null }],
					supervisor_share_basis_points: 1_000,
				},
			],
			created_at: expect.stringMatching(/Z$/),
		});
		for (const database of databases) expect(await database.prepare("select count(*) as n from commission_models").first("n")).toBe(1);
	});

	it("has one version for each effective_from, even if several are created concurrently", { tags: ["thorough"] }, async () => {
		const as = await operatorToken();
		const create = () => call(createCommissionModel, { as, body: modelBody() });
		const answers = await Promise.all(Array.from({ length: 50 }, create));
		expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
		expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect((await call(createCommissionModel, { as, body: modelBody({ currency: "UGX" }) })).status).toBe(201);
		expect((await call(createCommissionModel, { as, body: modelBody({ effective_from: at(AT) }) })).status).toBe(201);
	});

	it("is refused with tiers that overlap, two rules for a type, or values out of range", async () => {
		const as = await operatorToken();
		const rule = { event_type: "TRANSACTION", tiers: [{ from: 0 }] };
		const faults: [object, string][] = [
			[{ rules: [rule, rule] }, "rules[1].event_type"],
			[{ rules: [{ ...rule, tiers: [{ from: 0 }, { from: 5 }] }] }, "rules[0].tiers[1].from"],
			[{ rules: [{ ...rule, tiers: [{ from: 5, to: 5 }] }] }, "rules[0].tiers[0].to"],
			[{ rules: [{ ...rule, tiers: [{ from: 0, basis_points: 10_001 }] }] }, "rules[0].tiers[0].basis_points"],
			[{ rules: [{ ...rule, event_type: "PENALTY" }] }, "rules[0].event_type"],
			[{ rules: [{ ...rule, supervisor_share_basis_points: -1 }] }, "rules[0].supervisor_share_basis_points"],
			[{ effective_from: "2026-01-01" }, "effective_from"],
			[{ model_id: "" }, "model_id"],
		];
		for (const [change, path] of faults) {
			expect(await send(createCommissionModel, { as, body: { ...modelBody(), ...change } })).toMatchObject({
				status: 400,
				body: { invalid_params: [{ path }] },
			});
		}
	});

	it("is listed, newest first, and reads at most size + 5 rows", async () => {
		const ids = [];
		for (let month = 1; month <= 9; month++) ids.push((await givenModel({ effective_from: `2026-0${month}-01T00:00:00Z` })).id);
		const as = await operatorToken();
		const first = await call(listCommissionModels, { as, query: { size: "5" } });
		expectRows(rowsRead(first)).atMost(5 + 5);
		const { next } = expectOk(first).links;
		const second = expectOk(await call(listCommissionModels, { as, query: { size: "5", after: next ?? "" } }));
		expect([...expectOk(first).data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed());
		expect(await db.select().from(commissionModels)).toHaveLength(9);
	});
});

describe("a supervisor", () => {
	it("takes effect at an instant, replaces the previous one, and may be null", async () => {
		const { agent, supervisor } = await givenAgency();
		expect(await supervise(agent.id, supervisor.id, at(AT))).toMatchObject({
			status: 200,
			body: { agent_user_id: agent.id, supervisor_user_id: supervisor.id, effective_from: at(AT) },
		});
		expectOk(await supervise(agent.id, supervisor.id, at(AT)));
		expectOk(await supervise(agent.id, null, at(AT + 5)));
		const rows = await db.select().from(agentSupervisions);
		expect(rows.sort((a, b) => a.effectiveFrom - b.effectiveFrom)).toMatchObject([
			{ effectiveFrom: AT, effectiveTo: AT + 5, supervisorUserId: supervisor.id },
			{ effectiveFrom: AT + 5, effectiveTo: Number.MAX_SAFE_INTEGER, supervisorUserId: null },
		]);
		expect(await supervise(agent.id, supervisor.id, at(AT + 4))).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await supervise(agent.id, supervisor.id, at(AT + 5))).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
	});

	it("cannot be someone below the agent, or a sixth level", async () => {
		const { organization } = await givenAgency();
		const chain = [];
		for (let index = 0; index < 7; index++) chain.push((await givenUser({ organizationId: organization.id })).id);
		const [first = "", second = "", third = "", , , sixth = "", seventh = ""] = chain;
		for (let index = 0; index < 5; index++) expectOk(await supervise(chain[index] ?? "", chain[index + 1] ?? ""));
		const refused = (sub_code: string) => ({ status: 400, body: { invalid_params: [{ path: "supervisor_user_id", sub_code }] } });
		expect(await supervise(sixth, seventh)).toMatchObject(refused("OUT_OF_RANGE"));
		expect(await supervise(seventh, first)).toMatchObject(refused("OUT_OF_RANGE"));
		expect(await supervise(sixth, first)).toMatchObject(refused("NOT_ALLOWED"));
		expect(await supervise(first, first, at(AT))).toMatchObject(refused("NOT_ALLOWED"));
		expect(await supervise(third, second, at(AT))).toMatchObject(refused("NOT_ALLOWED"));
	});

	it("must have events in the agent's currency", async () => {
		const { key, agent, supervisor } = await givenAgency();
		expectOk(await record(key, [eventOf(agent.id), eventOf(supervisor.id, { currency: "UGX" })]));
		expect(await supervise(agent.id, supervisor.id)).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "supervisor_user_id", sub_code: "CURRENCY_MISMATCH" }] },
		});
	});

	it("must have events in the agent's currency also at the commit", async () => {
		const { organization, key, agent, supervisor } = await givenAgency();
		expectOk(await record(key, [eventOf(agent.id)]));
		const firstEvent = async () => expectOk(await record(key, [eventOf(supervisor.id, { currency: "UGX" })]));
		const body = { supervisor_user_id: supervisor.id, effective_from: at(AT), organization_id: organization.id };
		const input = { as: await operatorToken(), path: { userId: agent.id }, body, vars: beforeTrip(3, firstEvent) };
		expect(await call(setSupervisor, input)).toMatchObject({ status: 400, body: { invalid_params: [{ sub_code: "CURRENCY_MISMATCH" }] } });
	});

	it("is never part of a cycle, even after concurrent changes", { tags: ["thorough"] }, async () => {
		for (let round = 0; round < 10; round++) {
			const { agent, supervisor } = await givenAgency();
			const answers = await Promise.all([supervise(agent.id, supervisor.id), supervise(supervisor.id, agent.id)]);
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
		}
	});

	it("belongs to the organization that the operator names, otherwise to the agent's", async () => {
		const { organization, supervisor } = await givenAgency();
		const agent = await givenUser();
		const as = await operatorToken();
		const body = { supervisor_user_id: supervisor.id, effective_from: at(AT) };
		expect(await supervise(agent.id, supervisor.id)).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "organization_id" }] },
		});
		expectOk(await call(setSupervisor, { as, path: { userId: agent.id }, body: { ...body, organization_id: organization.id } }));
		expect(await db.select().from(agentSupervisions)).toMatchObject([{ organizationId: organization.id, agentUserId: agent.id }]);
	});
});

describe("the statements of commissions", () => {
	it("use indexes", async () => {
		const orm = db as never;
		const asked = { organizationId: "o", userId: "u", from: 1, to: 2 };
		const change = { agent: "a", supervisor: "b", from: 1 };
		const steps = await plansOf(
			store.findReported(orm, asked),
			store.findCurrency(orm, asked),
			store.findTariffs(orm, asked),
			store.findModel(orm, "m"),
			store.findSupervisor(orm, "o", { userId: "u", by: "v", at: 1 }),
			store.findFingerprints(orm, "o", ["e"]),
			store.findPenalties(orm, "o", ["r"]),
			store.findCurrencies(orm, "o", ["u"]),
			store.findSupervisionFacts(orm, "o", change),
			store.findCurrencyClash(orm, "o", change),
		);
		const tables = /SCAN (?!CONSTANT ROW|j |p |up|down|above|f$|c$|\(subquery|json_each)/;
		expect(steps.filter((step) => tables.test(step))).toEqual([]);
	});
});
