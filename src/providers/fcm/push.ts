// Pushes by Firebase Cloud Messaging, HTTP v1. Codes and members: Firebase's reference, "ErrorCode" and "projects.messages".

import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import type { ServiceAccount } from "../../runtime/config.messages";
import type { Ask, Push, PushOutcome } from "../../runtime/ports";
import { BoundedCache } from "../../shared/cache";
import { MINUTE_MS, SECOND_MS } from "../../shared/time";
import { answerOf } from "../message-carrier";

const FCM_HOST = "https://fcm.googleapis.com";
const TOKEN_HOST = "https://oauth2.googleapis.com";
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** A token holds for an hour, and is renewed five minutes before. */
const tokens = new BoundedCache<string>(10, 55 * MINUTE_MS);

type Outside = { readonly ask: Ask; readonly url: string | undefined; readonly realNow: number };

const Token = z.object({ access_token: z.string().min(1) });
const Refusal = z.object({
	error: z.object({
		details: z
			.array(z.looseObject({ errorCode: z.string().optional(), fieldViolations: z.array(z.looseObject({ field: z.string() })).optional() }))
			.default([]),
	}),
});

/** An access token that Google no longer knows is renewed once. */
export async function pushByFirebase(account: ServiceAccount, outside: Outside, push: Push): Promise<PushOutcome> {
	const first = await post(account, outside, push);
	if (first?.status !== 401) return outcomeOf(first);
	tokens.delete(account.private_key);
	return outcomeOf(await post(account, outside, push));
}

type Answer = Awaited<ReturnType<typeof answerOf>>;

async function post(account: ServiceAccount, outside: Outside, push: Push): Promise<Answer> {
	const token = await accessToken(account, outside);
	if (token === undefined) return undefined;
	const url = `${outside.url ?? FCM_HOST}/v1/projects/${account.project_id}/messages:send`;
	return answerOf(outside.ask, url, { Authorization: `Bearer ${token}` }, JSON.stringify({ message: messageOf(push, outside.realNow) }));
}

function messageOf({ messageId, category, token, title, text, expiresAt }: Push, realNow: number) {
	const seconds = Math.max(0, Math.floor((expiresAt - realNow) / SECOND_MS));
	return {
		token,
		notification: { ...(title && { title }), body: text },
		data: { message_id: messageId, category },
		// By the tag, and on iPhones by the id, the second of two takes the place of the first.
		android: { priority: "HIGH", ttl: `${seconds}s`, notification: { tag: messageId } },
		apns: {
			headers: { "apns-collapse-id": messageId, "apns-expiration": String(Math.floor(expiresAt / SECOND_MS)) },
			payload: { aps: { sound: "default" } },
		},
	};
}

async function accessToken({ client_email, private_key }: ServiceAccount, { ask, url, realNow }: Outside): Promise<string | undefined> {
	const known = tokens.get(private_key, realNow);
	if (known?.fresh) return known.value;
	const now = Math.floor(realNow / SECOND_MS);
	const assertion = await new SignJWT({ scope: SCOPE })
		.setProtectedHeader({ alg: "RS256", typ: "JWT" })
		.setIssuer(client_email)
		.setAudience(`${TOKEN_HOST}/token`)
		.setIssuedAt(now)
		.setExpirationTime(now + 3600)
		.sign(await importPKCS8(private_key, "RS256"));
	const answer = await answerOf(ask, `${url ?? TOKEN_HOST}/token`, {}, new URLSearchParams({ grant_type: GRANT, assertion }));
	const { data } = Token.safeParse(answer?.status === 200 ? answer.body : undefined);
	if (data) tokens.set(private_key, data.access_token, realNow);
	return data?.access_token;
}

/** Of another sender's, and of an app that is gone; an invalid argument is the token where the answer names no other field. */
function outcomeOf(answer: Answer): PushOutcome {
	if (!answer) return "FAILED";
	if (answer.status < 300) return "SENT";
	const { data } = Refusal.safeParse(answer.body);
	const details = data?.error.details ?? [];
	const codes = details.map(({ errorCode }) => errorCode);
	if (codes.includes("UNREGISTERED") || codes.includes("SENDER_ID_MISMATCH")) return "DEAD";
	if (answer.status !== 400) return "FAILED";
	const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
	return codes.includes("INVALID_ARGUMENT") && fields.every((field) => field === "message.token") ? "DEAD" : "REFUSED";
}
