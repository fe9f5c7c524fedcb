// Requests for approval: one person asks for a change, another decides, and the commit of an approval also executes it.

import { and, eq, gt } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone } from "../../http/callers/access";
import { forgetAccountState } from "../../http/callers/account-states";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { invalidParams } from "../../http/validation";
import type { Elsewhere, Services } from "../../runtime/services";
import { idsOf } from "../../shared/bounded";
import { ApiError, badInput, forbidden, InvalidInput, wrongState } from "../../shared/errors";
import type { Json } from "../../shared/json";
import { reasonOf } from "../../shared/reasons";
import { all, has, is, type Keywords, when } from "../../shared/schema-rules";
import { findCaller, refuseNewDecider } from "../organizations/members/callers";
import { type Actor, displaysOf } from "../organizations/members/display.procedure";
import type { MemberRow } from "../organizations/table";
import {
	type ApprovalCaller,
	approvalDecider,
	approvalReader,
	approvalRequester,
	asksThemselves,
	organizationOf,
	readAs,
	refuseUnlessFor,
} from "./callers";
import { conclude, payloadHashOf } from "./decision.procedure";
import type { Executor, Plan } from "./executors/executor.plan";
import { EXECUTORS, type ExecutedType, REQUESTED_TYPES } from "./executors/registry.procedure";
import { runHeld } from "./held.procedure";
import { APPROVAL_STATES, DECISIONS, isOpen, stateAt } from "./lifecycle";
import { request } from "./request.procedure";
import { findApproval, findShown, findShownAmong, selectShown } from "./store";
import { APPROVAL_TYPES, type ApprovalRow, approvals, ENTITY_TYPES } from "./table";
import { Approval, DecidedApproval, ShownApproval, type ShownRow, toShown } from "./wire";

const path = z.object({ id: z.uuid().toLowerCase() });
const text = z.string().trim().min(1);

/** The entity and the payload of each type, as its executor checks them. */
const PAYLOADS = REQUESTED_TYPES.map((type) => {
	const { entity, payload } = EXECUTORS[type];
	const members = { properties: { entity_type: { const: entity }, payload } };
	return [is("approval_type", type), z.safeParse(payload, {}).success ? members : all(has("payload"), members)] as const;
}).reduceRight<Keywords>((others, [type, members]) => when(type, members, others), {});

export const requestApproval = operation({
	id: "requestApproval",
	method: "POST",
	path: "/v1/approvals",
	summary: "Ask for a change that another person must approve",
	description: "It expires after seven days. Only one request of a type can wait for an entity.",
	access: alone(approvalRequester),
	home: ({ body }) => EXECUTORS[body.approval_type].home(body.entity_id),
	request: {
		body: z
			.strictObject({
				approval_type: z.enum(REQUESTED_TYPES),
				entity_type: z.enum(ENTITY_TYPES),
				entity_id: z.uuid().toLowerCase(),
				// The executor of the approval type checks the members.
				payload: z.record(z.string(), z.unknown()).optional().meta({
					description:
						"BLOCK_CHANGE: `{blocked}`. LIMIT_CHANGE: `{limit}`, null for the computed one. SETTLEMENT: `{amount, valid_until}`. RESCHEDULE: `{kind, installments, due_dates}`, as `previewReschedule` takes them. FREEZE_CHANGE: `{frozen}`. WAIVER: `{installment_id, amount}`. OVERPAYMENT_REFUND: `{amount}`. ISSUER_REGISTRATION: an issuer. REPAYMENT_REVERSAL: `{amount, return_money}`, a part of the payment, and true gives the payer the money back. REPAYMENT_RESTORATION: `{reversal_id}`. REPAYMENT_MOVE: `{account_id, amount}`, the amount where it was recorded wrongly. Other types: leave it out",
				}),
				reason: text.max(255).optional(),
			})
			.meta(PAYLOADS),
	},
	response: Approval,
	status: 201,
	errors: ["NOT_FOUND", "APPROVAL_PENDING", "INVALID_STATE"],
	async handle({ body, caller }, services) {
		const { approval_type, entity_id, reason = null } = body;
		const executor = EXECUTORS[approval_type];
		if (body.entity_type !== executor.entity) throw badInput("entity_type", `must be ${executor.entity} for this type`, "NOT_ALLOWED");
		const payload = payloadOf(executor, body.payload as Json | undefined);
		await executor.check?.(services, entity_id, payload);
		const asked = { type: approval_type, entityId: entity_id, payload, reason };
		return request(services, caller, asked);
	},
});

/** Parses the payload by the executor's schema. Throws `InvalidInput`. */
function payloadOf(executor: Executor, sent: Json | undefined): unknown {
	const body = z.object({ payload: executor.payload });
	const value = { payload: sent ?? {} };
	const result = body.safeParse(value, { error: reasonOf });
	if (!result.success) throw new InvalidInput(invalidParams("body", body, result.error, value));
	return result.data.payload;
}

export const listApprovals = operation({
	id: "listApprovals",
	method: "GET",
	path: "/v1/approvals",
	summary: "Requests for approval, newest first",
	description: "The requests of the acting organization; of all organizations for operators who act for none.",
	access: approvalReader,
	// A request is in the home of its entity, which may be in any database.
	home: "everywhere",
	reads: "primary",
	request: {
		query: z.object({
			...paging,
			status: z.enum(APPROVAL_STATES).optional(),
			approval_type: z.enum(APPROVAL_TYPES).optional(),
			entity_id: z.string().min(1).max(255).optional().meta({ description: "Those that concern this user, account, organization …" }),
			ids: idsOf("requests")
				.optional()
				.meta({ description: "Only these requests; may be repeated, a hundred times. Other filters are not applied" }),
		}),
	},
	response: z.object({ data: z.array(ShownApproval), links: Links }),
	async handle({ query: { status, approval_type, entity_id, ids, ...window }, caller }, services) {
		const { now } = services;
		const own = organizationOf(caller);
		if (ids) {
			const rows = await withIds(services, ids, own);
			const called = await displaysOf(services, actorsOf(services, rows));
			return listReply(services, { rows, next: null, prev: null }, (row) => toShown(row, called, now));
		}
		const page = await readPage(services, window, {
			list: "approvals",
			owner: own ?? "platform",
			filters: { status, approval_type, entity_id },
			everywhere: true,
			select: (orm) => selectShown(orm, { entityId: entity_id, type: approval_type, status }).$dynamic(),
			key: byCreation(approvals),
			where: and(
				own === null ? undefined : eq(approvals.organizationId, own),
				status === undefined ? undefined : eq(approvals.status, status),
				status === "PENDING" ? gt(approvals.expiresAt, now) : undefined,
				approval_type === undefined ? undefined : eq(approvals.approvalType, approval_type),
				entity_id === undefined ? undefined : eq(approvals.entityId, entity_id),
			),
		});
		const called = await displaysOf(services, actorsOf(services, page.rows));
		return listReply(services, page, (row) => toShown(row, called, now));
	},
});

/** Those of the requests that are the organization's, each in its home; null finds those of all. */
async function withIds(services: Services, ids: readonly string[], organizationId: string | null): Promise<ShownRow[]> {
	const databases = Map.groupBy(ids, (id) => services.at(id).db);
	const found = await Promise.all([...databases].map(([db, there]) => db.read(findShownAmong(db.orm, there, organizationId))));
	return found.flat();
}

export const getApproval = operation({
	id: "getApproval",
	method: "GET",
	path: "/v1/approvals/{id}",
	summary: "A request for approval",
	access: approvalReader,
	home: ({ path }) => path.id,
	reads: "primary",
	request: { path },
	response: ShownApproval,
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const row = await db.read(first(findShown(db.orm, path.id, organizationOf(caller))));
		if (!row) throw new ApiError("NOT_FOUND");
		return toShown(row, await displaysOf(services, actorsOf(services, [row])), now);
	},
});

/** Those who asked and decided. A request is in the home of its entity, which may be in another database than the organization's. */
const actorsOf = (services: Services, rows: readonly ShownRow[]): Actor[] =>
	rows.flatMap(({ id: requestId, organizationId, requestedBy, askerCalled, decidedBy, deciderCalled }) => {
		const apart = organizationId !== null && services.at(organizationId).db !== services.at(requestId).db;
		const actor = (id: string, called: string | null) => ({ organizationId, id, called, apart });
		return [actor(requestedBy, askerCalled), ...(decidedBy === null ? [] : [actor(decidedBy, deciderCalled)])];
	});

export const decideApproval = operation({
	id: "decideApproval",
	method: "POST",
	path: "/v1/approvals/{id}/decision",
	summary: "Approve or reject a request, once; an approval is executed at once",
	description:
		"The person who made the request cannot decide it with any credentials. If the entity has changed since the request, or the operation that was held refuses, an approval ends as FAILED.",
	access: alone(approvalDecider),
	home: ({ path }) => path.id,
	request: { path, body: z.strictObject({ decision: z.enum(DECISIONS), comment: text.max(1000).optional() }) },
	response: DecidedApproval,
	errors: ["NOT_FOUND", "SELF_APPROVAL", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const [decider, where] = await deciderOf(services, caller);
		const { who, role, rows } = await readAs(services, caller, {
			row: first(findApproval(db.orm, path.id, organizationOf(caller))),
			here: where && first(where),
		});
		const { row, here } = rows;
		if (!row) throw new ApiError("NOT_FOUND");
		refuseUnlessFor(row.approvalType, caller, role);
		refuseNewDecider(services, caller, decider ?? here);
		if (row.decider === "OPERATOR" && caller.kind !== "operator") throw forbidden("Only an operator may decide this request");
		if (asksThemselves(row, who)) throw new ApiError("SELF_APPROVAL");
		if (!isOpen(row, now)) throw wrongState("The request", stateAt(row, now), ["PENDING"]);
		const decided = { ...row, decidedBy: who.person, decidedAt: now, decision: body.decision, comment: body.comment ?? null };
		if (body.decision === "REJECTED") return conclude(services, { ...decided, status: "REJECTED" });
		if (row.approvalType === "OPERATION") return runHeld(services, decided, who);
		const plan = await planOf(services, row, row.approvalType, who.person);
		if (!plan.accepted) return conclude(services, { ...decided, status: "FAILED", failureReason: plan.reason });
		const answer = await conclude(services, { ...decided, status: "APPROVED" }, plan);
		if (row.entityType === "USER") forgetAccountState(row.entityId);
		return answer;
	},
});

/** The member who decides, or the statement that finds them in the same read if their organization's home is in this database. */
async function deciderOf(
	services: Services,
	caller: ApprovalCaller,
): Promise<[MemberRow | undefined, ReturnType<typeof findCaller> | undefined]> {
	if (caller.kind !== "member") return [undefined, undefined];
	const { db } = services.at(caller.organizationId);
	const statement = findCaller(db.orm, caller);
	if (db === services.db) return [undefined, statement];
	const self = await db.read(first(statement));
	return [self, undefined];
}

/** The plan that an approval executes, or why it can no longer be executed: the payload or the entity has changed since the request. */
async function planOf(services: Elsewhere, row: ApprovalRow, type: ExecutedType, person: string): Promise<Plan> {
	const executor = EXECUTORS[type];
	const payload = z.safeParse(executor.payload, row.payload);
	if (!payload.success || row.payloadHash !== (await payloadHashOf(row.payload))) return { accepted: false, reason: "PAYLOAD_CHANGED" };
	const found = await services.db.read(executor.find(services.db.orm, row.entityId, payload.data, services.now));
	const target = executor.target(services, found, row.entityId, payload.data);
	if (target?.version !== row.targetVersion) return { accepted: false, reason: "TARGET_CHANGED" };
	return target.plan({ approvalId: row.id, asker: row.requestedBy, person, reason: row.reason });
}
