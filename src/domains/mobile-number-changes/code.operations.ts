// The two codes of a mobile-number change: the one sent to the user's own number or mail authorizes it, the one sent to the new number
// completes it.

import * as z from "zod";
import { first } from "../../db/reads";
import { user } from "../../http/callers/access";
import { forgetAccountState } from "../../http/callers/account-states";
import { operation } from "../../http/operation";
import { afterCommit } from "../../runtime/outbox";
import type { Elsewhere, Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { issueCode } from "../otp/plan";
import { STRANGER_CAPS } from "../otp/policy";
import { carryOut, codeCaps, tryCode } from "../otp/procedure";
import { consumeChallenge } from "../otp/store";
import type { ChallengeRow } from "../otp/table";
import { OtpConfirmation, SEND_REASONS, TRY_REASONS } from "../otp/wire";
import { endOtherSessions } from "../tokens/sessions/plan";
import { FAILURES, PURPOSES } from "../users/model/number-change.lifecycle";
import type { ChangeRow } from "../users/model/number-change.table";
import { findUser } from "../users/model/store";
import { numberState } from "../users/phone-name.procedure";
import { readChange, requireStatus } from "./callers";
import { completedWrites, reserve } from "./completion.procedure";
import { finishChange, instructSoon } from "./job";
import { abandon, commitAtProvider, move, type Ordered } from "./plan";
import { findChange, findCommitOf, setProvider } from "./store";
import { MobileNumberChange, toChange } from "./wire";

const path = z.object({ mobileNumberChangeId: z.uuid().toLowerCase() });

export const authorizeNumberChange = operation({
	id: "authorizeNumberChange",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/authorize",
	summary: "Authorize the change with the one-time password that the user got",
	description: "Commits the change at the provider and sends a one-time password to the new number.",
	access: user,
	request: { path, body: OtpConfirmation },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: [...SEND_REASONS, ...TRY_REASONS],
	async handle({ path, body, caller: { userId } }, services) {
		const { db, now, providers } = services;
		const seen = await readChange(services, path.mobileNumberChangeId, userId, ["INITIALIZING"]);
		if (!providers.custodian) throw new ApiError("SERVICE_UNAVAILABLE");
		// Before the try: a send that the caps refuse must not use up a try.
		const caps = await codeCaps(services, seen.newNumber, STRANGER_CAPS);
		const binding = { purpose: PURPOSES.old, subject: userId, resource: seen.id };
		const challenge = await tryCode(services, seen.challengeId, binding, body.otp_code);
		return carryOut(services, challenge, async (again) => {
			const change = again ? await readChange(services, seen.id, userId, ["INITIALIZING"]) : seen;
			const sent = await issueCode(
				services,
				{ ...binding, purpose: PURPOSES.new },
				{ channel: "SMS", recipient: change.newNumber, userId },
				caps,
			);
			// The caller has not proved yet to have the new number, so they do not learn that it is in use: the provider is not notified of
			// the change, but the code is sent.
			const state = await numberState(services, change.newNumber);
			const free = state.kind === "FREE" || (state.kind === "HELD" && state.userId === userId);
			const { provider, writes, instruction }: Ordered = free ? commitAtProvider(services, change) : { provider: "NONE", writes: [] };
			const moved = move(db.orm, change, "authorize", { authorizedAt: now, challengeId: sent.challenge.id, provider });
			const used = consumeChallenge(db.orm, challenge, now);
			return services.commit(
				[used, moved.write, ...writes, ...sent.writes, ...instructSoon(services, instruction)],
				toChange(moved.row, services),
				{
					reserve: sent.reserve,
				},
			);
		});
	},
});

export const confirmNumberChange = operation({
	id: "confirmNumberChange",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/confirm",
	summary: "Complete the change with the one-time password that the new number got",
	description: "Ends all other sessions of the user. Answers 503 while the provider has not confirmed the change.",
	access: user,
	request: { path, body: OtpConfirmation },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "MOBILE_NUMBER_IN_USE"],
	reasons: TRY_REASONS,
	async handle({ path, body, caller: { userId, sessionId } }, services) {
		const { db, now } = services;
		// Before the try, so that waiting for the provider uses up none.
		const seen = await readConfirmable(services, path.mobileNumberChangeId, userId);
		const binding = { purpose: PURPOSES.new, subject: userId, resource: seen.change.id };
		const challenge = await tryCode(services, seen.change.challengeId, binding, body.otp_code);
		return carryOut(services, challenge, async (again) => {
			const { change, owner } = again ? await readConfirmable(services, seen.change.id, userId) : seen;
			if (!(await reserve(services, change))) throw await failInUse(services, change, challenge);
			const ordered = change.provider === "NONE" ? commitAtProvider(services, change) : { provider: change.provider, writes: [] };
			if (ordered.instruction) throw await orderLate(services, change, ordered);
			const { row, write } = move(db.orm, change, "complete", { completedAt: now, provider: ordered.provider });
			const answer = await services.commit(
				[
					consumeChallenge(db.orm, challenge, now),
					write,
					...(await completedWrites(services, row, owner)),
					...endOtherSessions(db.orm, userId, sessionId, services.realNow),
					afterCommit(services, (job) => finishChange(job, row)),
				],
				toChange(row, services),
			);
			forgetAccountState(userId);
			return answer;
		});
	},
});

/** The change and its user. Throws unless the change can be completed now. */
async function readConfirmable({ db, now, providers }: Services, id: string, userId: string) {
	const { change, told, owner } = await db.read({
		change: first(findChange(db.orm, id, userId)),
		told: first(findCommitOf(db.orm, id)),
		owner: first(findUser(db.orm, userId)),
	});
	if (!change || !owner) throw new ApiError("NOT_FOUND");
	requireStatus(change, ["AUTHORIZED"], now);
	if (told?.status === "REFUSED") throw new ApiError("INVALID_STATE", { description: "The provider has refused the number" });
	if (!providers.custodian || (change.provider === "ORDERED" && told?.status !== "TAKEN")) throw new ApiError("SERVICE_UNAVAILABLE");
	return { change, owner };
}

/** Ends the change, because another user has the number. The caller has proved to have the number too, so they may know. */
async function failInUse(services: Elsewhere, change: ChangeRow, challenge: ChallengeRow): Promise<ApiError> {
	const { writes, instruction } = abandon(services, change, "fail", { failureReason: FAILURES.inUse });
	await services.commitRegardless([
		consumeChallenge(services.db.orm, challenge, services.now),
		...writes,
		...instructSoon(services, instruction),
	]);
	return new ApiError("MOBILE_NUMBER_IN_USE");
}

/**
 * Notifies the provider of a number that was in use when the change was authorized, and is free now. The same code confirms it afterwards.
 */
async function orderLate(services: Elsewhere, change: ChangeRow, { provider, writes, instruction }: Ordered): Promise<ApiError> {
	await services.commitRegardless([setProvider(services.db.orm, change, provider), ...writes, ...instructSoon(services, instruction)]);
	return new ApiError("SERVICE_UNAVAILABLE");
}
