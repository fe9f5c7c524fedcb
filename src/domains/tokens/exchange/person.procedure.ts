// Finds the person that a partner's or a phone's token is about. The directory has the user's id, and the user's home has the row: one
// read if both are one database, otherwise two. If the name is reserved but the user is missing, an earlier request was interrupted,
// and the present one creates the user under that id.

import { findName, idOfName } from "../../../db/names";
import type { NameKind } from "../../../db/names.table";
import { first } from "../../../db/reads";
import type { Services } from "../../../runtime/services";
import type { Digest } from "../../../shared/keyring";
import { findByReference } from "../../organizations/store";
import type { OrganizationRow } from "../../organizations/table";
import { knownIdentities } from "../../users/model/identity.cache";
import { findUser } from "../../users/model/store";
import type { UserRow } from "../../users/model/table";

export type Asked = {
	kind: NameKind;
	value: Digest;
	/** Of the organization of new users; empty without one. */
	reference: string;
	/** A user's id that the token asserts; it counts only where the name is not taken. Empty without one. */
	asserted: string;
	/** Reads in a home for unknown names too, so that the time of an answer does not show which names are known. */
	evenly: boolean;
};

export type Person = {
	/** The id that the name stands for. */
	named: string | undefined;
	user: UserRow | undefined;
	/** Whether the user was found by the name, not by an asserted id. */
	linked: boolean;
	organizationId: string | undefined;
	/** Whether the organization is suspended, as the last database that was read knows it. */
	suspended: boolean;
};

export async function readPerson(services: Services, asked: Asked): Promise<Person> {
	const { alone, directory } = services.databases;
	const { kind, value, reference, asserted } = asked;
	if (!alone) return readInTwoPlaces(services, asked);
	const { orm } = directory;
	const { linked, claimed, organization } = await directory.read({
		linked: first(findUser(orm, idOfName(kind, value))),
		claimed: first(findUser(orm, asserted)),
		organization: first(findByReference(orm, reference)),
	});
	return {
		named: linked?.id,
		user: linked ?? claimed,
		linked: linked !== undefined,
		organizationId: organization?.id,
		suspended: isSuspended(organization),
	};
}

async function readInTwoPlaces(services: Services, { kind, value, reference, asserted, evenly }: Asked): Promise<Person> {
	const { directory } = services.databases;
	const { orm } = directory;
	const remembered = kind === "IDENTITY" ? knownIdentities.get(value.value, services.realNow)?.value : undefined;
	if (remembered !== undefined) {
		const { user, suspended } = await readUser(services, remembered, reference);
		if (user) return { named: remembered, user, linked: true, organizationId: undefined, suspended };
	}
	const { name, organization } = await directory.read({
		name: first(findName(orm, kind, value)),
		organization: first(findByReference(orm, reference)),
	});
	const id = name?.id ?? asserted;
	const read = id !== "" || evenly ? await readUser(services, id || services.at(services.databases.deal()).newId(), reference) : undefined;
	const user = read?.user;
	// A name that is not final may be given back.
	if (name?.reservedAt === null && user && kind === "IDENTITY") knownIdentities.set(value.value, name.id, services.realNow);
	const suspended = isSuspended(organization) || read?.suspended === true;
	return { named: name?.id, user, linked: name !== undefined && user !== undefined, organizationId: organization?.id, suspended };
}

async function readUser(services: Services, id: string, reference: string): Promise<Pick<Person, "user" | "suspended">> {
	const { db } = services.at(id);
	const { user, organization } = await db.read({
		user: first(findUser(db.orm, id)),
		organization: first(findByReference(db.orm, reference)),
	});
	return { user, suspended: isSuspended(organization) };
}

const isSuspended = (organization: OrganizationRow | undefined): boolean => organization?.status === "SUSPENDED";
