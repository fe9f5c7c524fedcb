// Commits a new request for approval, in place of an expired one.

import type { Write } from "../../db/database";
import type { CommitOptions, Committed, HandlerServices } from "../../runtime/services";
import { approvalRequested } from "./events";
import { announce, expireApproval } from "./plan";
import { type ApprovalRow, approvals } from "./table";

/** @param overdue the request that it replaces */
export async function storeRequest<T>(
	services: HandlerServices,
	{ row, overdue, writes = [] }: { row: ApprovalRow; overdue: ApprovalRow | undefined; writes?: readonly Write[] },
	answer: T,
	options: Pick<CommitOptions, "about"> = {},
): Promise<Committed<T>> {
	const ended = overdue && expireApproval(services, overdue);
	const owed = announce(services, approvalRequested, row);
	const committed = await services.commit(
		[...writes, ...(ended?.writes ?? []), services.db.orm.insert(approvals).values(row), ...owed.writes],
		answer,
		{ ...options, unique: [[[approvals.entityId, approvals.approvalType], "APPROVAL_PENDING"]] },
	);
	await ended?.owed.carry(services);
	await owed.carry(services);
	return committed;
}
