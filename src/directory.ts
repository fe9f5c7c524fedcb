// What authentication asks of the domains: whose token this is, and what D1 knows of the caller.

import { eq, or, sql } from "drizzle-orm";
import { apiKeys, memberships, organizations } from "./domains/organizations/table";
import { verifyToken } from "./domains/tokens/service-token";
import { readToken } from "./domains/tokens/token.policy";
import { verifyIssued } from "./domains/tokens/verification";
import { users } from "./domains/users/table";
import type { Scope } from "./http/access";
import type { Directory, Membership } from "./http/authentication";
import { ApiError } from "./http/errors";
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
					select json_group_array(json_object('organizationId', m.organization_id, 'slug', o.slug, 'role', m.role))
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
			.select({ hash: apiKeys.hash, scopes: apiKeys.scopes, revokedAt: apiKeys.revokedAt })
			.from(apiKeys)
			.where(eq(apiKeys.id, keyId)),
		of(rows) {
			const [row] = rows as { hash: string; scopes: Scope[]; revokedAt: number | null }[];
			return row && { hash: row.hash, scopes: row.scopes, revoked: row.revokedAt !== null };
		},
	}),

	organization: (orm, reference) => ({
		statement: orm
			.select({ id: organizations.id, slug: organizations.slug })
			.from(organizations)
			.where(or(eq(organizations.id, reference.toLowerCase()), eq(organizations.slug, reference))),
		of(rows) {
			const found = rows as { id: string; slug: string }[];
			// A slug may look like another organization's id: ids win.
			return (found.find((row) => row.id === reference.toLowerCase()) ?? found[0])?.id;
		},
	}),
};
