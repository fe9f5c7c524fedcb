// The members who may look after a loan, by their names.

import { useWatch } from "../watch.ts";
import { type Person, permitted } from "../who.ts";

const seesMembers = permitted("org:members:read");

/** Names by the ids of the members' users; none for who may not see them. */
export function useColleagues(person: Person): ReadonlyMap<string, string> {
	const organizationId = person.acting?.id ?? "";
	const asks = seesMembers(person) && organizationId !== "";
	const read = useWatch(
		"GET /v1/organizations/{organizationId}/members",
		asks ? { path: { organizationId }, query: { size: 100 } } : undefined,
	);
	return new Map(read.value?.data.map(({ user_id, display_name, tag }) => [user_id, display_name ?? tag ?? "A member"]));
}

/** `you`, their name, or that there is somebody. */
export const ownerName = (ownerId: string | null, colleagues: ReadonlyMap<string, string>, person: Person): string | undefined => {
	if (ownerId === null) return undefined;
	return ownerId === person.id ? "you" : (colleagues.get(ownerId) ?? "another member");
};
