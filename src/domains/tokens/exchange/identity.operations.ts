// Exchanges an identity issuer's token for a session of the user that it is linked to. It creates nobody: staff come by an invitation,
// others by an operator's link.

import * as z from "zod";
import { UniqueViolation } from "../../../db/database";
import { NAME_TAKEN } from "../../../db/names";
import { first } from "../../../db/reads";
import { violates } from "../../../db/unique";
import { anyone } from "../../../http/callers/access";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import { blocked, insufficientAuthentication, unauthorised } from "../../../http/callers/missing-credentials";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { SECOND_MS } from "../../../shared/time";
import { findMembership } from "../../organizations/members/store";
import { identityName } from "../../users/model/identity.cache";
import { recordSeen } from "../../users/model/plan";
import type { UserRow } from "../../users/model/table";
import { adviceOn, NEEDS_NO_EXCHANGE } from "../advice.policy";
import { faultsOfClaims } from "../issuers/claims.plan";
import { isOwnToken, type Refused } from "../model/refusal.policy";
import { openSession, tokensOf } from "../sessions/plan";
import { logIgnored, logRefusal, type Verified, verifyIssued } from "../verification.procedure";
import { SignedIn } from "../wire";
import { claimedNumber } from "./claimed-number.procedure";
import { homeReference, refuseSuspended } from "./home.plan";
import { readPerson } from "./person.procedure";
import { SPENT_BEFORE, spend, usedBefore } from "./store";

const UNKNOWN = "The token belongs to no user of this service: accept the invitation, or ask an operator to link it";

function refusalOf({ log, issuer }: Services, refusal: Refused): ApiError {
	logRefusal(log, "identity", refusal);
	const { reason, stepUp } = refusal;
	if (stepUp) return insufficientAuthentication({ maxAgeSeconds: stepUp.maxAgeSeconds, acrValues: stepUp.acr });
	const error = unauthorised(isOwnToken(refusal, issuer) ? NEEDS_NO_EXCHANGE : adviceOn(reason));
	return reason === "ISSUER_UNKNOWN" ? refusalOfGuess(error) : error;
}

export const exchangeIdentityToken = operation({
	id: "exchangeIdentityToken",
	method: "POST",
	path: "/v1/auth/identity/exchange",
	summary: "Exchange an identity issuer's token for a session of its user",
	description:
		"For the user to whom the token's subject is linked, by an invitation that they accepted or by an operator. The session ends after the issuer's `max_session_seconds`.",
	access: anyone,
	home: "directory",
	limit: "exchange",
	request: { body: z.object({ identity_token: z.string() }) },
	response: SignedIn,
	errors: ["UNAUTHORISED", "FORBIDDEN"],
	reasons: ["USER_BLOCKED"],
	async handle({ body }, services) {
		const token = await verifyIssued(services, body.identity_token, "identity");
		if (!token.ok) throw refusalOf(services, token);
		const { issuer, tokenId, expiresAtS } = token;
		for (const { claim, rule } of faultsOfClaims(token.all, issuer)) logIgnored(services.log, issuer, claim, rule);
		const { user, within } = await personOf(services, token);
		if (user.blockedAt !== null) throw blocked();
		const there = services.moveTo(user.id);
		const { auth_time } = token.all;
		const authenticatedAt = typeof auth_time === "number" ? auth_time * SECOND_MS : null;
		const began = { issuer: issuer.issuer, issuerKind: "identity" as const, authenticatedAt, within };
		const { session, refreshToken, writes } = await openSession(there, user.id, began, {
			lastsMs: issuer.max_session_seconds * SECOND_MS,
		});
		const spent = issuer.single_use && tokenId !== undefined ? [spend(there.db.orm, issuer.issuer, tokenId, expiresAtS)] : [];
		const first = await claimedNumber(services, token, user);
		const answer = await tokensOf(there, user, session, refreshToken);
		try {
			return await there.commit(
				[...refuseSuspended(homeReference(issuer, token)), ...spent, ...writes, ...first.writes, ...recordSeen(there, user)],
				answer,
				{
					reserve: { names: first.names },
					unique: [[NAME_TAKEN, "STALE"]],
				},
			);
		} catch (error) {
			if (error instanceof UniqueViolation && violates(error, SPENT_BEFORE)) throw refusalOf(services, usedBefore(token));
			throw error;
		}
	},
});

/** `within`: where the issuer may only assert users' ids, the organization of which they are users. */
async function personOf(services: Services, { issuer, subject }: Verified): Promise<{ user: UserRow; within: string | null }> {
	const asserted = issuer.may_assert_user_ids && isUuid(subject) ? subject.toLowerCase() : "";
	const value = await identityName(services, issuer.issuer, subject);
	const reference = issuer.organization_id ?? "";
	const { user, linked, organizationId } = await readPerson(services, { kind: "IDENTITY", value, reference, asserted, evenly: false });
	if (!user) throw new ApiError("FORBIDDEN", { description: UNKNOWN });
	if (linked || issuer.organizationFromToken) return { user, within: null };
	if (organizationId !== undefined && (user.homeOrganizationId === organizationId || (await isMember(services, organizationId, user.id)))) {
		return { user, within: organizationId };
	}
	throw new ApiError("FORBIDDEN", { description: UNKNOWN });
}

async function isMember(services: Services, organizationId: string, userId: string): Promise<boolean> {
	const { db } = services.at(userId);
	const membership = await db.read(first(findMembership(db.orm, organizationId, userId)));
	return membership !== undefined;
}
