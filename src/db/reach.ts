// Whose rows a caller reaches: one condition for everybody, so that there is no second path.

import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { ALWAYS } from "./prebuilt";

/** Those who work for the lender: an organization's key, member or operator, or an operator of the whole platform. */
export type Staff = { readonly kind: "key" | "member" | "operator"; readonly organizationId?: string };
export type Reader = { readonly kind: "user"; readonly userId: string } | Staff;

/** The organization whose rows the caller reaches; undefined for users and for operators who act for none. */
export const actingFor = (caller: Reader): string | undefined => (caller.kind === "user" ? undefined : caller.organizationId);

type Owned = { readonly userId: SQLWrapper; readonly organizationId: SQLWrapper };

/** The condition that the caller reaches a row: users their own, keys and members those of their organization, operators all. */
export function reachOf(caller: Reader, { userId, organizationId }: Owned): SQL {
	return caller.kind === "user" ? sql`${userId} = ${caller.userId}` : reachOfStaff(caller, organizationId);
}

/** The same for those who work for the lender. */
export function reachOfStaff(caller: Staff, organizationId: SQLWrapper): SQL {
	const own = actingFor(caller);
	return own === undefined ? ALWAYS : sql`${organizationId} = ${own}`;
}
