// Phone verification: sends a code to a phone. A client that returns the code has proved possession of the phone, and gets
// a token from the service's own phone issuer.

import * as z from "zod";
import { StaleWrite } from "../../db/database";
import { first } from "../../db/reads";
import { anyone } from "../../http/callers/access";
import { refusalOfGuess } from "../../http/callers/failed-credentials";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { ApiError, badInput, tooManyRequests } from "../../shared/errors";
import { DEFAULT_LOCALE } from "../../shared/locale";
import { Slug } from "../../shared/slug";
import { toTimestamp } from "../../shared/time";
import { findTexts } from "../organizations/texts/store";
import { mintToken, PHONE_TOKEN_SECONDS, SIGN_IN_AGAIN_MS } from "../tokens/model/service-token.crypto";
import { toServedNumber } from "../users/model/phone.policy";
import { isChallengeId, issueCode, newChallengeId } from "./plan";
import { STRANGER_CAPS } from "./policy";
import { codeCaps, tryCode } from "./procedure";
import { consumeChallenge } from "./store";
import { OtpConfirmation, SEND_REASONS, TRY_REASONS } from "./wire";

const PURPOSE = "PHONE_VERIFICATION";

export const startPhoneVerification = operation({
	id: "startPhoneVerification",
	method: "POST",
	path: "/v1/auth/public/phone/verifications",
	summary: "Send a one-time password to a phone",
	description:
		"The answer is the same whether or not a code is sent: while many strangers ask, only numbers that have a user get theirs, and others ask again after a minute.",
	access: anyone,
	home: "directory",
	limit: "address",
	request: {
		body: z.object({
			mobile_country_code: z.string().max(8).meta({ description: "Calling code, with or without the plus sign" }),
			mobile_number: z.string().max(32),
			organization: Slug.optional().meta({ description: "The home of the user, if there is none with this number yet" }),
			app_hash: z
				.string()
				.regex(/^[A-Za-z0-9+/]{11}$/, "must be the eleven characters that Android's SMS Retriever computes of the app")
				.optional()
				.meta({ description: "Ends the message, so that the app on Android reads it by the SMS Retriever" }),
		}),
	},
	response: z.object({
		id: z.uuid(),
		expires_at: z.iso.datetime(),
		seconds_until_new_code: z.int().meta({ description: "When the app may offer another code" }),
	}),
	status: 202,
	badInput: "BAD_REQUEST",
	reasons: SEND_REASONS,
	async handle({ body }, services) {
		const recipient = toServedNumber(body.mobile_country_code, body.mobile_number);
		if (recipient === undefined)
			throw badInput(
				"mobile_number",
				"is not a mobile number of that country: send its code and the number, such as 254 and 712345678",
				"INVALID_FORMAT",
			);
		const lender = body.organization === undefined ? undefined : await lenderNamed(services, body.organization);
		const locale = services.locale ?? lender?.locale ?? undefined;
		const sender = { lender: lender?.name, own: lender?.texts?.[locale ?? DEFAULT_LOCALE]?.CODE };
		for (let attempt = 1; ; attempt++) {
			const caps = await codeCaps(services, recipient, STRANGER_CAPS, "PUBLIC");
			const binding = { purpose: PURPOSE, subject: recipient, resource: lender?.id ?? "" };
			const destination = { channel: "SMS" as const, recipient, locale, sender, appHash: body.app_hash };
			const id = await newChallengeId(services);
			const { challenge, writes, reserve } = await issueCode(services, binding, destination, caps, id);
			try {
				const answer = {
					id: challenge.id,
					expires_at: toTimestamp(challenge.expiresAt),
					seconds_until_new_code: Math.ceil(caps.nextInMs / 1000),
				};
				return await services.commit(writes, answer, { reserve });
			} catch (error) {
				if (!(error instanceof StaleWrite)) throw error;
				// Concurrent requests used up the sends since the caps were read: read them again to learn how long to wait.
				if (attempt === 3) throw tooManyRequests(1);
			}
		}
	},
});

/** The organization that the app names as a new user's home, with its own texts, which are in its home. */
async function lenderNamed(services: Services, slug: string) {
	const { directory } = services.databases;
	const named = await directory.read(first(findTexts(directory.orm, slug)));
	if (!named) throw badInput("organization", "is the slug of no organization", "NOT_ALLOWED");
	const { db } = services.at(named.id);
	return db === directory ? named : ((await db.read(first(findTexts(db.orm, named.id)))) ?? named);
}

export const confirmPhoneVerification = operation({
	id: "confirmPhoneVerification",
	method: "POST",
	path: "/v1/auth/public/phone/verifications/{id}/confirm",
	summary: "Confirm a phone number with the one-time password",
	description: "A caller who lost the answer can repeat the call within a minute and gets the same token.",
	access: anyone,
	home: "directory",
	request: { path: z.object({ id: z.uuid().toLowerCase() }), body: OtpConfirmation },
	response: z.object({ phone_verification_token: z.string(), expires_in: z.int() }),
	badInput: "BAD_REQUEST",
	// No message is sent, and tries are already capped for each code, and for each number and hour.
	limit: "exchange",
	errors: ["NOT_FOUND"],
	reasons: TRY_REASONS,
	async handle({ path, body }, services) {
		if (!(await isChallengeId(services, path.id))) throw refusalOfGuess(new ApiError("NOT_FOUND"));
		const challenge = await tryCode(services, path.id, { purpose: PURPOSE, againMs: SIGN_IN_AGAIN_MS }, body.otp_code);
		const { now, realNow } = services;
		// The token follows from the challenge and from when it was used, so that a repeated call gets the same token, which can be spent
		// once.
		const phone_verification_token = await mintToken(services.config, {
			kind: "phone",
			issuer: services.issuer,
			subject: challenge.recipient,
			realNow: realNow - (now - (challenge.consumedAt ?? now)),
			lifetimeSeconds: PHONE_TOKEN_SECONDS,
			claims: { jti: challenge.id, ...(challenge.resource !== "" && { org_id: challenge.resource }) },
		});
		const answer = { phone_verification_token, expires_in: PHONE_TOKEN_SECONDS };
		return challenge.consumedAt === null ? services.commit([consumeChallenge(services.db.orm, challenge, now)], answer) : answer;
	},
});
