// Signing in with a custom token, which knows of the user's accounts: they get a message about it, and while the SIM card of their number
// was exchanged recently, the session may do little. Invalid, expired and used tokens have the same answer.

import * as z from "zod";
import { first } from "../../db/reads";
import { anyone } from "../../http/callers/access";
import { blocked } from "../../http/callers/missing-credentials";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { refusedInput } from "../../shared/errors";
import { isUuid } from "../../shared/ids";
import { HOUR_MS } from "../../shared/time";
import { findHolding } from "../current-accounts/caution.store";
import { noticeTo } from "../messages/notices.plan";
import { DEVICE_ID, deviceHashOf } from "../users/model/device.crypto";
import { recordSeen } from "../users/model/plan";
import { findUser } from "../users/model/store";
import type { UserRow } from "../users/model/table";
import { refusalOfSession } from "./issuers/cache";
import { type Refused, refused } from "./model/refusal.policy";
import { SIGN_IN_AGAIN_MS, verifyToken } from "./model/service-token.crypto";
import { type Claims, readToken } from "./model/token.policy";
import { firstRefreshToken, openSession, tokensOf } from "./sessions/plan";
import { findCustomToken, findDevice, findRefresh, useCustomToken } from "./sessions/store";
import { logRefusal } from "./verification.procedure";
import { SignedIn } from "./wire";

/** How long a session is under caution that began while the SIM card had been exchanged: as far back as the mobile operator is asked. */
const SWAP_CAUTION_MS = 240 * HOUR_MS;

function refusal({ log }: Services, why: Refused) {
	logRefusal(log, "custom", why);
	return refusedInput("custom_token", "is not valid: exchange a phone verification token, and send the new one once", "NOT_ALLOWED", {
		reason: "CUSTOM_TOKEN_ENDED",
	});
}

/** The home of the token's user. Nothing is verified yet: a made-up token finds nothing there. */
function homeOfCustomToken(text: string): string | undefined {
	const token = readToken(text);
	const subject = token.ok ? token.payload.sub : undefined;
	return typeof subject === "string" && isUuid(subject) ? subject : undefined;
}

/** The phone issuer that a custom token was got from. */
const issuerOf = ({ all: { azp } }: Claims): string | null => (typeof azp === "string" ? azp : null);

export const signIn = operation({
	id: "signIn",
	method: "POST",
	path: "/v1/auth/sign-in",
	summary: "Sign in with a one-time custom token",
	description:
		"With the same `device_id` as before, `CAUTION_HOURS` do not start again. The service informs the user of the sign-in by mail, or without an address by SMS if they have an active current account. A caller who lost the answer can repeat the call within a minute and gets the same refresh token.",
	access: anyone,
	home: ({ body }) => homeOfCustomToken(body.custom_token),
	limit: "exchange",
	request: {
		body: z.object({
			custom_token: z.string().min(1).max(8192),
			device_id: z
				.string()
				.min(DEVICE_ID.least)
				.max(DEVICE_ID.most)
				.optional()
				.meta({ description: "A random value that the app makes once and keeps on the device" }),
		}),
	},
	response: SignedIn,
	badInput: "BAD_REQUEST",
	errors: ["FORBIDDEN"],
	reasons: ["CUSTOM_TOKEN_ENDED", "USER_BLOCKED"],
	async handle({ body }, services) {
		const { db, config, realNow } = services;
		const token = await verifyToken(config, "custom", services.issuer, body.custom_token, realNow);
		if (!token.ok) throw refusal(services, token);
		const id = token.tokenId ?? "";
		const deviceHash = body.device_id === undefined ? null : await deviceHashOf(token.subject, body.device_id);
		const { known, user, holding, device } = await db.read({
			known: first(findCustomToken(db.orm, id)),
			user: first(findUser(db.orm, token.subject)),
			holding: first(findHolding(token.subject)),
			device: first(findDevice(db.orm, token.subject, deviceHash ?? "")),
		});
		if (!known || !user) throw refusal(services, refused("ALREADY_USED", "an unused custom token", "one without a record"));
		const refresh = await firstRefreshToken(services, body.custom_token);
		const begun = known.usedAt === null ? undefined : await sessionBegun(services, known.usedAt, refresh.hash);
		if (known.usedAt !== null && !begun) throw refusal(services, refused("ALREADY_USED", "an unused custom token", "a used one"));
		if (user.blockedAt !== null) throw blocked();
		const issuer = issuerOf(token);
		const ended = await refusalOfSession(services, issuer, "phone");
		if (ended) throw refusal(services, ended);
		if (begun) return tokensOf(services, user, begun, refresh.token);
		const cautionUntil = holding?.hasAccount ? await swapCaution(services, user) : null;
		const onDevice = deviceHash === null ? {} : { deviceHash, deviceSince: device?.since ?? realNow };
		const began = { issuer, cautionUntil, ...onDevice };
		const { session, refreshToken, writes } = await openSession(services, user.id, began, { first: refresh });
		const told = await noticeOfSignIn(services, user, holding?.isActive === 1);
		const answer = await tokensOf(services, user, session, refreshToken);
		return services.commit([useCustomToken(db.orm, id, realNow), ...writes, ...recordSeen(services, user), ...told], answer);
	},
});

/** The session that a sign-in has just begun, whose caller may not have got the answer: nobody has used its refresh token. */
async function sessionBegun({ db, realNow }: Services, usedAt: number, firstHash: string) {
	if (realNow - usedAt >= SIGN_IN_AGAIN_MS) return undefined;
	const { token, session } = await db.read(findRefresh(db.orm, firstHash));
	return token?.replacedAt === null && session?.revokedAt === null ? session : undefined;
}

/** Until when there is caution because the SIM card was exchanged; null for none. Without an answer of the mobile operator users sign in as usual. */
async function swapCaution({ providers, log, realNow }: Services, { mobileNumber }: UserRow): Promise<number | null> {
	if (!providers.simSwap || mobileNumber === null) return null;
	const swapped = await providers.simSwap.wasSwapped(mobileNumber);
	if (swapped === undefined) log.error("the SIM-swap check gave no answer at a sign-in", undefined);
	return swapped ? realNow + SWAP_CAUTION_MS : null;
}

async function noticeOfSignIn(services: Services, user: UserRow, isActive: boolean) {
	if (user.email === null && !isActive) return [];
	return noticeTo(services, user, { key: "SIGNED_IN", values: {} });
}
