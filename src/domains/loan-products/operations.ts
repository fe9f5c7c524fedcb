// The products that a borrower is offered, with quotes, and credit profiles, which operators manage.

import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../db/keyset";
import { actingFor } from "../../db/reach";
import { first } from "../../db/reads";
import { alone, held, operator } from "../../http/callers/access";
import { homeOfCaller, operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { ApiError, badInput, InvalidInput } from "../../shared/errors";
import { has, lacks, when } from "../../shared/schema-rules";
import { localDate } from "../../shared/time";
import { availableFrom, type Session } from "../current-accounts/caution.policy";
import { findCaution } from "../current-accounts/caution.store";
import { costOf } from "../loan-terms/cost.policy";
import { applicationReader, type LoanCaller, loanCaller, uuid } from "../loans/model/callers";
import { AMOUNT_REASONS, amountFault, refusedAmount } from "../loans/model/terms.policy";
import { findUser } from "../users/model/store";
import { planLimitChange } from "./limit.plan";
import { findLimited } from "./limit.store";
import { chooseDeal, rateFor, reducedRate } from "./model/limits.policy";
import { loanTerms, productState, scheduleOf } from "./model/policy";
import { Quote } from "./model/quote.wire";
import { homeOrganizationOf, offeredProducts, servesOrganization } from "./model/store";
import { loanProducts, termsTexts } from "./model/table";
import {
	Amount,
	LoanProduct,
	LoanProductInput,
	LoanTermsText,
	Tenure,
	toCharges,
	toInterestRate,
	toLoanProduct,
	toLoanTermsText,
	toPenaltyTerms,
	toTenure,
	toTermsTextMembers,
} from "./model/wire";
import { faultsOf, isSchedulable, productOf } from "./product.plan";

export const listOfferedProducts = operation({
	id: "listOfferedProducts",
	method: "GET",
	path: "/v1/loan/products",
	summary: "The loan products that the caller may quote and apply for, newest first",
	access: loanCaller,
	home: ({ caller }) => homeOfCaller(caller),
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(LoanProduct), links: Links }),
	async handle({ caller, query }, services) {
		const page = await readPage(services, query, {
			list: "offered-products",
			owner: caller.kind === "user" ? caller.userId : caller.kind === "key" ? caller.organizationId : "operators",
			filters: {},
			everywhere: caller.kind === "operator",
			select: (orm) =>
				orm
					.select(getTableColumns(loanProducts))
					.from(offeredProducts(organizationOf(caller)))
					.$dynamic(),
			key: byCreation(loanProducts),
		});
		return listReply(services, page, toLoanProduct);
	},
});

/** Users and API keys see the products of their organization and those for all, operators every product. */
const organizationOf = (caller: LoanCaller): string | SQL | undefined =>
	caller.kind === "user" ? homeOrganizationOf(caller.userId) : caller.kind === "key" ? caller.organizationId : undefined;

export const putCreditProfile = operation({
	id: "putCreditProfile",
	method: "PUT",
	path: "/v1/platform/users/{userId}/credit-profile",
	summary: "Override a user's computed credit limit",
	access: held(operator),
	home: ({ path }) => path.userId,
	request: {
		path: z.object({ userId: z.uuid().toLowerCase() }),
		body: z.strictObject({ limit: z.int().min(0).nullable().meta({ description: "null restores the computed limit" }) }),
	},
	response: z.object({ limit: z.int().nullable() }),
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body }, services) {
		const { db } = services;
		const { known, limited } = await db.read({ known: first(findUser(db.orm, path.userId)), limited: findLimited(db.orm, path.userId) });
		if (!known) throw new ApiError("NOT_FOUND");
		const { limit } = body;
		return services.commit(await planLimitChange(services, known, limited, limit), { limit });
	},
});

/** The product that these terms would make. */
function asProduct(terms: z.output<typeof LoanProductInput>, named: string | undefined, services: Services) {
	if (named !== undefined) throw badInput("loan_product_id", "cannot be sent with terms", "NOT_ALLOWED");
	const product = productOf(terms, services);
	const faults = faultsOf(product, services.now);
	if (faults.length > 0) throw new InvalidInput(faults.map((fault) => ({ ...fault, path: `terms.${fault.path}` })));
	return product;
}

export const quoteLoan = operation({
	id: "quoteLoan",
	method: "POST",
	path: "/v1/accounts/loan/quotes",
	summary: "Quote the cost and installments of a loan; nothing is stored",
	description: "Of a product, or of the terms that one is to have.",
	access: alone(loanCaller),
	whileSuspended: true,
	home: ({ caller, body }) => homeOfCaller(caller) ?? body.loan_product_id,
	request: {
		body: z
			.object({
				loan_product_id: z.uuid().toLowerCase().optional(),
				terms: LoanProductInput.optional().meta({ description: "Instead of loan_product_id" }),
				loan_amount: Amount,
				tenure: Tenure.optional(),
				start_date: z.iso.date().optional().meta({ description: "Defaults to today in the product's time zone" }),
			})
			.meta(when(has("terms"), lacks("loan_product_id"), has("loan_product_id"))),
	},
	response: Quote,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: AMOUNT_REASONS,
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const session: Session & { userId?: string } = caller.kind === "user" ? caller : {};
		const { found, ...cautions } = await db.read({
			found: first(
				db.orm
					.select()
					.from(loanProducts)
					.where(and(eq(loanProducts.id, body.loan_product_id ?? ""), servesOrganization(organizationOf(caller)))),
			),
			...findCaution(db.orm, session.userId ?? "", session),
		});
		const product = body.terms ? asProduct(body.terms, body.loan_product_id, services) : found;
		if (!body.terms && body.loan_product_id === undefined) throw badInput("loan_product_id", "is required", "REQUIRED");
		if (!product) throw new ApiError("NOT_FOUND", { description: "There is no such loan product" });
		const state = productState(product);
		if (state !== "ACTIVE") throw new ApiError("INVALID_STATE", { description: `The product is ${state}` });
		const range = { minLoanAmount: product.minLoanAmount, maxLoanAmount: product.maxLoanAmount };
		if (amountFault(body.loan_amount, range, product.amountStep)) {
			throw refusedAmount(body.loan_amount, range, product.amountStep, product.currency);
		}
		const tenure = body.tenure ?? product.tenure;
		const standardRate = rateFor(product.rateSchedule, tenure);
		if (!standardRate) throw badInput("tenure", "is not offered", "TENURE_NOT_OFFERED");
		const startDate = body.start_date ?? localDate(now, product.timeZone);
		const terms = { ...product, productType: product.loanProductType, tenure, interestRate: standardRate };
		if (!isSchedulable(loanTerms(terms, startDate))) throw badInput("tenure", "results in more than 1,200 installments", "OUT_OF_RANGE");
		const deal = chooseDeal(product.deals, { ...loanTerms(terms, startDate), principal: body.loan_amount }, now);
		const interestRate = deal ? reducedRate(standardRate, deal) : standardRate;
		const schedule = scheduleOf({ ...terms, interestRate }, body.loan_amount, startDate);
		if (!schedule) throw badInput("loan_amount", "results in totals beyond 2^53-1", "OUT_OF_RANGE");
		const cost = costOf(schedule, startDate);
		return {
			loan_amount: body.loan_amount,
			currency: product.currency,
			tenure: toTenure(tenure),
			interest_rate: toInterestRate(interestRate),
			installments: schedule.installments.map(({ position, dueDate, principal, interest, total }) => ({
				position,
				due_date: dueDate,
				principal,
				interest,
				total,
			})),
			fee: cost.fee,
			total_interest: schedule.totalInterest,
			total_cost: cost.total,
			total_due: schedule.totalDue,
			charges: toCharges(cost),
			penalty_terms: toPenaltyTerms(product.penaltyTerms),
			apr_basis_points: cost.aprBasisPoints,
			...toTermsTextMembers(product.termsText),
			...availableFrom(services, session, cautions),
		};
	},
});

const VersionInQuery = z
	.string()
	.regex(/^[1-9][0-9]{0,8}$/, "must be a version, from 1 on")
	.transform(Number);

export const getLoanTermsText = operation({
	id: "getLoanTermsText",
	method: "GET",
	path: "/v1/loan/products/{id}/terms",
	summary: "The text of a loan product's terms: that of its offers now, or the version that an offer or a loan names",
	access: applicationReader,
	home: ({ path, caller }) => homeOfCaller(caller) ?? path.id,
	request: { path: z.object({ id: uuid }), query: z.object({ version: VersionInQuery.optional() }) },
	response: LoanTermsText,
	errors: ["NOT_FOUND"],
	async handle({ path, query: { version }, caller }, { db }) {
		const organization = caller.kind === "user" ? homeOrganizationOf(caller.userId) : actingFor(caller);
		const found = await db.read(
			first(
				db.orm
					.select({ text: termsTexts })
					.from(termsTexts)
					.innerJoin(loanProducts, eq(loanProducts.id, termsTexts.loanProductId))
					.where(
						and(
							eq(termsTexts.loanProductId, path.id),
							eq(termsTexts.version, version ?? sql`${loanProducts.termsText} ->> '$.version'`),
							servesOrganization(organization),
						),
					)
					.limit(1),
			),
		);
		if (!found) throw new ApiError("NOT_FOUND");
		return toLoanTermsText(found.text);
	},
});
