// Keeps confirmations to a connection of an organization, and asks the provider whether they are true: a person who learns the address can
// post anything to it.

import type { Write } from "../../../db/database";
import { first } from "../../../db/reads";
import { type DarajaResult, isRefusedToInitiator, pauseAfterQuestion } from "../../../providers/daraja/answers";
import type { Connected } from "../../../providers/daraja/callback-address";
import { accountNumberIn, amountOf, type Confirmation } from "../../../providers/daraja/callbacks";
import type { Sending } from "../../../runtime/outbox";
import type { Services } from "../../../runtime/services";
import type { Keyring } from "../../../shared/keyring";
import { visibleKey } from "../../../shared/visible-key";
import { cannotVerify, pause } from "../../connections/model/plan";
import { findConnection } from "../../connections/model/store";
import type { ConnectionRow } from "../../connections/model/table";
import { askAgain, askedAgainAfter, contradict, findConfirmationOf, keep } from "./confirmations.store";
import type { ConfirmationRow } from "./confirmations.table";

/** `isNew`: it counts among the hints of the day. `confirmation`: its question, which is counted, follows the commit of the writes. */
type Kept = { readonly writes: readonly Write[]; readonly isNew?: true; readonly confirmation?: ConfirmationRow };

/** The address, the one before, and an address that was registered in a process that died before it stored that. */
export const holds = (version: number, { addressVersion }: { readonly addressVersion: number }): boolean =>
	Math.abs(version - addressVersion) <= 1;

/** Undefined if the organization has no such connection, or its address is another by now. `services`: in the organization's home. */
export async function keepConfirmation(
	services: Services,
	{ organizationId, version }: Connected,
	body: Confirmation,
): Promise<Kept | undefined> {
	const { db, now, log } = services;
	const amount = amountOf(String(body.TransAmount));
	const { connection, known } = await db.read({
		connection: first(findConnection(db.orm, { organizationId, provider: "daraja" })),
		known: first(findConfirmationOf({ organizationId, transactionId: visibleKey(body.TransID), amount: amount?.value ?? 0 })),
	});
	if (!connection || !holds(version, connection)) return undefined;
	if (known) return { writes: await repeated(services, known, body) };
	const asked = { attempts: 1, nextAttemptAt: now + askedAgainAfter(1) };
	const confirmation = await hintOf(services, { organizationId, body, amount: amount?.value ?? 0 }, asked);
	const isOurs = String(body.BusinessShortCode ?? "") === connection.shortCode;
	if (amount?.isExact && isOurs) return { isNew: true, confirmation, writes: [keep(confirmation)] };
	log.error("a confirmation is of another shortcode, or has no usable amount", undefined, { organization_id: organizationId });
	const status = isOurs ? ("UNVERIFIED" as const) : ("OTHER_SHORTCODE" as const);
	return { isNew: true, writes: [keep({ ...confirmation, status })] };
}

/**
 * What it means that the transaction is confirmed again: with another account number it is contradicted, and nobody's until somebody
 * decides.
 */
async function repeated(services: Services, known: ConfirmationRow, body: Confirmation): Promise<Write[]> {
	const { db, config, now, log } = services;
	const accountIn = (of: Confirmation | undefined) => accountNumberIn(String(of?.BillRefNumber ?? ""));
	const before = await openConfirmation(config.keyring, known);
	const isContradicted = before !== undefined && accountIn(before) !== accountIn(body);
	if (isContradicted) log.error("a payment is confirmed with two account numbers", undefined, { confirmation_id: known.id });
	return [...(isContradicted ? [contradict(known.id, now)] : []), ...(known.status === "LAPSED" ? [askAgain(db.orm, known.id, now)] : [])];
}

/** The hints that a connection takes in a day. A payment beyond them is refused, and found by Pull Transactions. */
export const HINTS_IN_A_DAY = 20_000;
export const hintsOf = (organizationId: string) => ({ name: "daraja-hints", credential: organizationId, amount: 1, quota: HINTS_IN_A_DAY });

type Hint = { readonly organizationId: string; readonly body: Confirmation; readonly amount: number };

/** What is claimed of a payment, until the provider is asked whether it was made. */
export async function hintOf(
	{ config, now, newId, requestId: cause }: Services,
	{ organizationId, body, amount }: Hint,
	asked: Pick<ConfirmationRow, "attempts" | "nextAttemptAt">,
): Promise<ConfirmationRow> {
	const id = newId();
	const sealed = await config.keyring.seal("confirmation", id, JSON.stringify(named(body)));
	const of = { id, organizationId, transactionId: visibleKey(body.TransID), amount, sealed };
	return { ...of, status: "WAITING", ...asked, askedSince: null, contradictedAt: null, createdAt: now, cause };
}

/** What is kept of a hint: the members from which a payment is recorded. A person who knows the address can post others of any size. */
const named = ({
	TransactionType,
	TransID,
	TransTime,
	TransAmount,
	BusinessShortCode,
	BillRefNumber,
	MSISDN,
}: Confirmation): Confirmation => ({
	...{ TransactionType, TransID, TransTime, TransAmount, BusinessShortCode, BillRefNumber, MSISDN },
});

/** Undefined when it was sealed with a key that is no longer configured. */
export async function openConfirmation(keyring: Keyring, { id, sealed }: ConfirmationRow): Promise<Confirmation | undefined> {
	const opened = await keyring.open("confirmation", id, sealed);
	return opened === undefined ? undefined : (JSON.parse(opened) as Confirmation);
}

/** What the provider is asked. The answer comes to an address of its own. */
export const questions: Sending<ConfirmationRow, "ASKED" | "UNKNOWN"> = {
	what: "questions about confirmations",
	said: (answer) => answer,
	send: ({ providers, realNow }, { id, organizationId, transactionId }) =>
		providers.collections.inquire({ id, organizationId, transactionId }, realNow),
	outcome: () => [],
};

/** A wrong or locked initiator pays nothing either, and is not asked by; one without the role pays, and verifies nothing. */
export function learntOf(services: Services, connection: ConnectionRow, result: DarajaResult): Write[] {
	const reason = pauseAfterQuestion(result);
	return [
		...(isRefusedToInitiator(result) ? cannotVerify(services, connection, result.code) : []),
		...(reason ? pause(services, connection, reason) : []),
	];
}
