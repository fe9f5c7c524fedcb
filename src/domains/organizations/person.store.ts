// The person behind a caller: who decides is compared as a person with who asked, whatever credentials both used.

import { type SQL, sql } from "drizzle-orm";
import type { Orm } from "../../db/database";
import type { Services } from "../../runtime/services";
import { linkedTo } from "../users/identity.store";
import { apiKeys } from "./table";

/** Callers as authentication knows them, without the framework's type. */
export type Actor =
	| { kind: "user" | "member"; userId: string }
	| { kind: "key"; keyId: string }
	/** Of the form `<issuer>#<subject>`. */
	| { kind: "operator"; operatorId: string };

/**
 * The person behind the caller, for `findPerson`: the user; of an API key, the person who made it; of an operator, the user to whom
 * their identity is linked, else the operator. For keys it is read in the home of their organization.
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
	if (!found) throw new Error("every caller is somebody");
	return found.person;
}
