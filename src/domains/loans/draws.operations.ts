// A draw on the revolving limit. The embedded disburser pays it, or the borrower's current account receives it, in its own commit. An outside
// disburser is instructed, and the draw is posted when it reports that the money has moved; until then the draw counts against the limit.

import * as z from "zod";
import { first } from "../../db/reads";
import { user } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { ApiError, badInput, invalidState, refusedInput } from "../../shared/errors";
import { toBigInt, toNumber } from "../../shared/money";
import { type LimitSources, readView, viewOf } from "../credit-accounts/account-view.plan";
import { balanceOf, limitsOf } from "../credit-accounts/book/balance.policy";
import { replay } from "../credit-accounts/book/book.policy";
import { drawFault } from "../credit-accounts/book/renewal.policy";
import { canTransact, standingOf } from "../credit-accounts/book/standing.policy";
import { bookOf, findLimitSources, findLoaded, loadedOf, reachedAccount } from "../credit-accounts/ledger.store";
import { postDraw } from "../credit-accounts/payout.plan";
import { todayOf } from "../credit-accounts/postings/plan";
import { renewedBook, statusBy } from "../credit-accounts/postings/policy";
import { type Loaded, ScheduleOutOfRange } from "../credit-accounts/postings/rows.plan";
import { CreditAccount, toCreditAccount } from "../credit-accounts/wire";
import { refuseWhileRecovering } from "../current-accounts/caution.policy";
import { findLastRecovery } from "../current-accounts/caution.store";
import { Payout, toRequestedPlace } from "../disbursements/model/payout.wire";
import { disbursements } from "../disbursements/model/table";
import { payBorrower } from "../disbursements/payout.procedure";
import { findPlaces } from "../disbursements/payout.store";
import { drawable } from "../loan-products/model/store";
import { Amount } from "../loan-products/model/wire";
import { otherExposure } from "./borrower.plan";
import { refuseNewSession } from "./caution.procedure";
import { borrower, readFacts } from "./model/borrower.store";

export const draw = operation({
	id: "draw",
	method: "POST",
	path: "/v1/accounts/{accountId}/draws",
	summary: "Draw on the limit of a credit account",
	description:
		"Before the final due date of the newest open cycle the amount joins that cycle, whose open installments are computed again; otherwise it starts a cycle.",
	access: user,
	request: { path: z.object({ accountId: z.uuid().toLowerCase() }), body: z.object({ amount: Amount, payout: Payout.optional() }) },
	response: CreditAccount,
	otherStatuses: { 202: "An outside disburser has not paid it out yet" },
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: ["CAUTION", "AMOUNT_TOO_HIGH", "AMOUNT_NOT_A_STEP"],
	async handle({ path, body: { amount, payout: wanted }, caller }, services) {
		const { db, now } = services;
		const accounts = reachedAccount(path.accountId, caller);
		const sent = toRequestedPlace(wanted);
		const { products: ofProduct, ...ofLimits } = findLimitSources(db.orm, accounts);
		const { found, places, recovery, product, limits, records } = await db.read({
			found: borrower(caller.userId),
			places: findPlaces(db.orm, caller.userId, sent?.payeeAccountId ?? null, now),
			recovery: first(findLastRecovery(caller.userId)),
			product: drawable(ofProduct),
			limits: ofLimits,
			records: findLoaded(accounts),
		});
		const sources = { ...limits, products: product ? [product] : [] };
		const loaded = loadedOf(records);
		const seen = readView({ ...sources, ...records }, now);
		const recipient = places.borrower;
		if (!loaded || !product || !recipient || !found?.facts || !seen) throw new ApiError("NOT_FOUND");
		const { account } = loaded;
		if (product.suspendedAt !== null) throw new ApiError("INVALID_STATE", { description: "The product is SUSPENDED" });
		refuseWhileRecovering(services, recovery);
		if (account.createdAt < (caller.signedInAt ?? 0)) await refuseNewSession(services, caller, recipient.mobileNumber);
		const facts = readFacts(found.facts);
		checkDraw(services, loaded, {
			amount,
			limit: seen.limit,
			otherExposure: otherExposure(facts, product),
			isBlocked: facts.blockedAt !== null,
		});

		const id = services.newId();
		const payment = await payBorrower(services, places, {
			...{ id, kind: "DRAW", account, amount },
			...{ sent, allowed: product.payoutDestinations, member: "amount" },
		});
		if (!payment.paid) {
			const answer = new Reply(toCreditAccount(seen), { status: 202 });
			return services.commit(payment.writes, answer, { unique: [[[disbursements.id], "STALE"]] });
		}
		const { paid } = payment;
		const { posted, writes } = inRange(() => postDraw(services, loaded, { id, amount, at: now, ...paid }));
		return services.commit([...payment.writes, ...writes], toCreditAccount(viewAfter(loaded, posted, sources, now)));
	},
});

type Wanted = { readonly amount: number; readonly limit: number; readonly otherExposure: bigint; readonly isBlocked: boolean };

/** Throws the fault of the draw, if any. A posting of today finds the account renewed until today, and so does this. */
function checkDraw(services: Services, loaded: Loaded, { amount, limit, otherExposure, isBlocked }: Wanted): void {
	const { account } = loaded;
	const today = todayOf(account, services.now);
	const newId = () => services.newId();
	const ledger = replay(renewedBook(bookOf(loaded), account, { lastPosition: account.lastPosition, today, newId }), today);
	const standing = standingOf(ledger);
	const limits = limitsOf(toBigInt(limit), balanceOf(ledger));
	const mayTransact = canTransact(statusBy(account.status, standing, true), standing, isBlocked);
	const room = { ...limits, availableLimit: limits.availableLimit + otherExposure };
	switch (drawFault(toBigInt(amount), toBigInt(account.terms.amountStep), room, mayTransact)) {
		case undefined:
			return;
		case "CANNOT_TRANSACT":
			throw invalidState(
				"Nothing can be drawn while the account is overdue, owes a refund, or is suspended, closed or written off, or its owner is blocked",
			);
		case "AMOUNT_NOT_A_STEP":
			throw refusedInput("amount", `must be a multiple of ${account.terms.amountStep}`, "NOT_ALLOWED", {
				reason: "AMOUNT_NOT_A_STEP",
				sum: { amount: account.terms.amountStep, currency: account.currency },
			});
		case "OVER_AVAILABLE_LIMIT":
			throw refusedInput("amount", `must be at most ${room.availableLimit}, which may still be drawn`, "OUT_OF_RANGE", {
				reason: "AMOUNT_TOO_HIGH",
				sum: { amount: Math.max(0, toNumber(room.availableLimit)), currency: account.currency },
			});
	}
}

function inRange<T>(plan: () => T): T {
	try {
		return plan();
	} catch (error) {
		if (!(error instanceof ScheduleOutOfRange || error instanceof RangeError)) throw error;
		throw badInput("amount", "results in totals beyond 2^53-1", "OUT_OF_RANGE");
	}
}

/** The account after the posting. */
function viewAfter({ transactions }: Loaded, posted: ReturnType<typeof postDraw>["posted"], sources: LimitSources, now: number) {
	const { account, cycles, installments } = posted;
	return viewOf({ account, transactions: [...transactions, ...posted.transactions], cycles, installments }, sources, now);
}
