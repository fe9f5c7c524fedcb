// A canary: the private member of Drizzle that `src/db/orm.ts` replaces is still the one that writes limits.

import { expect, it } from "vitest";
import { build } from "../../src/db/built";
import { orm } from "../../src/db/orm";
import { schemaVersion } from "../../src/db/schema-version.table";

it("Drizzle's dialect writes a limit into the text by its private buildLimit, and no parameter", () => {
	const { sql, params } = build(orm.select().from(schemaVersion).limit(21));
	expect(sql).toMatch(/ limit 21$/);
	expect(params).toEqual([]);
});
