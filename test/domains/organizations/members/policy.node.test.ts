// Who ranks above whom, and which of two copies of a membership is newer.

import { describe, expect, it } from "vitest";
import { mayTouch, nextByOrganization, nextByUser } from "../../../../src/domains/organizations/members/policy";
import { ROLES } from "../../../../src/shared/permissions";

describe("rank", () => {
	const touched = (caller: Parameters<typeof mayTouch>[0]) => ROLES.filter((role) => mayTouch(caller, role));

	it("refuses changes of roles above the caller's own", () => {
		expect(touched("operator")).toEqual(ROLES);
		expect(touched("organization-owner")).toEqual(ROLES);
		expect(touched("organization-admin")).toEqual(ROLES.slice(1));
		for (const role of ROLES.slice(2)) expect(touched(role)).toEqual(ROLES.slice(2));
	});
});

describe("versions", () => {
	it("ascend, and differ even if both homes decide concurrently", () => {
		for (let version = 1; version < 20; version++) {
			expect(nextByUser(version)).toBeGreaterThan(version);
			expect(nextByOrganization(version)).toBeGreaterThan(version);
			expect(nextByUser(version) % 2).toBe(1);
			expect(nextByOrganization(version) % 2).toBe(0);
		}
	});
});
