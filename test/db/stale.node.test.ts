// What is done when rows have changed before a commit.

import { describe, expect, it } from "vitest";
import { StaleWrite } from "../../src/db/database";
import { eachUnlessStale, togetherOrEach, unlessStale } from "../../src/db/stale";

const broken = new Error("broken");

/** A commit that is stale with the row `changed` in it, fails with `broken`, and else notes its rows. */
function commits() {
	const committed: (readonly string[])[] = [];
	const commit = async (rows: readonly string[]) => {
		if (rows.includes("broken")) throw broken;
		if (rows.includes("changed")) throw new StaleWrite("stale");
		committed.push(rows);
	};
	return { committed, commit };
}

describe("work on a row", () => {
	it("says whether it was done, or the row had changed", async () => {
		const { commit } = commits();
		expect(await unlessStale(() => commit(["row"]))).toBe(true);
		expect(await unlessStale(() => commit(["changed"]))).toBe(false);
	});

	it("fails with every other error", async () => {
		await expect(unlessStale(() => commits().commit(["broken"]))).rejects.toBe(broken);
	});
});

describe("rows of one commit", () => {
	it("are committed together while none has changed", async () => {
		const { committed, commit } = commits();
		expect(await togetherOrEach(["one", "two"], commit)).toEqual(["one", "two"]);
		expect(committed).toEqual([["one", "two"]]);
	});

	it("are committed each alone when one has changed, which is left out", async () => {
		const { committed, commit } = commits();
		expect(await togetherOrEach(["one", "changed", "two"], commit)).toEqual(["one", "two"]);
		expect(committed).toEqual([["one"], ["two"]]);
	});

	it("are not tried a second time when there is one", async () => {
		let tries = 0;
		const stale = async () => {
			tries++;
			throw new StaleWrite("stale");
		};
		expect(await togetherOrEach(["changed"], stale)).toEqual([]);
		expect(tries).toBe(1);
	});

	it("are not committed each alone when the commit fails otherwise", async () => {
		const { committed, commit } = commits();
		await expect(togetherOrEach(["one", "broken"], commit)).rejects.toBe(broken);
		expect(committed).toEqual([]);
	});
});

it("rows of commits of their own are all worked on, but for those that have changed", async () => {
	const { committed, commit } = commits();
	await eachUnlessStale(["one", "changed", "two"], (row) => commit([row]));
	expect(committed).toEqual([["one"], ["two"]]);
});
