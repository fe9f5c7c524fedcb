// Ids carry their instant and their home, and ascend.

import { expect, it } from "vitest";
import { homeOf, idBoundAt, isUuid, resourceId, uuidOf, uuidv7 } from "../../src/shared/ids";

const INSTANT = Date.UTC(2026, 10, 20);

it("contains the instant, version and variant", () => {
	const id = uuidv7(INSTANT, 0);
	expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(INSTANT);
});

it("ascends within a millisecond and across milliseconds", () => {
	const ids = Array.from({ length: 3000 }, (_, index) => uuidv7(INSTANT + Math.floor(index / 1000), 7));
	expect(ids.toSorted()).toEqual(ids);
	expect(new Set(ids).size).toBe(ids.length);
});

it("ids stay in order when a bound is made between them, which is below those of its instant and above the earlier ones", () => {
	const earlier = uuidv7(INSTANT - 1, 0);
	const ids = Array.from({ length: 300 }, () => {
		const id = uuidv7(INSTANT, 0);
		idBoundAt(INSTANT - 1);
		return id;
	});
	expect([earlier, idBoundAt(INSTANT), ...ids].toSorted()).toEqual([earlier, idBoundAt(INSTANT), ...ids]);
});

it.each([0, 1, 64, 4095])("an id names its home, %i", (home) => {
	expect(homeOf(uuidv7(INSTANT, home))).toBe(home);
});

it("converts to a resource id and back", () => {
	const id = uuidv7(INSTANT, 0);
	expect(resourceId("lapp", id)).toMatch(/^lapp_[0-9a-f]{32}$/);
	expect(uuidOf("lapp", resourceId("lapp", id))).toBe(id);
	expect(uuidOf("lapp", id.toUpperCase())).toBe(id);
	expect(uuidOf("acc", resourceId("lapp", id))).toBeUndefined();
	expect(uuidOf("lapp", "lapp_zz")).toBeUndefined();
	expect(isUuid("1234")).toBe(false);
});
