// Looks for payments to connected shortcodes that nobody has confirmed. A listed payment that nobody knows is kept like a confirmation, so
// that it is verified and recorded in the same way.

import type { Write } from "../../../db/database";
import { unlessStale } from "../../../db/stale";
import { eastAfrican } from "../../../providers/daraja/answers";
import { accountNumberIn, type Confirmation } from "../../../providers/daraja/callbacks";
import { MOST_CONNECTIONS } from "../../../runtime/connections";
import { portion } from "../../../runtime/outbox";
import type { ListedPayment, Unlisted } from "../../../runtime/ports";
import type { JobServices, Services } from "../../../runtime/services";
import { shortAmountText } from "../../../shared/currency";
import {
	afterPage,
	begun,
	ended,
	failedBy,
	isLate,
	isSought,
	nextAfterFailure,
	type Pull,
	readingOf,
} from "../../connections/model/pulls.policy";
import { type DuePull, findDuePulls, recordPull } from "../../connections/model/pulls.store";
import { hintOf, openConfirmation } from "./confirmations.procedure";
import { contradict, findKnownOf, keep, keepUnknown } from "./confirmations.store";
import type { ConfirmationRow } from "./confirmations.table";
import { isPaymentOf } from "./daraja.procedure";

/** The rest of a list continues with the next sweep. */
const PAGES = 10;
/** Rows of one statement: a parameter may have 2 MB. */
const ROWS = 1_000;

/** Takes one portion of the shortcodes whose payments are to be looked for. Whether more may be waiting. */
export async function pullPayments(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findDuePulls(db.orm, now, MOST_CONNECTIONS));
	// Stale: another sweep looks for them, or the connection has changed.
	return portion(due, (row) => unlessStale(async () => row.pull && pullBy(services, row, begun(row.pull))));
}

async function pullBy(services: JobServices, row: DuePull, begins: Pull): Promise<void> {
	const { db, now, realNow, providers, log } = services;
	const { organizationId, addressVersion } = row;
	const claimed = { ...row, nextPullAt: nextAfterFailure(begins, now) };
	await services.commit([recordPull(db.orm, row, { pull: begins, nextPullAt: claimed.nextPullAt })]);
	let pull = begins;
	const fail = async (outcome: Unlisted) => {
		if (outcome === "CREDENTIALS_REFUSED") {
			log.error("a provider refuses the credentials of a connection", undefined, { organization: organizationId });
		}
		if (isLate(pull, now)) log.error("lost confirmations could not be looked for in a day", undefined, { organization: organizationId });
		await services.commit([recordPull(db.orm, claimed, { pull: failedBy(pull, outcome, now), nextPullAt: claimed.nextPullAt })]);
	};
	const list = await providers.collections.list(organizationId, realNow);
	if (!list) return fail("NO_ANSWER");
	if (!pull.isRegistered) {
		const registered = await list.register({ number: pull.number, version: addressVersion });
		if (registered !== "REGISTERED") return fail(registered);
		pull = { ...pull, isRegistered: true };
	}
	const reading = readingOf(pull, now);
	let pages = 0;
	for await (const page of list.pages(reading)) {
		if (typeof page === "string") return fail(page);
		const { payments, unreadable, next } = page;
		if (unreadable > 0) log.error("payments that a provider lists cannot be read", undefined, { organization: organizationId, unreadable });
		pull = afterPage(pull, reading, next);
		const isEnough = next === null || ++pages === PAGES;
		const after = isEnough ? ended(pull, now) : { pull, nextPullAt: claimed.nextPullAt };
		await services.commit([...(await hintsOf(services, row, payments)), recordPull(db.orm, claimed, after)]);
		if (isEnough) return;
	}
}

/** Keeps what nobody knows of. The sweep asks the provider about it at once. */
async function hintsOf(
	services: Services,
	{ organizationId, shortCode, pull }: DuePull,
	listed: readonly ListedPayment[],
): Promise<Write[]> {
	const { db, now } = services;
	const sought = listed.filter(({ at = now }) => pull !== null && isSought(pull, at));
	if (sought.length === 0) return [];
	const bodies = sought.map((payment) => ({ ...payment, body: toConfirmation(payment, shortCode) }));
	const hints = bodies.map(({ body, amount }) => hintOf(services, { organizationId, body, amount }, { attempts: 0, nextAttemptAt: now }));
	const rows = await Promise.all(hints);
	const contradictions = await contradictionsIn(
		services,
		organizationId,
		bodies.map(({ body }, nth) => ({ body, hint: rows[nth] as ConfirmationRow })),
	);
	const portions = Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, nth) => rows.slice(nth * ROWS, (nth + 1) * ROWS));
	return [...portions.map((portion) => keepUnknown(db.orm, portion)), ...contradictions];
}

type Listed = { readonly body: Confirmation; readonly hint: ConfirmationRow };

/** The writes that show what the provider's list contradicts: a hint of another account or amount, and a payment with other facts. */
async function contradictionsIn(services: Services, organizationId: string, listed: readonly Listed[]): Promise<Write[]> {
	const { db, now, log } = services;
	const ids = listed.map(({ hint }) => hint.transactionId);
	const { told, recorded } = await db.read(findKnownOf(db.orm, organizationId, ids));
	const writes = await Promise.all(
		listed.map(async ({ body, hint }) => {
			const hints = told.filter(({ transactionId }) => transactionId === hint.transactionId);
			const same = hints.find(({ amount }) => amount === hint.amount);
			const contradicted = [
				...hints.filter((one) => one !== same && one.status !== "REFUTED"),
				...(same && !(await isConfirmedAlike(services, same, body)) ? [same] : []),
			].filter(({ status, contradictedAt }) => status !== "DISMISSED" && contradictedAt === null);
			const payment = recorded.find(({ mobileMoneyTransactionId }) => mobileMoneyTransactionId === hint.transactionId);
			const isRecordedElse = !same && payment !== undefined && !(await isPaymentOf(services, payment, { body, amount: hint.amount }));
			if (contradicted.length === 0 && !isRecordedElse) return [];
			log.error("a provider's list contradicts what is known of a payment", undefined, { organization_id: organizationId });
			return [
				...contradicted.map(({ id }) => contradict(id, now)),
				// It is asked about too, so that the provider says which is right.
				...(isRecordedElse ? [keep({ ...hint, contradictedAt: now })] : []),
			];
		}),
	);
	return writes.flat();
}

/** Whether the hint names the same account. A hint that does not open can be compared with nothing. */
async function isConfirmedAlike({ config }: Services, known: ConfirmationRow, listed: Confirmation): Promise<boolean> {
	const told = await openConfirmation(config.keyring, known);
	const accountIn = ({ BillRefNumber }: Confirmation) => accountNumberIn(String(BillRefNumber ?? ""));
	return told === undefined || accountIn(told) === accountIn(listed);
}

/** As the provider would have confirmed it. */
const toConfirmation = ({ transactionId, amount, at, account, payer }: ListedPayment, shortCode: string): Confirmation => ({
	TransID: transactionId,
	TransTime: at === undefined ? "" : eastAfrican(at).replaceAll(/\D/g, ""),
	TransAmount: shortAmountText(amount, "KES"),
	BusinessShortCode: shortCode,
	BillRefNumber: account,
	...(payer !== undefined && { MSISDN: payer }),
});
