// Requests for approval on the wire.

import * as z from "zod";
import { JsonValue } from "../../shared/json-value";
import { toTimestamp } from "../../shared/time";
import { APPROVAL_STATES, DECISIONS, stateAt } from "./lifecycle";
import { APPROVAL_TYPES, type ApprovalRow, CREDENTIALS, ENTITY_TYPES } from "./table";

export const Approval = z
	.object({
		id: z.uuid(),
		organization_id: z.uuid().nullable(),
		approval_type: z.enum(APPROVAL_TYPES).meta({ title: "ApprovalType" }),
		entity_type: z.enum(ENTITY_TYPES).meta({ title: "ApprovalEntityType" }),
		entity_id: z.string(),
		payload: JsonValue.meta({ description: "The change that an approval executes" }),
		payload_hash: z.string().meta({ description: "SHA-256 over the canonical JSON of the payload" }),
		reason: z.string().nullable(),
		target_version: z.string().meta({ description: "The state of the entity at the request. If it has changed, an approval fails" }),
		status: z.enum(APPROVAL_STATES).meta({ title: "ApprovalStatus" }),
		requested_by: z.string().meta({ description: "The person behind the credentials: a user, or an operator" }),
		requested_through: z.enum(CREDENTIALS).meta({ title: "ApprovalCredentials" }),
		decided_by: z.string().nullable(),
		decided_at: z.iso.datetime().nullable(),
		decision: z.enum(DECISIONS).nullable(),
		comment: z.string().nullable(),
		failure_reason: z.string().nullable().meta({ description: "Why the approved change could not be executed" }),
		expires_at: z.iso.datetime(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "Approval" });

/** Where an answer that is an approval is read. */
export const pathOfApproval = (approval: unknown): string => `/v1/approvals/${(approval as z.input<typeof Approval>).id}`;

export const toApproval = (row: ApprovalRow, now: number): z.input<typeof Approval> => ({
	id: row.id,
	organization_id: row.organizationId,
	approval_type: row.approvalType,
	entity_type: row.entityType,
	entity_id: row.entityId,
	payload: row.payload,
	payload_hash: row.payloadHash,
	reason: row.reason,
	target_version: row.targetVersion,
	status: stateAt(row, now),
	requested_by: row.requestedBy,
	requested_through: row.requestedThrough,
	decided_by: row.decidedBy,
	decided_at: row.decidedAt === null ? null : toTimestamp(row.decidedAt),
	decision: row.decision,
	comment: row.comment,
	failure_reason: row.failureReason,
	expires_at: toTimestamp(row.expiresAt),
	created_at: toTimestamp(row.createdAt),
});

const display = z.string().nullable();

/** A request with the names of those who asked for it and decided, and what it is about. */
export const ShownApproval = z
	.object({
		...Approval.shape,
		actor_display: display.meta({ description: "The name of the requester: a member's name, address or tag, or an operator's subject" }),
		decided_by_display: display.meta({ description: "The name of the person who decided" }),
		subject: z
			.object({
				user_id: z.uuid().nullable(),
				account_id: z.uuid().nullable(),
				account_number: z.string().nullable(),
				currency: z.string().nullable().meta({ description: "Of the account, or of one of the user's" }),
				transaction_amount: z.int().nullable().meta({ description: "Of the transaction that it is about" }),
			})
			.meta({ title: "ApprovalSubject", description: "The borrower and the account that it concerns; null where there is none" }),
	})
	.meta({ id: "ShownApproval" });

/** An account that a request is about. */
export type AccountAsked = { readonly id: string; readonly number: string; readonly currency: string; readonly userId: string };

export type ShownRow = ApprovalRow & {
	readonly askerCalled: string | null;
	readonly deciderCalled: string | null;
	readonly creditAccount: AccountAsked | null;
	readonly currentAccount: AccountAsked | null;
	readonly transactionAmount: number | null;
	readonly userCurrency: string | null;
};

/** `called`: what people are called, by their ids. */
export const toShown = (row: ShownRow, called: ReadonlyMap<string, string | null>, now: number): z.input<typeof ShownApproval> => ({
	...toApproval(row, now),
	actor_display: called.get(row.requestedBy) ?? null,
	decided_by_display: row.decidedBy === null ? null : (called.get(row.decidedBy) ?? null),
	subject: subjectOf(row),
});

function subjectOf({ entityType, entityId, payload, creditAccount, currentAccount, transactionAmount, userCurrency }: ShownRow) {
	const account = creditAccount ?? currentAccount;
	const user = entityType === "USER" ? entityId : CallOfUser.safeParse(payload).data?.path.userId;
	return {
		user_id: account?.userId ?? user ?? null,
		account_id: account?.id ?? null,
		account_number: account?.number ?? null,
		currency: account?.currency ?? userCurrency,
		transaction_amount: transactionAmount,
	};
}

/** A held call that names a user in its path. */
const CallOfUser = z.object({ path: z.object({ userId: z.uuid() }) });

/** A request with its decision, and what an operation that was held has answered. */
export const DecidedApproval = z
	.object({
		...Approval.shape,
		result: JsonValue.optional().meta({ description: "OPERATION: the answer of the operation that the approval has run" }),
	})
	.meta({ id: "DecidedApproval" });
