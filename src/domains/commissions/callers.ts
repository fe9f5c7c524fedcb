// Who may read commission reports, and which organization's agents a call is about: the organization that reports their events.

import { eq } from "drizzle-orm";
import type { Orm } from "../../db/database";
import { first } from "../../db/reads";
import {
	apiKey,
	type KeyCaller,
	member,
	type OperatorCaller,
	type OrganizationCaller,
	oneOf,
	operator,
	type UserCaller,
	userOnWaitingList,
} from "../../http/callers/access";
import type { Services } from "../../runtime/services";
import { badInput } from "../../shared/errors";
import { memberships, organizations } from "../organizations/table";
import { findUser } from "../users/model/store";
import { agents } from "./table";

/** Agents and their supervisors, members and API keys that may read, and operators. */
export const reportReader = oneOf(oneOf(userOnWaitingList, member("org:agents:read")), apiKey("agents:read"), operator);
export type ReportReader = UserCaller | KeyCaller | OrganizationCaller | OperatorCaller;

/** In the user's home: the user, and up to two organizations of that database that report their events. */
export const findAgentHome = (orm: Orm, userId: string) => ({
	user: first(findUser(orm, userId)),
	reporting: orm.select({ organizationId: agents.organizationId }).from(agents).where(eq(agents.userId, userId)).limit(2),
});

export const findMemberships = (orm: Orm, userId: string) => orm.select().from(memberships).where(eq(memberships.userId, userId));

/** The organization whose agent the user is: the only reporter of their events, otherwise their home organization. */
export function organizationOf(user: { homeOrganizationId: string | null } | undefined, reporting: readonly { organizationId: string }[]) {
	const [only, another] = reporting;
	return only && !another ? only.organizationId : (user?.homeOrganizationId ?? null);
}

/** The organization that an operator names, otherwise the agent's own. Throws bad input unless it is in the operation's home. */
export async function namedOrAgents(services: Services, named: string | undefined, userId: string): Promise<string> {
	const { db } = services;
	const { user, reporting, organization } = await db.read({
		...findAgentHome(db.orm, userId),
		organization: first(
			db.orm
				.select({ id: organizations.id })
				.from(organizations)
				.where(eq(organizations.id, named ?? "")),
		),
	});
	const organizationId = named === undefined ? organizationOf(user, reporting) : organization?.id;
	if (!organizationId && named !== undefined) throw badInput("organization_id", "names no organization", "NOT_ALLOWED");
	if (!organizationId || services.at(organizationId).db !== db) {
		throw badInput("organization_id", "is required: the agent has no home organization", "REQUIRED");
	}
	return organizationId;
}
