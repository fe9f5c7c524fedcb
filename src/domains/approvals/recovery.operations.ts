// Lost numbers: an operator asks for the recovery, another one approves.

import * as z from "zod";
import { violates } from "../../db/unique";
import { alone, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { badInput } from "../../shared/errors";
import { SPENT_BEFORE, spend, usedBefore } from "../tokens/exchange/store";
import { logRefusal, type Verified, verifyIssued } from "../tokens/verification.procedure";
import { isE164 } from "../users/model/phone.policy";
import { request } from "./request.procedure";
import { Approval, pathOfApproval } from "./wire";

const refusal = () =>
	badInput("phone_verification_token", "is not valid: verify the number again, and send the new token once", "NOT_ALLOWED");

/** What proves the new number. Throws bad input. */
async function verifiedPhone(services: Services, text: string): Promise<Verified> {
	const token = await verifyIssued(services, text, "phone");
	if (!token.ok) logRefusal(services.log, "phone", token);
	if (!token.ok || !isE164(token.subject)) throw refusal();
	return token;
}

export const requestRecovery = operation({
	id: "requestRecovery",
	method: "POST",
	path: "/v1/platform/users/{userId}/recoveries",
	summary: "Ask to give a user another number, because they have lost theirs",
	description:
		"Once another operator approves, the user's current account is frozen, their sessions end, and the service informs them each day by the old number and by mail. After RECOVERY_WAIT they get the new number, and the account is released.",
	access: alone(operator),
	home: ({ path }) => path.userId,
	request: {
		path: z.object({ userId: z.uuid().toLowerCase() }),
		body: z.strictObject({
			phone_verification_token: z.string().min(1).max(8192).meta({ description: "Proves that the user has the new number" }),
			reason: z.string().trim().min(1).max(255),
		}),
	},
	response: Approval,
	status: 202,
	location: pathOfApproval,
	errors: ["NOT_FOUND", "APPROVAL_PENDING", "INVALID_STATE", "MOBILE_NUMBER_IN_USE"],
	async handle({ path, body, caller }, services) {
		const token = await verifiedPhone(services, body.phone_verification_token);
		const { issuer, subject, tokenId, expiresAtS } = token;
		const payload = {
			sealed_number: await services.config.keyring.seal("recovery", path.userId, subject),
			number_ending: subject.slice(-3),
		};
		const spent = issuer.single_use && tokenId !== undefined ? [spend(services.db.orm, issuer.issuer, tokenId, expiresAtS)] : [];
		const asked = {
			type: "NUMBER_RECOVERY" as const,
			entityId: path.userId,
			payload,
			reason: body.reason,
			refusals: { NUMBER_IN_USE: "MOBILE_NUMBER_IN_USE" as const },
			writes: spent,
		};
		try {
			return await request(services, caller, asked);
		} catch (error) {
			if (!violates(error, SPENT_BEFORE)) throw error;
			logRefusal(services.log, "phone", usedBefore(token));
			throw refusal();
		}
	},
});
