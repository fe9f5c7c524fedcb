// Informs the owners of an organization of new powers in it: each in their own home, because their address is there.

import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { ALWAYS } from "../../db/prebuilt";
import type { Message } from "../../messages/catalogue";
import { homeMessage, type Owed, owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import type { Role } from "../../shared/permissions";
import { DAY_MS } from "../../shared/time";
import { withPushes } from "../messages/devices/plan";
import { insertInbox } from "../messages/inbox.store";
import { insertMessage } from "../messages/store";
import { messages } from "../messages/table";
import { users } from "../users/model/table";
import { organizationMembers, organizations } from "./table";

const message = alias(messages, "message");
const user = alias(users, "user");

/** The most owners who get a mail. */
const MOST = 20;
const NOTHING = sql`0`;

type Notice = { readonly id: string; readonly userId: string; readonly sealed: string; readonly createdAt: number };

/** The notice to one owner, by mail if they have an address. It was sealed under its id before. */
export const ownerNotice = homeMessage<Notice>({
	kind: "owner notice",
	apply(there, { id, userId, sealed, createdAt }) {
		const isKept = there.providers.messageSender.kind === "mailbox";
		const row = {
			id,
			address: sql`(select 'EMAIL' as channel, ${user.email} as recipient from ${users} ${user} where ${user.id} = ${userId})`,
			purpose: "SECURITY",
			category: "SECURITY" as const,
			userId,
			sealed,
			expiresAt: createdAt + DAY_MS,
			createdAt,
			cause: there.requestId,
			...(isKept ? { status: "KEPT" as const, nextAttemptAt: null } : { status: "PENDING" as const, nextAttemptAt: createdAt }),
		};
		const condition = sql`not exists (select 1 from ${messages} ${message} where ${message.id} = ${id})`;
		return [
			insertMessage(row, { condition, withheld: NOTHING }),
			withPushes(there, insertInbox({ id, userId, category: "SECURITY", sealed, createdAt }, ALWAYS), { userId, messageId: id }),
		];
	},
});

/** An owner, and the name of the organization. */
export type Owner = { readonly userId: string; readonly organization: string };

/** The owners who get mails, in the organization's home. */
export const findOwners = (orm: Orm, organizationId: string) =>
	orm
		.select({ userId: organizationMembers.userId, organization: organizations.name })
		.from(organizationMembers)
		.innerJoin(organizations, eq(organizations.id, organizationMembers.organizationId))
		.where(
			and(
				eq(organizationMembers.organizationId, organizationId),
				isNull(organizationMembers.removedAt),
				sql`${organizationMembers.role} = 'organization-owner'`,
			),
		)
		.limit(MOST);

/** Owes each of the owners a mail. Its writes belong in the commit of its cause, its `carry` after it. */
export async function noticesToOwners(services: Services, owners: readonly Owner[], message: Message): Promise<Owed> {
	const { config, now } = services;
	const owed = await Promise.all(
		owners.map(async ({ userId, organization }) => {
			const id = services.at(userId).newId();
			const sealed = await config.keyring.seal("message", id, JSON.stringify({ message, sender: { lender: organization } }));
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

const POWERFUL: Partial<Record<Role, "OWNER_ADDED" | "ADMIN_ADDED">> = {
	"organization-owner": "OWNER_ADDED",
	"organization-admin": "ADMIN_ADDED",
};

/** Whether the role has powers over the organization. */
export const isPowerful = (role: Role): boolean => POWERFUL[role] !== undefined;

/** What is owed for somebody who gets the role: nothing for one without such powers. */
export async function noticesOfRole(services: Services, owners: readonly Owner[], role: Role): Promise<Owed> {
	const key = POWERFUL[role];
	return key === undefined ? { writes: [], carry: async () => {} } : noticesToOwners(services, owners, { key, values: {} });
}
