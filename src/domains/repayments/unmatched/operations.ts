// Payments for which no account was found: operators list them, oldest first, and match each to its account.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { StaleWrite } from "../../../db/database";
import { byCreation, rowsOf } from "../../../db/keyset";
import { actingFor, reachOfStaff } from "../../../db/reach";
import { first } from "../../../db/reads";
import { spendBy } from "../../../http/amount-windows";
import { held } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import type { Elsewhere, HandlerServices, Services } from "../../../runtime/services";
import { ApiError, badInput, invalidState, wrongState } from "../../../shared/errors";
import { accountWithin, findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { findAccount } from "../../credit-accounts/store";
import type { CreditAccountRow } from "../../credit-accounts/table";
import { lendingWorker, type Worker } from "../../users/model/callers";
import { postPayments } from "../plan";
import { findPaymentsOf, findReported, findSettledBy, findWaiting } from "../store";
import { type PaymentRow, payments } from "../table";
import { Repayment, toRepayment, toUnmatched, UnmatchedPayment } from "../wire";
import { giveAway, owedOf, payeeOf, take } from "./plan";

export const listUnmatchedPayments = operation({
	id: "listUnmatchedPayments",
	method: "GET",
	path: "/v1/platform/unmatched-payments",
	summary: "Payments for which no account was found, oldest first",
	access: lendingWorker,
	home: "everywhere",
	request: {
		query: z.object({
			...paging,
			organization_id: z.uuid().toLowerCase().optional().meta({ description: "Those of this organization only, for operators" }),
		}),
	},
	response: z.object({ data: z.array(UnmatchedPayment), links: Links }),
	async handle({ query, caller }, services) {
		const own = actingFor(caller);
		const organizationId = own ?? query.organization_id;
		const ofOther = own !== undefined && (query.organization_id ?? own) !== own;
		const page = await readPage(services, query, {
			list: "unmatched-payments",
			owner: own ?? "operators",
			filters: { organization_id: query.organization_id },
			everywhere: true,
			select: rowsOf(payments),
			key: byCreation(payments, "oldest"),
			where: and(
				sql`${payments.status} = 'UNMATCHED'`,
				// As in the index of an organization's payments.
				organizationId === undefined ? undefined : and(sql`${payments.status} <> 'POSTED'`, eq(payments.organizationId, organizationId)),
				ofOther ? sql`false` : undefined,
			),
		});
		return listReply(services, page, toUnmatched);
	},
});

export const matchPayment = operation({
	id: "matchPayment",
	method: "POST",
	path: "/v1/platform/unmatched-payments/{id}/match",
	summary: "Post an unmatched payment to an account",
	access: held(lendingWorker),
	whileSuspended: true,
	home: ({ body }) => body.account_id,
	request: { path: z.object({ id: z.uuid().toLowerCase() }), body: z.strictObject({ account_id: z.uuid().toLowerCase() }) },
	response: Repayment,
	status: 201,
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const match = { id: path.id, accountId: body.account_id, caller };
		const kept = services.at(path.id);
		return kept.db === services.db ? matchHere(services, match) : matchThere(services, kept, match);
	},
});

const findPayment = ({ db }: Services, id: string, caller: Worker) =>
	db.orm
		.select()
		.from(payments)
		.where(and(eq(payments.id, id), reachOfStaff(caller, payments.organizationId)));

const isKnown = () =>
	new ApiError("DUPLICATE_CONFLICT", { description: "The account's organization has recorded this transaction itself" });

type Match = { readonly id: string; readonly accountId: string; readonly caller: Worker };

/** Throws what keeps the payment from being posted to the account. */
function checkMatch(payment: PaymentRow | undefined, account: CreditAccountRow | undefined): asserts account is CreditAccountRow {
	if (!payment) throw new ApiError("NOT_FOUND");
	if (payment.status !== "UNMATCHED") throw wrongState("The payment", payment.status, ["UNMATCHED"]);
	if (!account) throw badInput("account_id", "is not an account", "NOT_ALLOWED");
	if (account.currency !== payment.currency) throw badInput("account_id", "has another currency", "CURRENCY_MISMATCH");
}

async function matchHere(services: HandlerServices, { id, accountId, caller }: Match) {
	const { db } = services;
	const { payment, waiting, records } = await db.read({
		payment: first(findPayment(services, id, caller)),
		waiting: findWaiting(accountWithin(accountId, caller)),
		records: findLoaded(accountWithin(accountId, caller)),
	});
	const loaded = loadedOf(records);
	checkMatch(payment, loaded?.account);
	if (!payment || !loaded) throw new ApiError("NOT_FOUND");
	const matched = take(services, payment, loaded.account);
	const posted = await postPayments(services, loaded, [...waiting, matched.row]);
	const mine = posted.rows.find((row) => row.id === matched.row.id) ?? matched.row;
	const spent = spendBy(services, caller, payment.amount);
	return services.commit([...spent.writes, ...matched.writes, ...posted.writes], toRepayment(mine, posted.allocations), {
		overQuota: spent.overQuota,
		unique: [[[payments.organizationId, payments.mobileMoneyTransactionId], isKnown()]],
	});
}

/**
 * The payment's home and the account's are in different databases: the first gives the payment away, the second posts it. A payment that
 * was given to this account and never posted is completed by the next call for it.
 */
async function matchThere(services: HandlerServices, kept: Elsewhere, { id, accountId, caller }: Match) {
	const account = await services.db.read(first(findAccount(services.db.orm, accountWithin(accountId, caller))));
	const payment = await kept.db.read(first(findPayment(kept, id, caller)));
	const isOurs = payment?.status !== "MATCHED";
	if (isOurs) checkMatch(payment, account);
	if (!payment || !account) throw new ApiError("NOT_FOUND");
	if (isOurs) {
		const { db } = services;
		const { payment: known } = await db.read(findReported(sql`${payeeOf(account)}`, payment.mobileMoneyTransactionId));
		if (known) throw isKnown();
	}
	const given = isOurs ? await give(kept, caller, payment, account) : payment;
	if (given.accountId !== accountId) throw invalidState("The payment was matched with another account");
	return postGiven(services, given, account, isOurs);
}

async function give(kept: Elsewhere, caller: Worker, payment: PaymentRow, account: CreditAccountRow): Promise<PaymentRow> {
	const { given, writes, carry } = giveAway(kept, payment, account);
	const spent = spendBy(kept, caller, payment.amount);
	await kept.commitRegardless([...spent.writes, ...writes], { overQuota: spent.overQuota, audited: { answer: toRepayment(given, []) } });
	await carry(kept);
	return given;
}

/** Rounds in which others may post to the account first. */
const MAX_ROUNDS = 20;

async function postGiven(services: HandlerServices, given: PaymentRow, account: CreditAccountRow, isOurs: boolean) {
	const { db } = services;
	const posted = sql`(select ${given.postedAsId})`;
	for (let round = 1; ; round++) {
		const { copy, settled, waiting, records } = await db.read({
			copy: first(findPaymentsOf(db.orm, posted)),
			settled: findSettledBy(db.orm, posted),
			waiting: findWaiting(theAccount(account.id)),
			records: findLoaded(theAccount(account.id)),
		});
		const loaded = loadedOf(records);
		if (copy?.status === "POSTED" && isOurs) return toRepayment(copy, settled);
		if (copy?.status === "POSTED" || !loaded) throw invalidState("The payment was matched before, and is posted");
		if (!copy) {
			if (round > 1) throw new ApiError("DUPLICATE_CONFLICT");
			await services.commitRegardless(owedOf(services, given, account));
			continue;
		}
		try {
			const { rows, allocations, writes } = await postPayments(services, loaded, waiting);
			const mine = rows.find(({ id }) => id === copy.id);
			if (mine) return await services.commit(writes, toRepayment(mine, allocations));
			// More wait than one commit posts.
			await services.commitRegardless(writes);
		} catch (error) {
			if (!(error instanceof StaleWrite) || round === MAX_ROUNDS) throw error;
		}
	}
}
