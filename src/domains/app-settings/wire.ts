// The app settings, in one shape for the wire and for storage. GET returns what PUT stored, plus two verdicts on the
// version that the request asks about.

import * as z from "zod";
import { bounded, list } from "../../shared/bounded";
import { CurrencyCode } from "../../shared/currency-code";
import { EmailAddress } from "../../shared/email";
import { Timestamp } from "../../shared/timestamp";
import { isSemanticVersion, judgeVersion, PLATFORMS, type Platform, versionsFor } from "./policy";

const Version = z
	.string()
	.refine(isSemanticVersion, "must be a semantic version, such as 4.2.0")
	.meta({
		title: "AppVersion",
		description: "Semantic version",
		maxLength: 64,
		pattern: "^(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){2}(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$",
		examples: ["4.2.0"],
	});

const PlatformVersions = z.strictObject({
	minimum_supported_version: Version,
	latest_version: Version.optional(),
	store_url: z
		.url({ protocol: /^https$/ })
		.max(2048)
		.nullable()
		.default(null),
});

const members = {
	minimum_supported_version: Version,
	latest_version: Version.optional().meta({ description: "Defaults to the minimum supported version" }),
	platforms: z
		.partialRecord(z.enum(PLATFORMS), PlatformVersions)
		.default({})
		.meta({ description: "Versions by platform; they replace the general ones" }),
	grace_until: Timestamp.nullable().default(null).meta({ description: "Until then, versions below the minimum are still served" }),
	maintenance: z
		.strictObject({
			active: z.boolean(),
			message: z.string().max(1000).nullable().default(null),
			until: Timestamp.nullable().default(null),
		})
		.default({ active: false, message: null, until: null }),
	default_currency: CurrencyCode.nullable().default(null),
	supported_countries: list(
		z
			.strictObject({
				country_code: z.string().regex(/^[A-Z]{2}$/, "must be a country code"),
				calling_code: z.string().regex(/^\+[1-9]\d{0,3}$/, "must be a calling code, such as +254"),
				currency: CurrencyCode,
			})
			.meta({ title: "SupportedCountry" }),
		{ max: 250 },
	).default([]),
	support: z
		.strictObject({
			mobile_number: z.string().max(32).nullable().default(null),
			email: EmailAddress.nullable().default(null),
		})
		.default({ mobile_number: null, email: null }),
	features: bounded(z.record(z.string().min(1).max(100), z.boolean()), 250).default({}),
};

const verdicts = {
	update_required: z.boolean().meta({ description: "Whether the requested version is no longer served; false when no version was given" }),
	update_recommended: z
		.boolean()
		.meta({ description: "Whether a newer version than the requested one exists; false when no version was given" }),
};

/** Accepts the verdicts and ignores them, so that a client can GET the settings, change them and PUT them back. */
export const AppSettingsChange = z
	.strictObject({ ...members, update_required: z.boolean().optional(), update_recommended: z.boolean().optional() })
	.transform(({ update_required: _, update_recommended: __, ...settings }) => ({
		...settings,
		latest_version: settings.latest_version ?? settings.minimum_supported_version,
		platforms: Object.fromEntries(
			Object.entries(settings.platforms).map(([platform, versions]) => [
				platform,
				{ ...versions, latest_version: versions.latest_version ?? versions.minimum_supported_version },
			]),
		),
	}))
	.meta({ id: "AppSettingsChange" });

export type AppSettings = z.output<typeof AppSettingsChange>;

export const AppSettingsBody = z
	.object({ ...members, ...verdicts, latest_version: Version })
	.meta({ id: "AppSettings", description: "App settings" });

/** Used until an operator stores settings: every version is served. */
export const DEFAULT_SETTINGS: AppSettings = AppSettingsChange.parse({ minimum_supported_version: "0.0.0" });

/** The settings, with the versions of `platform` and the verdict on `version` where these are given. `now` in ms. */
export function toAppSettings(
	settings: AppSettings,
	{ platform, version, now }: { platform?: Platform | undefined; version?: string | undefined; now: number },
): z.input<typeof AppSettingsBody> {
	const { minimum_supported_version, latest_version } = versionsFor(settings, platform);
	const verdict = version === undefined ? undefined : judgeVersion(settings, platform, version, now);
	return {
		...settings,
		minimum_supported_version,
		latest_version,
		update_required: verdict?.updateRequired ?? false,
		update_recommended: verdict?.updateRecommended ?? false,
	};
}
