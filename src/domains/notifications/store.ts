// Builds the statements that read and change notification preferences.

import { eq, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { type Entry, isEnabledByDefault, type NotificationCategory, type NotificationChannel } from "./policy";
import { notificationPreferences } from "./table";

export const findPreferences = (orm: Orm, userId: string) =>
	orm.select().from(notificationPreferences).where(eq(notificationPreferences.userId, userId));

/** Changes only these entries, so that concurrent changes of other entries survive. */
export const changePreferences = (orm: Orm, userId: string, entries: readonly Entry[], now: number) =>
	orm.run(sql`
		insert into ${notificationPreferences} (user_id, category, channel, enabled, updated_at)
		select ${userId}, value ->> 'category', value ->> 'channel', value ->> 'enabled', ${now} from json_each(${JSON.stringify(entries)}) where true
		on conflict (user_id, category, channel) do update set enabled = excluded.enabled, updated_at = excluded.updated_at`);

/** Whether the user wants messages of this category over this channel, as SQL for a statement in the user's home. */
export const isWanted = (userId: string, category: NotificationCategory, channel: NotificationChannel): SQL =>
	sql`coalesce((select enabled from ${notificationPreferences}
		where user_id = ${userId} and category = ${category} and channel = ${channel}), ${isEnabledByDefault(category) ? 1 : 0})`;
