// The two codes of a mobile-number change: the owner's authorizes it, that to the new number completes it. A code is looked at once a
// call: what is stale afterwards is answered here, because a second run of the handler would spend a second try.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { StaleWrite, type Write } from "../../db/database";
import { guarded } from "../../db/guards";
import type { Reserve } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import { raise } from "../../events/raise";
import { user } from "../../http/access";
import { forgetAccountState } from "../../http/account-states";
import { operation } from "../../http/operation";
import { apartFromAnswer, besideAnswer, type Services } from "../../runtime/services";
import { ApiError, LostRace } from "../../shared/errors";
import { DAY_MS, toTimestamp } from "../../shared/time";
import { queueMessage } from "../messages/store";
import { STRANGER_CAPS } from "../otp/policy";
import { consumeChallenge, giveTryBack, issueCode, sendCaps, tryCode } from "../otp/store";
import type { ChallengeRow } from "../otp/table";
import { OtpConfirmation } from "../otp/wire";
import { endOtherSessions } from "../tokens/sessions/store";
import { numberState, reserveNumber } from "../users/phone-name.store";
import { findUser, phoneName } from "../users/store";
import { type UserRow, users } from "../users/table";
import { mobileNumberChanged } from "./events";
import { finishChange, tellSoon } from "./job";
import { FAILURES, PURPOSES } from "./lifecycle";
import { abandon, commitAtProvider, findChange, findCommitOf, type Moved, move, requireStatus } from "./store";
import { type ChangeRow, mobileNumberChanges } from "./table";
import { MobileNumberChange, toChange } from "./wire";

const path = z.object({ mobileNumberChangeId: z.uuid().toLowerCase() });

export const authorizeNumberChange = operation({
	id: "authorizeNumberChange",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/authorize",
	summary: "Authorize the change with the owner's one-time password",
	description: "Commits the change at the provider and sends a one-time password to the new number.",
	access: user,
	request: { path, body: OtpConfirmation },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller: { userId } }, services) {
		const { db, now, providers } = services;
		const [[seen]] = await db.read(findChange(db.orm, path.mobileNumberChangeId, userId));
		if (!seen) throw new ApiError("NOT_FOUND");
		requireStatus(seen, "INITIALIZING", now);
		if (!providers.custodian) throw new ApiError("SERVICE_UNAVAILABLE");
		// Before the try: a send that the caps refuse must not cost one.
		const caps = await sendCaps(services, seen.newNumber, STRANGER_CAPS);
		const challenge = await tryCode(
			services,
			seen.challengeId,
			{ purpose: PURPOSES.old, subject: userId, resource: seen.id },
			body.otp_code,
		);
		const binding = { purpose: PURPOSES.new, subject: userId, resource: seen.id };
		const sent = await issueCode(services, binding, { channel: "SMS", recipient: seen.newNumber }, caps);
		// Who has not proved to have the number does not learn that it is in use: the provider is told nothing, and the code goes out.
		const state = await numberState(services, seen.newNumber);
		const free = state.kind === "FREE" || (state.kind === "HELD" && state.userId === userId);
		const { provider, writes, tell } = free ? commitAtProvider(services, seen) : { provider: "NONE" as const, writes: [] };
		const moved = move(db.orm, seen, "authorize", { authorizedAt: now, challengeId: sent.challenge.id, provider });
		const authorized = { row: moved.row, writes: [moved.write, ...writes, ...sent.writes], ...(tell && { tell }) };
		return finish(services, challenge, authorized, sent.reserve);
	},
});

/** Commits what a right code allows. When it is stale, the code's try is given back. */
async function finish(services: Services, challenge: ChallengeRow, { row, writes, tell }: Moved, reserve?: Reserve) {
	try {
		const used = consumeChallenge(services.db.orm, challenge, services.now);
		const answer = await services.commit([used, ...writes], toChange(row, services), reserve && { reserve });
		tellSoon(services, tell);
		return answer;
	} catch (error) {
		if (!(error instanceof StaleWrite)) throw error;
		await apartFromAnswer(services).commit([giveTryBack(services.db.orm, challenge.id)]);
		throw new LostRace();
	}
}

export const confirmNumberChange = operation({
	id: "confirmNumberChange",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/confirm",
	summary: "Complete the change with the one-time password that the new number got",
	description: "All other sessions end. 503 while the provider has not taken the change.",
	access: user,
	request: { path, body: OtpConfirmation },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "MOBILE_NUMBER_IN_USE"],
	async handle({ path, body, caller: { userId, sessionId } }, services) {
		const { db, now, providers } = services;
		const id = path.mobileNumberChangeId;
		const [[seen], [told], [owner]] = await db.read(findChange(db.orm, id, userId), findCommitOf(db.orm, id), findUser(db.orm, userId));
		if (!seen || !owner) throw new ApiError("NOT_FOUND");
		requireStatus(seen, "AUTHORIZED", now);
		if (told?.status === "REFUSED") throw new ApiError("INVALID_STATE", { description: "The provider has refused the number" });
		// Before the try, so that waiting for the provider costs none.
		if (!providers.custodian || (seen.provider === "ORDERED" && told?.status !== "TAKEN")) throw new ApiError("SERVICE_UNAVAILABLE");
		const challenge = await tryCode(services, seen.challengeId, { purpose: PURPOSES.new, subject: userId, resource: id }, body.otp_code);
		if (!(await reserve(services, seen, challenge))) throw await failInUse(services, seen, challenge);
		const ordered = seen.provider === "NONE" ? commitAtProvider(services, seen) : { provider: seen.provider, writes: [] };
		if (ordered.tell) throw await orderLate(services, seen, challenge, ordered);
		const { row, write } = move(db.orm, seen, "complete", { completedAt: now, provider: ordered.provider });
		const answer = await finish(services, challenge, {
			row,
			writes: [
				write,
				guarded(
					db.orm
						.update(users)
						.set({ mobileNumber: seen.newNumber })
						.where(and(eq(users.id, userId), sql`${users.mobileNumber} is ${seen.oldNumber}`)),
				),
				...endOtherSessions(db.orm, userId, sessionId, services.realNow),
				...(await notices(services, owner)),
				raise(services, mobileNumberChanged, {
					organizationId: owner.homeOrganizationId,
					entityId: id,
					data: { user_id: userId, mobile_number_change_id: id, completed_at: toTimestamp(now) },
				}),
			],
		});
		forgetAccountState(userId);
		services.afterwards(finishChange(besideAnswer(services), row));
		return answer;
	},
});

/** Two changes may want the same number at once; each round is a fresh look. */
const MAX_ROUNDS = 3;

/** Reserves the new number in the directory. False when another user has it. */
async function reserve(services: Services, { id, userId, newNumber }: ChangeRow, challenge: ChallengeRow): Promise<boolean> {
	const directory = apartFromAnswer(services.at(DIRECTORY_HOME));
	const value = await phoneName(services, newNumber);
	for (let round = 1; round <= MAX_ROUNDS; round++) {
		const wanted = { id: userId, reservedFor: id, now: services.now };
		const [[reserved]] = await directory.db.commit([reserveNumber(directory.db.orm, value, wanted)]);
		if (reserved) return true;
		const { kind } = await numberState(services, newNumber);
		if (kind === "HELD") return false;
		if (kind === "UNDECIDED") break;
	}
	await apartFromAnswer(services).commit([giveTryBack(services.db.orm, challenge.id)]);
	throw new ApiError("SERVICE_UNAVAILABLE");
}

/** Ends the change of a number that another user has. The caller has proved to hold the number, so they may know. */
async function failInUse(services: Services, seen: ChangeRow, challenge: ChallengeRow): Promise<ApiError> {
	const { db, now } = services;
	const { writes, tell } = abandon(services, seen, "fail", { failureReason: FAILURES.inUse });
	return apart(services, [consumeChallenge(db.orm, challenge, now), ...writes], tell, "MOBILE_NUMBER_IN_USE");
}

/** Tells the provider of a number that was in use when the change was authorized, and no longer is. The same code confirms it then. */
async function orderLate(
	services: Services,
	seen: ChangeRow,
	challenge: ChallengeRow,
	{ provider, writes, tell }: ReturnType<typeof commitAtProvider>,
): Promise<ApiError> {
	const { orm } = services.db;
	const unchanged = and(
		eq(mobileNumberChanges.id, seen.id),
		eq(mobileNumberChanges.status, seen.status),
		eq(mobileNumberChanges.provider, "NONE"),
	);
	const order = guarded(orm.update(mobileNumberChanges).set({ provider }).where(unchanged));
	return apart(services, [order, ...writes, giveTryBack(orm, challenge.id)], tell, "SERVICE_UNAVAILABLE");
}

/** Commits what precedes a refusal, and returns the refusal. */
async function apart(
	services: Services,
	writes: readonly Write[],
	tell: Moved["tell"],
	code: "MOBILE_NUMBER_IN_USE" | "SERVICE_UNAVAILABLE",
): Promise<ApiError> {
	try {
		await apartFromAnswer(services).commit(writes);
	} catch (error) {
		if (error instanceof StaleWrite) return new LostRace();
		throw error;
	}
	tellSoon(services, tell);
	return new ApiError(code);
}

/** Tells the old number and the mail that the account has another number. */
async function notices(services: Services, { mobileNumber, email }: UserRow): Promise<Write[]> {
	const text = "The mobile number of your account was changed. If you did not do this, contact us at once.";
	const about = { purpose: "SECURITY", category: "SECURITY" as const, content: { text }, expiresAt: services.now + DAY_MS };
	return Promise.all([
		...(mobileNumber === null ? [] : [queueMessage(services, { ...about, channel: "SMS", recipient: mobileNumber })]),
		...(email === null ? [] : [queueMessage(services, { ...about, channel: "EMAIL", recipient: email })]),
	]);
}
