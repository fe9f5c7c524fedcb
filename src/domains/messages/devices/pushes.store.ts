// Claims pushes that are due, and records what became of them. A claim moves the next attempt 30 seconds ahead, so that no other sender
// takes the push meanwhile. A push that has ended has no row.

import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bareList, isOneOf, qualified } from "../../../db/columns";
import type { Orm, Statement } from "../../../db/database";
import type { Services } from "../../../runtime/services";
import type { Locale } from "../../../shared/locale";
import type { PushPlatform } from "../../../shared/push-platforms";
import { SECOND_MS, toTimestamp } from "../../../shared/time";
import { inbox } from "../inbox.table";
import { messageDays } from "../table";
import { type DeviceRow, devices, type PushRow, pushes } from "./table";

const p = pushes;
const push = alias(pushes, "push");
const device = alias(devices, "device");
const message = alias(inbox, "message");

const CLAIM_MS = 30 * SECOND_MS;

/** As many connections as a Worker may have open at a time. */
export const BATCH = 6;

/** A push to each of the user's devices of these platforms, if the statement before has kept the message. */
export const insertPushes = (orm: Orm, { userId, messageId }: Only, platforms: readonly PushPlatform[], now: number) =>
	orm.run(sql`
		insert into ${p} (${bareList(p.userId, p.deviceHash, p.messageId, p.attempts, p.nextAttemptAt, p.createdAt)})
		select ${userId}, ${device.deviceHash}, ${messageId}, 0, ${now}, ${now} from ${devices} ${device}
		where ${device.userId} = ${userId} and ${isOneOf(device.platform, platforms)} and changes() = 1`);

/** Which pushes: all, or those of one message. */
export type Only = Pick<PushRow, "userId" | "messageId">;

type ClaimedDevice = Pick<DeviceRow, "platform" | "tokenHash" | "sealedToken"> & { readonly locale: Locale | null };
/**
 * A push with what is known of its device and of its message as JSON: null once the device is gone, or the message was read. `reader`: of
 * its reader.
 */
export type ClaimedPush = PushRow & { readonly device: string | null; readonly category: string | null; readonly reader: string | null };

export const deviceIn = ({ device: known }: ClaimedPush): ClaimedDevice | undefined =>
	known === null ? undefined : (JSON.parse(known) as ClaimedDevice);

/** Claims up to six due pushes. */
export const claimDue = ({ db: { orm }, now, lenders }: Pick<Services, "db" | "now" | "lenders">, only?: Only) =>
	orm
		.update(pushes)
		.set({ attempts: sql`${p.attempts} + 1`, nextAttemptAt: now + CLAIM_MS })
		.where(
			sql`(${p.userId}, ${p.deviceHash}, ${p.messageId}) in (select ${push.userId}, ${push.deviceHash}, ${push.messageId} from ${pushes} ${push}
				where ${push.nextAttemptAt} <= ${now} ${only ? sql`and ${push.userId} = ${only.userId} and ${push.messageId} = ${only.messageId}` : sql``}
				order by ${push.nextAttemptAt} limit ${BATCH})`,
		)
		.returning({
			...getTableColumns(pushes),
			device: qualified(sql<string | null>`(select json_object('platform', ${device.platform}, 'tokenHash', ${device.tokenHash},
				'sealedToken', ${device.sealedToken}, 'locale', ${device.locale}) from ${devices} ${device}
				where ${device.userId} = ${p.userId} and ${device.deviceHash} = ${p.deviceHash})`).as("device"),
			category: qualified(sql<string | null>`(select ${message.category} from ${inbox} ${message}
				where ${message.id} = ${p.messageId} and ${message.readAt} is null)`).as("category"),
			reader: lenders.readerOf(p.userId).as("reader"),
		});

/** Finds a row if a push is due. */
export const anyDue = (orm: Orm, now: number) =>
	orm.all(sql`select 1 from ${pushes} ${push} where ${push.nextAttemptAt} <= ${now} order by ${push.nextAttemptAt} limit 1`);

/** The push as this attempt has claimed it: no other has since. */
const isClaimed = ({ userId, deviceHash, messageId, attempts }: PushRow): SQL =>
	sql`${p.userId} = ${userId} and ${p.deviceHash} = ${deviceHash} and ${p.messageId} = ${messageId} and ${p.attempts} = ${attempts}`;

/** Counts a push with its day and provider, if it has not ended; so it comes before its end. */
export function countSent(orm: Orm, row: PushRow, provider: string): Statement {
	const c = messageDays;
	return orm.run(sql`
		insert into ${c} (${bareList(c.day, c.provider, c.currency, c.sent, c.delivered, c.failed, c.cost)})
		select ${toTimestamp(row.createdAt).slice(0, 10)}, ${provider}, '', 1, 0, 0, 0 from ${pushes} where ${isClaimed(row)}
		on conflict do update set ${assign(c, { sent: sql`${c.sent} + 1` })}`);
}

export const endPush = (orm: Orm, row: PushRow): Statement => orm.delete(pushes).where(isClaimed(row));

export const sendLater = (orm: Orm, row: PushRow, nextAttemptAt: number): Statement =>
	orm.update(pushes).set({ nextAttemptAt }).where(isClaimed(row));

/** What waits for the device, once it is gone. */
export const endPushesTo = (orm: Orm, { userId, deviceHash }: Pick<PushRow, "userId" | "deviceHash">): Statement =>
	orm
		.delete(pushes)
		.where(
			and(
				eq(p.userId, userId),
				eq(p.deviceHash, deviceHash),
				sql`not exists (select 1 from ${devices} ${device} where ${device.userId} = ${userId} and ${device.deviceHash} = ${deviceHash})`,
			),
		);
