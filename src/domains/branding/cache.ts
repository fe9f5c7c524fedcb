// Brands that this isolate remembers. Apps read brands before anybody signs in, so they are kept near their readers; what the isolate
// remembers is for direct callers, and for everybody while D1 is down. Each is remembered under the reference by which it was asked for: an
// id or a slug.

import { first } from "../../db/reads";
import { etagOf } from "../../http/answers/etag";
import type { Cached, CacheRequest } from "../../http/cached";
import { REFERENCE } from "../../http/callers/acting-organization";
import type { Readers, Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { homeOf, isUuid } from "../../shared/ids";
import { findBrandByReference, shownOf } from "./store";
import { Brand, type Shown, toBrand } from "./wire";

/** The answer to a GET, and when it was read (real time, ms). */
type Remembered = { readonly version: number; readonly body: string; readonly etag: string; readonly readAt: number };

/** Fresh for ten seconds, during which this isolate may miss a change made in another. */
const memory = new BoundedCache<Remembered>(2_000, 10_000);
/** References that no organization has. They are kept apart, so that made-up ones push no brand out. */
const absent = new BoundedCache<true>(2_000, 5_000);

/** The key of a brand. Slugs have no capitals, so only ids are put into lower case. */
export const keyOf = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

/** The organization's brand, if this isolate remembers it; undefined when D1 must be asked. */
export async function cachedBrand({ path, realNow, anew, failed }: CacheRequest): Promise<Cached | undefined> {
	const reference = keyOf(path.organizationId ?? "");
	if (reference.length > 255 || !REFERENCE.test(reference)) return undefined;
	const known = memory.get(reference, realNow);
	if (known) return failed || (known.fresh && !anew) ? known.value : undefined;
	return absent.get(reference, realNow)?.fresh ? "ABSENT" : undefined;
}

/** Look-ups under way, by reference: of many concurrent requests for one brand, only one reads it. */
const running = new Map<string, Promise<Remembered | undefined>>();

/** Reads the brand and remembers it. Undefined when there is no such organization. */
export async function lookUp(services: Services, reference: string): Promise<Remembered | undefined> {
	const known = running.get(reference);
	if (known) return known;
	const started = read(services, reference).finally(() => running.delete(reference));
	running.set(reference, started);
	// Other requests wait for it too, so it must outlive the request that began it.
	services.afterwards(() => started.catch(() => {}));
	return started;
}

async function read({ databases, realNow }: Services, reference: string): Promise<Remembered | undefined> {
	const shown = await readBrand(databases, reference);
	if (!shown) {
		absent.set(reference, true, realNow);
		return undefined;
	}
	const found = await cacheable(shown, realNow);
	const known = memory.get(reference, realNow)?.value;
	// A change may have been made since the read began.
	const brand = known && known.version > found.version ? known : found;
	remember(brand, [reference], realNow);
	return brand;
}

/** One round trip where one database holds everything; otherwise the organization's home is read after the reference. */
async function readBrand(databases: Pick<Readers, "directory" | "at">, reference: string): Promise<Shown | undefined> {
	const there = isUuid(reference) ? databases.at(homeOf(reference)) : databases.directory;
	const found = await there.read(first(findBrandByReference(there.orm, reference)));
	if (!found) return undefined;
	const home = databases.at(homeOf(found.organizationId));
	if (home === there) return shownOf(found);
	const atHome = await home.read(first(findBrandByReference(home.orm, found.organizationId)));
	return atHome && shownOf(atHome);
}

/** What a GET of this brand answers. */
export async function cacheable(shown: Shown, realNow: number): Promise<Remembered> {
	const body = JSON.stringify(Brand.parse(toBrand(shown)));
	return { version: shown.brand?.version ?? 0, body, etag: await etagOf(body), readAt: realNow };
}

/** This isolate shows the brand from now on, under these references. */
export function remember(brand: Remembered, references: readonly string[], realNow: number): void {
	for (const reference of references) {
		absent.delete(reference);
		memory.set(reference, brand, realNow);
	}
}
