// Exchanges a partner's token for a service token. The first exchange of an identity creates its user.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { UniqueViolation, type Write } from "../../../db/database";
import { violates } from "../../../db/unique";
import { anyone } from "../../../http/access";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { ApiError, type ErrorCode } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { byReference, findByReference } from "../../organizations/store";
import { findUser, provision, recordSeen } from "../../users/store";
import { identityLinks, type UserRow, users } from "../../users/table";
import type { Reason, Refused } from "../refusal.policy";
import { ACCESS_TOKEN_SECONDS, mintToken } from "../service-token";
import { logRefusal, type Verified, verifyIssued } from "../verification";
import { TokenResponse } from "../wire";
import { homeReference, noSuchOrganization, resolveHome } from "./home.store";
import { linkedUser, SPENT_BEFORE, spend, usedBefore } from "./store";

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
	KEYS_UNAVAILABLE: "INTERNAL_ERROR",
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
	TOKEN_ID_INVALID: "INVALID_TOKEN_CLAIMS",
	SUBJECT_INVALID: "INVALID_TOKEN_CLAIMS",
	ISSUER_DISABLED: "UNAUTHORISED",
	ORGANIZATION_INVALID: "INVALID_TOKEN_CLAIMS",
	ALREADY_USED: "INVALID_TOKEN",
};

/** Logs the reason and returns the error that the caller sees. */
function refusalOf({ log }: Services, refusal: Refused): ApiError {
	logRefusal(log, "partner", refusal);
	const code = CODES[refusal.reason];
	return refusal.reason === "ALREADY_USED"
		? new ApiError(code, { status: 401, description: "The token was used before" })
		: new ApiError(code);
}

export const exchangePartnerToken = operation({
	id: "exchangePartnerToken",
	method: "POST",
	path: "/v1/auth/exchange",
	summary: "Exchange a partner's token for a service token",
	access: anyone,
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
	async handle({ body }, services) {
		const token = await verifyIssued(services, body.partner_token, "partner");
		if (!token.ok) throw refusalOf(services, token);
		for (let attempt = 1; ; attempt++) {
			const { user, writes } = await decide(services, token);
			const access_token = await mintToken(services.config, {
				kind: "access",
				issuer: services.issuer,
				subject: user.id,
				realNow: services.realNow,
				lifetimeSeconds: ACCESS_TOKEN_SECONDS,
				// Of no session yet: signing out creates one, which is revoked.
				claims: { sid: crypto.randomUUID(), auth_time: Math.floor(services.realNow / 1000) },
			});
			try {
				return await services.commit(writes, { access_token, token_type: "Bearer" as const, expires_in: ACCESS_TOKEN_SECONDS });
			} catch (error) {
				if (!(error instanceof UniqueViolation)) throw error;
				if (violates(error, SPENT_BEFORE)) throw refusalOf(services, usedBefore(token));
				if (attempt === MAX_ATTEMPTS) throw error;
			}
		}
	},
});

/** How often a first exchange is decided again because another request created its user, its organization or its tag first. */
const MAX_ATTEMPTS = 5;

/** Whose token it is, and the writes of the exchange: a user whom no earlier exchange created is created by them. */
async function decide(services: Services, token: Verified): Promise<{ user: UserRow; writes: Write[] }> {
	const { orm } = services.db;
	const { issuer, subject } = token;
	const asserted = issuer.may_assert_user_ids && isUuid(subject) ? subject.toLowerCase() : "";
	const reference = homeReference(issuer, token);
	const [[linked], [claimed], found] = await services.db.read(
		linkedUser(orm, issuer.issuer, subject),
		findUser(orm, asserted),
		findByReference(orm, reference ?? ""),
	);
	const organization = byReference(found, reference ?? "");
	const spending = issuer.single_use && token.tokenId !== undefined ? [spend(orm, issuer.issuer, token.tokenId, token.expiresAtS)] : [];
	const email = verifiedEmail(token);
	const known = linked ?? claimed;
	if (known) {
		// An issuer with an organization may assert only ids of users of that organization.
		if (!linked && reference !== undefined && organization?.id !== known.homeOrganizationId) throw new ApiError("FORBIDDEN");
		if (known.blockedAt !== null) throw new ApiError("FORBIDDEN");
		const changes = email !== undefined && email !== known.email ? [orm.update(users).set({ email }).where(eq(users.id, known.id))] : [];
		return { user: known, writes: [...spending, ...changes, ...recordSeen(services, known)] };
	}
	const home = reference === null ? undefined : resolveHome(services, reference, organization?.id);
	if (!home) {
		if (issuer.organizationFromToken) throw refusalOf(services, noSuchOrganization(token));
		throw new Error("an issuer's organization_id names no organization");
	}
	const { user, writes } = provision(services, { source: "PARTNER", admitted: issuer.auto_admit, homeOrganizationId: home.id, email });
	const link = orm.insert(identityLinks).values({ issuer: issuer.issuer, subject, userId: user.id, createdAt: services.now });
	return { user, writes: [...spending, ...home.writes, link, ...writes] };
}

const Email = z.email().max(254);

function verifiedEmail({ all }: Verified): string | undefined {
	return all.email_verified === true ? Email.safeParse(all.email).data : undefined;
}
