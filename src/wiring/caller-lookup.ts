// The caller look-up over the domains: verifies tokens, and reads what D1 knows about users, API keys and organizations.

import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../db/columns";
import type { Orm } from "../db/database";
import { prebuilt } from "../db/prebuilt";
import { findId, findKeyInUse, isSuspended, recordUse } from "../domains/organizations/store";
import { memberships, organizations } from "../domains/organizations/table";
import { usualLocale } from "../domains/organizations/texts/store";
import { adviceOn, EXCHANGE_FIRST } from "../domains/tokens/advice.policy";
import { stillTrusted } from "../domains/tokens/issuers/cache";
import { type Issuer, uncodedPerDay } from "../domains/tokens/issuers/own.plan";
import { type Reason, type Refused, refused, shown } from "../domains/tokens/model/refusal.policy";
import { ACCESS_TOKEN_SECONDS, ID_TOKEN_TYPE, verifyToken } from "../domains/tokens/model/service-token.crypto";
import { readOnce } from "../domains/tokens/model/signature.crypto";
import { originOf } from "../domains/tokens/model/token.policy";
import { sessions } from "../domains/tokens/table";
import { logRefusal, type Verified, verifyIssued } from "../domains/tokens/verification.procedure";
import { linkedTo } from "../domains/users/model/identity.cache";
import { users } from "../domains/users/model/table";
import type { Access, Through } from "../http/callers/access";
import { USE_RECORDED_EVERY_MS } from "../http/callers/by-api-key";
import type { AccountState, ApiKeyRecord, CallerLookup, IdentityToken, Lookup, Principal } from "../http/callers/caller-lookup";
import { insufficientAuthentication, unauthorised } from "../http/callers/missing-credentials";
import type { Membership } from "../runtime/ports";
import type { Services } from "../runtime/services";
import { isUuid } from "../shared/ids";
import type { Locale } from "../shared/locale";
import type { Algorithm, IssuerKind } from "../shared/trusted-issuer";

const eachOrganization = alias(organizations, "each_organization");
const eachMembership = alias(memberships, "each_membership");
const membership = alias(memberships, "membership");
const oneOrganization = alias(organizations, "organization");
const eachSession = alias(sessions, "session");

export const callerLookup: CallerLookup = {
	async verify(token, access, services) {
		const principal = await principalOf(token, access, services);
		if (!("reason" in principal)) return principal;
		logRefusal(services.log, "bearer", principal);
		const { stepUp } = principal;
		if (stepUp) throw insufficientAuthentication({ maxAgeSeconds: stepUp.maxAgeSeconds, acrValues: stepUp.acr });
		throw unauthorised(await exchangeFirst(token, principal.reason, services));
	},

	async accountState(services, token) {
		const sought = token.kind === "user" ? { id: token.userId, within: token.within } : await userOf(services, token);
		if (sought === undefined) return undefined;
		const there = typeof sought.id === "string" ? services.at(sought.id) : services;
		return { there, lookup: accountStateOf(there.db.orm, sought) };
	},

	apiKey: (orm, keyId) => ({
		statement: findKeyInUse(orm, keyId),
		of: (rows) => (rows as ApiKeyRecord[])[0],
	}),

	organization: (reference) => ({
		statement: findId(reference),
		of: (rows) => (rows as { id: string }[])[0]?.id,
	}),

	suspended: isSuspended,

	keyUsed: async (job, keyId) =>
		job.config.WRITES === "off" ? undefined : job.commit([recordUse(job.db.orm, keyId, job.now, USE_RECORDED_EVERY_MS)]),
};

/**
 * The user with this id. With `within` the id is only asserted, unless `unless` is an id: then the user must have the organization as
 * home or be its member, and no other membership counts.
 */
type Sought = { id: string | SQL | Placeholder; unless?: string | SQL | undefined; within?: string | undefined };

const ofReference = (reference: string) =>
	qualified(
		sql`(select ${eachOrganization.id} from ${organizations} ${eachOrganization} where ${eachOrganization.id} = ${reference} or ${eachOrganization.slug} = ${reference})`,
	);

const orLinked = (condition: SQL, unless: string | SQL | undefined): SQL =>
	unless === undefined ? condition : sql`(${unless} is not null or ${condition})`;

/** The organization that an asserted id is confined to; null for a linked user. */
const orLinkedNull = (within: string, unless: string | SQL | undefined): SQL =>
	unless === undefined ? ofReference(within) : sql`case when ${unless} is null then ${ofReference(within)} end`;

const belongsTo = (reference: string): SQL =>
	qualified(sql`(${users.homeOrganizationId} = ${ofReference(reference)} or exists (
		select 1 from ${memberships} ${eachMembership} where ${eachMembership.userId} = ${users.id} and ${eachMembership.organizationId} = ${ofReference(reference)}))`);

const selectAccountState = (orm: Orm, { id, unless, within }: Sought) =>
	orm
		.select({
			userId: users.id,
			status: users.status,
			blockedAt: users.blockedAt,
			signedOutAt: users.signedOutAt,
			signedOutExcept: users.signedOutExcept,
			memberships: qualified(sql<string>`(
				select json_group_array(json_object('organizationId', ${membership.organizationId}, 'role', ${membership.role}, 'slug', ${oneOrganization.slug},
					'version', ${membership.version}, 'reachedAt', ${membership.reachedAt}))
				from ${memberships} ${membership} join ${organizations} ${oneOrganization} on ${oneOrganization.id} = ${membership.organizationId}
				where ${membership.userId} = ${users.id} ${
					within === undefined ? sql.empty() : sql`and ${orLinked(sql`${membership.organizationId} = ${ofReference(within)}`, unless)}`
				})`).as("memberships"),
			onlyIn: sql<string | null>`${within === undefined ? null : orLinkedNull(within, unless)}`.as("only_in"),
			// Real time, like access tokens: those of sessions that ended earlier have expired.
			endedSessions: qualified(sql<string>`(
				select json_group_array(${eachSession.id}) from ${sessions} ${eachSession}
				where ${eachSession.userId} = ${users.id} and ${eachSession.revokedAt} > unixepoch() * 1000 - ${2 * ACCESS_TOKEN_SECONDS * 1000})`).as(
				"ended_sessions",
			),
			locale: users.locale,
			usualLocale: usualLocale.as("usual_locale"),
		})
		.from(users)
		.where(and(eq(users.id, id), within === undefined ? undefined : orLinked(belongsTo(within), unless)));
const accountStateById = prebuilt((orm) => selectAccountState(orm, { id: sql.placeholder("id") }));

const accountStateOf = (orm: Orm, sought: Sought): Lookup<AccountState | undefined> => ({
	statement:
		typeof sought.id === "string" && sought.within === undefined ? accountStateById({ id: sought.id }) : selectAccountState(orm, sought),
	of(rows) {
		const [row] = rows as AccountStateRow[];
		return (
			row && {
				userId: row.userId,
				waitingList: row.status === "WAITING_LIST",
				blocked: row.blockedAt !== null,
				memberships: JSON.parse(row.memberships) as Membership[],
				onlyIn: row.onlyIn,
				signedOutAt: row.signedOutAt,
				signedOutExcept: row.signedOutExcept,
				endedSessions: JSON.parse(row.endedSessions) as string[],
				locale: row.locale,
				usualLocale: row.usualLocale,
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
	onlyIn: string | null;
	endedSessions: string;
	locale: Locale | null;
	usualLocale: Locale | null;
};

async function principalOf(text: string, access: Access, services: Services): Promise<Principal | Refused> {
	const read = readOnce(text);
	if (!read.ok) return read;
	if (read.issuer === services.issuer) {
		// The specification calls both tokens of a sign-in service tokens, so the ID token is accepted too.
		const use = read.header.typ === ID_TOKEN_TYPE ? "id" : "access";
		const token = await verifyToken(services.config, use, services.issuer, read, services.realNow);
		if (!token.ok) return token;
		const { sid, iat, azp, amr, auth_time, azp_kind, cau, dev, within } = token.all;
		// Tokens of sessions by phone say how the user authenticated here; the others were exchanged for an identity issuer's or a partner's.
		const kind: Through["kind"] = azp_kind === "identity" ? "identity" : amr === undefined ? "partner" : "phone";
		const issuer = typeof azp === "string" ? await stillTrusted(services, azp, kind) : undefined;
		if (typeof azp === "string" && !issuer) return refused("ISSUER_DISABLED", "a token got through a trusted issuer", shown(azp));
		const most = issuer && uncodedPerDay(services.config, issuer);
		const session = {
			kind: "user",
			userId: token.subject,
			sessionId: typeof sid === "string" ? sid : null,
			issuedAt: Number(iat),
			...(issuer && most !== undefined && { through: { kind, issuer: issuer.issuer, uncodedPerDay: most } }),
			...authenticated(token.all),
			...(typeof within === "string" && { within }),
		} as const;
		if (kind !== "phone") return session;
		// On a device that the user has had sessions on before, a session is as old as the first of them.
		return { ...session, signedInAt: Number(dev ?? auth_time ?? iat) * 1000, ...(typeof cau === "number" && { cautionUntil: cau * 1000 }) };
	}
	const verify = (kind: IssuerKind, algorithms?: readonly Algorithm[]) => verifyIssued(services, read, kind, algorithms);
	const identity = access.identity && (await verify("identity", access.identity.algorithms));
	if (identity?.ok) {
		const token = toIdentity(identity);
		return "reason" in token ? token : { ...token, ...authenticated(identity.all) };
	}
	// An access that narrows the algorithms of identity issuers narrows those of operators' issuers too.
	const operator = await verify("operator", access.identity?.algorithms);
	if (operator.ok) return { kind: "operator", operatorId: `${operator.issuer.issuer}#${operator.subject}`, ...authenticated(operator.all) };
	// If both refuse the token, the caller learns the reason that concerns a known issuer.
	return identity && operator.reason === "ISSUER_UNKNOWN" ? identity : operator;
}

const authenticated = ({ auth_time }: Verified["all"]) => ({ authenticatedAt: typeof auth_time === "number" ? auth_time : null });

/** Advice on a refused token: to exchange it first, if it is a token of an issuer whose tokens are exchanged, valid or expired. */
async function exchangeFirst(token: string, reason: Reason, services: Services): Promise<string> {
	if (reason === "ISSUER_UNKNOWN" || reason === "MEMBER_MISMATCH" || reason === "AUDIENCE_MISMATCH") {
		for (const kind of ["partner", "phone", "identity"] as const) {
			const verified = await verifyIssued(services, token, kind).catch(() => undefined);
			if (verified?.ok) return EXCHANGE_FIRST[kind];
			// Its signature was verified before its time.
			if (verified?.reason === "EXPIRED") return `The token has expired: get a new one. ${EXCHANGE_FIRST[kind]}`;
		}
	}
	return adviceOn(reason);
}

function toIdentity({ issuer, subject, token, all: { org_id, email, email_verified } }: Verified): IdentityToken | Refused {
	const organization = issuer.ignores_org_id ? undefined : org_id;
	if (organization !== undefined && typeof organization !== "string") {
		return { ...refused("ORGANIZATION_INVALID", "a string", shown(org_id, "KIND")), origin: originOf(token) };
	}
	const isProven = email_verified === true || issuer.emails_are_verified;
	return {
		kind: "identity",
		issuer: issuer.issuer,
		subject,
		asserts: assertsWithin(issuer),
		organization,
		email: isProven && typeof email === "string" ? email : undefined,
		hasUnprovenEmail: !isProven && typeof email === "string",
		admitted: issuer.auto_admit,
		resourceAccess: issuer.resource_access_provider,
	};
}

/** Whose ids the issuer's subjects may be. Only the sandbox's own issuer speaks for all users. */
function assertsWithin({ may_assert_user_ids, organization_id, organizationFromToken }: Issuer): IdentityToken["asserts"] {
	if (!may_assert_user_ids) return undefined;
	if (organizationFromToken) return "ANY_USER";
	return organization_id === undefined ? undefined : { organization: organization_id };
}

/** The user behind an outside identity. A link wins over a subject that is itself a user's id. */
async function userOf(services: Services, { issuer, subject, asserts }: IdentityToken): Promise<Sought | undefined> {
	const asserted = asserts && isUuid(subject) ? subject.toLowerCase() : undefined;
	const linked = await linkedTo(services, issuer, subject);
	const within = asserts === "ANY_USER" ? undefined : asserts?.organization;
	if (asserted === undefined) return linked === undefined ? undefined : { id: linked };
	if (services.databases.alone) return { id: sql`coalesce(${linked}, ${asserted})`, unless: linked, within };
	return linked === undefined ? { id: asserted, within } : { id: linked };
}
