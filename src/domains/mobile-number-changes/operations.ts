// Mobile-number changes: starts, reads and cancels them, and sends their codes again.

import * as z from "zod";
import { first } from "../../db/reads";
import { type UserCaller, user } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError, badInput } from "../../shared/errors";
import { cautionUntil, refuseWhileRecovering, tooNew } from "../current-accounts/caution.policy";
import { findLastRecovery, findOlderAccount } from "../current-accounts/caution.store";
import { type Destination, resendCode } from "../otp/plan";
import { STRANGER_CAPS } from "../otp/policy";
import { askCode, codeCaps, refuseExchangedSim } from "../otp/procedure";
import { findChallengeOf } from "../otp/store";
import { RESEND_REASONS, SEND_REASONS } from "../otp/wire";
import { lendingReader } from "../users/model/callers";
import { CHANNELS, PURPOSES, statusAt, VALIDITY_MS } from "../users/model/number-change.lifecycle";
import { type ChangeRow, mobileNumberChanges } from "../users/model/number-change.table";
import { toServedNumber } from "../users/model/phone.policy";
import { findUser } from "../users/model/store";
import type { UserRow } from "../users/model/table";
import { readChange, requireStatus } from "./callers";
import { instructSoon } from "./job";
import { abandon } from "./plan";
import { findChange, findOpenChange, findReachedChange } from "./store";
import { MobileNumberChange, toChange } from "./wire";

const path = z.object({ mobileNumberChangeId: z.uuid().toLowerCase() });

export const startNumberChange = operation({
	id: "startNumberChange",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes",
	summary: "Start to change the user's mobile number",
	description: "Sends a one-time password to the present number or to the verified mail address. Cancels an unfinished change.",
	access: user,
	request: {
		body: z.object({
			new_mobile_country_code: z.string().max(8).meta({ description: "Calling code, with or without the plus sign" }),
			new_mobile_number: z.string().max(32),
			authorization_channel: z.enum(CHANNELS),
		}),
	},
	response: MobileNumberChange,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["INVALID_STATE"],
	reasons: ["CAUTION", "SIM_EXCHANGED", ...SEND_REASONS],
	async handle({ body, caller }, services) {
		const { db, now, providers } = services;
		const { userId } = caller;
		const newNumber = toServedNumber(body.new_mobile_country_code, body.new_mobile_number);
		if (newNumber === undefined)
			throw badInput(
				"new_mobile_number",
				"is not a mobile number of that country: send its code and the number, such as 254 and 712345678",
				"INVALID_FORMAT",
			);
		const { owner, open, older, recovery } = await db.read({
			owner: first(findUser(db.orm, userId)),
			open: first(findOpenChange(db.orm, userId)),
			older: first(findOlderAccount(db.orm, userId, caller.signedInAt)),
			recovery: first(findLastRecovery(userId)),
		});
		if (!owner) throw new ApiError("UNAUTHORISED");
		refuseWhileRecovering(services, recovery);
		const caution = older?.found ? cautionUntil(caller, services) : undefined;
		if (caution !== undefined) throw tooNew(caution);
		if (!providers.custodian) throw new ApiError("SERVICE_UNAVAILABLE");
		if (newNumber === owner.mobileNumber) throw badInput("new_mobile_number", "is the present number", "NOT_ALLOWED");
		const channel = body.authorization_channel;
		if (channel === "EMAIL" && isAttestedBy(caller) && owner.mobileNumber !== null) throw attestedMail();
		const destination = destinationOf(channel, owner);
		if (channel === "OLD_MOBILE") await refuseExchangedSim(services, destination.recipient);
		const id = services.newId();
		const binding = { purpose: PURPOSES.old, subject: userId, resource: id };
		const { challenge, writes, reserve } = await askCode(services, binding, destination);
		const row: ChangeRow = {
			id,
			userId,
			status: "INITIALIZING",
			authorizationChannel: channel,
			oldNumber: owner.mobileNumber,
			newNumber,
			challengeId: challenge.id,
			provider: "NONE",
			failureReason: null,
			createdAt: now,
			expiresAt: now + VALIDITY_MS,
			authorizedAt: null,
			completedAt: null,
			namesFinishedAt: null,
			notBefore: null,
			dueAt: null,
		};
		const previous = open && abandon(services, open, statusAt(open, now) === "EXPIRED" ? "expire" : "cancel");
		const ended = previous ? [...previous.writes, ...instructSoon(services, previous.instruction)] : [];
		return services.commit([...ended, db.orm.insert(mobileNumberChanges).values(row), ...writes], toChange(row, services), {
			reserve,
			unique: [[[mobileNumberChanges.userId], "STALE"]],
		});
	},
});

/** An issuer's tokens set the mail address, so that a thief of the issuer's key would get the code that is to stop them. */
const isAttestedBy = ({ through }: UserCaller): boolean => through !== undefined && through.kind !== "phone";

const attestedMail = () =>
	badInput(
		"authorization_channel",
		"must be OLD_MOBILE in a session that began with a partner's or an identity issuer's token",
		"NOT_ALLOWED",
	);

/** Where the user's own code is sent. A stored mail address has been verified by its issuer. */
function destinationOf(channel: (typeof CHANNELS)[number], { id: userId, mobileNumber, email }: UserRow): Destination {
	const recipient = channel === "EMAIL" ? email : mobileNumber;
	if (recipient === null)
		throw badInput("authorization_channel", "must be one for which the user has a number or mail address", "NOT_ALLOWED");
	return { channel: channel === "EMAIL" ? "EMAIL" : "SMS", recipient, userId };
}

export const getNumberChange = operation({
	id: "getNumberChange",
	method: "GET",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}",
	summary: "A mobile-number change",
	access: lendingReader,
	home: ({ path }) => path.mobileNumberChangeId,
	request: { path },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db } = services;
		const change = await db.read(first(findReachedChange(db.orm, path.mobileNumberChangeId, caller)));
		if (!change) throw new ApiError("NOT_FOUND");
		return toChange(change, services);
	},
});

export const resendNumberChangeCode = operation({
	id: "resendNumberChangeCode",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/otp/resend",
	summary: "Send the one-time password of the change again",
	access: user,
	request: { path },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: ["SIM_EXCHANGED", ...RESEND_REASONS],
	async handle({ path, caller: { userId } }, services) {
		const { db, now } = services;
		const own = findChange(db.orm, path.mobileNumberChangeId, userId);
		const { seen, challenge } = await db.read({
			seen: first(own),
			challenge: first(findChallengeOf(db.orm, own)),
		});
		if (!seen) throw new ApiError("NOT_FOUND");
		requireStatus(seen, ["INITIALIZING", "AUTHORIZED"], now);
		if (!challenge) throw new Error("the challenge of an open change is missing");
		if (seen.status === "INITIALIZING" && seen.authorizationChannel === "OLD_MOBILE")
			await refuseExchangedSim(services, challenge.recipient);
		const caps = await codeCaps(services, challenge.recipient, ...(seen.status === "AUTHORIZED" ? [STRANGER_CAPS] : []));
		const channel = seen.status === "INITIALIZING" && seen.authorizationChannel === "EMAIL" ? "EMAIL" : "SMS";
		const { writes, reserve } = await resendCode(services, challenge, channel, caps);
		return services.commit(writes, toChange(seen, services), { reserve });
	},
});

export const cancelNumberChange = operation({
	id: "cancelNumberChange",
	method: "POST",
	path: "/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/cancel",
	summary: "Cancel a change that is not completed yet",
	access: user,
	request: { path },
	response: MobileNumberChange,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller: { userId } }, services) {
		const seen = await readChange(services, path.mobileNumberChangeId, userId, ["INITIALIZING", "AUTHORIZED"]);
		const { row, writes, instruction } = abandon(services, seen, "cancel");
		return services.commit([...writes, ...instructSoon(services, instruction)], toChange(row, services));
	},
});
