// Repays a loan from the borrower's current account: the money leaves the account in the commit that records the payment. Where the
// posting to the loan loses against another one, that commit records the payment without it, and the next commit posts all that wait.

import * as z from "zod";
import { StaleWrite } from "../../../db/database";
import { first } from "../../../db/reads";
import { user } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput, LostRace } from "../../../shared/errors";
import { canonicalJson } from "../../../shared/json";
import { findLoaded, loadedOf, reachedAccount } from "../../credit-accounts/ledger.store";
import type { CreditAccountRow } from "../../credit-accounts/table";
import { findOpenAccount } from "../../current-accounts/accounts/store";
import { spendingFault } from "../../current-accounts/ledger/limits.policy";
import { debit, post } from "../../current-accounts/ledger/plan";
import { notActive } from "../../current-accounts/lifecycle";
import type { CurrentAccountRow } from "../../current-accounts/table";
import { postPayments, raiseRecorded } from "../plan";
import { findWaiting, OPERATORS } from "../store";
import { type PaymentRow, payments, UNCORRECTED } from "../table";
import { walletTransactionId } from "../transaction-id.policy";
import { Repayment, toRepayment } from "../wire";

/** The last round does not post. */
const MAX_ROUNDS = 3;

export const repayFromWallet = operation({
	id: "repayFromWallet",
	method: "POST",
	path: "/v1/accounts/{accountId}/repayments",
	summary: "Repay a loan from the borrower's current account",
	description: "Counts towards no transfer limit.",
	access: user,
	request: {
		path: z.object({ accountId: z.uuid().toLowerCase() }),
		body: z.object({ amount: z.int().min(1), channel: z.literal("WALLET") }),
	},
	response: Repayment,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body: { amount }, caller }, services) {
		const { db } = services;
		const { userId } = caller;
		const own = reachedAccount(path.accountId, caller);
		const id = services.newId();
		for (let round = 1; round <= MAX_ROUNDS; round++) {
			const { wallet, waiting, records } = await db.read({
				wallet: first(findOpenAccount(userId)),
				waiting: findWaiting(own),
				records: findLoaded(own),
			});
			const loaded = loadedOf(records);
			if (!loaded) throw new ApiError("NOT_FOUND");
			const loan = loaded.account;
			const fault = wallet ? spendingFault(wallet, amount) : "NOT_ACTIVE";
			if (!wallet || fault === "NOT_ACTIVE") throw notActive(wallet);
			if (fault) throw new ApiError("INVALID_STATE", { description: "The available balance is too low" });
			if (wallet.currency !== loan.currency) throw badInput("accountId", "has another currency", "CURRENCY_MISMATCH");
			const payment = await paymentOf(services, id, loan, wallet, amount);
			const spent = post(services, wallet, debit("LOAN_REPAYMENT", id, amount));
			try {
				if (round === MAX_ROUNDS) {
					const recorded = [db.orm.insert(payments).values(payment), raiseRecorded(services, payment)];
					return await services.commit([...spent, ...recorded], toRepayment(payment, []));
				}
				const posted = await postPayments(services, loaded, waiting, payment);
				const mine = posted.rows.find((row) => row.id === id) ?? payment;
				return await services.commit([...spent, ...posted.writes], toRepayment(mine, posted.allocations));
			} catch (error) {
				if (!(error instanceof StaleWrite)) throw error;
			}
		}
		throw new LostRace();
	},
});

async function paymentOf(
	{ now }: Services,
	id: string,
	loan: CreditAccountRow,
	wallet: CurrentAccountRow,
	amount: number,
): Promise<PaymentRow> {
	return {
		id,
		organizationId: loan.organizationId ?? OPERATORS,
		...walletTransactionId(id),
		fingerprint: await sha256Hex(canonicalJson([id, amount, loan.id])),
		status: "CONFIRMED",
		accountId: loan.id,
		postedAsId: null,
		accountNumber: loan.accountNumber,
		amount,
		currency: loan.currency,
		feeAmount: 0,
		details: { type: "WALLET", account_id: wallet.id },
		unmatchedReason: null,
		failureReason: null,
		transactedAt: now,
		confirmedAt: now,
		postedAt: null,
		...UNCORRECTED,
		failedAt: null,
		createdAt: now,
	};
}
