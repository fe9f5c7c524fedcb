// Lists what was paid, given up, agreed and reversed on an account, with the allocations of each transaction.

import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { bare } from "../../db/columns";
import { byCreation } from "../../db/keyset";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import { ApiError } from "../../shared/errors";
import { isInstallmentOf, reachedAccount } from "../credit-accounts/ledger.store";
import { accountTransactions, allocations, creditAccounts, IN_TRANSACTION_LIST, installments } from "../credit-accounts/table";
import { accountPath } from "../credit-accounts/wire";
import { lendingReader } from "../users/model/callers";
import { findAllocationsOf, findPaymentsOf, findStandingReversals } from "./store";
import { type PaymentRow, payments } from "./table";
import { Allocation, LISTED_KINDS, RepaymentTransaction, type Reversed, toAllocation, toPayment, toTransaction } from "./wire";

const eachAllocation = alias(allocations, "allocation");
const eachTransaction = alias(accountTransactions, "each_transaction");

type Transaction = typeof accountTransactions.$inferSelect;
type Reversal = Pick<Transaction, "id" | "reversesId" | "amount">;
type Listed = { at: number; id: string; transaction?: Transaction; payment?: PaymentRow };

/** What the reversals that were read have left of a transaction. */
function reversedOf({ id, amount }: Transaction, reversals: readonly Reversal[]): Reversed {
	const own = reversals.filter(({ reversesId }) => reversesId === id);
	return { remaining: own.reduce((left, reversal) => left - reversal.amount, amount), reversedById: own.at(-1)?.id ?? null };
}

function toWire(row: Transaction, reversals: readonly Reversal[], byId: ReadonlyMap<string, PaymentRow>, currency: string) {
	const payment = byId.get(row.id);
	const kind = LISTED_KINDS.find((listed) => listed === row.kind);
	if (!payment && !kind) throw new Error("a transaction of this kind is not listed");
	return payment ? toPayment(payment) : toTransaction({ ...row, kind: kind ?? "REPAYMENT" }, currency, reversedOf(row, reversals));
}

export const listAccountTransactions = operation({
	id: "listAccountTransactions",
	method: "GET",
	path: "/v1/accounts/{accountId}/installments/transactions",
	summary: "List payments, waivers, agreements and reversals of an account with their allocations, newest first",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath, query: z.object(paging) },
	response: z.object({ data: z.array(z.object({ transaction: RepaymentTransaction, installments: z.array(Allocation) })), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const { db } = services;
		const account = reachedAccount(path.accountId, caller);
		const place = { list: "account-transactions", owner: path.accountId, filters: {} };
		const posted = await openPage(services, query, {
			...place,
			select: (orm) => orm.select().from(accountTransactions).$dynamic(),
			key: {
				at: accountTransactions.postedAt,
				id: accountTransactions.id,
				of: (row) => [row.postedAt, row.id] as const,
				order: "newest",
			},
			where: sql`${accountTransactions.accountId} = ${account} and ${IN_TRANSACTION_LIST}`,
		});
		// A failed payment has no transaction: nothing was posted.
		const failed = await openPage(services, query, {
			...place,
			select: (orm) => orm.select().from(payments).$dynamic(),
			key: byCreation(payments),
			where: sql`${payments.accountId} = ${account} and ${payments.status} = 'FAILED'`,
		});
		const listed = idsOf(posted.statement);
		const { found, transactions, failures, allocated, paid, reversals } = await db.read({
			found: first(db.orm.select().from(creditAccounts).where(sql`${creditAccounts.id} = ${account}`)),
			transactions: posted.statement,
			failures: failed.statement,
			allocated: findAllocationsOf(db.orm, listed),
			paid: findPaymentsOf(db.orm, listed),
			reversals: findStandingReversals(db.orm, listed),
		});
		if (!found) throw new ApiError("NOT_FOUND");
		const rows: Listed[] = [
			...transactions.map((transaction) => ({ at: transaction.postedAt, id: transaction.id, transaction })),
			...failures.map((payment) => ({ at: payment.createdAt, id: payment.id, payment })),
		];
		// Both lists come in the order in which the page reads: towards older rows, or with `before` towards newer ones.
		const forwards = query.before === undefined;
		rows.sort((a, b) => (forwards ? 1 : -1) * (b.at - a.at || (a.id < b.id ? 1 : -1)));
		const merged = await openPage(services, query, {
			...place,
			select: (orm) => orm.select({ at: payments.createdAt, id: payments.id }).from(payments).$dynamic(),
			key: { at: payments.createdAt, id: payments.id, of: (row) => [row.at, row.id] as const, order: "newest" },
		});
		const page = await merged.page(rows.slice(0, query.size + 1));
		const listedById = new Map(rows.map((row) => [row.id, row]));
		const paymentsById = new Map(paid.map((payment) => [payment.id, payment]));
		return listReply(services, page, ({ id }) => {
			const { transaction, payment } = listedById.get(id) ?? {};
			if (payment) return { transaction: toPayment(payment), installments: [] };
			if (!transaction) throw new Error("a listed transaction is missing");
			return {
				transaction: toWire(transaction, reversals, paymentsById, found.currency),
				installments: allocated.filter(({ transactionId }) => transactionId === id).map(toAllocation),
			};
		});
	},
});

/** The ids that a statement selects. */
const idsOf = (statement: { getSQL(): SQL }) => sql`(select ${bare(accountTransactions.id)} from (${statement.getSQL()}))`;

/** The id of the account's installment with this id, else of the one with this allocation: only then are the account's allocations read. */
const installmentNamed = (accountId: string, id: string): SQL => sql`coalesce(
	(select ${bare(installments.id)} from ${installments} where ${isInstallmentOf(accountId, id)}),
	(select ${eachAllocation.installmentId} from ${allocations} ${eachAllocation}
		where ${eachAllocation.transactionId} in (
			select ${eachTransaction.id} from ${accountTransactions} ${eachTransaction} where ${eachTransaction.accountId} = ${accountId})
			and ${eachAllocation.id} = ${id}))`;

export const listInstallmentTransactions = operation({
	id: "listInstallmentTransactions",
	method: "GET",
	path: "/v1/accounts/{accountId}/installments/{id}/transactions",
	summary: "The allocations of one installment with their transactions, newest first",
	description: "`id` is the installment's or that of one of its allocations. Installments of earlier cycles answer too.",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath.extend({ id: z.uuid().toLowerCase() }), query: z.object(paging) },
	response: z.object({ data: z.array(z.object({ transaction: RepaymentTransaction, allocation: Allocation })), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, query, caller }, services) {
		const { db } = services;
		const account = reachedAccount(path.accountId, caller);
		const installment = installmentNamed(path.accountId, path.id);
		const { statement, page } = await openPage(services, query, {
			list: "installment-transactions",
			owner: `${path.accountId} ${path.id}`,
			filters: {},
			select: (orm) => orm.select().from(allocations).$dynamic(),
			key: { at: allocations.allocatedAt, id: allocations.id, of: (row) => [row.allocatedAt, row.id] as const, order: "newest" },
			where: sql`${allocations.installmentId} = ${installment} and ${allocations.accountId} = ${account}`,
		});
		const ofPage = sql`(select ${bare(allocations.transactionId)} from (${statement.getSQL()}))`;
		const { found, owner, rows, transactions, paid, reversals } = await db.read({
			found: first(
				db.orm
					.select()
					.from(installments)
					.where(sql`${isInstallmentOf(path.accountId, installment)} and ${installments.accountId} = ${account}`),
			),
			owner: first(db.orm.select().from(creditAccounts).where(sql`${creditAccounts.id} = ${account}`)),
			rows: statement,
			transactions: db.orm.select().from(accountTransactions).where(sql`${accountTransactions.id} in ${ofPage}`),
			paid: findPaymentsOf(db.orm, ofPage),
			reversals: findStandingReversals(db.orm, ofPage),
		});
		if (!found || !owner) throw new ApiError("NOT_FOUND");
		const paymentsById = new Map(paid.map((payment) => [payment.id, payment]));
		// A roll-over settles an installment without being a payment.
		const byId = new Map(transactions.flatMap((row) => (row.kind === "ROLL_OVER" ? [] : [[row.id, row] as const])));
		const shown = await page(rows);
		return listReply(
			services,
			{
				...shown,
				rows: shown.rows.flatMap((row) => {
					const transaction = byId.get(row.transactionId);
					return transaction ? [{ row, transaction }] : [];
				}),
			},
			({ row, transaction }) => ({
				transaction: toWire(transaction, reversals, paymentsById, owner.currency),
				allocation: toAllocation(row),
			}),
		);
	},
});
