// A user's own profile on the wire.

import * as z from "zod";
import { maskNumber } from "../../shared/mask";
import { ROLES } from "../../shared/permissions";
import { USER_STATES, type UserRow } from "../users/table";

export const User = z
	.object({
		id: z.uuid(),
		status: z.enum([...USER_STATES, "BLOCKED"]),
		tag: z.string(),
		mobile_number: z.string().nullable().meta({ description: "Masked, except for the first four characters and the last three digits" }),
		email: z.string().nullable(),
		organizations: z.array(z.object({ id: z.uuid(), slug: z.string(), role: z.enum(ROLES) })),
	})
	.meta({ id: "User" });

type Profile = Pick<UserRow, "id" | "status" | "tag" | "blockedAt" | "mobileNumber" | "email"> & {
	readonly organizations: z.input<typeof User>["organizations"];
};

export const toUser = (row: Profile): z.input<typeof User> => ({
	id: row.id,
	status: row.blockedAt === null ? row.status : "BLOCKED",
	tag: row.tag,
	mobile_number: row.mobileNumber && maskNumber(row.mobileNumber),
	email: row.email,
	organizations: row.organizations,
});
