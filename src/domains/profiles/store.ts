// Reads what users are told about themselves.

import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../db/columns";
import { ALWAYS, hole, prebuilt } from "../../db/prebuilt";
import type { Role } from "../../shared/permissions";
import { memberships, organizations } from "../organizations/table";
import { reachOfStaff, type Staff } from "../reach/callers";
import { users } from "../users/table";

const m = alias(memberships, "m");
const o = alias(organizations, "o");

const profileById = prebuilt((orm) =>
	orm
		.select({
			id: users.id,
			status: users.status,
			blockedAt: users.blockedAt,
			tag: users.tag,
			mobileNumber: users.mobileNumber,
			email: users.email,
			homeOrganizationId: users.homeOrganizationId,
			organizations: qualified(sql`(
				select json_group_array(json_object('id', ${o.id}, 'slug', ${o.slug}, 'role', ${m.role}) order by ${m.createdAt})
				from ${memberships} ${m} join ${organizations} ${o} on ${o.id} = ${m.organizationId}
				where ${m.userId} = ${users.id})`)
				.mapWith((text: string) => JSON.parse(text) as { id: string; slug: string; role: Role }[])
				.as("organizations"),
		})
		.from(users)
		.where(and(eq(users.id, sql.placeholder("id")), hole("reach"))),
);

/** What users are told about themselves, with the organizations of which they are members. */
export const findProfile = (id: string) => profileById({ id, reach: ALWAYS });

/** The same, if it is within the reach of those who work for the lender. */
export const findProfileWithin = (id: string, caller: Staff) => profileById({ id, reach: reachOfStaff(caller, users.homeOrganizationId) });
