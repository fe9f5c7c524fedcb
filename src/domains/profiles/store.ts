// Reads what users are told about themselves.

import { eq, sql } from "drizzle-orm";
import { prebuilt } from "../../db/prebuilt";
import type { Role } from "../../shared/permissions";
import { memberships, organizations } from "../organizations/table";
import { users } from "../users/table";

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
			// Names are written out: Drizzle drops the table of a column where a select has but one table.
			organizations: sql`(
				select json_group_array(json_object('id', o.id, 'slug', o.slug, 'role', m.role) order by m.created_at)
				from ${memberships} m join ${organizations} o on o.id = m.organization_id
				where m.user_id = users.id)`
				.mapWith((text: string) => JSON.parse(text) as { id: string; slug: string; role: Role }[])
				.as("organizations"),
		})
		.from(users)
		.where(eq(users.id, sql.placeholder("id"))),
);

/** What users are told about themselves, with the organizations of which they are members. */
export const findProfile = (id: string) => profileById({ id });
