// Sends due messages. A sender claims a message before each attempt, so that no other sends it at the same time; if a sender crashes,
// its claim expires after 30 seconds.

import { type Sending, sendTogether } from "../../runtime/outbox";
import type { MessageSender, SendResult } from "../../runtime/ports";
import type { JobServices, Services } from "../../runtime/services";
import { openContent, textOf } from "./content.plan";
import { anyDue, BATCH, type ClaimedMessage, claimDue, countIf, isClaimed, recordAttempt } from "./store";
import type { MessageRow } from "./table";

const BACKOFF_MS = [5_000, 15_000, 45_000, 135_000] as const;
const LAST_BACKOFF_MS = 300_000;

type Gateway = Extract<MessageSender, { kind: "gateway" }>;

/** Sends the due messages that have waited longest, or only the given one. Returns whether more may be waiting. May run concurrently. */
export async function sendMessages(services: JobServices, only?: string): Promise<boolean> {
	const { db, now, providers } = services;
	const sender = providers.messageSender;
	if (sender.kind === "mailbox") return false;
	if (only === undefined && (await db.read(anyDue(db.orm, now))).length === 0) return false;
	const [claimed] = await db.commit([claimDue(services, only)]);
	const sending: Sending<ClaimedMessage, Attempted> = {
		what: "messages",
		said: ({ outcome }) => outcome,
		send: (_, row) => attempt(services, row, sender),
		outcome: recordOutcome,
	};
	await sendTogether(services, sending, claimed);
	return claimed.length === BATCH;
}

type Attempted = SendResult | { readonly outcome: "EXPIRED" };

async function attempt(services: Services, row: ClaimedMessage, sender: Gateway): Promise<Attempted> {
	if (row.expiresAt <= services.now) return { outcome: "EXPIRED" };
	const content = await openContent(services, row);
	const text = content && textOf(content, row.reader);
	if (text == null) return { outcome: "REFUSED" };
	const { id, channel, recipient, purpose, provider: asked } = row;
	return sender.send({ id, channel, recipient, purpose, text, asked });
}

function recordOutcome({ db, now, log }: Services, row: MessageRow, result: Attempted) {
	const { outcome } = result;
	const next = now + (BACKOFF_MS[row.attempts - 1] ?? LAST_BACKOFF_MS);
	const late = outcome === "FAILED" && next >= row.expiresAt;
	if (outcome !== "SENT") log.info("message not sent", { message_id: row.id, outcome, attempts: row.attempts });
	const change =
		outcome === "FAILED" && !late
			? { nextAttemptAt: next }
			: { status: outcome === "FAILED" ? ("EXPIRED" as const) : outcome, sealed: null, nextAttemptAt: null };
	if (outcome === "EXPIRED") return [recordAttempt(db.orm, row, change)];
	const { provider = null, reference: providerMessageId = null, cost = null } = result;
	const told = { provider, providerMessageId, cost: cost?.amount ?? null, costCurrency: cost?.currency ?? null };
	const counted = { sent: 1, cost: cost?.amount ?? 0 };
	const by = provider !== null && outcome === "SENT" ? { provider, currency: told.costCurrency } : undefined;
	return [...(by ? [countIf(db.orm, row, by, counted, isClaimed(row))] : []), recordAttempt(db.orm, row, { ...change, ...told })];
}
