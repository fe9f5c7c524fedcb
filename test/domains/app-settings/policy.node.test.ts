// Which app versions must upgrade, as a pure rule.

import { describe, expect, it } from "vitest";
import { isSemanticVersion, isVersion, judgeVersion, type Supported } from "../../../src/domains/app-settings/policy";

const settings: Supported = {
	minimum_supported_version: "4.2.0",
	latest_version: "4.10.0",
	platforms: { IOS: { minimum_supported_version: "5.0.0", latest_version: "5.0.0" } },
	grace_until: null,
};
const judge = (version: string, platform?: string, about: Partial<Supported> = {}, now = 0) =>
	judgeVersion({ ...settings, ...about }, platform, version, now);

describe("the verdict on an app's version", () => {
	it.each([
		["4.1.9", true, true],
		["4.2.0-rc.1", true, true],
		["4.2.0", false, true],
		["4.2", false, true],
		["4.9.9", false, true],
		["4.10.0", false, false],
		["v4.10.0+77", false, false],
		["10.0.0", false, false],
	])("for %s: required %s, recommended %s", (version, updateRequired, updateRecommended) => {
		expect(judge(version)).toEqual({ updateRequired, updateRecommended });
	});

	it("uses the versions of the platform when it has its own", () => {
		expect(judge("4.10.0", "IOS").updateRequired).toBe(true);
		expect(judge("4.10.0", "WEB").updateRequired).toBe(false);
		expect(judge("4.10.0", "TOASTER").updateRequired).toBe(false);
		expect(judge("4.10.0", "constructor").updateRequired).toBe(false);
	});

	it("only recommends the update during the grace period", () => {
		const grace_until = "2026-12-01T00:00:00Z";
		const end = Date.parse(grace_until);
		expect(judge("1.0.0", undefined, { grace_until }, end - 1)).toEqual({ updateRequired: false, updateRecommended: true });
		expect(judge("1.0.0", undefined, { grace_until }, end)).toEqual({ updateRequired: true, updateRecommended: true });
	});
});

describe("a version", () => {
	it("of an app may be short or prefixed, but not a wildcard or other text", () => {
		for (const version of ["4", "4.2", "4.2.0", "v4.2.0", "4.2.0-beta.1", "4.2.0+77", "4.2.0.1"])
			expect(isVersion(version), version).toBe(true);
		for (const version of ["", "x", "4.x", "*", "4.2.0 (77)", ">=4", "latest", "4..2", "-1.0.0", `4.2.0-${"a".repeat(64)}`]) {
			expect(isVersion(version), version).toBe(false);
		}
	});

	it("in the settings must be a full semantic version", () => {
		for (const version of ["0.0.0", "4.2.0", "4.2.0-beta.1", "4.2.0+77"]) expect(isSemanticVersion(version), version).toBe(true);
		for (const version of ["4", "4.2", "v4.2.0", "04.2.0", "4.2.0.1", "4.2.x"]) expect(isSemanticVersion(version), version).toBe(false);
	});
});
