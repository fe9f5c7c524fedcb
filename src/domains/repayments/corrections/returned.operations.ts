// The money of a payout came back: it counts no longer, as if it had never been paid out.

import { eq } from "drizzle-orm";
import * as z from "zod";
import type { Write } from "../../../db/database";
import { NAME_TAKEN } from "../../../db/names";
import { first } from "../../../db/reads";
import { held, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import type { CommitOptions } from "../../../runtime/services";
import { ApiError, badInput, invalidState, wrongState } from "../../../shared/errors";
import { Instant, refuseFuture } from "../../../shared/timestamp";
import { Receipt, visibleKey } from "../../../shared/visible-key";
import { findLoaded, loadedOf } from "../../credit-accounts/ledger.store";
import type { Loaded } from "../../credit-accounts/postings/rows.plan";
import { selectDisbursements } from "../../disbursements/model/fee.store";
import { accountOfDisbursement, recordReturned } from "../../disbursements/model/store";
import { type DisbursementRow, disbursements } from "../../disbursements/model/table";
import { Disbursement, toDisbursement } from "../../disbursements/model/wire";
import { returnNamed } from "../../disbursements/returned.procedure";
import { takeBackAdvance } from "../../invoices/payout.plan";
import { findAdvance } from "../../invoices/store";
import { planReversal, REVERSAL_REFUSALS } from "./plan";

export const recordPayoutReturned = operation({
	id: "recordPayoutReturned",
	method: "POST",
	path: "/v1/disbursements/{id}/returned",
	summary: "Record that the money of a payout came back",
	description:
		"It undoes the loan, the draw or the refund, in the same commit; of an advance on an invoice it makes that APPROVED again, and what the buyer has repaid stays repaid. One transaction brings back one payout; the same facts again change nothing. Payouts to a current account are not undone here: 409.",
	access: held(operator),
	home: ({ path }) => path.id,
	request: {
		path: z.object({ id: z.uuid().toLowerCase() }),
		body: z
			.strictObject({ mobile_money_transaction_id: Receipt, occurred_at: Instant })
			.meta({ examples: [{ mobile_money_transaction_id: "SG632NMUAC", occurred_at: "2026-03-06T09:12:00Z" }] }),
	},
	response: Disbursement,
	errors: ["NOT_FOUND", "INVALID_STATE", "DUPLICATE_CONFLICT"],
	async handle({ path: { id }, body, caller }, services) {
		const { db } = services;
		const { mobile_money_transaction_id: sent, occurred_at: returnedAt } = body;
		refuseFuture("occurred_at", returnedAt, services);
		const { payout, invoiced, records } = await db.read({
			payout: first(selectDisbursements(db.orm).where(eq(disbursements.id, id))),
			invoiced: findAdvance(id),
			records: findLoaded(accountOfDisbursement(id), "HISTORY"),
		});
		const { advance, invoice } = invoiced;
		if (!payout) throw new ApiError("NOT_FOUND");
		const key = visibleKey(sent);
		if (payout.status === "RETURNED") {
			if (payout.returnTransaction !== key || payout.returnedAt !== returnedAt) throw new ApiError("DUPLICATE_CONFLICT");
			return toDisbursement(payout);
		}
		if (payout.status !== "SUCCEEDED") throw wrongState("The payout", payout.status, ["SUCCEEDED"]);
		if (payout.destination?.type === "CURRENT_ACCOUNT") throw invalidState(REVERSAL_REFUSALS.PAID_TO_CURRENT_ACCOUNT);
		if (returnedAt < (payout.occurredAt ?? payout.createdAt)) throw badInput("occurred_at", "is before it was paid out", "OUT_OF_RANGE");
		const returned = { returnTransaction: key, returnTransactionSent: sent, returnedAt, changedAt: services.now };
		const commit = (undone: readonly Write[], unique: CommitOptions["unique"] = []) =>
			services.commit([recordReturned(db.orm, id, returned), ...undone], toDisbursement({ ...payout, ...returned, status: "RETURNED" }), {
				unique: [...unique, [NAME_TAKEN, "DUPLICATE_CONFLICT"]],
				reserve: { names: [returnNamed(payout, sent)] },
			});
		if (advance && invoice) return commit(takeBackAdvance(services, { advance, invoice }, returnedAt));
		const loaded = loadedOf(records);
		const original = loaded && transactionOf(payout, loaded);
		if (!original) throw invalidState("Nothing was posted for it that could be undone");
		const nothing = { payer: undefined, payout: undefined, wasCredited: false, payment: undefined, back: undefined };
		const plan = await planReversal(services, { ...nothing, loaded, original }, { reason: "RETURNED", actor: caller.operatorId });
		if (!plan.accepted) throw invalidState(REVERSAL_REFUSALS[plan.reason]);
		return commit(plan.writes, plan.options.unique);
	},
});

/** What the payout posted: a draw or refund has its id; a loan is the first draw of the cycle of its application. */
function transactionOf({ id, kind }: DisbursementRow, { transactions, cycles }: Loaded) {
	if (kind !== "LOAN") return transactions.find((row) => row.id === id);
	const cycle = cycles.find(({ applicationId }) => applicationId === id);
	return transactions.find((row) => row.kind === "DRAW" && row.cycleId === cycle?.id && row.occurredAt === cycle.startedAt);
}
