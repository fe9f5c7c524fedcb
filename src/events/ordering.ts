// Order within an entity. An endpoint that asks for it gets the events of one entity one after the other: of the open deliveries only the
// oldest is due, and those behind it become due when it has ended. An event's entity is in its payload.

import { type Column, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { webhookDeliveries } from "./table";

const sibling = alias(webhookDeliveries, "sibling");

/**
 * The members of a payload of which the first that it has names the entity: the account before the user whom it belongs to, so that all that
 * happens to an account is in one order. Of a payload with none of them, the first member whose name ends in `_id` does.
 */
export const ENTITY_MEMBERS = [
	"account_id",
	"invoice_id",
	"entity_id",
	"invitation_id",
	"api_key_id",
	"webhook_id",
	"agent_user_id",
	"user_id",
	"loan_product_id",
	"unmatched_payment_id",
	"organization_id",
	"stream",
	"provider",
] as const;

/** The id of what an event is about; null for a payload that names nothing. */
export function entityOf(data: object): string | null {
	const members = data as Readonly<Record<string, unknown>>;
	const others = Object.keys(members).filter((name) => name.endsWith("_id"));
	for (const name of [...ENTITY_MEMBERS, ...others]) if (typeof members[name] === "string") return members[name];
	return null;
}

/** The same of a payload that is JSON text. */
export const entityIn = (data: SQL | Column): SQL =>
	sql`coalesce(${sql.join(
		ENTITY_MEMBERS.map((name) => sql`${data} ->> ${sql.raw(`'${name}'`)}`),
		sql`, `,
	)}, (select value from json_each(${data}) where key glob '*_id' and typeof(value) = 'text' limit 1))`;

/** The `next_attempt_at` of a delivery that waits behind an older one: after all instants. */
export const BEHIND = 8_640_000_000_000_000;

type Ordered = { webhookId: Column | SQL; entityId: Column | SQL };

/** The open or failed deliveries `sibling` of the entity at its endpoint. The words of the partial index, which SQLite uses for them alone. */
const ofEntity = ({ webhookId, entityId }: Ordered, status: "PENDING" | "FAILED"): SQL => sql`
	${sibling.webhookId} = ${webhookId} and ${sibling.entityId} = ${entityId} and ${sibling.status} <> 'DELIVERED' and ${sibling.status} = ${sql.raw(`'${status}'`)}`;

/** Whether the entity has an open delivery at the endpoint. */
export const hasOpen = (of: Ordered): SQL => sql`exists (select 1 from ${webhookDeliveries} ${sibling} where ${ofEntity(of, "PENDING")})`;

/** Whether an older delivery of the entity is open, so that this one must wait. */
export const isBehind = (of: Ordered & { eventSequence: Column | SQL }): SQL => sql`(${of.entityId} is not null and exists (
	select 1 from ${webhookDeliveries} ${sibling} where ${ofEntity(of, "PENDING")} and ${sibling.eventSequence} < ${of.eventSequence}))`;

/** The entity's oldest open delivery at the endpoint. */
export const oldestOpen = (of: Ordered): SQL => sql`(
	select ${sibling.id} from ${webhookDeliveries} ${sibling} where ${ofEntity(of, "PENDING")} order by ${sibling.eventSequence} limit 1)`;

/** The entity's last earlier delivery that FAILED and has not arrived since; null when there is none, or no order. */
export const lastFailedBefore = (of: Ordered & { eventSequence: Column | SQL }): SQL => sql`case when ${of.entityId} is not null then (
	select ${sibling.id} from ${webhookDeliveries} ${sibling} where ${ofEntity(of, "FAILED")} and ${sibling.eventSequence} < ${of.eventSequence}
	order by ${sibling.eventSequence} desc limit 1) end`;
