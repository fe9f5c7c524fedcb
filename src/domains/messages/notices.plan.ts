// Notices: what the owner of an account learns although nobody has asked. They are part of the commit of their cause, and of no budget. The
// owner also reads them inside an app, whether or not there is an address.

import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Write } from "../../db/database";
import { ALWAYS } from "../../db/prebuilt";
import type { Message } from "../../messages/catalogue";
import type { Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { users } from "../users/model/table";
import { withPushes } from "./devices/plan";
import { insertInbox } from "./inbox.store";
import { queueMessage } from "./plan";
import { isMandatory, type NotificationCategory } from "./preferences/policy";
import { isWanted } from "./preferences/store";
import type { Address } from "./store";

export type Reachable = { readonly id: string; readonly mobileNumber: string | null; readonly email: string | null };

type Notice = { readonly purpose: string; readonly category: NotificationCategory; readonly message: Message };

const addressesOf = ({ mobileNumber, email }: Reachable): Address[] => [
	...(mobileNumber === null ? [] : [{ channel: "SMS" as const, recipient: mobileNumber }]),
	...(email === null ? [] : [{ channel: "EMAIL" as const, recipient: email }]),
];

/** By mail, because a thief of a number reads its SMS; by SMS if there is no address. */
const bestOf = ({ mobileNumber, email }: Reachable): Address =>
	email === null ? { channel: "SMS", recipient: mobileNumber } : { channel: "EMAIL", recipient: email };

/** A notice to the addresses and into the user's inbox, as far as they want it. */
export async function notify(
	services: Services,
	userId: string,
	{ purpose, category, message }: Notice,
	addresses: readonly Address[],
): Promise<Write[]> {
	const about = { purpose, content: { message }, expiresAt: services.now + DAY_MS, category, userId };
	const sent = addresses.map((address) => queueMessage(services, { ...about, address }));
	return Promise.all([keepInInbox(services, { userId, category, message }), ...sent]);
}

/** The write, which belongs in a commit in the user's home; it keeps nothing of a category that they have switched off there. */
export async function keepInInbox(
	services: Services,
	{ userId, category, message }: { readonly userId: string; readonly category: NotificationCategory; readonly message: Message },
): Promise<Effect> {
	if (services.at(userId).db !== services.db) throw new Error("a message is kept in another database than its user's");
	const { config, now } = services;
	const id = services.newId();
	const sealed = await config.keyring.seal("message", id, JSON.stringify({ message }));
	const condition = isMandatory(category) ? ALWAYS : isWanted(userId, category, "IN_APP");
	return withPushes(services, insertInbox({ id, userId, category, sealed, createdAt: now }, condition), { userId, messageId: id });
}

const SECURITY = { purpose: "SECURITY", category: "SECURITY" } as const;

/** A notice by SMS and by mail: a thief of one of them does not get the other. */
export const noticesTo = (services: Services, user: Reachable, message: Message): Promise<Write[]> =>
	notify(services, user.id, { ...SECURITY, message }, addressesOf(user));

/** One notice, by mail if there is an address. */
export const noticeTo = (services: Services, user: Reachable, message: Message): Promise<Write[]> =>
	notify(services, user.id, { ...SECURITY, message }, [bestOf(user)]);

const user = alias(users, "user");

/** The user's address as they have it within the commit. */
const addressOf = (userId: string) =>
	sql`(select iif(${user.email} is null, 'SMS', 'EMAIL') as channel, coalesce(${user.email}, ${user.mobileNumber}) as recipient
		from ${users} ${user} where ${user.id} = ${userId})`;

/**
 * The writes that notify a user, as far as they want it. They belong in the commit of their cause, in the user's home. The notice names
 * nothing that others have written: it would reach the user in the lender's name.
 */
export const notifyUser = (
	services: Services,
	userId: string,
	category: Exclude<NotificationCategory, "SECURITY">,
	message: Message,
): Promise<Write[]> => notify(services, userId, { purpose: category, category, message }, [addressOf(userId)]);
