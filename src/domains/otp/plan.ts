// Issues and resends one-time passwords. A send is counted before its message is queued, in the same commit where one database holds
// both.

import type { SQL } from "drizzle-orm";
import type { Write } from "../../db/database";
import type { NameValue, Reserve } from "../../db/names";
import { DIRECTORY_HOME } from "../../db/places";
import type { Sender } from "../../messages/texts";
import type { Services } from "../../runtime/services";
import { fromBase64, fromHex, toBase64Url, toHex } from "../../shared/bytes";
import { type ApiError, badInput, tooManyRequests } from "../../shared/errors";
import type { Locale } from "../../shared/locale";
import { MINUTE_MS } from "../../shared/time";
import { queueMessage } from "../messages/plan";
import type { Channel } from "../messages/table";
import { type Cap, CODE_TTL_MS, codeFrom, MAX_TRIES, RESEND_AFTER_MS } from "./policy";
import { insertSend, isWithheld, renewChallenge } from "./store";
import { type ChallengeRow, otpChallenges } from "./table";

type Reachable = { readonly id: string; readonly mobileNumber: string | null; readonly email: string | null };

/** Where the user gets codes: by the named channel, otherwise by SMS or by mail. Throws bad input when they have no address there. */
export function destinationOf({ id: userId, mobileNumber, email }: Reachable, channel?: Channel): Destination {
	if (mobileNumber !== null && channel !== "EMAIL") return { channel: "SMS", recipient: mobileNumber, userId };
	if (email !== null && channel !== "SMS") return { channel: "EMAIL", recipient: email, userId };
	throw badInput("channel", "must be one for which the user has a number or mail address", "NOT_ALLOWED");
}

/** The channel of a challenge's recipient. */
export const channelOf = ({ recipient }: Pick<ChallengeRow, "recipient">): Channel => (recipient.startsWith("+") ? "SMS" : "EMAIL");

/** What a code is valid for: this purpose, subject and resource only. */
export type Binding = { purpose: string; subject: string; resource: string };
/** Somebody who is not signed in has no `userId`: then `sender` is the lender whose app asked, if it said so. */
export type Destination = {
	channel: Channel;
	recipient: string;
	userId?: string | undefined;
	locale?: Locale | undefined;
	sender?: Sender | undefined;
	/** By which an app on Android reads the message without a permission. */
	appHash?: string | undefined;
};

/**
 * What `issueCode` and `resendCode` count the send by, and enforce. The client is an HMAC of its address; `phone`, of strangers' sends,
 * the directory's name of the number.
 */
export type SendCaps = {
	readonly recipient: string;
	readonly client: string;
	readonly recipientCaps: readonly Cap[];
	readonly phone?: NameValue | undefined;
	/** After this send, how long until another one. */
	readonly nextInMs: number;
};

/** Counts the send in the directory, before the commit that queues its message. `withheld`, as SQL: whether nothing is sent. */
function countSend(services: Services, { recipient, client, recipientCaps, phone }: SendCaps): { reserve: Reserve; withheld?: SQL } {
	const { db, now, config, newId } = services.at(DIRECTORY_HOME);
	const id = newId();
	const budget = { recipientCaps, perMinute: config.MESSAGE_BUDGET_PER_MINUTE };
	const reserve = { names: [], writes: [insertSend(db.orm, { id, recipient, client, sentAt: now }, budget, phone)] };
	// What strangers ask for is in the directory, whole.
	return phone === undefined ? { reserve } : { reserve, withheld: isWithheld(id) };
}

/** A challenge with what makes it: pass `reserve` to the commit of `writes`. */
export type Issued = { readonly challenge: ChallengeRow; readonly writes: readonly Write[]; readonly reserve: Reserve };

const drawCode = () => codeFrom(() => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0);

export const taggedText = (id: string, purpose: string, code: string) => `${id}\n${purpose}\n${code}`;

type Code = { readonly code: string; readonly expiresAt: number; readonly withheld?: SQL | undefined };

function message(
	services: Services,
	{ purpose }: Binding,
	{ channel, recipient, userId, locale = services.locale, sender, appHash }: Destination,
	{ code, expiresAt, withheld }: Code,
) {
	const told = { key: "CODE", values: { code, minutes: CODE_TTL_MS / MINUTE_MS } } as const;
	const content = { message: told, locale, ...(sender && { sender }), ...(appHash && { app_hash: appHash }), otp_code: code };
	const address = { channel, recipient };
	return queueMessage(services, { address, purpose, category: "SECURITY", userId, content, expiresAt }, withheld);
}

/** A challenge with a new code: the writes store it and queue the message. */
export async function issueCode(
	services: Services,
	binding: Binding,
	destination: Destination,
	caps: SendCaps,
	id = services.newId(),
): Promise<Issued> {
	const { db, now, config } = services;
	const code = drawCode();
	const challenge: ChallengeRow = {
		...binding,
		id,
		recipient: destination.recipient,
		codeTag: await config.keyring.tag("otp", taggedText(id, binding.purpose, code)),
		tries: 0,
		sentAt: now,
		expiresAt: now + CODE_TTL_MS,
		consumedAt: null,
		createdAt: now,
	};
	const { reserve, withheld } = countSend(services, caps);
	const sent = await message(services, binding, destination, { code, expiresAt: challenge.expiresAt, withheld });
	return { challenge, writes: [db.orm.insert(otpChallenges).values(challenge), sent], reserve };
}

/** The refusal of a code for which it is too early. */
export const tooEarly = (waitMs: number): ApiError =>
	tooManyRequests(waitMs / 1000, {}, { reason: "OTP_WAIT", hints: { seconds_until_new_code: Math.ceil(waitMs / 1000) } });

/** The refusal of a try when none is left: another challenge has its own. */
export const triesUsed = ({ expiresAt }: Pick<ChallengeRow, "expiresAt">, now: number): ApiError =>
	tooManyRequests((expiresAt - now) / 1000, {}, { reason: "OTP_TRIES_USED" });

/** The same challenge with a new code; the tries already used stay used. Throws TOO_MANY_REQUESTS within 30 s of the last send. */
export async function resendCode(services: Services, challenge: ChallengeRow, channel: Channel, caps: SendCaps): Promise<Issued> {
	const { db, now, config } = services;
	const waitMs = challenge.sentAt + RESEND_AFTER_MS - now;
	if (waitMs > 0) throw tooEarly(waitMs);
	if (challenge.tries >= MAX_TRIES) throw triesUsed(challenge, now);
	const code = drawCode();
	const codeTag = await config.keyring.tag("otp", taggedText(challenge.id, challenge.purpose, code));
	const renewed = { ...challenge, codeTag, sentAt: now, expiresAt: now + CODE_TTL_MS };
	const { reserve, withheld } = countSend(services, caps);
	const sent = await message(
		services,
		challenge,
		{ channel, recipient: challenge.recipient, userId: challenge.subject },
		{ code, expiresAt: renewed.expiresAt, withheld },
	);
	return { challenge: renewed, reserve, writes: [renewChallenge(db.orm, challenge, renewed), sent] };
}

const CHECK_BYTES = 4;
const UNCHECKED = -2 * CHECK_BYTES;

/** The id of a challenge that anybody may confirm: its last 32 bits are a keyed checksum, so that made-up ids never reach D1. */
export async function newChallengeId({ config: { keyring }, newId }: Services): Promise<string> {
	const text = newId().slice(0, UNCHECKED);
	const check = fromBase64(await keyring.check("challenge", text, CHECK_BYTES)) ?? new Uint8Array();
	return `${text}${toHex(check)}`;
}

/** Whether this service made the id. */
export const isChallengeId = ({ config: { keyring } }: Services, id: string): Promise<boolean> =>
	keyring.verifyCheck("challenge", id.slice(0, UNCHECKED), toBase64Url(fromHex(id.slice(UNCHECKED))), CHECK_BYTES);
