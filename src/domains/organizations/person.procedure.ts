// Finds the person behind a caller, so that nobody approves their own request by using other credentials.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import type { Services } from "../../runtime/services";
import { linkedTo } from "../users/identity.cache";
import { apiKeys } from "./table";

/** What identifies an authenticated caller. */
export type Actor =
	| { kind: "user" | "member"; userId: string }
	| { kind: "key"; keyId: string }
	/** Of the form `<issuer>#<subject>`. */
	| { kind: "operator"; operatorId: string };

/**
 * The id of the person behind the caller, as SQL for `findPerson`: the user; for an API key, the person who created it; for an
 * operator, the user that their identity is linked to, otherwise the operator. For a key, read it in the home of its organization.
 */
export async function personBehind(services: Services, actor: Actor): Promise<SQL> {
	switch (actor.kind) {
		case "user":
		case "member":
			return sql`${actor.userId}`;
		case "key":
			return sql`coalesce((select ${apiKeys.createdBy} from ${apiKeys} where ${apiKeys.id} = ${actor.keyId}), ${actor.keyId})`;
		case "operator": {
			const { operatorId } = actor;
			const end = operatorId.indexOf("#");
			const linked = await linkedTo(services, operatorId.slice(0, end), operatorId.slice(end + 1));
			return linked === undefined ? sql`${operatorId}` : sql`coalesce(${linked}, ${operatorId})`;
		}
	}
}

export const findPerson = (orm: Orm, person: SQL) => orm.all<{ person: string }>(sql`select ${person} as person`);

export function personOf(found: { person: string } | undefined): string {
	if (!found) throw new Error("findPerson returned no row");
	return found.person;
}
