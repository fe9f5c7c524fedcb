// A partner's token for one of ours. The first exchange of an identity makes its user.

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
import { findUser, provision } from "../../users/store";
import { identityLinks, type UserRow, users } from "../../users/table";
import { ACCESS_TOKEN_SECONDS, mintToken } from "../service-token";
import type { Reason } from "../token.policy";
import { type Verified, verifyIssued } from "../verification";
import { TokenResponse } from "../wire";
import { homeReference, resolveHome } from "./home.store";
import { linkedUser, SPENT_BEFORE, spend } from "./store";

/** What the exchange answers for each reason not to believe a token. */
const CODES: Record<Reason, ErrorCode> = {
	MALFORMED: "MALFORMED_TOKEN",
	ALGORITHM_REFUSED: "INVALID_TOKEN",
	ISSUER_MISSING: "INVALID_TOKEN_CLAIMS",
	ISSUER_UNKNOWN: "UNKNOWN_TOKEN_ISSUER",
	SIGNATURE_INVALID: "INVALID_TOKEN_SIGNATURE",
	EXPIRED: "TOKEN_EXPIRED",
	CLAIMS_INVALID: "INVALID_TOKEN_CLAIMS",
	ISSUER_DISABLED: "UNAUTHORISED",
};

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
		if (!token.ok) throw new ApiError(CODES[token.reason]);
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
				if (violates(error, SPENT_BEFORE)) throw new ApiError("INVALID_TOKEN", { status: 401, description: "The token was used before" });
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
		// An issuer that has an organization may speak by their ids only for the users of that one.
		if (!linked && reference !== undefined && organization?.id !== known.homeOrganizationId) throw new ApiError("FORBIDDEN");
		if (known.blockedAt !== null) throw new ApiError("FORBIDDEN");
		const news = email !== undefined && email !== known.email ? [orm.update(users).set({ email }).where(eq(users.id, known.id))] : [];
		return { user: known, writes: [...spending, ...news] };
	}
	const home = reference === null ? undefined : resolveHome(services, reference, organization?.id);
	if (!home) {
		if (issuer.organizationFromToken) throw new ApiError("INVALID_TOKEN_CLAIMS");
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
