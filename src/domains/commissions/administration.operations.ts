// The operators' side of commissions: the models by which agents are paid, and the supervisors of agents.

import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { owe } from "../../runtime/home-messages";
import { ApiError, badInput, InvalidInput } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { namedOrAgents } from "./callers";
import { changeSupervisor } from "./plan";
import { findCurrencyClash, findModelVersion, findSupervisionFacts, modelCopy, orModelIsThere, readSupervisions } from "./store";
import { MAX_LEVELS, supervise } from "./supervision.policy";
import { agentSupervisions, type CommissionModelRow, commissionModels } from "./table";
import { faultsOf } from "./tariff.policy";
import { CommissionModel, CommissionModelInput, Supervisor, SupervisorInput, toCommissionModel, toRules } from "./wire";

export const createCommissionModel = operation({
	id: "createCommissionModel",
	method: "POST",
	path: "/v1/platform/commission-models",
	summary: "Create a commission model, or another version of one",
	description: "An event is paid by the version, of any model in its currency, that took effect last before the event happened.",
	access: held(operator),
	home: "directory",
	request: { body: CommissionModelInput },
	response: CommissionModel,
	status: 201,
	errors: ["DUPLICATE_CONFLICT"],
	async handle({ body }, services) {
		const { db, now } = services;
		const rules = toRules(body.rules);
		const faults = faultsOf(rules);
		if (faults.length > 0) throw new InvalidInput(faults);
		const row: CommissionModelRow = {
			id: services.newId(),
			modelId: body.model_id,
			currency: body.currency,
			effectiveFrom: body.effective_from,
			rules,
			createdAt: now,
		};
		const taken = await db.read(first(findModelVersion(db.orm, row)));
		if (taken) throw new ApiError("DUPLICATE_CONFLICT", { description: "The model already has a version with this effective_from" });
		const owed = owe(services, modelCopy, "everywhere", row);
		const answer = await services.commit([...owed.writes, orModelIsThere(row)], toCommissionModel(row));
		await owed.carry(services);
		return answer;
	},
});

export const listCommissionModels = operation({
	id: "listCommissionModels",
	method: "GET",
	path: "/v1/platform/commission-models",
	summary: "The versions of all commission models, newest first",
	access: operator,
	home: "directory",
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(CommissionModel), links: Links }),
	async handle({ query }, services) {
		const page = await readPage(services, query, {
			list: "commission-models",
			owner: "platform",
			filters: {},
			select: rowsOf(commissionModels),
			key: byCreation(commissionModels),
		});
		return listReply(services, page, toCommissionModel);
	},
});

export const setSupervisor = operation({
	id: "setSupervisor",
	method: "PUT",
	path: "/v1/agents/{userId}/supervisor",
	summary: "Give an agent another supervisor from an instant on",
	description: `At no instant may an agent have more than ${MAX_LEVELS} levels of supervisors above them, or supervise themselves, even indirectly.`,
	access: held(operator),
	home: ({ path, body }) => body.organization_id ?? path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }), body: SupervisorInput },
	response: Supervisor,
	errors: ["DUPLICATE_CONFLICT", "INVALID_STATE"],
	async handle({ path, body }, services) {
		const { db } = services;
		const organizationId = await namedOrAgents(services, body.organization_id, path.userId);
		const change = { agent: path.userId, supervisor: body.supervisor_user_id, from: body.effective_from };
		const { found, clash } = await db.read({
			found: first(findSupervisionFacts(db.orm, organizationId, change)),
			clash: first(findCurrencyClash(db.orm, organizationId, change)),
		});
		const facts = found?.facts ?? "[]";
		const verdict = supervise(readSupervisions(facts), change);
		if (!verdict.accepted) throw refusalOf(verdict.reason);
		const answer = {
			agent_user_id: change.agent,
			supervisor_user_id: change.supervisor,
			effective_from: toTimestamp(change.from),
		};
		if ("unchanged" in verdict) return answer;
		if (clash?.differ) throw badInput("supervisor_user_id", "has events in another currency than the agent", "CURRENCY_MISMATCH");
		return services.commit(changeSupervisor(services, organizationId, { change, facts, ends: verdict.ends }), answer, {
			unique: [[[agentSupervisions.organizationId, agentSupervisions.agentUserId, agentSupervisions.effectiveFrom], "STALE"]],
		});
	},
});

function refusalOf(reason: Extract<ReturnType<typeof supervise>, { accepted: false }>["reason"]): Error {
	switch (reason) {
		case "CYCLE":
			return badInput("supervisor_user_id", "is the agent, or is supervised by the agent", "NOT_ALLOWED");
		case "TOO_DEEP":
			return badInput("supervisor_user_id", `would make more than ${MAX_LEVELS} levels of supervisors`, "OUT_OF_RANGE");
		case "BEFORE_LAST":
			return new ApiError("INVALID_STATE", { description: "effective_from must not be before the agent's latest change of supervisor" });
		case "CONFLICT":
			return new ApiError("DUPLICATE_CONFLICT", { description: "The agent already has another supervisor with this effective_from" });
	}
}
