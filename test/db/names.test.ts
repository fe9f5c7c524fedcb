// Names of the directory: each is reserved for one id, and an id may have several.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { UniqueViolation } from "../../src/db/database";
import { Databases } from "../../src/db/databases";
import { type Reservation, reserveThenCommit } from "../../src/db/names";
import { names } from "../../src/db/names.table";
import { placesOf } from "../../src/db/places";
import { db, newId } from "../support/factories";

const id = newId();
const reserve = async (...reservations: Reservation[]) => {
	const { directory } = new Databases(placesOf(env));
	await reserveThenCommit({ directory, home: directory, now: 1 }, { names: reservations }, { first: [], writes: [] });
};
const reserved = async () => (await db.select().from(names)).map(({ kind, value, id }) => `${kind} ${value} ${id}`).sort();

it("reserves every name of an id, also of another kind or with another value", async () => {
	await reserve({ kind: "PHONE", value: "a", id });
	await reserve({ kind: "PHONE", value: "b", id });
	await reserve({ kind: "IDENTITY", value: "a", id });
	expect(await reserved()).toEqual([`IDENTITY a ${id}`, `PHONE a ${id}`, `PHONE b ${id}`]);
});

it("a reservation changes nothing when a name is reserved for its id again, and refuses it for another id", async () => {
	await reserve({ kind: "PHONE", value: "a", id });
	await reserve({ kind: "PHONE", value: "a", id });
	await expect(reserve({ kind: "PHONE", value: "a", id: newId() })).rejects.toBeInstanceOf(UniqueViolation);
	expect(await reserved()).toEqual([`PHONE a ${id}`]);
});
