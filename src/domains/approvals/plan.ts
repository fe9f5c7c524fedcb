// Plans the events of requests for approval, and their expiry.

import { sql } from "drizzle-orm";
import type { Write } from "../../db/database";
import { raise } from "../../events/raise";
import { webhookEvents } from "../../events/table";
import { homeMessage, type Owed, owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { EventType } from "../../shared/event-type";
import { approvalExpired, approvalFailed, approvalOutcome, approvalRequested } from "./events";
import { end } from "./store";
import { type ApprovalRow, approvals } from "./table";

type Announced = {
	readonly id: string;
	readonly type: string;
	readonly organizationId: string;
	readonly approvalId: string;
	readonly data: { readonly [member: string]: unknown };
};

const EVENT_TYPES: readonly EventType[] = [approvalRequested, approvalOutcome, approvalExpired, approvalFailed];

/** A request is in the home of its entity, and its events are in the organization's home, which may be another database. */
export const approvalEvent = homeMessage<Announced>({
	kind: "approval event",
	apply(there, { id, type, organizationId, approvalId, data }) {
		const eventType = EVENT_TYPES.find((each) => each.type === type);
		if (!eventType) throw new Error(`no event type is called ${type}`);
		const about = { id, organizationId, entityId: approvalId, data };
		return [
			raise(there, eventType, { ...about, when: sql`not exists (select 1 from ${webhookEvents} where ${webhookEvents.id} = ${id})` }),
		];
	},
});

const NOTHING: Owed = { writes: [], carry: async () => {} };

/** Raises an event of the request for its organization, if it has one. `more`: members that only this event type has. */
export function announce(
	services: Services,
	{ type }: EventType,
	row: ApprovalRow,
	more: { readonly [member: string]: string } = {},
): Owed {
	const { organizationId } = row;
	if (organizationId === null) return NOTHING;
	const about = { approval_request_id: row.id, approval_type: row.approvalType, entity_type: row.entityType, entity_id: row.entityId };
	const id = services.at(organizationId).newId();
	return owe(services, approvalEvent, organizationId, { id, type, organizationId, approvalId: row.id, data: { ...about, ...more } });
}

/** Stores that nobody decided the request in time. */
export function expireApproval(services: Services, row: ApprovalRow): { writes: readonly Write[]; owed: Owed } {
	const owed = announce(services, approvalExpired, row);
	const ended = end(services.db.orm, row, { status: "EXPIRED" }, sql`${approvals.expiresAt} <= ${services.now}`);
	return { writes: [ended, ...owed.writes], owed };
}
