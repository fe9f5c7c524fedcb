// The caller look-up over the domains: verifies tokens, and reads what D1 knows about users, API keys and organizations.

import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../db/columns";
import type { Orm } from "../db/database";
import { prebuilt } from "../db/prebuilt";
import { findByReference, findKeyInUse, recordUse } from "../domains/organizations/store";
import { memberships, organizations } from "../domains/organizations/table";
import { adviceOn, EXCHANGE_FIRST } from "../domains/tokens/advice.policy";
import { type Reason, type Refused, refused, shown } from "../domains/tokens/refusal.policy";
import { ACCESS_TOKEN_SECONDS, ID_TOKEN_TYPE, verifyToken } from "../domains/tokens/service-token";
import { readOnce } from "../domains/tokens/signature";
import { sessions } from "../domains/tokens/table";
import { originOf, type UnverifiedToken } from "../domains/tokens/token.policy";
import { logRefusal, type Verified, verifyIssued } from "../domains/tokens/verification";
import { linkedTo } from "../domains/users/identity.copies";
import { users } from "../domains/users/table";
import type { Access } from "../http/callers/access";
import { USE_RECORDED_EVERY_MS } from "../http/callers/by-api-key";
import type { AccountState, ApiKeyRecord, CallerLookup, IdentityToken, Lookup, Principal } from "../http/callers/caller-lookup";
import { unauthorised } from "../http/callers/missing-credentials";
import { KeysUnavailable, type Membership } from "../runtime/ports";
import type { Services } from "../runtime/services";
import type { Algorithm, IssuerKind } from "../runtime/trusted-issuer";
import { isUuid } from "../shared/ids";

const m = alias(memberships, "m");
const o = alias(organizations, "o");
const s = alias(sessions, "s");

export const callerLookup: CallerLookup = {
	async verify(token, access, services) {
		const principal = await principalOf(token, access, services);
		if (!("reason" in principal)) return principal;
		logRefusal(services.log, "bearer", principal);
		throw unauthorised(await exchangeFirst(token, principal.reason, services));
	},

	async accountState(services, token) {
		const userId = token.kind === "user" ? token.userId : await userOf(services, token);
		if (userId === undefined) return undefined;
		const there = typeof userId === "string" ? services.at(userId) : services;
		return { there, lookup: accountStateOf(there.db.orm, userId) };
	},

	apiKey: (orm, keyId) => ({
		statement: findKeyInUse(orm, keyId),
		of: (rows) => (rows as ApiKeyRecord[])[0],
	}),

	organization: (orm, reference) => ({
		statement: findByReference(orm, reference),
		of: (rows) => (rows as { id: string }[])[0]?.id,
	}),

	keyUsed: (job, keyId) => job.commit([recordUse(job.db.orm, keyId, job.now, USE_RECORDED_EVERY_MS)]),
};

const selectAccountState = (orm: Orm, userId: string | SQL | Placeholder) =>
	orm
		.select({
			userId: users.id,
			status: users.status,
			blockedAt: users.blockedAt,
			signedOutAt: users.signedOutAt,
			signedOutExcept: users.signedOutExcept,
			memberships: qualified(sql<string>`(
				select json_group_array(json_object('organizationId', ${m.organizationId}, 'role', ${m.role}, 'slug', ${o.slug}))
				from ${memberships} ${m} join ${organizations} ${o} on ${o.id} = ${m.organizationId}
				where ${m.userId} = ${users.id})`).as("memberships"),
			// Real time, like access tokens: those of sessions that ended earlier have expired.
			endedSessions: qualified(sql<string>`(
				select json_group_array(${s.id}) from ${sessions} ${s}
				where ${s.userId} = ${users.id} and ${s.revokedAt} > unixepoch() * 1000 - ${2 * ACCESS_TOKEN_SECONDS * 1000})`).as(
				"ended_sessions",
			),
		})
		.from(users)
		.where(eq(users.id, userId));
const accountStateById = prebuilt((orm) => selectAccountState(orm, sql.placeholder("id")));

const accountStateOf = (orm: Orm, userId: string | SQL): Lookup<AccountState | undefined> => ({
	statement: typeof userId === "string" ? accountStateById({ id: userId }) : selectAccountState(orm, userId),
	of(rows) {
		const [row] = rows as AccountStateRow[];
		return (
			row && {
				userId: row.userId,
				waitingList: row.status === "WAITING_LIST",
				blocked: row.blockedAt !== null,
				memberships: JSON.parse(row.memberships) as Membership[],
				signedOutAt: row.signedOutAt,
				signedOutExcept: row.signedOutExcept,
				endedSessions: JSON.parse(row.endedSessions) as string[],
			}
		);
	},
});

type AccountStateRow = {
	userId: string;
	status: string;
	blockedAt: number | null;
	signedOutAt: number | null;
	signedOutExcept: string | null;
	memberships: string;
	endedSessions: string;
};

async function principalOf(text: string, access: Access, services: Services): Promise<Principal | Refused> {
	const read = readOnce(text);
	if (!read.ok) return read;
	if (read.issuer === services.issuer) {
		// The specification calls both tokens of a sign-in service tokens, so the ID token is accepted too.
		const kind = read.header.typ === ID_TOKEN_TYPE ? "id" : "access";
		const token = await verifyToken(services.config, kind, services.issuer, read, services.realNow);
		if (!token.ok) return token;
		const { sid, iat } = token.all;
		return { kind: "user", userId: token.subject, sessionId: typeof sid === "string" ? sid : null, issuedAt: Number(iat) };
	}
	const verify = (kind: IssuerKind, algorithms?: readonly Algorithm[]) =>
		verifyIssued(services, read, kind, algorithms).catch((error: unknown) => refusalWithoutKeys(read, error));
	const identity = access.identity && (await verify("identity", access.identity.algorithms));
	if (identity?.ok) return toIdentity(identity);
	// An access that narrows the algorithms of identity issuers narrows those of operators' issuers too.
	const operator = await verify("operator", access.identity?.algorithms);
	if (operator.ok) return { kind: "operator", operatorId: `${operator.issuer.issuer}#${operator.subject}` };
	// If both refuse the token, the caller learns the reason that concerns a known issuer.
	return identity && operator.reason === "ISSUER_UNKNOWN" ? identity : operator;
}

/** Advice on a refused token: to exchange it first, if it is a valid token of a partner or phone issuer. */
async function exchangeFirst(token: string, reason: Reason, services: Services): Promise<string> {
	if (reason === "ISSUER_UNKNOWN" || reason === "MEMBER_MISMATCH" || reason === "AUDIENCE_MISMATCH") {
		for (const kind of ["partner", "phone"] as const) {
			const verified = await verifyIssued(services, token, kind).catch(() => undefined);
			if (verified?.ok) return EXCHANGE_FIRST[kind];
		}
	}
	return adviceOn(reason);
}

/** Refuses a bearer token whose issuer's keys cannot be fetched. */
function refusalWithoutKeys(token: UnverifiedToken, error: unknown): Refused {
	if (!(error instanceof KeysUnavailable)) throw error;
	return { ...refused("KEYS_UNAVAILABLE", "the issuer's keys", "no key set"), origin: originOf(token) };
}

function toIdentity({ issuer, subject, token, all: { org_id, email, email_verified } }: Verified): IdentityToken | Refused {
	if (org_id !== undefined && typeof org_id !== "string") {
		return { ...refused("ORGANIZATION_INVALID", "a string", shown(org_id, "KIND")), origin: originOf(token) };
	}
	return {
		kind: "identity",
		issuer: issuer.issuer,
		subject,
		mayAssertUserIds: issuer.may_assert_user_ids,
		organization: org_id,
		email: email_verified === true && typeof email === "string" ? email : undefined,
		admitted: issuer.auto_admit,
		resourceAccess: issuer.resource_access_provider,
	};
}

/** The user behind an outside identity. A link wins over a subject that is itself a user's id. */
async function userOf(services: Services, { issuer, subject, mayAssertUserIds }: IdentityToken): Promise<string | SQL | undefined> {
	const asserted = mayAssertUserIds && isUuid(subject) ? subject.toLowerCase() : undefined;
	const linked = await linkedTo(services, issuer, subject);
	if (!services.databases.alone) return linked ?? asserted;
	return asserted === undefined ? linked : sql`coalesce(${linked}, ${asserted})`;
}
