// Reads of users.

import { asc, eq } from "drizzle-orm";
import type { Orm } from "../../db/session";
import { memberships, organizations } from "../organizations/table";
import { users } from "./table";

export const findUser = (orm: Orm, id: string) => orm.select().from(users).where(eq(users.id, id));

export const membershipsOf = (orm: Orm, userId: string) =>
	orm
		.select({ id: organizations.id, slug: organizations.slug, role: memberships.role })
		.from(memberships)
		.innerJoin(organizations, eq(organizations.id, memberships.organizationId))
		.where(eq(memberships.userId, userId))
		.orderBy(asc(memberships.createdAt));
