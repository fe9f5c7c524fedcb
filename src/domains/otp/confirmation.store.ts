// What all confirmations by code share: where the code is sent, and how the confirmed action is carried out.

import { StaleWrite } from "../../db/database";
import type { Elsewhere } from "../../runtime/services";
import { ApiError, badInput, LostRace } from "../../shared/errors";
import type { Channel } from "../messages/table";
import { type Destination, giveTryBack } from "./store";
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

type Reachable = { readonly mobileNumber: string | null; readonly email: string | null };

/** Where the user gets codes: by the named channel, otherwise by SMS or by mail. Throws bad input when they have no address there. */
export function destinationOf({ mobileNumber, email }: Reachable, channel?: Channel): Destination {
	if (mobileNumber !== null && channel !== "EMAIL") return { channel: "SMS", recipient: mobileNumber };
	if (email !== null && channel !== "SMS") return { channel: "EMAIL", recipient: email };
	throw badInput("channel", "must be one for which the user has a number or mail address", "NOT_ALLOWED");
}

/** The channel of a challenge's recipient. */
export const channelOf = ({ recipient }: Pick<ChallengeRow, "recipient">): Channel => (recipient.startsWith("+") ? "SMS" : "EMAIL");
