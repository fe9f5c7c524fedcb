// Exchanges a partner's token for a service token. The first exchange of an identity creates its user.

import * as z from "zod";
import { type Orm, UniqueViolation, type Write } from "../../../db/database";
import type { Reserve } from "../../../db/names";
import { violates } from "../../../db/unique";
import { anyone } from "../../../http/callers/access";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import { blocked, insufficientAuthentication } from "../../../http/callers/missing-credentials";
import { operation } from "../../../http/operation";
import type { Owed } from "../../../runtime/home-messages";
import type { Elsewhere, Services } from "../../../runtime/services";
import { ApiError, type ErrorCode, forbidden, organizationSuspended } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { renewProfile } from "../../organizations/members/profile.plan";
import { findMembershipsOf } from "../../organizations/members/store";
import { identityName } from "../../users/model/identity.cache";
import { provision, recordSeen } from "../../users/model/plan";
import { identityLinks, type UserRow } from "../../users/model/table";
import { DisplayName } from "../../users/model/wire";
import { checkOf, NEEDS_NO_EXCHANGE } from "../advice.policy";
import { faultsOfClaims, provenEmail } from "../issuers/claims.plan";
import { isOwnToken, type Reason, type Refused } from "../model/refusal.policy";
import { ACCESS_TOKEN_SECONDS, mintToken } from "../model/service-token.crypto";
import { logIgnored, logRefusal, type Verified, verifyIssued } from "../verification.procedure";
import { TokenResponse } from "../wire";
import { claimedNumber, guardsMoney } from "./claimed-number.procedure";
import { homeReference, noSuchOrganization, refuseSuspended, resolveHome } from "./home.plan";
import { readPerson } from "./person.procedure";
import { SPENT_BEFORE, spend, usedBefore } from "./store";

/** What the exchange answers for each reason to refuse a token. */
const CODES: Record<Reason, ErrorCode> = {
	TOO_LARGE: "MALFORMED_TOKEN",
	NOT_A_JWT: "MALFORMED_TOKEN",
	HEADER_UNREADABLE: "MALFORMED_TOKEN",
	PAYLOAD_UNREADABLE: "MALFORMED_TOKEN",
	ALGORITHM_UNSUPPORTED: "INVALID_TOKEN",
	EXTENSION_UNSUPPORTED: "INVALID_TOKEN",
	KEY_ID_MALFORMED: "INVALID_TOKEN_SIGNATURE",
	ISSUER_MISSING: "INVALID_TOKEN_CLAIMS",
	ISSUER_UNKNOWN: "UNKNOWN_TOKEN_ISSUER",
	ALGORITHM_NOT_ALLOWED: "INVALID_TOKEN",
	KEY_UNKNOWN: "INVALID_TOKEN_SIGNATURE",
	SIGNATURE_INVALID: "INVALID_TOKEN_SIGNATURE",
	EXPIRY_INVALID: "INVALID_TOKEN_CLAIMS",
	EXPIRED: "TOKEN_EXPIRED",
	ISSUED_AT_INVALID: "INVALID_TOKEN_CLAIMS",
	LIFETIME_INVALID: "INVALID_TOKEN_CLAIMS",
	NOT_YET_VALID: "INVALID_TOKEN_CLAIMS",
	AUDIENCE_MISMATCH: "INVALID_TOKEN_CLAIMS",
	TYPE_MISMATCH: "INVALID_TOKEN_CLAIMS",
	MEMBER_MISMATCH: "INVALID_TOKEN_CLAIMS",
	CLAIM_MISMATCH: "INVALID_TOKEN_CLAIMS",
	TOKEN_ID_INVALID: "INVALID_TOKEN_CLAIMS",
	SUBJECT_INVALID: "INVALID_TOKEN_CLAIMS",
	ISSUER_DISABLED: "UNAUTHORISED",
	ORGANIZATION_INVALID: "INVALID_TOKEN_CLAIMS",
	AUTHENTICATION_INSUFFICIENT: "UNAUTHORISED",
	ALREADY_USED: "INVALID_TOKEN",
};

const OTHER_HOME = "The issuer may name users of its own organization only: the user of this token is at home elsewhere";

/** Logs the reason and returns the error that the caller sees. */
function refusalOf({ log, issuer }: Services, refusal: Refused): ApiError {
	logRefusal(log, "partner", refusal);
	if (refusal.stepUp) return insufficientAuthentication({ maxAgeSeconds: refusal.stepUp.maxAgeSeconds, acrValues: refusal.stepUp.acr });
	const code = CODES[refusal.reason];
	if (refusal.reason === "ALREADY_USED") return new ApiError(code, { status: 401, description: "The token was used before" });
	const error = new ApiError(code, { description: isOwnToken(refusal, issuer) ? NEEDS_NO_EXCHANGE : checkOf(refusal.reason) });
	return refusal.reason === "ISSUER_UNKNOWN" ? refusalOfGuess(error) : error;
}

export const exchangePartnerToken = operation({
	id: "exchangePartnerToken",
	method: "POST",
	path: "/v1/auth/exchange",
	summary: "Exchange a partner's token for a service token",
	access: anyone,
	home: "directory",
	limit: "exchange",
	request: { body: z.object({ partner_token: z.string() }) },
	response: TokenResponse,
	badInput: "INVALID_TOKEN",
	unexpected: "INTERNAL_ERROR",
	errors: [
		"INVALID_TOKEN",
		"MALFORMED_TOKEN",
		"INVALID_TOKEN_CLAIMS",
		"UNKNOWN_TOKEN_ISSUER",
		"INVALID_TOKEN_SIGNATURE",
		"TOKEN_EXPIRED",
		"UNAUTHORISED",
		"FORBIDDEN",
	],
	reasons: ["USER_BLOCKED"],
	// The specification has a token that was used before as 401.
	otherErrorStatuses: { INVALID_TOKEN: 401 },
	async handle({ body }, services) {
		const token = await verifyIssued(services, body.partner_token, "partner");
		if (!token.ok) throw refusalOf(services, token);
		for (const { claim, rule } of faultsOfClaims(token.all, token.issuer)) logIgnored(services.log, token.issuer, claim, rule);
		for (let attempt = 1; ; attempt++) {
			const { user, writes, reserve, carry } = await decide(services, token);
			const access_token = await mintToken(services.config, {
				kind: "access",
				issuer: services.issuer,
				subject: user.id,
				realNow: services.realNow,
				lifetimeSeconds: ACCESS_TOKEN_SECONDS,
				// The session has no row yet: signing out writes one, as revoked.
				claims: { azp: token.issuer.issuer, sid: crypto.randomUUID(), auth_time: Math.floor(services.realNow / 1000) },
			});
			try {
				const answer = { access_token, token_type: "Bearer" as const, expires_in: ACCESS_TOKEN_SECONDS };
				const committed = await services
					.moveTo(user.id)
					// Where nothing is written, what was read has decided.
					.commit(writes.length > 0 ? [...refuseSuspended(homeReference(token.issuer, token)), ...writes] : [], answer, { reserve });
				await carry(services);
				return committed;
			} catch (error) {
				if (!(error instanceof UniqueViolation)) throw error;
				if (violates(error, SPENT_BEFORE)) throw refusalOf(services, usedBefore(token));
				if (attempt === MAX_ATTEMPTS) throw error;
			}
		}
	},
});

/** How often a first exchange is tried, because another request may create the same user, organization or tag first. */
const MAX_ATTEMPTS = 5;

/** The user of the token, and the writes of the exchange, which create the user if no earlier exchange has. */
async function decide(
	services: Elsewhere,
	token: Verified,
): Promise<{ user: UserRow; writes: Write[]; reserve: Reserve; carry: Owed["carry"] }> {
	const { issuer, subject } = token;
	const reference = homeReference(issuer, token);
	// Only of users of its organization.
	const asserted = issuer.may_assert_user_ids && reference !== undefined && isUuid(subject) ? subject.toLowerCase() : "";
	const value = await identityName(services, issuer.issuer, subject);
	const person = await readPerson(services, { kind: "IDENTITY", value, reference: reference ?? "", asserted, evenly: false });
	if (person.suspended) throw organizationSuspended();
	const spending = (orm: Orm) =>
		issuer.single_use && token.tokenId !== undefined ? [spend(orm, issuer.issuer, token.tokenId, token.expiresAtS)] : [];
	const email = provenEmail(token.all, issuer);
	const displayName = DisplayName.safeParse(token.all.name).data;
	if (displayName === undefined && token.all.name !== undefined) logIgnored(services.log, issuer, "name", "is no name that can be shown");
	const known = person.user;
	if (known) {
		const there = services.at(known.id);
		const { orm } = there.db;
		if (!person.linked && person.organizationId !== known.homeOrganizationId) throw forbidden(OTHER_HOME);
		if (known.blockedAt !== null) throw blocked();
		const changes = {
			...(email !== undefined && email !== known.email && (await mayAttest(services, known)) && { email }),
			...(displayName !== undefined && known.displayName === null && { displayName }),
		};
		const memberships = Object.keys(changes).length > 0 ? await there.db.read(findMembershipsOf(orm, known.id)) : [];
		const renewed = renewProfile(there, known, changes, memberships);
		const first = await claimedNumber(services, token, known);
		return {
			user: known,
			writes: [...spending(orm), ...renewed.writes, ...first.writes, ...recordSeen(there, known)],
			reserve: { names: first.names },
			carry: renewed.carry,
		};
	}
	const home = reference === null ? undefined : resolveHome(services, reference, person.organizationId);
	if (!home) {
		if (issuer.organizationFromToken) throw refusalOf(services, noSuchOrganization(token));
		throw new Error("an issuer's organization_id names no organization");
	}
	const id = person.named ?? services.at(home.id ?? services.databases.deal()).newId();
	const there = services.at(id);
	const { orm } = there.db;
	const { user, writes, names } = await provision(there, id, {
		source: "PARTNER",
		admitted: issuer.auto_admit,
		homeOrganizationId: home.id,
		email,
		displayName,
	});
	const first = await claimedNumber(services, token, user);
	const link = orm.insert(identityLinks).values({ issuer: issuer.issuer, subject, userId: user.id, createdAt: services.now });
	const identity = { kind: "IDENTITY", value, id } as const;
	return {
		user,
		writes: [...spending(orm), link, ...writes, ...first.writes],
		reserve: { names: [identity, ...home.reserve.names, ...names, ...first.names], writes: home.reserve.writes ?? [] },
		carry: home.carry,
	};
}

/**
 * A user without a number gets their codes by mail: a partner's token does not change that address, nor sets the first one of a user with
 * an account.
 */
const mayAttest = async (services: Elsewhere, user: UserRow): Promise<boolean> =>
	user.mobileNumber !== null || (user.email === null && !(await guardsMoney(services, user)));
