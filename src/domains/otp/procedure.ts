// What operations share that ask for codes: the caps on sends, a try, and the action that a right code allows. A try is counted before
// the code is compared, so that concurrent guesses never exceed the allowed tries.

import { StaleWrite } from "../../db/database";
import { DIRECTORY_HOME } from "../../db/places";
import type { Elsewhere, Services } from "../../runtime/services";
import { ApiError, type Because, invalidState, LostRace, refusedInput } from "../../shared/errors";
import { MINUTE_MS } from "../../shared/time";
import { phoneName } from "../users/model/store";
import { type Binding, type Destination, type Issued, issueCode, type SendCaps, taggedText, tooEarly, triesUsed } from "./plan";
import { type Cap, CLIENT_CAPS, type Door, MAX_TRIES, RECIPIENT_CAPS, RESEND_AFTER_MS, refusalOf, siteOf, waitForSend } from "./policy";
import { type Bound, findChallenge, findSends, giveTryBack, spendTry } from "./store";
import type { ChallengeRow } from "./table";

/** How often a confirmed action is tried on fresh reads before it is refused. */
const ROUNDS = 3;

/**
 * Carries out the action that a right code allows. `act` decides and commits with `consumeChallenge`. When its commit is stale it runs
 * once more, with `again`, and must read what it decides on then; the code is not checked again, because that would use up another
 * try. If the action is refused, the try is given back, and the same code is valid again once the obstacle is gone.
 */
export async function carryOut<T>(services: Elsewhere, { id }: ChallengeRow, act: (again: boolean) => Promise<T>): Promise<T> {
	for (let round = 1; ; round++) {
		try {
			return await act(round > 1);
		} catch (error) {
			if (error instanceof StaleWrite && round < ROUNDS) continue;
			if (!(error instanceof StaleWrite || error instanceof ApiError)) throw error;
			await services.commitRegardless([giveTryBack(services.db.orm, id)]);
			throw error instanceof StaleWrite ? new LostRace() : error;
		}
	}
}

/**
 * The caps on codes to a recipient, from the client, and of the whole service in a minute. The directory counts the codes of all homes, so
 * that a number gets no more of them by being asked for in several. Throws TOO_MANY_REQUESTS with the time to wait when a cap is reached,
 * but not when strangers have spent their shares: then the commit decides whether anything is sent, and no answer shows it. Throws
 * SERVICE_UNAVAILABLE when no sender is configured. Pass the result on to `issueCode` or `resendCode`, whose `reserve` counts the code and
 * enforces the caps again.
 */
export async function codeCaps(
	services: Services,
	recipient: string,
	recipientCaps: readonly Cap[] = RECIPIENT_CAPS,
	door: Door = "SIGNED_IN",
): Promise<SendCaps> {
	const { messageSender } = services.providers;
	if (messageSender.kind === "gateway" && !messageSender.configured) throw new ApiError("SERVICE_UNAVAILABLE");
	const { now, config } = services;
	const directory = services.at(DIRECTORY_HOME);
	const client = await config.keyring.tag("otp", `client\n${siteOf(services.clientAddress)}`);
	const { toRecipient, byClient, shares } = await directory.db.read(findSends(directory.db.orm, { recipient, client, now }));
	const sends = shares.reduce((sum, share) => sum + share.sends, 0);
	const oldest = Math.min(...shares.map((share) => share.oldest ?? now));
	const isSpent = door === "SIGNED_IN" && sends >= config.MESSAGE_BUDGET_PER_MINUTE;
	const times = (rows: readonly { sentAt: number }[]) => rows.map(({ sentAt }) => sentAt);
	const waitMs = Math.max(
		waitForSend(times(toRecipient), recipientCaps, now),
		waitForSend(times(byClient), CLIENT_CAPS, now),
		isSpent ? oldest + MINUTE_MS - now : 0,
	);
	if (waitMs > 0) throw tooEarly(waitMs);
	const nextInMs = Math.max(RESEND_AFTER_MS, waitForSend([now, ...times(toRecipient)], recipientCaps, now));
	return { recipient, recipientCaps, client, nextInMs, phone: door === "PUBLIC" ? await phoneName(services, recipient) : undefined };
}

/** A new code to the destination, within the caps of codes that owners of accounts ask for. */
export const askCode = async (services: Services, binding: Binding, destination: Destination): Promise<Issued> =>
	issueCode(services, binding, destination, await codeCaps(services, destination.recipient));

/** A code would go to a thief who moved the number to another SIM card. Without an answer of the mobile operator it is sent. */
export async function refuseExchangedSim({ providers, log }: Services, number: string): Promise<void> {
	const swapped = await providers.simSwap?.wasSwapped(number);
	if (swapped) throw invalidState("No code is sent to a number whose SIM card was exchanged recently", { reason: "SIM_EXCHANGED" });
	if (providers.simSwap && swapped === undefined) log.error("the SIM-swap check gave no answer before a code", undefined);
}

/**
 * Counts a try, then compares the code. Returns the challenge when the code is right; it stays open until `consumeChallenge`
 * is committed. Throws bad input for a wrong, expired or used code, TOO_MANY_REQUESTS when the tries are used up, and
 * NOT_FOUND when there is no such challenge for this purpose, subject and resource. `againMs`: so long a used code passes again.
 */
export async function tryCode(services: Elsewhere, id: string, binding: Bound & { againMs?: number }, code: string): Promise<ChallengeRow> {
	const { db, now, config } = services;
	const usedAfter = binding.againMs === undefined ? Number.MAX_SAFE_INTEGER : now - binding.againMs;
	const [[spent], [found]] = await services.commitRegardless([
		spendTry(db.orm, id, binding, { now, usedAfter }),
		findChallenge(db.orm, id, binding),
	]);
	if (!found) throw new ApiError("NOT_FOUND");
	if (!spent) {
		if (refusalOf(found, now) === "EXHAUSTED") throw triesUsed(found, now);
		throw refusalOf(found, now) === "EXPIRED"
			? refusedCode("has expired: ask for a new one", { reason: "OTP_EXPIRED" })
			: refusedCode("was used already: ask for a new one", { reason: "OTP_USED" });
	}
	if (await config.keyring.verifyTag("otp", taggedText(id, spent.purpose, code), spent.codeTag)) return spent;
	const hints = {
		tries_left: Math.max(0, MAX_TRIES - spent.tries),
		seconds_until_new_code: Math.max(0, Math.ceil((spent.sentAt + RESEND_AFTER_MS - now) / 1000)),
	};
	throw refusedCode("is not the code that was sent", { reason: "OTP_WRONG", hints });
}

const refusedCode = (fault: string, because: Because) => refusedInput("otp_code", fault, "NOT_ALLOWED", because);
