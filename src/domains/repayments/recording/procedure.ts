// Records what a provider reports, and posts it. Money that has moved is never refused because others pay at the same moment: where
// the commit of one payment loses, the payment is recorded on its own, and the next commit posts all that wait.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { StaleWrite, type Write } from "../../../db/database";
import { DIRECTORY_HOME } from "../../../db/places";
import { first } from "../../../db/reads";
import type { CommitOptions, Committed, Elsewhere, HandlerServices, Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { findLoaded, loadedOf } from "../../credit-accounts/ledger.store";
import { type CreditAccountRow, creditAccounts, type StoredAllocation } from "../../credit-accounts/table";
import { postPayments, raiseRecorded, recordOnce } from "../plan";
import { findPaymentsOf, findReported, findSettledBy, findWaiting, insertPayment, isRecorded, isUnknown, OPERATORS } from "../store";
import { type PaymentRow, payments } from "../table";

const creditAccount = alias(creditAccounts, "credit_account");

/** The use of a limit, and what it means that it is used up. */
type Spending = Pick<CommitOptions, "overQuota"> & { readonly writes: readonly Write[] };

export type Report = {
	readonly transactionId: string;
	/** Selects the id of the account that was paid, or nothing. */
	readonly account: SQL;
	/** To whom the payment belongs when there is no account: an organization, or OPERATORS. */
	readonly reporter: string;
	/** What recording the payment uses up of a limit. `when`: uses it only if this holds at that moment. */
	spending?(services: Services, payment: PaymentRow, when?: SQL): Spending;
	/** What belongs to the commit that records it, in the reporter's home. */
	readonly alongside?: readonly Write[];
	/** What else the payment means, once it is recorded. It may happen again. `when`: only if this holds at that moment. */
	meaning?(services: Services, payment: PaymentRow, when?: SQL): readonly Write[];
	/** The payment as it is to be recorded; may throw where there is no account. */
	rowFor(account: CreditAccountRow | undefined, id: string): Promise<PaymentRow>;
};

export type Recorded = {
	readonly payment: PaymentRow;
	/** What it settled when it was posted. */
	readonly allocations: readonly StoredAllocation[];
	/** This report is the first of the payment. */
	readonly isFirst: boolean;
};

/** Each round somebody's commit posts all payments that wait, so that few are needed however many pay at once. */
const MAX_ROUNDS = 20;

const ONCE = { unique: [[[payments.organizationId, payments.mobileMoneyTransactionId] as const, "STALE" as const]] as const };

/** `services`: in the home of the account. Commits with the answer. Throws DUPLICATE_CONFLICT when its id is known with other facts. */
export async function record<T>(services: HandlerServices, report: Report, answerTo: (recorded: Recorded) => T): Promise<T | Committed<T>> {
	const { db } = services;
	const { account, reporter, alongside = [] } = report;
	const id = services.newId();
	const organization = sql`coalesce((select ${creditAccount.organizationId} from ${creditAccounts} ${creditAccount} where ${creditAccount.id} in ${account}), ${reporter})`;
	for (let round = 1; ; round++) {
		const { reported, waiting, records } = await db.read({
			reported: findReported(organization, report.transactionId),
			waiting: findWaiting(account),
			records: findLoaded(account),
		});
		const { payment: known, settled } = reported;
		const loaded = loadedOf(records);
		const atHome = services.at(homeOfReporter(reporter));
		if (!loaded && atHome.db !== services.db) return recordAt(atHome, services, report, answerTo);
		const row = await report.rowFor(loaded?.account, id);
		if (known && known.fingerprint !== row.fingerprint) throw new ApiError("DUPLICATE_CONFLICT");
		if (known && known.status !== "CONFIRMED") {
			if (alongside.length > 0) await atHome.commitRegardless(alongside);
			return answerTo(await recordedOf(services, known, settled, known.id === id));
		}
		const payment = known ?? row;
		const spent = (known ? undefined : report.spending?.(services, payment)) ?? { writes: [] };
		const meaning = report.meaning?.(services, payment) ?? [];
		const once = { ...ONCE, overQuota: spent.overQuota };
		try {
			if (!loaded || payment.status !== "CONFIRMED") {
				const answer = answerTo({ payment, allocations: [], isFirst: true });
				const recorded = [insertPayment(payment), raiseRecorded(services, payment)];
				return await services.commit([...spent.writes, ...alongside, ...recorded, ...meaning], answer, once);
			}
			const { rows, allocations, writes } = await postPayments(services, loaded, waiting, known ? undefined : payment);
			const mine = rows.find((posted) => posted.id === payment.id);
			if (!mine) {
				// More wait than one commit posts.
				await services.commitRegardless(writes);
				continue;
			}
			const own = allocations.filter(({ transactionId }) => transactionId === payment.id);
			const answer = answerTo({ payment: mine, allocations: own, isFirst: payment.id === id });
			return await services.commit([...spent.writes, ...alongside, ...writes, ...meaning], answer, once);
		} catch (error) {
			if (!(error instanceof StaleWrite) || round === MAX_ROUNDS) throw error;
			if (!known && payment.status === "CONFIRMED") {
				const recorded = answerTo({ payment, allocations: [], isFirst: true });
				await recordApart(services, report, payment, recorded);
			}
		}
	}
}

/** A payment that names no account stays with the reporter. */
const homeOfReporter = (reporter: string): string | number => (reporter === OPERATORS ? DIRECTORY_HOME : reporter);

/** Records a payment without an account in its reporter's home, which is not where the operation works. */
async function recordAt<T>(
	there: Elsewhere,
	services: HandlerServices,
	report: Report,
	answerTo: (recorded: Recorded) => T,
): Promise<Committed<T>> {
	const find = () => there.db.read(findReported(sql`${report.reporter}`, report.transactionId));
	const row = await report.rowFor(undefined, there.newId());
	let { payment: known, settled } = await find();
	if (!known) {
		const answer = answerTo({ payment: row, allocations: [], isFirst: true });
		await recordApart(there, report, row, answer);
		({ payment: known, settled } = await find());
	}
	if (!known) throw new Error("a payment that was recorded is missing");
	if (known.fingerprint !== row.fingerprint) throw new ApiError("DUPLICATE_CONFLICT");
	return services.commit([], answerTo(await recordedOf(there, known, settled, known.id === row.id)));
}

/** Records a payment without posting it, unless it is known by now; then it uses up nothing either. */
async function recordApart(there: Elsewhere, report: Report, payment: PaymentRow, answer: unknown): Promise<void> {
	const { spending, alongside = [] } = report;
	const spent = spending?.(there, payment, isUnknown(payment)) ?? { writes: [] };
	const audited = { answer, when: isRecorded(payment) };
	const meaning = report.meaning?.(there, payment, isRecorded(payment)) ?? [];
	const writes = [...spent.writes, ...alongside, ...recordOnce(there, payment), ...meaning];
	await there.commitRegardless(writes, { audited, overQuota: spent.overQuota });
}

/** What became of a recorded payment: where it was matched with an account of another home, as it was posted there. */
async function recordedOf(
	services: Services,
	payment: PaymentRow,
	allocations: readonly StoredAllocation[],
	isFirst: boolean,
): Promise<Recorded> {
	if (payment.postedAsId === null) return { payment, allocations, isFirst };
	const { db } = services.at(payment.postedAsId);
	const id = sql`(select ${payment.postedAsId})`;
	const { posted, settled } = await db.read({
		posted: first(findPaymentsOf(db.orm, id)),
		settled: findSettledBy(db.orm, id),
	});
	return { payment: posted ?? payment, allocations: settled, isFirst };
}
