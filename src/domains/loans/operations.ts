// Creates, lists, reads and cancels loan applications. A UNIQUE index allows one open offer for each user and product; a
// request that loses the race for it responds with the offer that won.

import { getTableColumns } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { actingFor } from "../../db/reach";
import { first, loose } from "../../db/reads";
import { held } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, badInput, wrongState } from "../../shared/errors";
import { localDate } from "../../shared/time";
import { findAccountOfProduct, insertAccount, newAccount } from "../credit-accounts/store";
import { type CreditAccountRow, creditAccounts } from "../credit-accounts/table";
import { availableFrom, type Session } from "../current-accounts/caution.policy";
import { findCaution } from "../current-accounts/caution.store";
import { Payout, toRequestedPlace } from "../disbursements/model/payout.wire";
import { limitRulesOf, rateFor } from "../loan-products/model/limits.policy";
import { capOfNewLoan, costFrom, type FrozenTerms, loanTerms } from "../loan-products/model/policy";
import { findProduct, productFor } from "../loan-products/model/store";
import type { LoanProductRow } from "../loan-products/model/table";
import { Amount } from "../loan-products/model/wire";
import { notifyUser } from "../messages/notices.plan";
import type { LendingReader } from "../users/model/callers";
import { orStaleIfJoined } from "../users/model/plan";
import { borrowerOf } from "./borrower.plan";
import { type BorrowerFacts, borrower } from "./model/borrower.store";
import {
	applicationIdOf,
	applicationPath,
	applicationReader,
	borrowerId,
	borrowerNamed,
	factsFor,
	homeOfApplication,
	homeOfBorrower,
	loanCaller,
	uuid,
} from "./model/callers";
import { cancel, isOpen, OFFER_VALIDITY_MS } from "./model/lifecycle";
import { expireOffer, raiseCancelled, raiseCreated } from "./model/plan";
import { applicationsOf, applicationsWith, findApplication, findOpenApplication, insertApplication, moveApplication } from "./model/store";
import { type LoanApplicationRow, loanApplications } from "./model/table";
import { AMOUNT_REASONS, amountFault, decideOffer, type Offer, refusedAmount } from "./model/terms.policy";
import { APPLICATION_STATUSES, LoanApplication, toLoanApplication } from "./model/wire";

/** A user's applications: ten an hour. */
const APPLICATION_LIMIT = { name: "loan-applications", quota: 10, windowSeconds: 3600 };

/** Without the reasons: the answer and the event have them. */
const REJECTED = { key: "LOAN_NOT_ACCEPTED", values: {} } as const;

export const createLoanApplication = operation({
	id: "createLoanApplication",
	method: "POST",
	path: "/v1/accounts/loan/applications/partner",
	summary: "Ask for a loan: eligibility and terms",
	access: held(loanCaller),
	home: ({ caller, body }) => homeOfBorrower(caller, body.user_id),
	limit: APPLICATION_LIMIT,
	request: {
		body: z.object({ loan_product_id: uuid.optional(), loan_amount: Amount.optional(), user_id: borrowerId, payout: Payout.optional() }),
	},
	response: LoanApplication,
	status: 201,
	otherStatuses: { 200: "The user's open offer of the product" },
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	reasons: AMOUNT_REASONS,
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const userId = borrowerNamed(caller, body.user_id);
		const productId = productFor(userId, body.loan_product_id);
		const session: Session = caller.kind === "user" ? caller : {};
		const { found, product, earlier, existing, ...cautions } = await db.read({
			// An offer binds nobody yet: accepting it decides again.
			found: loose(borrower(userId)),
			product: first(findProduct(db.orm, productId)),
			earlier: first(findOpenApplication(db.orm, userId, productId)),
			existing: first(findAccountOfProduct(db.orm, userId, productId)),
			...findCaution(db.orm, userId, session),
		});
		const facts = factsFor(caller, found?.facts);
		if (facts.status === "WAITING_LIST") throw new ApiError("WAITING_LIST");
		if (!product) throw new ApiError("NOT_FOUND", { description: "There is no such loan product" });
		if (body.loan_amount !== undefined && amountFault(body.loan_amount, product, product.amountStep)) {
			throw refusedAmount(body.loan_amount, product, product.amountStep, product.currency);
		}
		const payout = toRequestedPlace(body.payout);
		if (payout && !product.payoutDestinations.includes(payout.type)) {
			throw badInput("payout.type", "is no place that the product pays to", "NOT_ALLOWED");
		}
		const available = availableFrom(services, session, cautions);
		if (earlier && isOpen(earlier, now)) return new Reply({ ...toLoanApplication(earlier, now), ...available }, { status: 200 });

		const { offer, terms } = offerOf(withChosenTenure(product, existing), facts, now);
		const { organizationId, account, opening } = accountFor(services, { userId, facts, product, existing, terms });
		// A request for more than the maximum is offered the maximum.
		const loanAmount = Math.min(body.loan_amount ?? offer.range.maxLoanAmount, offer.range.maxLoanAmount);
		const application: LoanApplicationRow = {
			id: services.newId(),
			userId,
			organizationId,
			loanProductId: product.id,
			accountId: account.id,
			status: offer.status,
			currency: product.currency,
			minLoanAmount: offer.range.minLoanAmount,
			maxLoanAmount: offer.range.maxLoanAmount,
			loanAmount,
			terms,
			cost: loanAmount > 0 ? costFrom(terms, loanAmount, localDate(now, product.timeZone)) : null,
			rejectionReasons: offer.reasons,
			failureReason: null,
			payout,
			createdAt: now,
			expiresAt: now + OFFER_VALIDITY_MS,
			submittedAt: null,
			disbursedAt: null,
		};
		return services.commit(
			[
				...(earlier ? expireOffer(services, earlier) : []),
				...opening,
				...orStaleIfJoined(userId, facts.homeOrganizationId),
				insertApplication(application),
				...raiseCreated(services, application),
				...(application.status === "REJECTED" ? await notifyUser(services, userId, "ACCOUNT", REJECTED) : []),
			],
			{ ...toLoanApplication(application, now), ...(application.status === "APPROVED" && available) },
			{
				unique: [
					[[loanApplications.userId, loanApplications.loanProductId], "STALE"],
					[[creditAccounts.userId, creditAccounts.loanProductId], "STALE"],
					[[creditAccounts.accountNumber], "STALE"],
				],
			},
		);
	},
});

/** A borrower who chose the tenure of the next cycle gets the offer for it, by the rate schedule of their account. */
function withChosenTenure(product: LoanProductRow, account: CreditAccountRow | undefined): LoanProductRow {
	return account?.nextTenure ? { ...product, tenure: account.nextTenure, rateSchedule: account.rateSchedule } : product;
}

function offerOf(product: LoanProductRow, facts: BorrowerFacts, now: number): { offer: Offer; terms: FrozenTerms } {
	const standardInterestRate = rateFor(product.rateSchedule, product.tenure);
	if (!standardInterestRate) throw new Error("the product has no rate for its own tenure");
	const priced = { ...product, productType: product.loanProductType, interestRate: standardInterestRate };
	const offer = decideOffer(
		limitRulesOf(product),
		borrowerOf(facts, product, now),
		loanTerms(priced, localDate(now, product.timeZone)),
		product.deals,
		now,
	);
	const deal = offer.appliedDeal;
	return {
		offer,
		terms: {
			productType: product.loanProductType,
			tenure: product.tenure,
			installmentEvery: product.installmentEvery,
			interestRate: offer.interestRate,
			standardInterestRate,
			appliedDeal: deal && { id: deal.id, name: deal.name, shortMessage: deal.shortMessage },
			dayCount: product.dayCount,
			feeBasisPoints: product.feeBasisPoints,
			penaltyTerms: product.penaltyTerms,
			allocation: product.allocation,
			inDuplum: capOfNewLoan(product),
			timeZone: product.timeZone,
			autoRenews: product.autoRenews,
			amountStep: product.amountStep,
			...(product.accessFeeRecognition !== "AT_ONCE" && { accessFeeRecognition: product.accessFeeRecognition }),
			...(product.termsText && { termsText: product.termsText }),
		},
	};
}

type AccountRequest = {
	userId: string;
	facts: BorrowerFacts;
	product: LoanProductRow;
	existing: CreditAccountRow | undefined;
	terms: FrozenTerms;
};

/** The user's account for the product; their first application creates it. */
function accountFor(services: Services, { userId, facts, product, existing, terms }: AccountRequest) {
	const organizationId = facts.homeOrganizationId;
	if (existing) return { organizationId, account: existing, opening: [] };
	const account = newAccount(services, {
		userId,
		organizationId,
		loanProductId: product.id,
		currency: product.currency,
		terms,
		rateSchedule: product.rateSchedule,
		autoRenews: product.autoRenews,
	});
	return { organizationId, account, opening: [insertAccount(account)] };
}

export const listLoanApplications = operation({
	id: "listLoanApplications",
	method: "GET",
	path: "/v1/accounts/loan/applications",
	summary: "Loan applications, newest first",
	access: applicationReader,
	home: ({ caller, query }) => homeOfBorrower(caller, query.user_id ?? query.organization_id),
	request: {
		query: z.object({
			...paging,
			status: z.enum(APPLICATION_STATUSES).optional(),
			user_id: uuid.optional().meta({ description: "Applications of this borrower only. A user may name only themselves." }),
			organization_id: uuid.optional().meta({ description: "Applications of this organization's users only, for operators" }),
		}),
	},
	response: z.object({ data: z.array(LoanApplication), links: Links }),
	badInput: "BAD_REQUEST",
	async handle({ query, caller }, services) {
		const { now } = services;
		const { status } = query;
		const userId = caller.kind === "user" ? borrowerNamed(caller, query.user_id) : query.user_id;
		const own = actingFor(caller);
		const organizationIds = [...(own === undefined ? [] : [own]), ...(query.organization_id ? [query.organization_id] : [])];
		const page = await readPage(services, query, {
			list: "loan-applications",
			owner: ownerOf(caller),
			filters: { status, user_id: query.user_id, organization_id: query.organization_id },
			everywhere: userId === undefined && organizationIds.length === 0,
			select: (orm) => orm.select(getTableColumns(loanApplications)).from(applicationsWith(status, now)).$dynamic(),
			key: byCreation(loanApplications),
			where: applicationsOf(userId, organizationIds),
		});
		return listReply(services, page, (row) => toLoanApplication(row, now));
	},
});

const ownerOf = (caller: LendingReader): string =>
	caller.kind === "user" ? `user:${caller.userId}` : "organizationId" in caller ? `organization:${caller.organizationId}` : "operators";

export const getLoanApplication = operation({
	id: "getLoanApplication",
	method: "GET",
	path: "/v1/accounts/loan/applications/{application_id}",
	summary: "One loan application",
	access: applicationReader,
	home: ({ path }) => homeOfApplication(path.application_id),
	request: { path: applicationPath },
	response: LoanApplication,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const session: Session & { userId?: string } = caller.kind === "user" ? caller : {};
		const { application, ...cautions } = await db.read({
			application: first(findApplication(applicationIdOf(path.application_id), caller)),
			...findCaution(db.orm, session.userId ?? "", session),
		});
		if (!application) throw new ApiError("NOT_FOUND");
		return { ...toLoanApplication(application, now), ...(isOpen(application, now) && availableFrom(services, session, cautions)) };
	},
});

export const cancelLoanApplication = operation({
	id: "cancelLoanApplication",
	method: "POST",
	path: "/v1/accounts/loan/applications/{application_id}/cancel",
	summary: "Withdraw an application that is still open",
	access: held(loanCaller),
	home: ({ path }) => homeOfApplication(path.application_id),
	request: { path: applicationPath },
	response: LoanApplication,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "APPLICATION_EXPIRED"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const application = await db.read(first(findApplication(applicationIdOf(path.application_id), caller)));
		if (!application) throw new ApiError("NOT_FOUND");
		const verdict = cancel(application, now);
		if (!verdict.accepted) {
			throw verdict.reason === "INVALID_STATE"
				? wrongState("The application", application.status, ["PENDING", "APPROVED"])
				: new ApiError(verdict.reason);
		}
		const cancelled: LoanApplicationRow = { ...application, status: verdict.status };
		return services.commit(
			[moveApplication(application, ["cancel"]), raiseCancelled(services, cancelled)],
			toLoanApplication(cancelled, now),
		);
	},
});
