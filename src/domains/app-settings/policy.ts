// Decides which app versions are still served. Versions compare by semantic versioning: 4.10 is above 4.9, and a
// pre-release is below its release.

import { compareVersions, validate, validateStrict } from "compare-versions";

export const PLATFORMS = ["IOS", "ANDROID", "WEB"] as const;
export type Platform = (typeof PLATFORMS)[number];

type Versions = { minimum_supported_version: string; latest_version: string };
type OnPlatform = Versions & { store_url?: string | null };
export type Supported = Versions & {
	platforms: { readonly [P in Platform]?: OnPlatform };
	/** RFC 3339. Until then, a version below the minimum gets the hint to update and is still served. */
	grace_until: string | null;
};

/** Whether the text is a full semantic version, as the settings require. */
export const isSemanticVersion = (text: string): boolean => text.length <= 64 && validateStrict(text);

/** Whether the text is a version as apps send it: `4.2`, `4.2.0`, `v4.2.0-beta.1`; no wildcards. */
export const isVersion = (text: string): boolean => text.length <= 64 && /^v?\d+(\.\d+)*([-+]|$)/.test(text) && validate(text);

/** The versions of the platform; the general ones when it has no entry of its own. */
export const versionsFor = (settings: Supported, platform: string | undefined): Versions => {
	const own = PLATFORMS.find((one) => one === platform);
	return (own && settings.platforms[own]) ?? settings;
};

/** Where the app's present version is for the platform; null if nobody has said so. */
export const storeOf = ({ platforms }: Supported, platform: string | undefined): string | null => {
	const own = PLATFORMS.find((one) => one === platform);
	return (own && platforms[own]?.store_url) ?? null;
};

/** Whether this version must or should be updated. `version` must satisfy `isVersion`; `now` in ms. */
export function judgeVersion(settings: Supported, platform: string | undefined, version: string, now: number) {
	const { minimum_supported_version, latest_version } = versionsFor(settings, platform);
	const tooOld = compareVersions(version, minimum_supported_version) < 0;
	const inGrace = settings.grace_until !== null && now < Date.parse(settings.grace_until);
	return {
		updateRequired: tooOld && !inGrace,
		updateRecommended: tooOld || compareVersions(version, latest_version) < 0,
	};
}
