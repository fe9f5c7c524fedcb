// What authentication asks of the domains: whose token this is, and what D1 knows of the caller.

import { and, eq, isNull, sql } from "drizzle-orm";
import { byReference, findByReference, recordUse } from "../domains/organizations/store";
import { apiKeys, memberships, organizations } from "../domains/organizations/table";
import { ACCESS_TOKEN_SECONDS, verifyToken } from "../domains/tokens/service-token";
import { sessions } from "../domains/tokens/table";
import { readToken } from "../domains/tokens/token.policy";
import { type Verified, verifyIssued } from "../domains/tokens/verification";
import { identityLinks, users } from "../domains/users/table";
import { USE_RECORDED_EVERY_MS } from "../http/authentication";
import type { ApiKeyRecord, Directory, IdentityToken } from "../http/directory";
import type { Membership } from "../providers/authorization";
import { KeysUnavailable } from "../providers/jwks";
import { besideAnswer } from "../runtime/services";
import { ApiError } from "../shared/errors";
import { isUuid } from "../shared/ids";

export const directory: Directory = {
	async verify(token, access, services) {
		const read = readToken(token);
		if (!read.ok) throw new ApiError("UNAUTHORISED");
		if (read.issuer === services.issuer) {
			const { sub, sid, iat } = await verifyToken(services.config, "access", services.issuer, token, services.realNow);
			return { kind: "user", userId: sub, sessionId: typeof sid === "string" ? sid : null, issuedAt: iat ?? 0 };
		}
		if (access.identity) {
			const identity = await believed(verifyIssued(services, token, "identity", access.identity.algorithms));
			if (identity.ok) return toIdentity(identity);
		}
		const operator = await believed(verifyIssued(services, token, "operator"));
		if (!operator.ok) throw new ApiError("UNAUTHORISED");
		return { kind: "operator", operatorId: `${operator.issuer.issuer}#${operator.subject}` };
	},

	accountState: (orm, token) => ({
		statement: orm
			.select({
				userId: users.id,
				status: users.status,
				blockedAt: users.blockedAt,
				signedOutAt: users.signedOutAt,
				// Names are written out: Drizzle drops the table of a column where a select has but one table.
				memberships: sql<string>`(
					select json_group_array(json_object('organizationId', m.organization_id, 'role', m.role, 'slug',
						case when exists (select 1 from ${organizations} x where x.id = o.slug) then null else o.slug end))
					from ${memberships} m join ${organizations} o on o.id = m.organization_id
					where m.user_id = users.id)`.as("memberships"),
				// Real time, which access tokens keep to: what ended earlier has outlived them.
				endedSessions: sql<string>`(
					select json_group_array(s.id) from ${sessions} s
					where s.user_id = users.id and s.revoked_at > unixepoch() * 1000 - ${2 * ACCESS_TOKEN_SECONDS * 1000})`.as("ended_sessions"),
			})
			.from(users)
			.where(eq(users.id, token.kind === "user" ? token.userId : userOf(token))),
		of(rows) {
			const [row] = rows as AccountStateRow[];
			return (
				row && {
					userId: row.userId,
					waitingList: row.status === "WAITING_LIST",
					blocked: row.blockedAt !== null,
					memberships: JSON.parse(row.memberships) as Membership[],
					signedOutAt: row.signedOutAt,
					endedSessions: JSON.parse(row.endedSessions) as string[],
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

	async keyUsed(services, keyId) {
		const { db, now } = besideAnswer(services);
		await db.commit([recordUse(db.orm, keyId, now, USE_RECORDED_EVERY_MS)]);
	},
};

type AccountStateRow = {
	userId: string;
	status: string;
	blockedAt: number | null;
	signedOutAt: number | null;
	memberships: string;
	endedSessions: string;
};

/** An issuer whose keys cannot be had lets nobody in. */
const believed = (verification: ReturnType<typeof verifyIssued>) =>
	verification.catch((error: unknown) => {
		throw error instanceof KeysUnavailable ? new ApiError("UNAUTHORISED") : error;
	});

function toIdentity({ issuer, subject, all: { org_id } }: Verified): IdentityToken {
	if (org_id !== undefined && typeof org_id !== "string") throw new ApiError("UNAUTHORISED");
	return {
		kind: "identity",
		issuer: issuer.issuer,
		subject,
		mayAssertUserIds: issuer.may_assert_user_ids,
		organization: org_id,
		resourceAccess: issuer.resource_access_provider,
	};
}

/** A link wins over a subject that is a user's id by itself. */
const userOf = ({ issuer, subject, mayAssertUserIds }: IdentityToken) => sql`coalesce(
	(select l.user_id from ${identityLinks} l where l.issuer = ${issuer} and l.subject = ${subject}),
	${mayAssertUserIds && isUuid(subject) ? subject.toLowerCase() : null})`;
