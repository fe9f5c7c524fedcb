// Commits a decision together with what it executes.

import { sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import type { CommitOptions, HandlerServices } from "../../runtime/services";
import { sha256Hex } from "../../shared/bytes";
import { canonicalJson, type Json } from "../../shared/json";
import { approvalFailed, approvalOutcome } from "./events";
import { announce } from "./plan";
import { end } from "./store";
import { type ApprovalRow, approvals } from "./table";
import { toApproval } from "./wire";

export const payloadHashOf = (payload: Json): Promise<string> => sha256Hex(canonicalJson(payload));

/** What is committed with the decision. `result`: the answer of an operation that was held. */
type Execution = { readonly writes?: readonly Write[]; readonly options?: CommitOptions; readonly result?: Json };

/** Commits the decision, the writes that it executes, and its event. The decision is taken once, and in time. */
export async function conclude(services: HandlerServices, row: ApprovalRow, { writes = [], options = {}, result }: Execution = {}) {
	const { db, now } = services;
	const { status, decidedBy, decidedAt, decision, comment, failureReason } = row;
	const owed =
		failureReason === null
			? announce(services, approvalOutcome, row, { decision: decision ?? "" })
			: announce(services, approvalFailed, row, { failure_reason: failureReason });
	const ended = end(db.orm, row, { status, decidedBy, decidedAt, decision, comment, failureReason }, sql`${approvals.expiresAt} > ${now}`);
	const body = { ...toApproval(row, now), ...(result !== undefined && { result }) };
	const answer = await services.commit([ended, ...writes, ...owed.writes], body, options);
	await owed.carry(services);
	return answer;
}
