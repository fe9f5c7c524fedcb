// Pushes by Apple's service, which speaks HTTP/2 alone: so does the platform's `fetch` to a host that offers it, and the runtime on a
// developer's machine does not. Codes and members: Apple's pages "Sending notification requests to APNs" and "Handling notification responses".

import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import type { ApnsSettings } from "../../runtime/config.messages";
import type { Ask, Push, PushOutcome } from "../../runtime/ports";
import { BoundedCache } from "../../shared/cache";
import { MINUTE_MS, SECOND_MS } from "../../shared/time";
import { answerOf } from "../message-carrier";

const HOSTS = { production: "https://api.push.apple.com", sandbox: "https://api.sandbox.push.apple.com" } as const;

/** A token holds for an hour, and Apple refuses new ones within 20 minutes: all isolates sign for the same half hour. */
const TOKEN_MS = 30 * MINUTE_MS;
const tokens = new BoundedCache<string>(10, TOKEN_MS);

/** Of no app, of another app, and of none any more. */
const DEAD: readonly string[] = ["BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered", "ExpiredToken"];

const Refusal = z.object({ reason: z.string() });

type Outside = { readonly ask: Ask; readonly url: string | undefined; readonly realNow: number };
type Account = ApnsSettings & { readonly key: string };

export async function pushByApple(account: Account, { ask, url, realNow }: Outside, push: Push): Promise<PushOutcome> {
	const { messageId, category, token, title, text, expiresAt } = push;
	const headers = {
		Authorization: `bearer ${await tokenOf(account, realNow)}`,
		"apns-id": messageId,
		// By it the second of two takes the place of the first.
		"apns-collapse-id": messageId,
		"apns-expiration": String(Math.floor(expiresAt / SECOND_MS)),
		"apns-priority": "10",
		"apns-push-type": "alert",
		"apns-topic": account.bundle_id,
	};
	const body = { aps: { alert: { ...(title && { title }), body: text }, sound: "default" }, message_id: messageId, category };
	const address = `${url ?? HOSTS[account.environment]}/3/device/${encodeURIComponent(token)}`;
	const answer = await answerOf(ask, address, headers, JSON.stringify(body));
	if (!answer) return "FAILED";
	if (answer.status === 200) return "SENT";
	const { data } = Refusal.safeParse(answer.body);
	if (answer.status === 410 || (data && DEAD.includes(data.reason))) return "DEAD";
	return answer.status === 400 || answer.status === 413 ? "REFUSED" : "FAILED";
}

async function tokenOf({ key, key_id, team_id }: Account, realNow: number): Promise<string> {
	const since = Math.floor(realNow / TOKEN_MS) * TOKEN_MS;
	const name = JSON.stringify([key, key_id, team_id, since]);
	const known = tokens.get(name, realNow);
	if (known) return known.value;
	const token = await new SignJWT()
		.setProtectedHeader({ alg: "ES256", kid: key_id })
		.setIssuer(team_id)
		.setIssuedAt(since / SECOND_MS)
		.sign(await importPKCS8(key, "ES256"));
	tokens.set(name, token, realNow);
	return token;
}
