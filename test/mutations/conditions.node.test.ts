// What counts as a condition of a statement, and that the places of guards are found by names and shapes.

import { describe, expect, it } from "vitest";
import { conditionsIn, without } from "./conditions.ts";
import { markedSource } from "./places.ts";

const textsIn = (sql: string) => conditionsIn(sql).map(({ text }) => text);
const guard = (condition: string) => `select case when (${condition}) is not true then json('stale write') end`;

describe("the conditions of a statement", () => {
	it.each([
		[
			"insert into t (a) select a.id from x a where a.id = ? and a.status in (?, ?) and a.at between ? and ?",
			["a.status in (?…)", "a.at between ? and ?"],
		],
		["insert into t select 1 where (a = 1 and (b = 2 or c = 3)) returning id", ["a = 1", "b = 2 or c = 3"]],
		["insert into t select 1 where case when a and b then 1 else 0 end = 1 and d", ["case when a and b then 1 else 0 end = 1", "d"]],
		[
			"insert into t select 1 where not exists (select 1 from x where y = 'a and b') on conflict (a) do update set a = 1 where z > 1",
			["not exists (select 1 from x where y = 'a and b')", "z > 1", "y = 'a and b'"],
		],
		["with x as (select 1 where a = 1) insert into t select 1 from x where true", ["a = 1"]],
		[
			guard("exists (select 1 from x where x.user_id = ? and s = 'A') and b = 1"),
			["exists (select 1 from x where x.user_id = ? and s = 'A')", "b = 1"],
		],
		[
			`insert into t with x(id) as (select min(id) from a union all select (select min(id) from a where a.id > x.id) from x where x.id is not null)
			select x.id from x where x.id > 1`,
			["x.id > 1"],
		],
		[guard("changes() = 1"), []],
		["update t set a = 1 where b = 2", []],
		["select 1 from t where b = 2", []],
	])("%s", (sql, expected) => {
		expect(textsIn(sql).sort()).toEqual([...expected].sort());
	});

	it("hold always once they are taken out, and keep their parameters", () => {
		expect(without("insert into t select 1 where a = ? and b = ?", "a = ?")).toBe("insert into t select 1 where (a = ? or 1) and b = ?");
		expect(without(guard("changes() = 1"), "")).toBe("select case when (changes() = 1) is not true then null end");
	});
});

describe("the places of guards", () => {
	it("are marked without another line", () => {
		const source = [
			'import { guarded } from "./guards";',
			"const steps: readonly Step[] = [{ name: 'a', run }, ...others];",
			"export const take = (orm: Orm) =>",
			"	guarded(orm.update(t).set({ a: 1 }).where(eq(t.id, 1)));",
		].join("\n");
		const { places, code } = markedSource("src/a.ts", source);
		expect(places).toMatchObject([
			{ kind: "listed", place: "src/a.ts:2", within: "steps" },
			{ kind: "guard", place: "src/a.ts:4", within: "take", name: "guarded" },
			{ kind: "write", place: "src/a.ts:4", within: "take" },
		]);
		expect(code.split("\n")).toHaveLength(4);
		expect(code).toContain('markGuarded("src/a.ts:4", guarded)(mark("src/a.ts:4", orm.update(t)');
	});

	it("are also statements whose first words are written elsewhere", () => {
		const source = `const tables = sql\`with x as (select 1)\`;
			const copy = sql\`
				\${tables}
				insert into t select 1 where \${condition}\`;`;
		expect(markedSource("src/a.ts", source).places).toMatchObject([{ kind: "write", place: "src/a.ts:2", within: "copy" }]);
	});
});
