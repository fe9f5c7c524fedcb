// The app settings that this isolate remembers. Every app request is checked against them: an isolate that knows some never waits for newer
// ones, but uses what it has and renews it after the answer. Their public part is kept near its readers.

import type { Reader } from "../../db/database";
import { Databases } from "../../db/databases";
import { placesOf } from "../../db/places";
import { first } from "../../db/reads";
import { etagOf } from "../../http/answers/etag";
import type { Cached, CacheRequest } from "../../http/cached";
import type { Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { findSettings } from "./store";
import { type AppSettings, AppSettingsBody, DEFAULT_SETTINGS, toAppSettings } from "./wire";

/** The settings and when they were read (real time, ms). `version` 0: nobody has stored any yet. */
export type CachedSettings = { readonly version: number; readonly settings: AppSettings; readonly readAt: number };

/** Fresh for ten seconds, during which this isolate may miss a change made in another. */
const memory = new BoundedCache<CachedSettings>(1, 10_000);
const KEY = "settings";
/** Older ones are renewed after the response. */
const REFRESH_AFTER_MS = 60_000;

const answers = new WeakMap<CachedSettings, Cached>();

/** Undefined when the settings must be read, and where the query asks about a platform or a version. */
export async function cachedAnswer({ realNow, hasQuery, anew, failed }: CacheRequest): Promise<Cached | undefined> {
	const remembered = memory.get(KEY, realNow);
	if (!remembered || hasQuery || !(failed || (remembered.fresh && !anew))) return undefined;
	const { value } = remembered;
	const known = answers.get(value);
	if (known) return known;
	// Without a version in question the answer is the same at every instant.
	const body = JSON.stringify(AppSettingsBody.parse(toAppSettings(value.settings, { now: realNow })));
	const answer = { body, etag: await etagOf(body), readAt: value.readAt };
	answers.set(value, answer);
	return answer;
}

/** The settings, possibly remembered; undefined when none are and the database is down. */
export async function currentSettings(services: Services): Promise<CachedSettings | undefined> {
	const { realNow } = services;
	const known = memory.get(KEY, realNow);
	if (known?.fresh) return known.value;
	if (known) {
		memory.set(KEY, known.value, realNow);
		if (realNow - known.value.readAt >= REFRESH_AFTER_MS)
			services.afterwards((job) => readSettings(job, new Databases(placesOf(job.env), { constraint: "first-unconstrained" }).directory));
		return known.value;
	}
	try {
		return await readSettings(services);
	} catch (error) {
		services.log.error("app settings could not be read", error);
		return undefined;
	}
}

/** What this isolate knows of the settings, however old. */
export const rememberedSettings = ({ realNow }: Services): CachedSettings | undefined => memory.get(KEY, realNow)?.value;

/** The settings as the database has them. */
export async function readSettings(services: Services, db: Reader = services.databases.directory): Promise<CachedSettings> {
	const row = await db.read(first(findSettings(db.orm)));
	const read = { version: row?.version ?? 0, settings: row?.settings ?? DEFAULT_SETTINGS, readAt: services.realNow };
	const known = rememberedSettings(services);
	// A replica may lag behind what is remembered.
	const newest = known && known.version > read.version ? known : read;
	remember(services, newest);
	return newest;
}

/** This isolate goes by the settings from now on. */
export function remember({ realNow }: Services, settings: CachedSettings): void {
	memory.set(KEY, settings, realNow);
}
