// The brands of organizations: anybody reads them, members replace their own.

import * as z from "zod";
import { first } from "../../db/reads";
import { raise } from "../../events/raise";
import { requireMatch } from "../../http/answers/etag";
import { anyone, memberOfPublicPath, orIdentity } from "../../http/callers/access";
import { REFERENCE } from "../../http/callers/acting-organization";
import { refusalOfGuess, refuseFailingAddress } from "../../http/callers/failed-credentials";
import { operation, Reply } from "../../http/operation";
import { brandTag } from "../../shared/cache-tags";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { cacheable, cachedBrand, keyOf, lookUp, remember } from "./cache";
import { brandingUpdated } from "./events";
import { hasLowContrast } from "./policy";
import { findBrandByReference, replaceBrand, shownOf } from "./store";
import { Brand, BrandChange, ChangedBrand, fromBrandChange, toBrand } from "./wire";

const path = z.object({
	organizationId: z.string().min(1).max(255).regex(REFERENCE, "must be an id or a slug").meta({ description: "Id or slug" }),
});

export const getBrand = operation({
	id: "getBrand",
	method: "GET",
	path: "/v1/branding/{organizationId}",
	summary: "The brand of an organization",
	description:
		"Needs no credentials and ignores those that are sent. " +
		"Answers may be a minute old, of a brand that is rarely read eleven minutes; a change shows at once. " +
		"While the service fails, copies near readers are answered for a day, and what the service remembers at any age. " +
		"An organization that has not published a brand has its name on a neutral colour.",
	access: anyone,
	home: "directory",
	gated: false,
	cors: true,
	// Requests that are answered from a cache are not counted.
	limit: "exchange",
	// A replica may lag behind the change that has just purged what was kept.
	reads: "primary",
	validationErrors: true,
	// A day in all.
	cacheControl: "public, max-age=60, stale-while-revalidate=600, stale-if-error=86340",
	request: { path },
	response: Brand,
	keptAs: (body) => brandTag((body as z.output<typeof Brand>).organization_id),
	errors: ["NOT_FOUND"],
	cached: cachedBrand,
	async handle({ path: { organizationId } }, services) {
		refuseFailingAddress(services);
		const known = await lookUp(services, keyOf(organizationId));
		if (!known) throw refusalOfGuess(new ApiError("NOT_FOUND"));
		return JSON.parse(known.body) as z.output<typeof Brand>;
	},
});

export const putBrand = operation({
	id: "putBrand",
	method: "PUT",
	path: "/v1/branding/{organizationId}",
	summary: "Create or replace the brand of an organization",
	description:
		"Members that are left out become null. A PUT that changes nothing keeps `updated_at` and the ETag. " +
		"Tokens must be signed with RS256, by this service or by an identity or operator issuer. " +
		"Send in `If-Match` the ETag of the brand that you change.",
	access: orIdentity(memberOfPublicPath("org:branding:write"), { algorithms: ["RS256"] }),
	cors: true,
	validationErrors: true,
	request: { path, body: BrandChange },
	response: ChangedBrand,
	keptAs: (body) => brandTag((body as z.output<typeof Brand>).organization_id),
	errors: ["PRECONDITION_FAILED"],
	async handle({ caller: { organizationId }, body, ifMatch }, services) {
		const { db, now, realNow } = services;
		const found = await db.read(first(findBrandByReference(db.orm, organizationId)));
		if (!found) throw new ApiError("NOT_FOUND");
		const shown = shownOf(found);
		const { organization, brand: seen } = shown;
		const before = Brand.parse(toBrand(shown));
		// `*` demands a brand of its own.
		if (!seen && ifMatch === "*") throw new ApiError("PRECONDITION_FAILED");
		await requireMatch(ifMatch, before);

		const row = {
			...fromBrandChange(body),
			organizationId,
			version: (seen?.version ?? 0) + 1,
			createdAt: seen?.createdAt ?? now,
			updatedAt: now,
		};
		const after = toBrand({ organization, brand: row });
		const changed = Object.keys(body).filter((name) => after[name as keyof BrandChange] !== before[name as keyof BrandChange]);
		const lowContrast = hasLowContrast(body.primary_color, body.secondary_color);
		const replyWith = (brand: typeof after, etag: string) =>
			new Reply({ ...brand, ...(lowContrast && { warnings: ["LOW_CONTRAST" as const] }) }, { headers: { ETag: etag } });
		if (seen && changed.length === 0) return replyWith(before, (await cacheable(shown, realNow)).etag);

		const cached = await cacheable({ organization, brand: row }, realNow);
		const reply = await services.commit(
			[
				replaceBrand(db.orm, row),
				raise(services, brandingUpdated, {
					organizationId,
					data: { organization_id: organizationId, updated_at: toTimestamp(now), changed_fields: changed },
				}),
			],
			replyWith(after, cached.etag),
		);
		// After the commit: the cache must never show a change that failed.
		remember(cached, [organizationId, found.slug], realNow);
		return reply;
	},
});
