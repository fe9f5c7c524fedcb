// Cached brands. Apps read brands before anybody signs in, so they are answered from the isolate's memory or the data centre's
// cache; D1 is asked when both are too old. Each is kept under the reference by which it was asked for: an id or a slug.

import * as z from "zod";
import { Databases } from "../../db/databases";
import { placesOf } from "../../db/places";
import { first } from "../../db/reads";
import { etagOf } from "../../http/answers/etag";
import type { Cached, CacheRequest } from "../../http/cached";
import { REFERENCE } from "../../http/callers/acting-organization";
import { logger } from "../../runtime/log";
import type { Readers } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { homeOf, isUuid } from "../../shared/ids";
import { findBrandByReference, shownOf } from "./store";
import { Brand, type Shown, toBrand } from "./wire";

/** The answer to a GET, and when it was read (real time, ms). */
const CachedBrand = z.object({ version: z.int(), body: z.string(), etag: z.string(), readAt: z.int() });
type CachedBrand = z.output<typeof CachedBrand>;

/** Kept for ten seconds, during which this isolate may miss a change made in another. */
const memory = new BoundedCache<CachedBrand>(2_000, 10_000);
/** References that no organization has. They are kept apart, so that made-up ones push no brand out. */
const absent = new BoundedCache<true>(2_000, 5_000);
/** One in the data centre older than the first is renewed after the answer; one older than the second is used only while D1 is down. */
const RENEW_AFTER_MS = 60_000;
const USABLE_FOR_MS = 660_000;

/** The key of a brand. Slugs have no capitals, so only ids are put into lower case. */
export const keyOf = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

/** The organization's brand, if one is cached; undefined when D1 must be asked. */
export async function cachedBrand({ env, baseUrl, path, realNow, failed, afterwards }: CacheRequest): Promise<Cached | undefined> {
	const reference = keyOf(path.organizationId ?? "");
	if (reference.length > 255 || !REFERENCE.test(reference)) return undefined;
	const known = memory.get(reference, realNow);
	if (known?.fresh) return known.value;
	if (!known && absent.get(reference, realNow)?.fresh) return "ABSENT";
	const brand = newer(known?.value, await fromCache(baseUrl, reference));
	const age = brand ? realNow - brand.readAt : Number.POSITIVE_INFINITY;
	if (!brand || (age >= USABLE_FOR_MS && !failed)) return undefined;
	memory.set(reference, brand, realNow);
	if (age >= RENEW_AFTER_MS && !failed) {
		const databases = new Databases(placesOf(env), { constraint: "first-unconstrained" });
		afterwards(() =>
			lookUp({ databases, baseUrl, realNow, afterwards }, reference).catch((error: unknown) =>
				logger({}).error("a brand could not be read", error),
			),
		);
	}
	return brand;
}

export type Source = {
	databases: Pick<Readers, "directory" | "at">;
	baseUrl: string;
	realNow: number;
	afterwards(work: () => Promise<unknown>): void;
};

/** Look-ups under way, by reference: of many concurrent requests for one brand, only one reads it. */
const running = new Map<string, Promise<CachedBrand | undefined>>();

/** Reads the brand and caches it. Undefined when there is no such organization. */
export async function lookUp(source: Source, reference: string): Promise<CachedBrand | undefined> {
	const known = running.get(reference);
	if (known) return known;
	const started = renew(source, reference).finally(() => running.delete(reference));
	running.set(reference, started);
	// Other requests wait for it too, so it must outlive the request that began it.
	source.afterwards(() => started.catch(() => {}));
	return started;
}

async function renew(source: Source, reference: string): Promise<CachedBrand | undefined> {
	const shown = await readBrand(source.databases, reference);
	const known = memory.get(reference, source.realNow)?.value;
	if (!shown && !known) {
		absent.set(reference, true, source.realNow);
		return undefined;
	}
	const read = shown && (await cacheable(shown, source.realNow));
	// A replica may lag behind the one in memory.
	const brand = newer(read, known);
	if (brand) await remember(source, brand, [reference]);
	return brand;
}

/** One round trip where one database holds everything; otherwise the organization's home is read after the reference. */
async function readBrand(databases: Source["databases"], reference: string): Promise<Shown | undefined> {
	const there = isUuid(reference) ? databases.at(homeOf(reference)) : databases.directory;
	const found = await there.read(first(findBrandByReference(there.orm, reference)));
	if (!found) return undefined;
	const home = databases.at(homeOf(found.organizationId));
	if (home === there) return shownOf(found);
	const atHome = await home.read(first(findBrandByReference(home.orm, found.organizationId)));
	return atHome && shownOf(atHome);
}

/** What a GET of this brand answers. */
export async function cacheable(shown: Shown, realNow: number): Promise<CachedBrand> {
	const body = JSON.stringify(Brand.parse(toBrand(shown)));
	return { version: shown.brand?.version ?? 0, body, etag: await etagOf(body), readAt: realNow };
}

/** Keeps the brand in this isolate and in the data centre, under these references. */
export async function remember(
	source: Pick<Source, "baseUrl" | "realNow">,
	brand: CachedBrand,
	references: readonly string[],
): Promise<void> {
	await Promise.all(
		references.map(async (reference) => {
			absent.delete(reference);
			memory.set(reference, brand, source.realNow);
			// Kept for a week, far longer than it counts as fresh, so that it is there while the database is down.
			const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=604800" };
			try {
				await caches.default.put(cacheKey(source.baseUrl, reference), new Response(JSON.stringify(brand), { headers }));
			} catch (error) {
				logger({}).error("a brand could not be cached", error);
			}
		}),
	);
}

async function fromCache(baseUrl: string, reference: string): Promise<CachedBrand | undefined> {
	try {
		const response = await caches.default.match(cacheKey(baseUrl, reference));
		return response && CachedBrand.parse(await response.json());
	} catch (error) {
		logger({}).error("a cached brand could not be read", error);
		return undefined;
	}
}

const cacheKey = (baseUrl: string, reference: string) => `${baseUrl}/v1/branding/${reference}`;

function newer(a: CachedBrand | undefined, b: CachedBrand | undefined): CachedBrand | undefined {
	if (!a || !b) return a ?? b;
	return b.version > a.version || (b.version === a.version && b.readAt > a.readAt) ? b : a;
}
