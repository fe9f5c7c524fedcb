// Ids in 16 bytes instead of 36 characters, for tables of many small rows. They compare as the ids in text do, so those of one home go by
// the time in them.

import { type Column, type Placeholder, type SQL, sql } from "drizzle-orm";

/** An id in 16 bytes; null for a text that is no UUID. */
export const shortId = (id: string | SQL | Column | Placeholder): SQL => sql`unhex(replace(${id}, '-', ''))`;

/** The id's text. */
export const longId = (short: SQL | Column): SQL<string> => {
	const digits = (from: number, count: number) => sql`substr(hex(${short}), ${sql.raw(String(from))}, ${sql.raw(String(count))})`;
	return sql`lower(${digits(1, 8)} || '-' || ${digits(9, 4)} || '-' || ${digits(13, 4)} || '-' || ${digits(17, 4)} || '-' || ${digits(21, 12)})`;
};

const timeDigits = (at: number): string => Math.max(0, at).toString(16).padStart(12, "0");

/** Comes before the ids of an instant, and after those of earlier ones. */
export const shortIdFrom = (at: number): SQL => sql`unhex(${timeDigits(at)})`;

/** Lies among ids, which are ordered by their time, as a row of this instant and id would lie among theirs. */
export function shortIdAt([at, id]: readonly [number, string | number]): SQL {
	const time = timeDigits(at);
	const own = String(id).replaceAll("-", "").slice(0, 12);
	if (own === time) return shortId(String(id));
	return shortIdFrom(own > time ? at + 1 : at);
}

/** Whether the id's time is this instant. */
export const isOfInstant = (id: SQL | Column, at: SQL | Column): SQL =>
	sql`substr(${id}, 1, 8) || substr(${id}, 10, 4) = printf('%012x', ${at}) and ${id} = ${longId(shortId(id))}`;
