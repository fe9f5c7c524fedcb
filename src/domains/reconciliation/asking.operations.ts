// Members ask the provider about a break.

import * as z from "zod";
import { first } from "../../db/reads";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { sendAfter } from "../../runtime/outbox";
import { ApiError, invalidState, wrongState } from "../../shared/errors";
import type { PaymentProvider } from "../../shared/payment-providers";
import { questions } from "./asking.job";
import { findAskable, keepNoAnswer, startAsking } from "./asking.store";
import type { Channel } from "./lifecycle";
import type { BreakRow } from "./table";
import { StatementBreak, toBreak } from "./wire";
import { findBreak } from "./work.store";

export const askAboutStatementBreak = operation({
	id: "askAboutStatementBreak",
	method: "POST",
	path: "/v1/reconciliation/breaks/{breakId}/ask",
	summary: "Ask the provider whether what is missing on the statement, or is on it twice, was made",
	description:
		"By the organization's connection to the provider. While it has not answered, `action` is WAIT; a CONFIRMED answer ends what is missing on the statement. If no connection can ask, the answer is NONE.",
	access: alone(member("org:lending:write")),
	whileSuspended: true,
	request: { path: z.object({ breakId: z.uuid().toLowerCase() }) },
	response: StatementBreak,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { breakId }, caller: { organizationId } }, services) {
		const { db, now, requestId: cause } = services;
		const { row, statement, connections } = await db.read({
			row: first(findBreak(db.orm, organizationId, breakId)),
			...findAskable(db.orm, organizationId, breakId),
		});
		if (!row) throw new ApiError("NOT_FOUND");
		if (row.status !== "OPEN") throw wrongState("The break", row.status, ["OPEN"]);
		if (row.nextAttemptAt !== null) throw invalidState("The provider has been asked: wait for its answer");
		if (row.kind !== "MISSING_THERE" && row.kind !== "TWICE") {
			throw invalidState("The provider is asked about what is missing on the statement or is on it twice");
		}
		const provider = statement && providerFor(row, statement, connections);
		if (!provider) return services.commit([keepNoAnswer(db.orm, row, now)], toBreak({ ...row, askedAt: now, answer: "NONE" }));
		const asked = { ...row, askedProvider: provider, askedAt: now, answer: null, attempts: row.attempts + 1, nextAttemptAt: now };
		const started = startAsking(db.orm, row, { provider, now, cause });
		return services.commit([started, sendAfter(services, questions, asked)], toBreak(asked));
	},
});

type Connection = { readonly provider: PaymentProvider; readonly shortCode: string; readonly hasInitiator: boolean };

/** M-Pesa is asked by the receipt of any transaction, MTN MoMo by the id of a payout. */
function providerFor(
	{ receipt, factKind, recordedId }: BreakRow,
	{ channel, number }: { readonly channel: Channel; readonly number: string },
	connections: readonly Connection[],
): PaymentProvider | undefined {
	const has = (provider: PaymentProvider) => connections.find((one) => one.provider === provider);
	if (channel === "MPESA") {
		const daraja = has("daraja");
		return receipt !== null && daraja?.shortCode === number && daraja.hasInitiator ? "daraja" : undefined;
	}
	return channel === "MOMO" && factKind === "PAYOUT" && recordedId !== null && has("momo") ? "momo" : undefined;
}
