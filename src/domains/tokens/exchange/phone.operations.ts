// A verified phone for a one-time custom token. Every failure reads alike, and known and new users take the same road
// (one read, one commit, one row more), so that nobody learns who is a user.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { UniqueViolation, type Write } from "../../../db/database";
import { violates } from "../../../db/unique";
import { anyone } from "../../../http/access";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { badInput } from "../../../shared/errors";
import { byReference, findByReference } from "../../organizations/store";
import { isE164 } from "../../users/phone.policy";
import { provision } from "../../users/store";
import { type UserRow, users } from "../../users/table";
import { CUSTOM_TOKEN_SECONDS, mintToken } from "../service-token";
import { customTokens } from "../table";
import { type Verified, verifyIssued } from "../verification";
import { TokenResponse } from "../wire";
import { homeReference, resolveHome } from "./home.store";
import { SPENT_BEFORE, spend } from "./store";

const MAX_ATTEMPTS = 5;

const refusal = () => badInput("phone_verification_token", "is not valid", "NOT_ALLOWED");

export const exchangePhoneToken = operation({
	id: "exchangePhoneToken",
	method: "POST",
	path: "/v1/auth/public/exchange/phone",
	summary: "Exchange a phone-verification token for a one-time custom token",
	description:
		"The user with that phone is signed in; without one a new user is put on the waiting list. The custom token goes to sign-in.",
	access: anyone,
	request: { body: z.object({ phone_verification_token: z.string() }) },
	response: TokenResponse,
	badInput: "BAD_REQUEST",
	limit: "exchange",
	async handle({ body }, services) {
		const token = await verifyIssued(services, body.phone_verification_token, "phone");
		if (!token.ok || !isE164(token.subject)) throw refusal();
		for (let attempt = 1; ; attempt++) {
			const { user, writes } = await decide(services, token);
			const id = crypto.randomUUID();
			const access_token = await mintToken(services.config, {
				kind: "custom",
				issuer: services.issuer,
				subject: user.id,
				realNow: services.realNow,
				lifetimeSeconds: CUSTOM_TOKEN_SECONDS,
				claims: { jti: id },
			});
			const issued = services.db.orm
				.insert(customTokens)
				.values({ id, userId: user.id, expiresAt: services.realNow + CUSTOM_TOKEN_SECONDS * 1000 });
			try {
				const answer = { access_token, token_type: "Bearer" as const, expires_in: CUSTOM_TOKEN_SECONDS };
				return await services.commit([...writes, issued], answer);
			} catch (error) {
				if (!(error instanceof UniqueViolation)) throw error;
				if (violates(error, SPENT_BEFORE)) throw refusal();
				if (attempt === MAX_ATTEMPTS) throw error;
			}
		}
	},
});

async function decide(services: Services, token: Verified): Promise<{ user: UserRow; writes: Write[] }> {
	const { orm } = services.db;
	const { issuer, subject } = token;
	const reference = homeReference(issuer, token);
	const [[known], found] = await services.db.read(
		orm.select().from(users).where(eq(users.mobileNumber, subject)),
		findByReference(orm, reference ?? ""),
	);
	const spending = issuer.single_use && token.tokenId !== undefined ? [spend(orm, issuer.issuer, token.tokenId, token.expiresAtS)] : [];
	if (known) {
		if (known.blockedAt !== null) throw refusal();
		return { user: known, writes: spending };
	}
	const home = reference === null ? undefined : resolveHome(services, reference, byReference(found, reference ?? "")?.id);
	if (!home) throw refusal();
	const { user, writes } = provision(services, { source: "PHONE", admitted: false, homeOrganizationId: home.id, mobileNumber: subject });
	return { user, writes: [...spending, ...home.writes, ...writes] };
}
