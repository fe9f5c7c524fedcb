// What leaves the database for the archive and when, and what the objects there are called.

import { sha256Hex } from "../../../shared/bytes";
import { DAY_MS, HOUR_MS, toTimestamp } from "../../../shared/time";

/** Deliveries made before this are archived: those of whole hours, a day after the hour's end at the earliest. */
export const archivableBefore = (now: number): number => Math.floor((now - DAY_MS) / HOUR_MS) * HOUR_MS;

/** The instant in an id, which for what is archived is that of its creation. */
export const instantOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

/** What the names of an organization's objects begin with that hold deliveries of the instant's hour. */
export const prefixOf = (organizationId: string, at: number): string =>
	`webhook-deliveries/${organizationId}/${toTimestamp(at).slice(0, 13)}/`;

/**
 * The name of the object with the deliveries of these ids, which are in order and of one hour. The same deliveries have the same name, so
 * that a repeated archiving replaces its object; others never have, with any first and last ids.
 */
export async function nameOf(organizationId: string, ids: readonly [string, ...string[]]): Promise<string> {
	const digest = await sha256Hex(ids.join());
	return `${prefixOf(organizationId, instantOf(ids[0]))}${ids[0]}_${ids.at(-1)}_${digest.slice(0, 16)}.ndjson.gz`;
}

/** Whether the object of this name may hold the delivery: its ids go from the first in the name to the second. */
export function mayHold(name: string, id: string): boolean {
	const [from = "", to = ""] = name.slice(name.lastIndexOf("/") + 1).split("_");
	return from <= id && id <= to;
}
