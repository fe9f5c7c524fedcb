// Records what agents did, as partners report it, and reports what the agents earn.

import * as z from "zod";
import { CheckViolation, StaleWrite } from "../../db/database";
import { first } from "../../db/reads";
import { apiKey, held, type KeyCaller, type OperatorCaller, oneOf, operator } from "../../http/callers/access";
import { memberMay } from "../../http/callers/member-may";
import { homeOfCaller, operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { ApiError, badInput } from "../../shared/errors";
import { canonicalJson } from "../../shared/json";
import { DAY_MS } from "../../shared/time";
import { refuseFuture } from "../../shared/timestamp";
import type { MembershipRow } from "../organizations/table";
import { findAgentHome, findMemberships, namedOrAgents, organizationOf, type ReportReader, reportReader } from "./callers";
import { type Ingested, ingest, type SentEvent } from "./ingest.policy";
import { recordEvents } from "./plan";
import { type Report, reportOf } from "./report.policy";
import {
	findCurrencies,
	findCurrency,
	findFingerprints,
	findKnown,
	findModel,
	findPenalties,
	findReported,
	findSupervisor,
	findTariffs,
	MAX_LINES,
} from "./store";
import { agentEvents, type CommissionModelRow } from "./table";
import { AgentEventsInput, CommissionReport, QueryInstant, QueryModelId, toReport } from "./wire";

/** How often a batch is judged again because a concurrent batch recorded the same events or penalties first. */
const MAX_ROUNDS = 20;

export const recordAgentEvents = operation({
	id: "recordAgentEvents",
	method: "POST",
	path: "/v1/agents/events",
	summary: "Record up to 500 events of agents, each once, all or none",
	description: "An event that was recorded before with the same facts is counted as a duplicate.",
	access: held(oneOf(apiKey("agents:write"), operator)),
	home: ({ caller, body }) => (caller.kind === "key" ? caller.organizationId : (body.organization_id ?? body.events[0]?.agent_user_id)),
	request: { body: AgentEventsInput },
	response: z.object({ accepted: z.int(), duplicates: z.int() }),
	errors: ["DUPLICATE_CONFLICT", "INVALID_STATE"],
	async handle({ caller, body }, services) {
		const { db } = services;
		const sent = await Promise.all(body.events.map((event, index) => readEvent(event, index, services)));
		const organizationId = await reporterOf(caller, body, services);
		for (let round = 1; ; round++) {
			const { fingerprints, penalties, currencies } = await db.read({
				fingerprints: findFingerprints(
					db.orm,
					organizationId,
					unique(sent, ({ eventId }) => eventId),
				),
				penalties: findPenalties(
					db.orm,
					organizationId,
					unique(
						sent.filter(({ eventType }) => eventType === "PENALTY_REVERSAL"),
						({ referenceId }) => referenceId,
					),
				),
				currencies: findCurrencies(
					db.orm,
					organizationId,
					unique(sent, ({ agentUserId }) => agentUserId),
				),
			});
			const byUser = Map.groupBy(currencies, ({ userId }) => userId);
			const batch = ingest(sent, {
				fingerprints: new Map(fingerprints.map(({ eventId, fingerprint }) => [eventId, fingerprint])),
				penalties,
				currencies: new Map([...byUser].map(([userId, found]) => [userId, found.map(({ currency }) => currency)])),
			});
			if (!batch.accepted) throw refusalOf(batch);
			const answer = { accepted: batch.fresh.length, duplicates: batch.duplicates };
			try {
				return await services.commit(recordEvents(services, organizationId, batch), answer, {
					unique: [[[agentEvents.organizationId, agentEvents.eventId], "STALE"]],
				});
			} catch (error) {
				const overtaken = error instanceof StaleWrite || error instanceof CheckViolation;
				if (!overtaken || round === MAX_ROUNDS) throw error;
			}
		}
	},
});

const unique = <T>(items: readonly T[], of: (item: T) => string): string[] => [...new Set(items.map(of))];

type Sent = z.output<typeof AgentEventsInput>;

async function readEvent(event: Sent["events"][number], index: number, services: Services): Promise<SentEvent> {
	const { event_id, agent_user_id, event_type, reference_id, amount, currency, event_occurred_at, description } = event;
	refuseFuture(`events[${index}].event_occurred_at`, event_occurred_at, services);
	const facts = [agent_user_id, event_type, reference_id, amount, currency, event_occurred_at, description];
	return {
		eventId: event_id,
		agentUserId: agent_user_id,
		eventType: event_type,
		referenceId: reference_id,
		amount,
		currency,
		occurredAt: event_occurred_at,
		description,
		fingerprint: await sha256Hex(canonicalJson(facts)),
	};
}

async function reporterOf(caller: KeyCaller | OperatorCaller, { organization_id, events }: Sent, services: Services): Promise<string> {
	if (caller.kind === "key") {
		if (organization_id !== undefined && organization_id !== caller.organizationId) {
			throw badInput("organization_id", "is not that of the API key", "NOT_ALLOWED");
		}
		return caller.organizationId;
	}
	const [first] = events;
	if (!first) throw new Error("a batch has an event");
	return namedOrAgents(services, organization_id, first.agent_user_id);
}

function refusalOf(batch: Extract<Ingested, { accepted: false }>): Error {
	switch (batch.reason) {
		case "CONFLICT":
			return new ApiError("DUPLICATE_CONFLICT");
		case "CURRENCY":
			return badInput(`events[${batch.index}].currency`, "is not that of the agent", "CURRENCY_MISMATCH");
		case "NO_PENALTY":
			return badInput(`events[${batch.index}].reference_id`, "names no penalty of this agent", "NOT_ALLOWED");
		case "REVERSED_TOO_MUCH":
			return badInput(`events[${batch.index}].amount`, "is more than is left of the penalty", "OUT_OF_RANGE");
	}
}

const MAX_DAYS = 366;

export const getCommissionReport = operation({
	id: "getCommissionReport",
	method: "GET",
	path: "/v1/agents/{userId}/commissions",
	summary: "Get the earnings of an agent in a period",
	description:
		"For the agent, for their supervisors (only the agent's own lines), for members with the permission, for API keys, and for operators. With `model_id`, what the agent would have earned by that model.",
	access: reportReader,
	home: ({ caller, path }) => (caller.kind === "operator" && !("organizationId" in caller) ? path.userId : homeOfCaller(caller)),
	request: {
		path: z.object({ userId: z.uuid().toLowerCase() }),
		query: z.object({
			from: QueryInstant.meta({ description: "Inclusive" }),
			to: QueryInstant.meta({ description: "Exclusive; at most 366 days later" }),
			model_id: QueryModelId.optional(),
		}),
	},
	response: CommissionReport,
	errors: ["NOT_FOUND"],
	async handle({ caller, path: { userId }, query: { from, to, model_id } }, services) {
		if (from >= to) throw badInput("query.to", "must be later than from", "OUT_OF_RANGE");
		if (to - from > MAX_DAYS * DAY_MS) throw badInput("query.to", `must be at most ${MAX_DAYS} days later than from`, "OUT_OF_RANGE");
		const { organizationId, ownLinesOnly } = await readingOf(caller, userId, services);
		// If no organization reports the user's events, the empty id finds none.
		const asked = { organizationId: organizationId ?? "", userId, from, to };
		const { db } = organizationId === null ? services : services.at(organizationId);
		const { own, supervised, agent, tariffs, model, known } = await db.read({
			...findReported(db.orm, asked),
			agent: first(findCurrency(db.orm, asked)),
			tariffs: findTariffs(db.orm, asked),
			model: findModel(db.orm, model_id ?? ""),
			known: first(findKnown(db.orm, asked)),
		});
		if ((caller.kind === "member" || caller.kind === "key") && !known?.known)
			throw new ApiError("NOT_FOUND", { description: "There is no such agent" });
		const used = model_id === undefined ? tariffs : whatIf(model, agent?.currency ?? null);
		const input = { own, supervised: ownLinesOnly ? [] : supervised, tariffs: used, whatIf: model_id !== undefined };
		if (input.own.length + input.supervised.length > MAX_LINES) {
			throw badInput("query.to", `makes more than ${MAX_LINES} lines: ask for shorter periods`, "OUT_OF_RANGE");
		}
		const report: Report = reportOf(input);
		const currency = agent?.currency ?? used.at(-1)?.currency ?? "XXX";
		return toReport({ agentUserId: userId, from, to, currency, modelId: model_id ?? used.at(-1)?.modelId ?? "default" }, report);
	},
});

/** The versions of a model in the agent's currency; for an agent without a currency, in the first of the model's. */
function whatIf(model: readonly CommissionModelRow[], currency: string | null): CommissionModelRow[] {
	const [first] = model;
	if (!first) throw new ApiError("NOT_FOUND", { description: "There is no such commission model" });
	const versions = model.filter((version) => version.currency === (currency ?? first.currency));
	if (versions.length === 0) throw badInput("query.model_id", "is in another currency than the agent's events", "CURRENCY_MISMATCH");
	return versions;
}

type Reading = { organizationId: string | null; ownLinesOnly: boolean };

/** Which organization's report the caller may read, and how much of it. Throws NOT_FOUND for the reports of others. */
async function readingOf(caller: ReportReader, userId: string, services: Services): Promise<Reading> {
	const { db } = services;
	if ("organizationId" in caller) return { organizationId: caller.organizationId, ownLinesOnly: false };
	if (caller.kind === "operator") {
		const { user, reporting } = await db.read(findAgentHome(db.orm, userId));
		if (!user && reporting.length === 0) throw new ApiError("NOT_FOUND", { description: "There is no such agent" });
		return { organizationId: organizationOf(user, reporting), ownLinesOnly: false };
	}
	const { user, reporting, own } = await db.read({ ...findAgentHome(db.orm, caller.userId), own: findMemberships(db.orm, caller.userId) });
	const [membership, another] = own;
	// A member who names no organization acts for their only one.
	const only = membership && !another ? membership : undefined;
	const home = organizationOf(user, reporting) ?? only?.organizationId ?? null;
	if (caller.userId === userId) return { organizationId: home, ownLinesOnly: false };
	if (only && (await mayReadAgents(services, only))) {
		const there = services.at(only.organizationId);
		const found = await there.db.read(first(findKnown(there.db.orm, { organizationId: only.organizationId, userId })));
		if (found?.known) return { organizationId: only.organizationId, ownLinesOnly: false };
	}
	if (home !== null) {
		const there = services.at(home);
		const found = await there.db.read(first(findSupervisor(there.db.orm, home, { userId, by: caller.userId, at: services.now })));
		if (found?.above) return { organizationId: home, ownLinesOnly: true };
	}
	throw new ApiError("NOT_FOUND", { description: "There is no such agent" });
}

async function mayReadAgents(services: Services, { organizationId, userId, role, version, reachedAt }: MembershipRow): Promise<boolean> {
	const membership = { organizationId, role, version, reachedAt };
	return (await memberMay(services, { userId, membership, permission: "org:agents:read", write: false })) === "ALLOW";
}
