// Checks a caller's rank by their own membership in the organization.

import type { Orm, Write } from "../../../db/database";
import type { OrganizationCaller } from "../../../http/callers/access";
import { ApiError } from "../../../shared/errors";
import type { Role } from "../../../shared/permissions";
import type { MemberRow } from "../table";
import { mayTouch } from "./policy";
import { findMember, orStaleUnlessStill } from "./store";

/** The statement that finds the caller among the members; it finds nobody for operators. */
export const findCaller = (orm: Orm, caller: OrganizationCaller) =>
	findMember(orm, caller.organizationId, caller.kind === "member" ? caller.userId : "");

/** Throws FORBIDDEN unless the caller may give, change or end this role. */
export function requireRank(caller: OrganizationCaller, self: MemberRow | undefined, role: Role): void {
	if (mayTouch(caller.kind === "operator" ? "operator" : self?.role, role)) return;
	throw new ApiError("FORBIDDEN", { description: "The role is above your own" });
}

/** The commit demands that the caller still has the role by which they were judged. */
export const callerUnchanged = (self: MemberRow | undefined): Write[] => (self ? [orStaleUnlessStill(self)] : []);
