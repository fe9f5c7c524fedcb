// The invitation that somebody follows from their mail: it stays in the address's fragment, which no server sees, until they accept it.

import { placeNow } from "./router.ts";

export const JOIN = "/join";

/** undefined where nobody is joining. */
export function invitation(): string | undefined {
	const token = location.hash.slice(1);
	return placeNow().path === JOIN && token.startsWith("inv_") ? token : undefined;
}
