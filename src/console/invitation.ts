// The invitation that somebody follows from their mail: it stays in the address's fragment, which no server sees, until they accept it.

import { placeNow } from "./router.ts";

export const JOIN = "/join";

/** undefined where nobody is joining. */
export function invitation(): string | undefined {
	const [token = ""] = location.hash.slice(1).split("&");
	return placeNow().path === JOIN && token.startsWith("inv_") ? token : undefined;
}

/** The address that the invitation came to, as its mail says it; undefined where nobody is joining. */
export const invitedAs = (): string | undefined =>
	invitation() === undefined ? undefined : (new URLSearchParams(location.hash.slice(1)).get("for") ?? undefined);
