// Who may request, see and decide approvals, and the person behind a caller.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Orm } from "../../db/database";
import { type Answer, first, type Named } from "../../db/reads";
import {
	apiKey,
	freshly,
	inPerson,
	type KeyCaller,
	member,
	memberWithAny,
	type OperatorCaller,
	type OrganizationCaller,
	oneOf,
	operator,
} from "../../http/callers/access";
import { lacksPermission } from "../../http/callers/missing-credentials";
import type { Services } from "../../runtime/services";
import type { Json } from "../../shared/json";
import { type Permission, type Role, rolePermits } from "../../shared/permissions";
import { behind, findWho, type Who, whoOf } from "../organizations/person.procedure";
import { memberships } from "../organizations/table";
import type { ApprovalRow, ApprovalType } from "./table";

export type ApprovalCaller = KeyCaller | OrganizationCaller | OperatorCaller;

export const approvalReader = oneOf(apiKey("approvals:write"), member("org:approvals:read"), operator);
const deciders = oneOf(memberWithAny("org:approvals:decide", "org:lending.approvals:decide", "org:ledger:close"), operator);
/** Everybody who may decide may also request, and API keys may request. */
export const approvalRequester = oneOf(apiKey("approvals:write"), deciders);
export const approvalDecider = freshly(inPerson(deciders));

/** null: an operator who acts for no organization. */
export const organizationOf = (caller: ApprovalCaller): string | null => ("organizationId" in caller ? caller.organizationId : null);

export const CREDENTIAL_OF = { key: "API_KEY", member: "MEMBER", operator: "OPERATOR" } as const;

const findRole = (orm: Orm, caller: ApprovalCaller) =>
	orm
		.select({ role: memberships.role })
		.from(memberships)
		.where(
			and(
				eq(memberships.userId, caller.kind === "member" ? caller.userId : ""),
				eq(memberships.organizationId, organizationOf(caller) ?? ""),
			),
		);

/** What is not about loans and borrowers. */
const OTHERS: ReadonlySet<ApprovalType> = new Set<ApprovalType>(["ISSUER_REGISTRATION", "OPERATION", "NUMBER_RECOVERY"]);

const OF_THE_LEDGER: ReadonlySet<ApprovalType> = new Set<ApprovalType>([
	"LEDGER_CLOSING",
	"PROVISIONING_RULES",
	"TREASURY_RECORD",
	"PROVIDER_TARIFF",
	"LEDGER_MAPPING",
]);

function permissionFor(type: ApprovalType): Permission {
	if (OF_THE_LEDGER.has(type)) return "org:ledger:close";
	return OTHERS.has(type) ? "org:approvals:decide" : "org:lending.approvals:decide";
}

/** Throws FORBIDDEN for members who may not ask for and decide requests of this type. */
export function refuseUnlessFor(type: ApprovalType, caller: ApprovalCaller, role: Role | undefined): void {
	if (caller.kind !== "member") return;
	const needed = permissionFor(type);
	const may = caller.permits ? caller.permits.includes(needed) : role !== undefined && rolePermits(role, needed);
	if (!may) throw lacksPermission([needed], caller.permits ? undefined : role);
}

/** Reads what is asked, the person behind the caller and a member's role, in one round trip unless the person is in another database. */
export async function readAs<R extends Named>(
	services: Services,
	caller: ApprovalCaller,
	asked: R,
): Promise<{ who: Who; role: Role | undefined; rows: Answer<R> }> {
	const { person, home } = await behind(services, caller);
	const there = home === undefined ? services : services.at(home);
	const { orm } = there.db;
	const about = { found: first(findWho(orm, caller, person)), member: first(findRole(orm, caller)) };
	const reads: Named = asked;
	const { found, member, rows } =
		there.db === services.db
			? await services.db.read({ ...about, rows: reads })
			: { ...(await there.db.read(about)), ...(await services.db.read({ rows: reads })) };
	return { who: whoOf(caller, found), role: member?.role, rows: rows as Answer<R> };
}

/**
 * Whether the decider is the person who asked, by anything that either of them is known as. An identity that was linked after the request
 * may have made its operator another person than they were, so they do not decide it either.
 */
export function asksThemselves(asked: ApprovalRow, decider: Who): boolean {
	const asker = [asked.requestedBy, ...asked.requestedAs, ...operatorIn(asked.payload)];
	return asker.some((name) => decider.knownAs.includes(name)) || (decider.linkedAt !== null && decider.linkedAt > asked.createdAt);
}

/** The operator whose call was held. */
const operatorIn = (payload: Json): string[] => {
	const { operator } = z.object({ operator: z.string() }).safeParse(payload).data ?? {};
	return operator === undefined ? [] : [operator];
};
