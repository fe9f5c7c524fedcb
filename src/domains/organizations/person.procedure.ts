// Finds the person behind a caller, so that nobody approves their own request by using other credentials.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import type { Services } from "../../runtime/services";
import { linkedTo } from "../users/model/identity.cache";
import { identityLinks } from "../users/model/table";
import { apiKeys } from "./table";

const identityLink = alias(identityLinks, "identity_link");

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
export const personBehind = async (services: Services, actor: Actor): Promise<SQL> => (await behind(services, actor)).person;

/** `home`: an id whose home knows the person's identities; undefined where the directory does, which is the only database. */
export async function behind(services: Services, actor: Actor): Promise<{ person: SQL; home: string | undefined }> {
	switch (actor.kind) {
		case "user":
		case "member":
			return { person: sql`${actor.userId}`, home: actor.userId };
		case "key": {
			const maker = sql`coalesce((select ${apiKeys.createdBy} from ${apiKeys} where ${apiKeys.id} = ${actor.keyId}), ${actor.keyId})`;
			return { person: maker, home: actor.keyId };
		}
		case "operator": {
			const { operatorId } = actor;
			const end = operatorId.indexOf("#");
			const linked = await linkedTo(services, operatorId.slice(0, end), operatorId.slice(end + 1));
			const person = linked === undefined ? sql`${operatorId}` : sql`coalesce(${linked}, ${operatorId})`;
			return { person, home: typeof linked === "string" ? linked : undefined };
		}
	}
}

export const findPerson = (orm: Orm, person: SQL) => orm.all<{ person: string }>(sql`select ${person} as person`);

export function personOf(found: { person: string } | undefined): string {
	if (!found) throw new Error("findPerson returned no row");
	return found.person;
}

/** A person, and everything that identifies another caller as the same one. */
export type Who = {
	readonly person: string;
	/** The credential, the person, and every identity that is linked to them. */
	readonly knownAs: readonly string[];
	/** When the caller's own identity was linked to the person; null for callers who are no operators, and operators who are linked to nobody. */
	readonly linkedAt: number | null;
};

type WhoRow = { person: string; identities: string; linkedAt: number | null };

const IDENTITY = sql`${identityLink.issuer} || '#' || ${identityLink.subject}`;

/** The same with the identities that are linked to the person. */
export const findWho = (orm: Orm, actor: Actor, person: SQL) =>
	orm.all<WhoRow>(
		qualified(sql`select p.person as person,
			(select json_group_array(${IDENTITY}) from ${identityLinks} ${identityLink} where ${identityLink.userId} = p.person) as identities,
			(select ${identityLink.createdAt} from ${identityLinks} ${identityLink} where ${identityLink.userId} = p.person and ${IDENTITY} = ${credentialOf(actor)}) as linkedAt
			from (select ${person} as person) p`),
	);

const credentialOf = (actor: Actor): string =>
	actor.kind === "operator" ? actor.operatorId : actor.kind === "key" ? actor.keyId : actor.userId;

export function whoOf(actor: Actor, found: WhoRow | undefined): Who {
	if (!found) throw new Error("findWho returned no row");
	const { person, identities, linkedAt } = found;
	return { person, linkedAt, knownAs: [...new Set([credentialOf(actor), person, ...(JSON.parse(identities) as string[])])] };
}
