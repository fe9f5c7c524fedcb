// Tells users what happens to their loans and their money: a message by mail, else by SMS, which they also read inside an app.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Write } from "../../../db/database";
import type { Services } from "../../../runtime/services";
import { notify } from "../../messages/notices.plan";
import type { NotificationCategory } from "../../notifications/policy";
import { users } from "./table";

const user = alias(users, "user");

/** The user's address as they have it within the commit. */
const addressOf = (userId: string) =>
	sql`(select iif(${user.email} is null, 'SMS', 'EMAIL') as channel, coalesce(${user.email}, ${user.mobileNumber}) as recipient
		from ${users} ${user} where ${user.id} = ${userId})`;

/**
 * The writes that tell a user, as far as they want it. They belong in the commit of what is told, in the user's home. The text names
 * nothing that others have written: it would reach the user in the service's name.
 */
export const notifyUser = (
	services: Services,
	userId: string,
	category: Exclude<NotificationCategory, "SECURITY">,
	text: string,
): Promise<Write[]> => notify(services, userId, { purpose: category, category, text }, [addressOf(userId)]);
