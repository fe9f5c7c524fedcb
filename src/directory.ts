// What authentication asks of the domains: whose token this is, and what D1 knows of the caller.

import { and, eq, isNull, sql } from "drizzle-orm";
import { Session } from "./db/session";
import { byReference, findByReference, recordUse } from "./domains/organizations/store";
import { apiKeys, memberships, organizations } from "./domains/organizations/table";
import { verifyToken } from "./domains/tokens/service-token";
import { readToken } from "./domains/tokens/token.policy";
import { verifyIssued } from "./domains/tokens/verification";
import { users } from "./domains/users/table";
import type { ApiKeyRecord, Directory } from "./http/authentication";
import { ApiError } from "./http/errors";
import type { Membership } from "./providers/authorization";
import { KeysUnavailable } from "./providers/jwks";

export const directory: Directory = {
	async verify(token, services) {
		const read = readToken(token);
		if (!read.ok) throw new ApiError("UNAUTHORISED");
		if (read.issuer === services.issuer) {
			const { sub, sid } = await verifyToken(services.config, "access", services.issuer, token, services.realNow);
			return { kind: "user", userId: sub, sessionId: typeof sid === "string" ? sid : null };
		}
		const operator = await verifyIssued(services, token, "operator").catch((error: unknown) => {
			throw error instanceof KeysUnavailable ? new ApiError("UNAUTHORISED") : error;
		});
		if (!operator.ok) throw new ApiError("UNAUTHORISED");
		return { kind: "operator", operatorId: `${operator.issuer.issuer}#${operator.subject}` };
	},

	standing: (orm, userId) => ({
		statement: orm
			.select({
				status: users.status,
				blockedAt: users.blockedAt,
				// Names are written out: Drizzle drops the table of a column where a select has but one table.
				memberships: sql<string>`(
					select json_group_array(json_object('organizationId', m.organization_id, 'role', m.role, 'slug',
						case when exists (select 1 from ${organizations} x where x.id = o.slug) then null else o.slug end))
					from ${memberships} m join ${organizations} o on o.id = m.organization_id
					where m.user_id = ${userId})`.as("memberships"),
			})
			.from(users)
			.where(eq(users.id, userId)),
		of(rows) {
			const [row] = rows as { status: string; blockedAt: number | null; memberships: string }[];
			return (
				row && {
					waitingList: row.status === "WAITING_LIST",
					blocked: row.blockedAt !== null,
					memberships: JSON.parse(row.memberships) as Membership[],
				}
			);
		},
	}),

	apiKey: (orm, keyId) => ({
		statement: orm
			.select({ hash: apiKeys.hash, scopes: apiKeys.scopes, expiresAt: apiKeys.expiresAt, lastUsedAt: apiKeys.lastUsedAt })
			.from(apiKeys)
			.where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt))),
		of: (rows) => (rows as ApiKeyRecord[])[0],
	}),

	organization: (orm, reference) => ({
		statement: findByReference(orm, reference),
		of: (rows) => byReference(rows as { id: string }[], reference)?.id,
	}),

	// A session of its own: what is done after the answer is not part of its cost.
	keyUsed: ({ env, now }, keyId) => {
		const session = new Session(env.DB, "first-primary");
		return session.commit([recordUse(session.orm, keyId, now)]);
	},
};
