// Builds the statements on the app settings.

import { eq, sql } from "drizzle-orm";
import type { Effect, Orm } from "../../db/database";
import { guarded } from "../../db/guards";
import { appSettings } from "./table";
import type { AppSettings } from "./wire";

export const findSettings = (orm: Orm) => orm.select().from(appSettings).where(eq(appSettings.id, 1));

/** Replaces the settings of version `seen`. */
export const replaceSettings = (orm: Orm, settings: AppSettings, seen: number, now: number): Effect =>
	guarded(
		orm
			.insert(appSettings)
			.values({ id: 1, version: seen + 1, settings, updatedAt: now })
			.onConflictDoUpdate({
				target: appSettings.id,
				set: { version: seen + 1, settings, updatedAt: now },
				setWhere: sql`${appSettings.version} = ${seen}`,
			}),
	);
