// Accepting an offer. The commit succeeds only if the borrower's facts are still as they were read, so that concurrent offers cannot exceed
// the limit together. The embedded disburser pays in the same commit, in which the current account also receives a loan that is paid into it.

import * as z from "zod";
import { first } from "../../db/reads";
import { spendByKey } from "../../http/amount-windows";
import { held } from "../../http/callers/access";
import { blocked } from "../../http/callers/missing-credentials";
import { operation } from "../../http/operation";
import { ApiError, badInput, invalidState, wrongState } from "../../shared/errors";
import { loadedOf } from "../credit-accounts/ledger.store";
import { refuseWhileRecovering, type Session } from "../current-accounts/caution.policy";
import { findLastRecovery, findOlderAccount } from "../current-accounts/caution.store";
import { Payout, toRequestedPlace } from "../disbursements/model/payout.wire";
import { payBorrower } from "../disbursements/payout.procedure";
import { findPlaces } from "../disbursements/payout.store";
import { limitRulesOf } from "../loan-products/model/limits.policy";
import { costFrom, type TermsText } from "../loan-products/model/policy";
import { AcceptedTerms, Amount } from "../loan-products/model/wire";
import { borrowerOf } from "./borrower.plan";
import { refuseNewSession } from "./caution.procedure";
import { borrower } from "./model/borrower.store";
import { applicationIdOf, applicationPath, borrowerId, borrowerNamed, factsFor, homeOfApplication, loanCaller } from "./model/callers";
import { apply } from "./model/lifecycle";
import { payOut, payoutDate, raiseSubmitted } from "./model/plan";
import { findApplication, findRecordsOf, moveApplication, offeredProduct, requestedPayeeAccount } from "./model/store";
import type { LoanApplicationRow } from "./model/table";
import { AMOUNT_REASONS, objectionsTo, refusedAmount } from "./model/terms.policy";
import { LoanApplication, toLoanApplication } from "./model/wire";

export const applyForLoan = operation({
	id: "applyForLoan",
	method: "POST",
	path: "/v1/accounts/loan/applications/partner/{application_id}/apply",
	summary: "Accept the offer of an application, for a chosen amount",
	access: held(loanCaller),
	home: ({ path }) => homeOfApplication(path.application_id),
	request: {
		path: applicationPath,
		body: z.object({
			loan_amount: Amount,
			user_id: borrowerId,
			payout: Payout.optional(),
			accepted_terms: AcceptedTerms.optional().meta({ description: "Required where the offer has terms_version" }),
		}),
	},
	response: LoanApplication,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "APPLICATION_EXPIRED"],
	reasons: ["CAUTION", "OFFER_CHANGED", "TERMS_NOT_ACCEPTED", "USER_BLOCKED", ...AMOUNT_REASONS],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const userId = borrowerNamed(caller, body.user_id);
		const id = applicationIdOf(path.application_id);
		const session: Session = caller.kind === "user" ? caller : {};
		const sent = toRequestedPlace(body.payout);
		const { found, application, product, places, older, recovery, records } = await db.read({
			found: borrower(userId),
			application: first(findApplication(id, { kind: "user", userId, sessionId: null })),
			product: offeredProduct(id, userId),
			places: findPlaces(db.orm, userId, sent?.payeeAccountId ?? requestedPayeeAccount(id), now),
			older: first(findOlderAccount(db.orm, userId, session.signedInAt)),
			recovery: first(findLastRecovery(userId)),
			records: findRecordsOf(id, userId),
		});
		const loaded = loadedOf(records);
		const facts = factsFor(caller, found?.facts);
		if (facts.status === "WAITING_LIST") throw new ApiError("WAITING_LIST");
		if (!application || !product || !loaded) throw new ApiError("NOT_FOUND");
		refuseWhileRecovering(services, recovery);
		if (older?.found) await refuseNewSession(services, session, places.borrower?.mobileNumber ?? null);

		const range = { minLoanAmount: application.minLoanAmount, maxLoanAmount: application.maxLoanAmount };
		const verdict = apply({ ...application, range, amountStep: application.terms.amountStep }, body.loan_amount, now);
		if (!verdict.accepted) throw refusalOf(verdict.reason, body.loan_amount, application);
		refuseOtherTerms(application.terms.termsText, body.accepted_terms);
		const [objection] = objectionsTo(verdict.loanAmount, limitRulesOf(product), borrowerOf(facts, product, now), now);
		if (objection === "USER_BLOCKED") throw blocked();
		if (objection) throw invalidState(`The offer is no longer valid: ${objection}`, { reason: "OFFER_CHANGED" });
		const cost = costFrom(application.terms, verdict.loanAmount, payoutDate(loaded, now, application.terms.timeZone));
		if (!cost) throw badInput("loan_amount", "results in totals beyond 2^53-1", "OUT_OF_RANGE");

		const { writes: spent, overQuota } = spendByKey(services, caller, verdict.loanAmount);
		const payment = await payBorrower(services, places, {
			...{ id, kind: "LOAN", account: loaded.account, amount: verdict.loanAmount },
			...{ sent, requested: application.payout, allowed: product.payoutDestinations, member: "loan_amount" },
		});
		const submitted: LoanApplicationRow = { ...application, status: "SUBMITTED", loanAmount: verdict.loanAmount, cost, submittedAt: now };
		const moved: LoanApplicationRow = payment.paid ? { ...submitted, status: "DISBURSED", disbursedAt: now } : submitted;
		return services.commit(
			[
				...spent,
				moveApplication(application, payment.paid ? ["submit", "disburse"] : ["submit"], moved),
				raiseSubmitted(services, submitted),
				...payment.writes,
				...(payment.paid ? payOut(services, moved, { loaded, at: now, ...payment.paid }) : []),
			],
			toLoanApplication(moved, now),
			{ overQuota },
		);
	},
});

/** Unless the text that was agreed to is that of the offer. */
function refuseOtherTerms(offered: TermsText | undefined, accepted: z.output<typeof AcceptedTerms> | undefined): void {
	if (offered?.version === accepted?.version && offered?.sha256 === accepted?.sha256) return;
	const wanted = offered
		? `version ${offered.version} of its terms, with their SHA-256, in accepted_terms`
		: "no accepted_terms: it has none";
	throw invalidState(`The offer is accepted with ${wanted}`, { reason: "TERMS_NOT_ACCEPTED" });
}

type RefusalReason = Exclude<ReturnType<typeof apply>, { accepted: true }>["reason"];

function refusalOf(reason: RefusalReason, amount: number, application: LoanApplicationRow): Error {
	switch (reason) {
		case "INVALID_STATE":
			return wrongState("The application", application.status, ["APPROVED"]);
		case "APPLICATION_EXPIRED":
			return new ApiError(reason);
		case "AMOUNT_OUT_OF_RANGE":
		case "AMOUNT_NOT_A_STEP":
			return refusedAmount(amount, application, application.terms.amountStep, application.currency);
	}
}
