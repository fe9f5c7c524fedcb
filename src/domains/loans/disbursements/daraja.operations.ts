// What Daraja tells of payouts: the result of each, and what a query about it found. It signs nothing: the code in the path shows that it
// is asked for, and about what. It is always answered that its result is accepted, unless the result could not be stored.

import * as z from "zod";
import { atCodedAddress, codedPath, noSuchAddress } from "../../../http/callers/coded-address";
import { operation } from "../../../http/operation";
import { type DarajaResult, endBy, endFound, type PaymentEnd, pauseAfter, resultIn } from "../../../providers/daraja/answers";
import { isCodeOf, QUESTIONS } from "../../../providers/daraja/callback-address";
import type { Reported } from "../../../runtime/ports";
import type { HandlerServices, Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { askSoon } from "../../disbursements/store";
import type { DisbursementRow } from "../../disbursements/table";
import { ACCEPTED, Accepted } from "../../payment-connections/daraja.wire";
import { pause } from "../../payment-connections/plan";
import { commitResult } from "../../transfers/transaction.procedure";
import { findEnding, reportOf } from "./procedure";

export const reportDarajaResult = operation({
	id: "reportDarajaResult",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/results/{question}/{id}/{code}",
	summary: "Report the result of a payout, or of a query about it: Daraja, at the address that it was given",
	description:
		"The code is good for one question about one payout. A result that contradicts an earlier one is accepted and changes nothing; one that does not tell makes the service ask.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath.extend({ question: z.enum(QUESTIONS) }),
		body: z
			.looseObject({})
			.meta({ id: "DarajaResult", examples: [{ Result: { ResultType: 0, ResultCode: 0, TransactionID: "SG632NMUAB" } }] }),
	},
	response: Accepted,
	async handle({ path: { question, id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, question, id, code))) throw noSuchAddress();
		const result = resultIn(body);
		const found = await findEnding(services, id);
		if (!found) throw new ApiError("NOT_FOUND");
		const { disbursement } = found;
		const end = endOf(question, result, disbursement.amount);
		if (disbursement.status === "SUCCEEDED" || disbursement.status === "FAILED") {
			if (contradicts(disbursement, end)) {
				services.log.error("a result of a payout contradicts an earlier one", undefined, { disbursement_id: id, status: end.status });
			}
			return ACCEPTED;
		}
		const paused = pauseBy(services, disbursement, result);
		if (end.status === "ASK") {
			if (result?.code === "0" && !result.isPartial) {
				services.log.error("a result of a payout does not say what was paid", undefined, { disbursement_id: id });
			}
			// What a query did not find is asked again in its time.
			const again = question === "payout" ? [askSoon(services.db.orm, id, services.now)] : [];
			return services.commit([...paused, ...again], ACCEPTED);
		}
		return endPayout(services, { id, end, paused }, await found.end(reportOf(services, end)));
	},
});

/** Ends the payout, unless its receipt is that of another one: then nothing is known of it. */
async function endPayout(
	services: HandlerServices,
	{ id, end, paused }: { id: string; end: Reported; paused: ReturnType<typeof pause> },
	writes: ReturnType<typeof pause>,
) {
	try {
		return await commitResult(
			services,
			{ id, transaction: end.status === "SUCCEEDED" ? end.transaction : null },
			[...writes, ...paused],
			ACCEPTED,
		);
	} catch (error) {
		if (!(error instanceof ApiError && error.code === "DUPLICATE_CONFLICT")) throw error;
		services.log.error("a receipt of a payout is that of another one", undefined, { disbursement_id: id });
		return ACCEPTED;
	}
}

function endOf(question: (typeof QUESTIONS)[number], result: DarajaResult | undefined, amount: number): PaymentEnd {
	if (!result) return { status: "ASK" };
	return question === "payout" ? endBy(result, amount) : endFound(result, amount);
}

/** Results are equal if outcome and receipt are; one that does not tell contradicts nothing. */
const contradicts = (known: DisbursementRow, end: PaymentEnd): boolean =>
	end.status !== "ASK" &&
	(known.status !== end.status || (end.status === "SUCCEEDED" && known.mobileMoneyTransactionId !== end.transaction));

function pauseBy(services: Services, { organizationId, provider }: DisbursementRow, result: DarajaResult | undefined) {
	const reason = result && pauseAfter(result);
	return reason && organizationId !== null && provider === "daraja" ? pause(services, { organizationId, provider }, reason) : [];
}
