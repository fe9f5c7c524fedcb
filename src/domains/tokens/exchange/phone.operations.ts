// Exchanges a verified phone for a one-time custom token. Every failure has the same answer, and known and new users
// cost the same (as many reads, as many commits), so that nobody learns which numbers have a user.

import * as z from "zod";
import { type Orm, UniqueViolation, type Write } from "../../../db/database";
import type { Reserve } from "../../../db/names";
import { first } from "../../../db/reads";
import { violates } from "../../../db/unique";
import { anyone } from "../../../http/callers/access";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import { operation } from "../../../http/operation";
import type { Owed } from "../../../runtime/home-messages";
import type { Elsewhere, Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput } from "../../../shared/errors";
import { isE164 } from "../../users/model/phone.policy";
import { provision } from "../../users/model/plan";
import { phoneName } from "../../users/model/store";
import type { UserRow } from "../../users/model/table";
import { numberState } from "../../users/phone-name.procedure";
import { type Refused, refused } from "../model/refusal.policy";
import { CUSTOM_TOKEN_SECONDS, mintToken, SIGN_IN_AGAIN_MS } from "../model/service-token.crypto";
import { originOf } from "../model/token.policy";
import { findCustomToken } from "../sessions/store";
import { customTokens } from "../table";
import { logRefusal, type Verified, verifyIssued } from "../verification.procedure";
import { TokenResponse } from "../wire";
import { homeReference, noSuchOrganization, resolveHome } from "./home.plan";
import { readPerson } from "./person.procedure";
import { SPENT_BEFORE, spend, usedBefore } from "./store";

const MAX_ATTEMPTS = 5;

const refusal = () =>
	badInput("phone_verification_token", "is not valid: verify the number again, and send the new token once", "NOT_ALLOWED");

function refusalOf({ log }: Services, why: Refused) {
	logRefusal(log, "phone", why);
	return why.reason === "ISSUER_UNKNOWN" ? refusalOfGuess(refusal()) : refusal();
}

/** The subject stays out of the log: it may be a phone number with a typing error. */
const notAPhone = ({ token }: Verified): Refused => ({
	...refused("SUBJECT_INVALID", "sub with a phone number in E.164 form", "another form"),
	origin: originOf(token),
});

/** The same for each use of a token that can be used once, so that a repeated call gets the one custom token. */
const customTokenId = async ({ issuer, tokenId }: Verified): Promise<string> =>
	issuer.single_use && tokenId !== undefined ? sha256Hex(`custom\n${issuer.issuer}\n${tokenId}`) : crypto.randomUUID();

export const exchangePhoneToken = operation({
	id: "exchangePhoneToken",
	method: "POST",
	path: "/v1/auth/public/exchange/phone",
	summary: "Exchange a phone-verification token for a one-time custom token",
	description:
		"For the user with that phone; if there is none, a new user is put on the waiting list. Send the custom token to sign-in. A caller who lost the answer can repeat the call within a minute and gets the same token.",
	access: anyone,
	home: "directory",
	request: { body: z.object({ phone_verification_token: z.string() }) },
	response: TokenResponse,
	badInput: "BAD_REQUEST",
	limit: "exchange",
	async handle({ body }, services) {
		const token = await verifyIssued(services, body.phone_verification_token, "phone");
		if (!token.ok) throw refusalOf(services, token);
		if (!isE164(token.subject)) throw refusalOf(services, notAPhone(token));
		for (let attempt = 1; ; attempt++) {
			const { user, writes, reserve, carry } = await decide(services, token);
			const there = services.moveTo(user.id);
			const id = await customTokenId(token);
			const mint = (realNow: number) =>
				mintToken(services.config, {
					kind: "custom",
					issuer: services.issuer,
					subject: user.id,
					realNow,
					lifetimeSeconds: CUSTOM_TOKEN_SECONDS,
					claims: { jti: id, azp: token.issuer.issuer },
				});
			const answerOf = async (realNow: number) => ({
				access_token: await mint(realNow),
				token_type: "Bearer" as const,
				expires_in: CUSTOM_TOKEN_SECONDS,
			});
			const issued = there.db.orm
				.insert(customTokens)
				.values({ id, userId: user.id, expiresAt: services.realNow + CUSTOM_TOKEN_SECONDS * 1000 });
			try {
				const committed = await there.commit([...writes, issued], await answerOf(services.realNow), { reserve });
				await carry(services);
				return committed;
			} catch (error) {
				if (!(error instanceof UniqueViolation)) throw error;
				if (violates(error, SPENT_BEFORE)) {
					const given = await there.db.read(first(findCustomToken(there.db.orm, id)));
					const at = (given?.expiresAt ?? 0) - CUSTOM_TOKEN_SECONDS * 1000;
					if (services.realNow - at < SIGN_IN_AGAIN_MS) return answerOf(at);
					throw refusalOf(services, usedBefore(token));
				}
				if (attempt === MAX_ATTEMPTS) throw error;
			}
		}
	},
});

type Decision = { user: UserRow; writes: Write[]; reserve: Reserve; carry: Owed["carry"] };

async function decide(services: Elsewhere, token: Verified): Promise<Decision> {
	const { issuer, subject } = token;
	const reference = homeReference(issuer, token);
	const value = await phoneName(services, subject);
	const person = await readPerson(services, { kind: "PHONE", value, reference: reference ?? "", asserted: "", evenly: true });
	const spending = (orm: Orm) =>
		issuer.single_use && token.tokenId !== undefined ? [spend(orm, issuer.issuer, token.tokenId, token.expiresAtS)] : [];
	const known = person.user;
	// The directory's name is only a reservation, or left over from a number that the user no longer has.
	if (known && known.mobileNumber !== subject) {
		const state = await numberState(services, subject);
		if (state.kind === "UNDECIDED") throw new ApiError("SERVICE_UNAVAILABLE");
		return decide(services, token);
	}
	if (known) {
		if (known.blockedAt !== null) throw refusal();
		const { orm } = services.at(known.id).db;
		// Changes nothing: it makes known and new users cost the same.
		const names = [{ kind: "PHONE", value, id: known.id }] as const;
		return { user: known, writes: spending(orm), reserve: { names }, carry: async () => {} };
	}
	const home = reference === null ? undefined : resolveHome(services, reference, person.organizationId);
	if (!home) throw refusalOf(services, noSuchOrganization(token));
	const id = person.named ?? services.at(home.id ?? services.databases.deal()).newId();
	const there = services.at(id);
	const { user, writes, names } = await provision(there, id, {
		source: "PHONE",
		admitted: false,
		homeOrganizationId: home.id,
		mobileNumber: subject,
	});
	const phone = { kind: "PHONE", value, id } as const;
	return {
		user,
		writes: [...spending(there.db.orm), ...writes],
		reserve: { names: [phone, ...home.reserve.names, ...names], writes: home.reserve.writes ?? [] },
		carry: home.carry,
	};
}
