// Tells the owners of an organization of new powers in it: each in their own home, because their address is there.

import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { ALWAYS } from "../../db/prebuilt";
import { homeMessage, type Owed, owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { Role } from "../../shared/permissions";
import { DAY_MS } from "../../shared/time";
import { insertInbox } from "../messages/inbox.store";
import { insertMessage } from "../messages/store";
import { messages } from "../messages/table";
import { users } from "../users/model/table";
import { organizationMembers } from "./table";

const message = alias(messages, "message");
const user = alias(users, "user");

/** The most owners who get a mail. */
const MOST = 20;
const NOTHING = sql`0`;

type Notice = { readonly id: string; readonly userId: string; readonly sealed: string; readonly createdAt: number };

/** What one owner is told, by mail if they have an address. It was sealed under its id before. */
export const ownerNotice = homeMessage<Notice>({
	kind: "owner notice",
	apply(there, { id, userId, sealed, createdAt }) {
		const isKept = there.providers.messageSender.kind === "mailbox";
		const row = {
			id,
			address: sql`(select 'EMAIL' as channel, ${user.email} as recipient from ${users} ${user} where ${user.id} = ${userId})`,
			purpose: "SECURITY",
			category: "SECURITY" as const,
			sealed,
			expiresAt: createdAt + DAY_MS,
			createdAt,
			...(isKept ? { status: "KEPT" as const, nextAttemptAt: null } : { status: "PENDING" as const, nextAttemptAt: createdAt }),
		};
		const condition = sql`not exists (select 1 from ${messages} ${message} where ${message.id} = ${id})`;
		return [
			insertMessage(row, { condition, withheld: NOTHING }),
			insertInbox({ id, userId, category: "SECURITY", sealed, createdAt }, ALWAYS),
		];
	},
});

/** The owners who get mails, in the organization's home. */
export const findOwners = (orm: Orm, organizationId: string) =>
	orm
		.select({ userId: organizationMembers.userId })
		.from(organizationMembers)
		.where(
			and(
				eq(organizationMembers.organizationId, organizationId),
				isNull(organizationMembers.removedAt),
				sql`${organizationMembers.role} = 'organization-owner'`,
			),
		)
		.limit(MOST);

/** Owes each of the owners a mail. Its writes belong in the commit of what it tells, its `carry` after it. */
export async function noticesToOwners(services: Services, owners: readonly { userId: string }[], text: string): Promise<Owed> {
	const { config, now } = services;
	const owed = await Promise.all(
		owners.map(async ({ userId }) => {
			const id = services.at(userId).newId();
			const sealed = await config.keyring.seal("message", id, JSON.stringify({ text }));
			return owe(services, ownerNotice, userId, { id, userId, sealed, createdAt: now });
		}),
	);
	return {
		writes: owed.flatMap(({ writes }) => writes),
		async carry(elsewhere) {
			for (const each of owed) await each.carry(elsewhere);
		},
	};
}

const POWERFUL: Partial<Record<Role, string>> = { "organization-owner": "owner", "organization-admin": "admin" };

/** Whether the role has powers over the organization. */
export const isPowerful = (role: Role): boolean => POWERFUL[role] !== undefined;

/** What is owed for somebody who gets the role: nothing for one without such powers. */
export const noticesOfRole = (services: Services, owners: readonly { userId: string }[], role: Role): Promise<Owed> =>
	noticesToOwners(
		services,
		isPowerful(role) ? owners : [],
		`Somebody has become an ${POWERFUL[role]} of your organization. If you do not know of this, look at its members at once.`,
	);
