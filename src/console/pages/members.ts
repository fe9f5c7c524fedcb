// The members who may look after a loan, by their names.

import { isRead, useWatch } from "../watch.ts";
import { type Person, permitted } from "../who.ts";

const seesMembers = permitted("org:members:read");

/** Names by the ids of the members' users; none for who may not see them. */
export const useColleagues = (person: Person): ReadonlyMap<string, string> => useMembers(person).colleagues;

/** The same, and whether they are read; without a person nobody is asked for. */
export function useMembers(person: Person | undefined): { readonly colleagues: ReadonlyMap<string, string>; readonly isKnown: boolean } {
	const organizationId = person?.acting?.id ?? "";
	const asks = person !== undefined && seesMembers(person) && organizationId !== "";
	const read = useWatch(
		"GET /v1/organizations/{organizationId}/members",
		asks ? { path: { organizationId }, query: { size: 100 } } : undefined,
	);
	const colleagues = new Map(read.value?.data.map(({ user_id, display_name, tag }) => [user_id, display_name ?? tag ?? "A member"]));
	return { colleagues, isKnown: !asks || isRead(read) };
}

/** `you`, their name, or that there is somebody. */
export const ownerName = (ownerId: string | null, colleagues: ReadonlyMap<string, string>, person: Person): string | undefined => {
	if (ownerId === null) return undefined;
	return ownerId === person.id ? "you" : (colleagues.get(ownerId) ?? "another member");
};
