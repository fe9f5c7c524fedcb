// Plans the mails of invitations, and their expiry. A send is counted in the commit that queues its mail.

import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { ApiError, tooManyRequests } from "../../../shared/errors";
import { messageBudget, queueMessage } from "../../messages/plan";
import { invitationExpired } from "../events";
import { SENDS, tokenOf, waitForSend } from "./policy";
import { change } from "./store";
import { type InvitationRow, invitationSends } from "./table";

const invitationSend = alias(invitationSends, "invitation_send");

type Sent = {
	readonly byOrganization: readonly { sentAt: number }[];
	readonly toAddress: readonly { sentAt: number }[];
	readonly sent: readonly { createdAt: number }[];
};

/** The caps on mails. Read `reads` with what the operation reads, pass the answer to `check`, and add `writes` to the commit. */
export function invitationCaps(services: Services, organizationId: string, emailKey: string | SQL<string>) {
	const { db, now } = services;
	const since = now - SENDS.withinMs;
	const budget = messageBudget(services);
	const latest = (match: SQL, most: number) =>
		db.orm
			.select({ sentAt: invitationSends.sentAt })
			.from(invitationSends)
			.where(and(match, gt(invitationSends.sentAt, since)))
			.orderBy(desc(invitationSends.sentAt))
			.limit(most);
	const under = (match: SQL, most: number) =>
		sql`(select count(*) from ${invitationSends} ${invitationSend} where ${match} and ${invitationSend.sentAt} > ${since}) < ${most}`;
	return {
		reads: {
			byOrganization: latest(eq(invitationSends.organizationId, organizationId), SENDS.byOrganization),
			toAddress: latest(eq(invitationSends.emailKey, emailKey), SENDS.toAddress),
			sent: budget.statement,
		},
		/** Throws TOO_MANY_REQUESTS with the time to wait, and SERVICE_UNAVAILABLE when no sender is configured. */
		check({ byOrganization, toAddress, sent }: Sent): void {
			const { messageSender } = services.providers;
			if (messageSender.kind === "gateway" && !messageSender.configured) throw new ApiError("SERVICE_UNAVAILABLE");
			const times = (rows: readonly { sentAt: number }[]) => rows.map(({ sentAt }) => sentAt);
			const waitMs = waitForSend({ byOrganization: times(byOrganization), toAddress: times(toAddress) }, now);
			if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
			budget.check(sent);
		},
		writes: [
			orStaleUnless(
				sql`${under(eq(invitationSend.organizationId, organizationId), SENDS.byOrganization)} and ${under(eq(invitationSend.emailKey, emailKey), SENDS.toAddress)} and ${budget.left}`,
			),
			db.orm.insert(invitationSends).values({ id: services.newId(), organizationId, emailKey, sentAt: now }),
		] as const,
	};
}

/** A new token for the invitation, and the mail that contains it. */
export async function mailFor(
	services: Services,
	{ id, email, expiresAt }: Pick<InvitationRow, "id" | "email" | "expiresAt">,
	name: string,
) {
	const secret = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	const token = tokenOf(id, secret);
	// The fragment of an address is sent to no server, so that no log has the token and the address.
	const link = `${services.baseUrl}/console/join#${token}&for=${encodeURIComponent(email)}`;
	const message = { key: "INVITATION", values: { link, organization: name } } as const;
	return {
		token,
		mail: await queueMessage(services, {
			address: { channel: "EMAIL", recipient: email },
			purpose: "INVITATION",
			category: null,
			content: { message, locale: services.locale, sender: {}, token },
			expiresAt,
		}),
	};
}

/** Stores that the invitation has expired. */
export const expireInvitation = (services: Services, seen: InvitationRow): Write[] => [
	change(services.db.orm, seen, { status: "EXPIRED" }),
	raise(services, invitationExpired, {
		organizationId: seen.organizationId,
		data: { invitation_id: seen.id, role: seen.role },
	}),
];
