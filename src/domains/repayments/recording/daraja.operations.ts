// Confirmations of mobile-money payments by Daraja. The provider is always answered that they are accepted: what cannot be posted is
// kept as unmatched.

import * as z from "zod";
import { StaleWrite } from "../../../db/database";
import { secondsLeft, spend } from "../../../http/amount-windows";
import { atCodedAddress, noSuchAddress } from "../../../http/callers/coded-address";
import { operation } from "../../../http/operation";
import { type Connected, connectedBy } from "../../../providers/daraja/callback-address";
import { ACCEPTED, Accepted, amountOf, Confirmation, receiptIn } from "../../../providers/daraja/callbacks";
import type { Config } from "../../../runtime/config";
import { sendAfter } from "../../../runtime/outbox";
import type { HandlerServices } from "../../../runtime/services";
import { equalBytes, sha256Hex, utf8 } from "../../../shared/bytes";
import { ApiError, tooManyRequests } from "../../../shared/errors";
import { hintsOf, keepConfirmation, questions } from "./confirmations.procedure";
import { idOf, type Received, recordConfirmation } from "./daraja.procedure";
import type { Report } from "./procedure";

export const confirmDaraja = operation({
	id: "confirmDaraja",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/{secret}/confirmation",
	summary: "Confirm a mobile-money payment: Daraja, by the secret path",
	description:
		"The account is found by its number in BillRefNumber, else by the payer's own number; otherwise the payment is kept as unmatched. Sent again, it changes nothing.",
	...atCodedAddress,
	home: "directory",
	request: { path: z.object({ secret: z.string().min(1).max(255) }), body: Confirmation },
	response: Accepted,
	async handle({ path, body }, services) {
		const source = await sourceOf(services.config.DARAJA_SECRETS, path.secret);
		if (source === undefined) {
			const connected = await connectedBy(services.config.keyring, path.secret);
			return confirmToConnection(services, connected, body);
		}
		const amount = amountOf(String(body.TransAmount));
		if (!amount) {
			services.log.info("a confirmation without a usable amount is not recorded", { transaction: receiptIn(body.TransID) });
			return ACCEPTED;
		}
		const organizationId = await idOf(services, source.organization_id);
		const received: Received = { organizationId, body, amount, spending: await spendingBy(source) };
		try {
			return await recordConfirmation(services, received).catch((error: unknown) => {
				if (!(error instanceof OverDailyAmount)) throw error;
				services.log.info("the confirmations of a path exceed its amount of the day", { organization: source.organization_id });
				return recordConfirmation(services, { organizationId, body, amount, unmatched: "OVER_DAILY_AMOUNT" });
			});
		} catch (error) {
			// Recorded by then, and posted by the sweep.
			if (error instanceof StaleWrite) return ACCEPTED;
			if (!(error instanceof ApiError && error.code === "DUPLICATE_CONFLICT")) throw error;
			services.log.info("a confirmation repeats a transaction with other facts", { transaction: receiptIn(body.TransID) });
			return ACCEPTED;
		}
	},
});

type Source = Config["DARAJA_SECRETS"][number];

/** The path has posted to accounts what it may in a day. */
class OverDailyAmount extends ApiError<"TOO_MANY_REQUESTS"> {
	constructor() {
		super("TOO_MANY_REQUESTS");
	}
}

/** What a payment that is posted uses up. */
async function spendingBy(source: Source): Promise<NonNullable<Report["spending"]>> {
	const credential = await sha256Hex(source.secret);
	return (there, { status, amount }, when) => {
		if (status === "UNMATCHED") return { writes: [] };
		const window = { name: "daraja-amount", credential, amount, quota: source.amount_per_day };
		return { writes: [spend(there, window, when)], overQuota: new OverDailyAmount() };
	};
}

/** A confirmation to a connection of an organization is a hint: it is kept, and the provider is asked. */
async function confirmToConnection(services: HandlerServices, connected: Connected | undefined, body: Confirmation) {
	const there = connected && services.moveTo(connected.organizationId);
	const kept = there && (await keepConfirmation(there, connected, body));
	if (!there || !kept) throw noSuchAddress();
	const options = { overQuota: tooManyRequests(secondsLeft(there)) };
	const { confirmation } = kept;
	const writes = kept.isNew ? [...kept.writes, spend(there, hintsOf(connected.organizationId))] : kept.writes;
	if (writes.length === 0) return ACCEPTED;
	const asked = confirmation ? [sendAfter(there, questions, confirmation)] : [];
	return there.commit([...writes, ...asked], ACCEPTED, options);
}

/** The entry of the secret. Compares with all, so that the duration shows nothing about any. */
async function sourceOf(secrets: Config["DARAJA_SECRETS"], sent: string): Promise<Source | undefined> {
	const digest = utf8(await sha256Hex(sent));
	let found: Source | undefined;
	for (const source of secrets) {
		if (equalBytes(utf8(await sha256Hex(source.secret)), digest)) found = source;
	}
	return found;
}
