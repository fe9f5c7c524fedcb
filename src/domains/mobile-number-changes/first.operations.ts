// A user's first mobile number: of users who came by mail or through a partner. Without one they get no codes by SMS and no loans.

import * as z from "zod";
import type { Write } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { first } from "../../db/reads";
import { userOnWaitingList } from "../../http/callers/access";
import { forgetAccountState } from "../../http/callers/account-states";
import { operation } from "../../http/operation";
import { afterCommit } from "../../runtime/outbox";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { maskNumber } from "../../shared/mask";
import { findOpenAccount } from "../current-accounts/accounts/store";
import { findGuarded, guardsNothing } from "../current-accounts/caution.store";
import { noticesTo } from "../messages/notices.plan";
import { SPENT_BEFORE, spend } from "../tokens/exchange/store";
import { logRefusal, verifyIssued } from "../tokens/verification.procedure";
import { firstNumberOf, setFirstNumber } from "../users/model/first-number.plan";
import { isE164 } from "../users/model/phone.policy";
import { findUser } from "../users/model/store";
import { reserve } from "./completion.procedure";
import { finishChange, instructSoon } from "./job";
import { commitAtProvider, type Ordered } from "./plan";

const refusal = () =>
	badInput("phone_verification_token", "is not valid: verify the number again, and send the new token once", "NOT_ALLOWED");

export const setMyPhone = operation({
	id: "setMyPhone",
	method: "PUT",
	path: "/v1/me/phone",
	summary: "Give the signed-in user, who has no mobile number, their first one",
	description:
		"The token of a phone verification proves the number. Later numbers are changed with a code to the present one. For a user with an activated account or a loan it is 409: they start a change of the number with a code to their mail address, and operators recover the account of a user who has none.",
	access: userOnWaitingList,
	request: { body: z.object({ phone_verification_token: z.string().max(8192) }) },
	response: z.object({
		mobile_number: z.string().meta({ description: "Masked, except for the first four characters and the last three digits" }),
	}),
	badInput: "BAD_REQUEST",
	errors: ["INVALID_STATE", "MOBILE_NUMBER_IN_USE"],
	async handle({ body, caller: { userId } }, services) {
		const { db } = services;
		const { owner, account, money } = await db.read({
			owner: first(findUser(db.orm, userId)),
			account: first(findOpenAccount(userId)),
			money: first(findGuarded(userId)),
		});
		if (!owner) throw new ApiError("UNAUTHORISED");
		const { newNumber, spent } = await provenNumber(services, body.phone_verification_token);
		const answer = { mobile_number: maskNumber(newNumber) };
		if (owner.mobileNumber === newNumber) return answer;
		if (owner.mobileNumber !== null) {
			throw new ApiError("INVALID_STATE", { description: "The user has a mobile number: start a change of it" });
		}
		// A number gets the codes that guard the account: the proof of the number alone, with a stolen token, would be the account.
		if (money?.guards) {
			const by = owner.email === null ? "ask for its recovery" : "start a change of the number with the channel EMAIL";
			throw new ApiError("INVALID_STATE", { description: `The user has an account or a loan: ${by}` });
		}
		const id = services.newId();
		const ordered = firstNumberOf(services, userId, { id, newNumber, provider: "NONE", namesFinishedAt: null });
		if (!(await reserve(services, ordered))) throw new ApiError("MOBILE_NUMBER_IN_USE");
		// Only a custodian who holds an account of theirs, which is not activated yet, knows the user.
		const { provider, writes, instruction }: Ordered = account ? commitAtProvider(services, ordered) : { provider: "NONE", writes: [] };
		const row = { ...ordered, provider };
		const notices = await noticesTo(services, owner, { key: "NUMBER_ADDED", values: {} });
		const follows = [...instructSoon(services, instruction), afterCommit(services, (job) => finishChange(job, row))];
		const committed = await services.commit(
			[...spent, orStaleUnless(guardsNothing(userId)), ...setFirstNumber(services, owner, row), ...writes, ...notices, ...follows],
			answer,
			{ unique: [[SPENT_BEFORE, new ApiError("BAD_REQUEST")]] },
		);
		forgetAccountState(userId);
		return committed;
	},
});

/** The number that the token proves, and the write that spends the token. Every failure has the same answer. */
async function provenNumber(services: Services, text: string): Promise<{ newNumber: string; spent: Write[] }> {
	const token = await verifyIssued(services, text, "phone");
	if (!token.ok) {
		logRefusal(services.log, "phone", token);
		throw refusal();
	}
	if (!isE164(token.subject)) throw refusal();
	const { issuer, tokenId, expiresAtS } = token;
	const single = issuer.single_use && tokenId !== undefined;
	return { newNumber: token.subject, spent: single ? [spend(services.db.orm, issuer.issuer, tokenId, expiresAtS)] : [] };
}
