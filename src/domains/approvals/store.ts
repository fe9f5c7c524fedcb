// Builds the statements on requests for approval.

import { and, asc, eq, getTableColumns, lte, type SQL, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { indexedBy } from "../../db/indexed-by";
import { type ApprovalRow, type ApprovalType, approvals } from "./table";

/** The request, if it is the organization's; null finds those of all. */
export const findApproval = (orm: Orm, id: string, organizationId: string | null) =>
	orm
		.select()
		.from(approvals)
		.where(and(eq(approvals.id, id), organizationId === null ? undefined : eq(approvals.organizationId, organizationId)));

/** The pending request of this type for the entity; there is at most one. */
export const findWaiting = (orm: Orm, approvalType: ApprovalType, entityId: string) =>
	orm
		.select()
		.from(approvals)
		.where(and(eq(approvals.entityId, entityId), eq(approvals.approvalType, approvalType), sql`${approvals.status} = 'PENDING'`));

export const findOverdue = (orm: Orm, now: number, limit: number) =>
	orm
		.select(getTableColumns(approvals))
		// Otherwise SQLite takes an index that goes by status, and sorts.
		.from(indexedBy(approvals, "approvals_expiry"))
		.where(and(sql`${approvals.status} = 'PENDING'`, lte(approvals.expiresAt, now)))
		.orderBy(asc(approvals.expiresAt))
		.limit(limit);

/** Ends a request once: not if it has been decided or has expired since it was read. */
export const end = (orm: Orm, { id }: ApprovalRow, change: Partial<ApprovalRow>, inTime: SQL): Effect =>
	guarded(
		orm
			.update(approvals)
			.set(change)
			.where(and(eq(approvals.id, id), sql`${approvals.status} = 'PENDING'`, inTime)),
	);
