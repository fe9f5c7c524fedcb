// When several databases are under test, checks after each test that every row is in the database of its home.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { placesOf } from "../../src/db/places";
import { homeOf } from "../../src/shared/ids";
import { alone } from "./databases";

/** Not checked: reference data that every database has a copy of, and the names in the directory, which point to rows elsewhere. */
const COPIED = new Set(["commission_models", "organizations", "loan_products", "names"]);

/** Fails on a row whose id carries the home of another database. Ids that tests make up carry no home. */
export async function expectRowsAtHome(): Promise<void> {
	if (alone) return;
	const places = placesOf(env);
	for (const place of places.all) {
		const { results: tables } = await place.database
			.prepare(
				"select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and sql like '%`id` text PRIMARY KEY%'",
			)
			.all<{ name: string }>();
		for (const { name } of tables.filter((table) => !COPIED.has(table.name))) {
			const { results } = await place.database.prepare(`select id from "${name}"`).all<{ id: string }>();
			const strays = results.filter(({ id }) => /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) && places.of(homeOf(id)) !== place);
			expect(strays, `rows of ${name} in ${place.name}`).toEqual([]);
		}
	}
}
