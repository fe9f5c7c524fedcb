// Finds the users of the service who have given numbers and tags. The directory has their ids, but only users count whose own row has the
// number or the tag, because the directory may reserve a name before its user has it.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { formsOf } from "../../db/names";
import { names } from "../../db/names.table";
import type { Services } from "../../runtime/services";
import { phoneName } from "../users/model/store";
import { users } from "../users/model/table";

const name = alias(names, "name");

/** A number in E.164 form, or a tag with its `@`. */
type Handle = { readonly kind: "PHONE" | "TAG"; readonly handle: string };
/** A handle with the form in which the directory stores it. */
export type Wanted = Handle & { readonly value: string };
export type LinkedUser = { readonly handle: string; readonly userId: string; readonly tag: string };

export const wantedFor = (services: Services, handles: readonly Handle[]): Promise<Wanted[]> =>
	Promise.all(
		handles.map(async (each) => {
			const forms = formsOf(each.kind === "PHONE" ? await phoneName(services, each.handle) : each.handle);
			return forms.map((value) => ({ ...each, value }));
		}),
	).then((wanted) => wanted.flat());

const rowsOf = (
	rows: readonly object[],
): SQL => sql`(select value ->> 'kind' as kind, value ->> 'value' as value, value ->> 'handle' as handle,
	value ->> 'id' as id from json_each(${JSON.stringify(rows)}))`;

/**
 * The active users whose row has the handle. `id`: SQL for the id of the user whom the directory names. The join is CROSS, because SQLite
 * then keeps its order: it would otherwise read every active user and look for each in the list.
 */
const confirmed = (orm: Orm, wanted: SQL, id: SQL) =>
	orm
		.select({
			handle: sql<string>`w.handle`.as("handle"),
			userId: sql<string>`${users.id}`.as("userId"),
			tag: sql<string>`${users.tag}`.as("tag"),
		})
		.from(sql`${wanted} w`)
		.crossJoin(users)
		.where(
			sql`${users.id} = ${id} and ${users.status} = 'ACTIVE' and ${users.blockedAt} is null
				and case w.kind when 'PHONE' then ${users.mobileNumber} else ${users.tag} end = w.handle`,
		);

/** A statement that finds the users if the directory is the only database. Pass its rows to `linkedUsers`. */
export const findLinkedHere = (orm: Orm, wanted: readonly Wanted[]) =>
	confirmed(orm, rowsOf(wanted), sql`(select ${name.id} from ${names} ${name} where ${name.kind} = w.kind and ${name.value} = w.value)`);

/** The same for users whom the directory has named, in the database of their homes. */
export const findNamed = (orm: Orm, named: readonly object[]) => confirmed(orm, rowsOf(named), sql`w.id`);

/** What the directory names by the handles. */
export const findNames = (orm: Orm, wanted: readonly Wanted[]) =>
	orm
		.select({ id: names.id, kind: names.kind, value: names.value })
		.from(names)
		.where(sql`(${names.kind}, ${names.value}) in (select w.kind, w.value from ${rowsOf(wanted)} w)`);
