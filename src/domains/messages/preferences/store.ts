// Builds the statements that read and change notification preferences.

import { eq, type SQL, sql } from "drizzle-orm";
import { bare, bareList, excluded } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { type Entry, isEnabledByDefault, type NotificationCategory, type NotificationChannel } from "./policy";
import { notificationPreferences } from "./table";

const { userId, category, channel, enabled, updatedAt } = notificationPreferences;

export const findPreferences = (orm: Orm, owner: string) => orm.select().from(notificationPreferences).where(eq(userId, owner));

/** Changes only these entries, so that concurrent changes of other entries survive. */
export const changePreferences = (orm: Orm, owner: string, entries: readonly Entry[], now: number) =>
	orm.run(sql`
		insert into ${notificationPreferences} (${bareList(userId, category, channel, enabled, updatedAt)})
		select ${owner}, value ->> 'category', value ->> 'channel', value ->> 'enabled', ${now} from json_each(${JSON.stringify(entries)}) where true
		on conflict (${bareList(userId, category, channel)}) do update set ${bare(enabled)} = ${excluded(enabled)}, ${bare(updatedAt)} = ${excluded(updatedAt)}`);

/** Whether the user wants messages of this category over this channel, as SQL for a statement in the user's home. */
export const isWanted = (owner: string, of: NotificationCategory, over: NotificationChannel | SQL): SQL =>
	sql`coalesce((select ${enabled} from ${notificationPreferences}
		where ${userId} = ${owner} and ${category} = ${of} and ${channel} = ${over}), ${isEnabledByDefault(of) ? 1 : 0})`;
