// Keeps what a user is told for them to read inside an app, in the commit of what it tells.

import type { Effect } from "../../db/database";
import { ALWAYS } from "../../db/prebuilt";
import type { Services } from "../../runtime/services";
import { isMandatory, type NotificationCategory } from "../notifications/policy";
import { isWanted } from "../notifications/store";
import { insertInbox } from "./inbox.store";

/** The write, which belongs in a commit in the user's home; it keeps nothing of a category that they have switched off there. */
export async function keepInInbox(
	services: Services,
	{ userId, category, text }: { readonly userId: string; readonly category: NotificationCategory; readonly text: string },
): Promise<Effect> {
	if (services.at(userId).db !== services.db) throw new Error("a message is kept in another database than its user's");
	const { config, now } = services;
	const id = services.newId();
	const sealed = await config.keyring.seal("message", id, JSON.stringify({ text }));
	const condition = isMandatory(category) ? ALWAYS : isWanted(userId, category, "IN_APP");
	return { statements: [insertInbox({ id, userId, category, sealed, createdAt: now }, condition)] };
}
