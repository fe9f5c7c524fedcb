// Which roles a caller may give, change or end, and how changes of a membership are numbered.

import { type Role, rankOf } from "../../../shared/permissions";

/** Whether the caller's rank is at least that of the role. Operators rank above all roles. */
export const mayTouch = (caller: "operator" | Role, role: Role): boolean => caller === "operator" || rankOf(caller) >= rankOf(role);

/** The next version that the user's home may give: an odd one. */
export const nextByUser = (version: number): number => version + (version % 2 === 0 ? 1 : 2);

/** The next version that the organization's home may give: an even one. */
export const nextByOrganization = (version: number): number => version + (version % 2 === 0 ? 2 : 1);
