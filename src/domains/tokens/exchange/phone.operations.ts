// Exchanges a verified phone for a one-time custom token. Every failure has the same answer, and known and new users
// cost the same (one read, one commit), so that nobody learns which numbers have a user.

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
import { type Refused, refused } from "../refusal.policy";
import { CUSTOM_TOKEN_SECONDS, mintToken } from "../service-token";
import { customTokens } from "../table";
import { originOf } from "../token.policy";
import { logRefusal, type Verified, verifyIssued } from "../verification";
import { TokenResponse } from "../wire";
import { homeReference, noSuchOrganization, resolveHome } from "./home.store";
import { SPENT_BEFORE, spend, usedBefore } from "./store";

const MAX_ATTEMPTS = 5;

const refusal = () => badInput("phone_verification_token", "is not valid", "NOT_ALLOWED");

function refusalOf({ log }: Services, why: Refused) {
	logRefusal(log, "phone", why);
	return refusal();
}

/** The subject stays out of the log: it may be a phone number with a typing error. */
const notAPhone = ({ token }: Verified): Refused => ({
	...refused("SUBJECT_INVALID", "sub with a phone number in E.164 form", "another form"),
	origin: originOf(token),
});

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
		if (!token.ok) throw refusalOf(services, token);
		if (!isE164(token.subject)) throw refusalOf(services, notAPhone(token));
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
				if (violates(error, SPENT_BEFORE)) throw refusalOf(services, usedBefore(token));
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
	if (!home) throw refusalOf(services, noSuchOrganization(token));
	const { user, writes } = provision(services, { source: "PHONE", admitted: false, homeOrganizationId: home.id, mobileNumber: subject });
	return { user, writes: [...spending, ...home.writes, ...writes] };
}
