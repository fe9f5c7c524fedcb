// The app settings, cached. Every app request is checked against them, so reads try the isolate's memory first, then the edge cache,
// and D1 last. An isolate that knows some never waits for newer ones: it uses what it has, and renews it after the answer. When D1 is down,
// cached ones are served however old they are.

import * as z from "zod";
import type { Reader } from "../../db/database";
import { Databases } from "../../db/databases";
import { placesOf } from "../../db/places";
import { first } from "../../db/reads";
import { etagOf } from "../../http/answers/etag";
import type { Cached, CacheRequest } from "../../http/cached";
import type { Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { findSettings } from "./store";
import { type AppSettings, AppSettingsBody, AppSettingsChange, DEFAULT_SETTINGS, toAppSettings } from "./wire";

const answers = new WeakMap<AppSettings, Cached>();

/** Undefined when the settings must be read, and where the query asks about a platform or a version. */
export async function cachedAnswer({ realNow, hasQuery, failed }: CacheRequest): Promise<Cached | undefined> {
	const settings = hasQuery || failed ? undefined : freshSettings(realNow);
	if (!settings) return undefined;
	const known = answers.get(settings);
	if (known) return known;
	// Without a version in question the answer is the same at every instant.
	const body = JSON.stringify(AppSettingsBody.parse(toAppSettings(settings, { now: realNow })));
	const answer = { body, etag: await etagOf(body) };
	answers.set(settings, answer);
	return answer;
}

/** The settings and when they were read (real time, ms). `version` 0: nobody has stored any yet. */
export type CachedSettings = { version: number; settings: AppSettings; readAt: number };

const CachedSettings = z.object({ version: z.int(), settings: AppSettingsChange, readAt: z.int() });

/** Kept for ten seconds, during which this isolate may miss a change made in another. */
const memory = new BoundedCache<CachedSettings>(1, 10_000);
const KEY = "settings";
/** A cached row older than the first is renewed after the response. One older than the second a new isolate uses only if D1 is down. */
const REFRESH_AFTER_MS = 60_000;
const USABLE_FOR_MS = 300_000;

/** The settings that this isolate has read within the last ten seconds. */
export function freshSettings(realNow: number): AppSettings | undefined {
	const known = memory.get(KEY, realNow);
	return known?.fresh ? known.value.settings : undefined;
}

/** The settings, possibly cached; undefined when none are and the database is down. */
export async function currentSettings(services: Services): Promise<CachedSettings | undefined> {
	const { realNow } = services;
	const known = memory.get(KEY, realNow);
	if (known?.fresh) return known.value;
	const cached = newer(known?.value, await fromCache(services));
	const age = cached ? realNow - cached.readAt : Number.POSITIVE_INFINITY;
	if (cached && (known || age < USABLE_FOR_MS)) {
		memory.set(KEY, cached, realNow);
		if (age >= REFRESH_AFTER_MS)
			services.afterwards((job) => renew(job, new Databases(placesOf(job.env), { constraint: "first-unconstrained" }).directory));
		return cached;
	}
	try {
		return await renew(services, services.databases.directory);
	} catch (error) {
		services.log.error("app settings could not be read", error);
		if (cached) memory.set(KEY, cached, realNow);
		return cached;
	}
}

async function renew(services: Services, db: Reader): Promise<CachedSettings> {
	const row = await db.read(first(findSettings(db.orm)));
	const read = { version: row?.version ?? 0, settings: row?.settings ?? DEFAULT_SETTINGS, readAt: services.realNow };
	const known = memory.get(KEY, services.realNow)?.value;
	// A replica may lag behind what is in memory.
	const cached = known && known.version > read.version ? known : read;
	await remember(services, cached);
	return cached;
}

/** Keeps the settings in this isolate and in the edge cache. */
export async function remember(services: Services, cached: CachedSettings): Promise<void> {
	memory.set(KEY, cached, services.realNow);
	const response = new Response(JSON.stringify(cached), {
		// Kept for a week, far longer than it counts as fresh, so that it is there when the database is down.
		headers: { "Content-Type": "application/json", "Cache-Control": "public, max-age=604800" },
	});
	await caches.default
		.put(cacheKey(services), response)
		.catch((error: unknown) => services.log.error("app settings could not be cached", error));
}

async function fromCache(services: Services): Promise<CachedSettings | undefined> {
	try {
		const response = await caches.default.match(cacheKey(services));
		return response && CachedSettings.parse(await response.json());
	} catch (error) {
		services.log.error("cached app settings could not be read", error);
		return undefined;
	}
}

const cacheKey = ({ baseUrl }: Services) => `${baseUrl}/v1/platform/app/settings`;

function newer(a: CachedSettings | undefined, b: CachedSettings | undefined): CachedSettings | undefined {
	if (!a || !b) return a ?? b;
	return b.version > a.version || (b.version === a.version && b.readAt > a.readAt) ? b : a;
}
