// Checks a caller's rank by their own membership in the organization.

import type { Orm, Write } from "../../../db/database";
import type { Caller, OrganizationCaller } from "../../../http/callers/access";
import type { Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import type { Role } from "../../../shared/permissions";
import { DAY_MS, toTimestamp } from "../../../shared/time";
import type { MemberRow } from "../table";
import { mayTouch } from "./policy";
import { findMember, orStaleUnlessStill } from "./store";

/** The statement that finds the caller among the members; it finds nobody for operators. */
export const findCaller = (orm: Orm, caller: OrganizationCaller) =>
	findMember(orm, caller.organizationId, caller.kind === "member" ? caller.userId : "");

/**
 * Throws FORBIDDEN for members who have their role for less than a day, so that nobody who may give roles makes the second person of a
 * decision. Outside `local`.
 */
export function refuseNewDecider({ config, now }: Services, caller: Caller, self: MemberRow | undefined): void {
	if (caller?.kind !== "member") return;
	const { grantedAt } = requireMember(self);
	if (config.ENVIRONMENT === "local" || grantedAt <= now - DAY_MS) return;
	const from = toTimestamp(grantedAt + DAY_MS);
	throw new ApiError("FORBIDDEN", { description: `Your role is less than a day old: you may decide from ${from}` });
}

/** Throws FORBIDDEN unless the caller may give, change or end this role. */
export function requireRank(caller: OrganizationCaller, self: MemberRow | undefined, role: Role): void {
	if (mayTouch(caller.kind === "operator" ? "operator" : requireMember(self).role, role)) return;
	throw new ApiError("FORBIDDEN", { description: "The role is above your own" });
}

/** Throws FORBIDDEN for a caller whose membership has ended in the organization's home, where removals begin, or not arrived there. */
function requireMember(self: MemberRow | undefined): MemberRow {
	if (!self) throw new ApiError("FORBIDDEN", { description: "You are no member of the organization" });
	return self;
}

/** The commit demands that the caller still has the role by which they were judged. */
export const callerUnchanged = (self: MemberRow | undefined): Write[] => (self ? [orStaleUnlessStill(self)] : []);
