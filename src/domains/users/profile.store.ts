// Reads what users see about themselves.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import type { Orm } from "../../db/database";
import { ALWAYS, hole, prebuilt } from "../../db/prebuilt";
import { reachOfStaff, type Staff } from "../../db/reach";
import type { Role } from "../../shared/permissions";
import { loanApplications } from "../loans/model/table";
import { apiKeys, memberships, organizations } from "../organizations/table";
import { usualLocale } from "../organizations/texts/store";
import { users } from "./model/table";

const membership = alias(memberships, "membership");
const organization = alias(organizations, "organization");
const loanApplication = alias(loanApplications, "loan_application");

const profileById = prebuilt((orm) =>
	orm
		.select({
			id: users.id,
			status: users.status,
			blockedAt: users.blockedAt,
			tag: users.tag,
			mobileNumber: users.mobileNumber,
			email: users.email,
			displayName: users.displayName,
			locale: users.locale,
			usualLocale: usualLocale.as("usual_locale"),
			profileVersion: users.profileVersion,
			homeOrganizationId: users.homeOrganizationId,
			homeSlug: qualified(
				sql<
					string | null
				>`(select ${organization.slug} from ${organizations} ${organization} where ${organization.id} = ${users.homeOrganizationId})`,
			).as("home_slug"),
			organizations: qualified(sql`(
				select json_group_array(json_object('id', ${organization.id}, 'slug', ${organization.slug}, 'role', ${membership.role}) order by ${membership.createdAt})
				from ${memberships} ${membership} join ${organizations} ${organization} on ${organization.id} = ${membership.organizationId}
				where ${membership.userId} = ${users.id})`)
				.mapWith((text: string) => JSON.parse(text) as { id: string; slug: string; role: Role }[])
				.as("organizations"),
		})
		.from(users)
		.where(and(eq(users.id, sql.placeholder("id")), hole("reach"))),
);

/** Whether the user has applied for a loan, as a row and as a condition: from then on their home is settled. */
export const findApplied = (orm: Orm, userId: string) =>
	orm.select({ id: loanApplications.id }).from(loanApplications).where(eq(loanApplications.userId, userId)).limit(1);
export const hasNotApplied = (userId: string): SQL =>
	sql`not exists (select 1 from ${loanApplications} ${loanApplication} where ${loanApplication.userId} = ${userId})`;

/** What a key sees about itself. */
export const findKey = (orm: Orm, keyId: string) =>
	orm
		.select({
			id: apiKeys.id,
			name: apiKeys.name,
			scopes: apiKeys.scopes,
			organizationId: apiKeys.organizationId,
			slug: organization.slug,
			// A row has one column of a name.
			organizationName: sql<string>`${organization.name}`.as("organization_name"),
		})
		.from(apiKeys)
		.innerJoin(organization, eq(organization.id, apiKeys.organizationId))
		.where(eq(apiKeys.id, keyId));

/** What users see about themselves, with the organizations of which they are members. */
export const findProfile = (id: string) => profileById({ id, reach: ALWAYS });

/** The same, if it is within the reach of those who work for the lender. */
export const findProfileWithin = (id: string, caller: Staff) => profileById({ id, reach: reachOfStaff(caller, users.homeOrganizationId) });
