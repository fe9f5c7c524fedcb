// Sends due pushes. A sender claims a push before each attempt, so that no other sends it at the same time; if a sender crashes, its claim
// expires after 30 seconds, and the push is sent again. The device shows both as one.

import { newMessageText } from "../../../messages/texts";
import { type Sending, sendTogether } from "../../../runtime/outbox";
import type { PushOutcome, PushSender } from "../../../runtime/ports";
import type { JobServices, MessageReader, Services } from "../../../runtime/services";
import { DEFAULT_LOCALE } from "../../../shared/locale";
import { DAY_MS, SECOND_MS } from "../../../shared/time";
import { anyDue, BATCH, type ClaimedPush, claimDue, countSent, deviceIn, endPush, endPushesTo, type Only, sendLater } from "./pushes.store";
import { removeDead } from "./store";
import { openToken } from "./token.crypto";

const BACKOFF_MS = [5 * SECOND_MS, 15 * SECOND_MS, 45 * SECOND_MS, 135 * SECOND_MS] as const;
const LAST_BACKOFF_MS = 300 * SECOND_MS;

/** An older message is read in the app. */
const KEPT_MS = DAY_MS;

/** GONE: there is no device any more, or nothing that is unread. EXPIRED: it is too late for it. */
type Attempted = { readonly outcome: PushOutcome | "GONE" | "EXPIRED"; readonly provider?: string };

/** Sends the pushes that have waited longest, or some of one message. Returns whether more may be waiting. May run concurrently. */
export async function sendPushes(services: JobServices, only?: Only): Promise<boolean> {
	const { db, now, providers } = services;
	const sender = providers.pushSender;
	if (only === undefined && (await db.read(anyDue(db.orm, now))).length === 0) return false;
	const [claimed] = await db.commit([claimDue(services, only)]);
	const sending: Sending<ClaimedPush, Attempted> = {
		what: "pushes",
		said: ({ outcome }) => outcome,
		send: (_, row) => attempt(services, row, sender),
		outcome: recordOutcome,
	};
	await sendTogether(services, sending, claimed);
	return claimed.length === BATCH;
}

async function attempt(services: Services, row: ClaimedPush, sender: PushSender | undefined): Promise<Attempted> {
	const device = deviceIn(row);
	if (!device || row.category === null) return { outcome: "GONE" };
	if (!sender?.platforms.includes(device.platform)) return { outcome: "REFUSED" };
	const left = row.createdAt + KEPT_MS - services.now;
	if (left <= 0) return { outcome: "EXPIRED" };
	const token = await openToken(services.config.keyring, { ...row, ...device });
	if (token === undefined) return { outcome: "DEAD" };
	const reader = row.reader === null ? undefined : (JSON.parse(row.reader) as MessageReader);
	const locale = device.locale ?? reader?.locale ?? reader?.lenderLocale ?? DEFAULT_LOCALE;
	return sender.send({
		messageId: row.messageId,
		category: row.category,
		platform: device.platform,
		token,
		title: reader?.lender ?? "",
		text: newMessageText(locale),
		expiresAt: services.realNow + left,
	});
}

function recordOutcome({ db: { orm }, now, log }: Services, row: ClaimedPush, { outcome, provider }: Attempted) {
	if (outcome === "SENT") return [...(provider === undefined ? [] : [countSent(orm, row, provider)]), endPush(orm, row)];
	if (outcome !== "GONE") log.info("push not sent", { message_id: row.messageId, outcome, attempts: row.attempts });
	if (outcome === "FAILED") return [sendLater(orm, row, now + (BACKOFF_MS[row.attempts - 1] ?? LAST_BACKOFF_MS))];
	const device = deviceIn(row);
	if (outcome !== "DEAD" || !device) return [endPush(orm, row)];
	return [removeDead(orm, { ...row, ...device }), endPush(orm, row), endPushesTo(orm, row)];
}
