// The settings that apps read before anybody signs in, and the operation by which operators replace them.

import * as z from "zod";
import { first } from "../../db/reads";
import { etagOf, requireMatch } from "../../http/answers/etag";
import { NOT_KEPT } from "../../http/answers/response";
import { alone, anyone, operator } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { APP_SETTINGS_TAG } from "../../shared/cache-tags";
import { ApiError } from "../../shared/errors";
import { type CachedSettings, cachedAnswer, readSettings, remember, rememberedSettings } from "./cache";
import { isVersion, PLATFORMS } from "./policy";
import { findSettings, replaceSettings } from "./store";
import { AppSettingsBody, AppSettingsChange, DEFAULT_SETTINGS, toAppSettings } from "./wire";

export const getAppSettings = operation({
	id: "getAppSettings",
	method: "GET",
	path: "/v1/app/settings",
	summary: "App settings, including the minimum supported version",
	description:
		"With `platform`, the versions are those of that platform. With `version`, the response says whether that version must or should be updated. " +
		"Answers may be five minutes old; a change shows at once. " +
		"While the service fails, copies near readers are answered for a day, and what the service remembers at any age.",
	access: anyone,
	home: "directory",
	gated: false,
	// A replica may lag behind the change that has just purged what was kept.
	reads: "primary",
	// A day in all.
	cacheControl: "public, max-age=300, stale-if-error=86100",
	request: {
		query: z.object({
			platform: z.enum(PLATFORMS).optional(),
			version: z
				.string()
				.refine(isVersion, "must be a version, such as 4.2.0")
				.optional()
				.meta({ pattern: "^v?\\d+(\\.\\d+)*([-+].*)?$", maxLength: 64 }),
		}),
	},
	response: AppSettingsBody,
	keptAs: () => APP_SETTINGS_TAG,
	cached: cachedAnswer,
	async handle({ query }, services) {
		const answerOf = ({ settings }: CachedSettings) => toAppSettings(settings, { ...query, now: services.now });
		try {
			return answerOf(await readSettings(services));
		} catch (error) {
			const known = rememberedSettings(services);
			services.log.error("app settings could not be read", error);
			if (!known) throw new ApiError("SERVICE_UNAVAILABLE");
			// Nobody keeps what may be of any age.
			return new Reply(answerOf(known), { headers: { "Cache-Control": NOT_KEPT } });
		}
	},
});

export const putAppSettings = operation({
	id: "putAppSettings",
	method: "PUT",
	path: "/v1/platform/app/settings",
	summary: "Replace the app settings",
	description: "Send in `If-Match` the ETag of `GET /v1/app/settings` without a query, or of an earlier response to this operation.",
	access: alone(operator),
	home: "directory",
	gated: false,
	request: { body: AppSettingsChange },
	response: AppSettingsBody,
	keptAs: () => APP_SETTINGS_TAG,
	errors: ["PRECONDITION_FAILED"],
	async handle({ body, ifMatch }, services) {
		const { db, now, realNow } = services;
		const row = await db.read(first(findSettings(db.orm)));
		const wire = (settings: typeof body) => AppSettingsBody.parse(toAppSettings(settings, { now }));
		await requireMatch(ifMatch, wire(row?.settings ?? DEFAULT_SETTINGS));
		const seen = row?.version ?? 0;
		const put = wire(body);
		const reply = new Reply(put, { headers: { ETag: await etagOf(JSON.stringify(put)) } });
		const committed = await services.commit([replaceSettings(db.orm, body, seen, now)], reply);
		// After the commit: the cache must never show a change that failed.
		remember(services, { version: seen + 1, settings: body, readAt: realNow });
		return committed;
	},
});
