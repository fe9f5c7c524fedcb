// Finds users by numbers and tags: the directory has their ids, and the databases of their homes know whether they have them.

import type { Services } from "../../runtime/services";
import { homeOf } from "../../shared/ids";
import { findNamed, findNames, type LinkedUser, type Wanted } from "./linked-user.store";

/** The users, from all databases of their homes. `here`: the rows of `findLinkedHere`. */
export async function linkedUsers(
	services: Services,
	wanted: readonly Wanted[],
	here: readonly LinkedUser[],
): Promise<readonly LinkedUser[]> {
	const { alone, directory } = services.databases;
	if (alone || wanted.length === 0) return here;
	const named = await directory.read(findNames(directory.orm, wanted));
	const found = named.map((name) => ({
		...name,
		handle: wanted.find(({ kind, value }) => kind === name.kind && value === name.value)?.handle,
	}));
	const answers = await Promise.all(
		[...new Set(found.map(({ id }) => services.databases.at(homeOf(id))))].map(async (db) => {
			const there = found.filter(({ id }) => services.databases.at(homeOf(id)) === db);
			const rows = await db.read(findNamed(db.orm, there));
			return rows;
		}),
	);
	return answers.flat();
}
