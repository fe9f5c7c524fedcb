// Agents of an organization, their events, and the commission models that pay them, created over HTTP.

import type * as z from "zod";
import { createCommissionModel, setSupervisor } from "../../src/domains/commissions/administration.operations";
import { getCommissionReport, recordAgentEvents } from "../../src/domains/commissions/operations";
import type { AgentEventsInput, CommissionModelInput } from "../../src/domains/commissions/wire";
import { call, expectOk } from "./client";
import { givenApiKey, givenOrganization, givenUser, newId, operatorToken } from "./factories";
import { eventsOf } from "./loans";

type Event = z.input<typeof AgentEventsInput>["events"][number];
type Rule = z.input<typeof CommissionModelInput>["rules"][number];

export const AT = Date.parse("2026-03-10T10:00:00Z");
export const at = (ms: number) => new Date(ms).toISOString();

/** An organization with an API key for reporting events, and two of its users: an agent and a supervisor. */
export async function givenAgency() {
	const organization = await givenOrganization();
	const key = await givenApiKey(organization.id, ["agents:write"]);
	const agent = await givenUser({ organizationId: organization.id });
	const supervisor = await givenUser({ organizationId: organization.id });
	return { organization, key, agent, supervisor };
}

/** The organization's events about agents. */
export const agentEventsOf = async (organizationId: string) =>
	(await eventsOf(organizationId)).filter(({ type }) => type.startsWith("agent."));

export const eventOf = (agentUserId: string, changes: Partial<Event> = {}): Event => ({
	event_id: newId(),
	agent_user_id: agentUserId,
	event_type: "TRANSACTION",
	reference_id: "trx-1",
	amount: 10_000,
	currency: "KES",
	event_occurred_at: at(AT),
	description: "cash in",
	...changes,
});

export const record = (as: string, events: readonly Event[]) => call(recordAgentEvents, { as, body: { events: [...events] } });

/** Pays one percent of each transaction, and a tenth of that to the supervisor. */
export const ONE_PERCENT: Rule[] = [
	{ event_type: "TRANSACTION", tiers: [{ from: 0, basis_points: 100 }], supervisor_share_basis_points: 1_000 },
];

export const modelBody = (changes: Partial<z.input<typeof CommissionModelInput>> = {}): z.input<typeof CommissionModelInput> => ({
	model_id: "standard",
	currency: "KES",
	effective_from: "2026-01-01T00:00:00Z",
	rules: ONE_PERCENT,
	...changes,
});

export const givenModel = async (changes: Partial<z.input<typeof CommissionModelInput>> = {}) =>
	expectOk(await call(createCommissionModel, { as: await operatorToken(), body: modelBody(changes) }));

export const supervise = async (userId: string, supervisor_user_id: string | null, effective_from = "2026-01-01T00:00:00Z") =>
	call(setSupervisor, { as: await operatorToken(), path: { userId }, body: { supervisor_user_id, effective_from } });

export const MARCH = { from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z" };

export const report = (
	as: string,
	userId: string,
	query: { from: string; to: string; model_id?: string } = MARCH,
	headers: Record<string, string> = {},
) => call(getCommissionReport, { as, path: { userId }, query, headers });
