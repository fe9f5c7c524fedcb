// What people are offered; the service decides again.

import type { Person } from "../who.ts";

const RULERS: ReadonlySet<string | undefined> = new Set(["organization-owner", "organization-admin"]);

/** Owners and administrators, and operators. */
export const mayManage = ({ kind, acting }: Person): boolean => kind === "operator" || (kind === "member" && RULERS.has(acting?.role));

/** These, and the administrators of lending. */
export const mayLend = (person: Person): boolean => mayManage(person) || person.acting?.role === "organization-lending-admin";

/** Owners and administrators, and those of financing. */
export const mayFinance = (person: Person): boolean => mayManage(person) || person.acting?.role === "organization-financing-admin";
