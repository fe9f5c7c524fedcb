// Loan products and credit profiles, which operators manage, and loan quotes.

import { and, eq, getTableColumns, type SQL } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../../db/keyset";
import { alone, held, operator } from "../../../http/callers/access";
import { homeOfCaller, operation } from "../../../http/operation";
import { Links, listReply, paging, readPage } from "../../../http/paging";
import { owe } from "../../../runtime/home-messages";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput, InvalidInput, type InvalidParam } from "../../../shared/errors";
import { localDate } from "../../../shared/time";
import { chooseDeal, rateFor, reducedRate } from "../../loan-products/limits.policy";
import { loanTerms, scheduleOf } from "../../loan-products/policy";
import { homeOrganizationOf, offeredProducts, productCopy, servesOrganization } from "../../loan-products/store";
import { type LoanProductRow, loanProducts } from "../../loan-products/table";
import {
	Amount,
	fromInterestRate,
	fromPenaltyTerms,
	LoanProduct,
	NewLoanProduct,
	Tenure,
	toInterestRate,
	toLoanProduct,
	toTenure,
} from "../../loan-products/wire";
import { type LoanTerms, scheduleFor } from "../../loan-terms/schedule.policy";
import { organizations } from "../../organizations/table";
import { findUser } from "../../users/store";
import { type LoanCaller, loanCaller, uuid } from "../applications/callers";
import { amountFault } from "../applications/terms.policy";
import { planLimitChange } from "./limit.plan";
import { findLimited } from "./limit.store";
import { Quote } from "./wire";

export const createLoanProduct = operation({
	id: "createLoanProduct",
	method: "POST",
	path: "/v1/platform/loan-products",
	summary: "Create a loan product",
	access: held(operator),
	home: ({ body }) => body.organization_id ?? undefined,
	request: { body: NewLoanProduct },
	response: LoanProduct,
	status: 201,
	errors: ["NOT_FOUND"],
	async handle({ body }, services) {
		const { db } = services;
		const row = productOf(body, services);
		const faults = faultsOf(row, services.now);
		if (faults.length > 0) throw new InvalidInput(faults);
		if (row.organizationId !== null) {
			const [[organization]] = await db.read(
				db.orm.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, row.organizationId)),
			);
			if (!organization) throw new ApiError("NOT_FOUND", { description: "There is no such organization" });
		}
		const owed = owe(services, productCopy, row.organizationId ?? "everywhere", row);
		const answer = await services.commit(owed.writes, toLoanProduct(row));
		await owed.carry(services);
		return answer;
	},
});

function productOf(body: z.output<typeof NewLoanProduct>, { newId, now }: Services): LoanProductRow {
	return {
		id: newId(),
		organizationId: body.organization_id,
		name: body.name,
		loanProductType: body.loan_product_type,
		currency: body.currency,
		timeZone: body.time_zone,
		dayCount: body.day_count,
		autoRenews: body.auto_renews,
		minLoanAmount: body.min_loan_amount,
		maxLoanAmount: body.max_loan_amount,
		amountStep: body.amount_step,
		baseLimit: body.base_limit,
		growthBasisPoints: body.growth_basis_points,
		tenure: body.tenure,
		installmentEvery: body.installment_every,
		rateSchedule: body.rate_schedule.map((band) => ({
			minDays: band.min_days,
			maxDays: band.max_days,
			interestRate: fromInterestRate(band.interest_rate),
		})),
		feeBasisPoints: body.fee_basis_points,
		penaltyTerms: fromPenaltyTerms(body.penalty_terms),
		allocation: body.allocation,
		inDuplum: { sinceDefault: body.in_duplum.since_default },
		deals: body.deals.map((deal) => ({
			id: newId(),
			name: deal.name,
			shortMessage: deal.short_message,
			rateReductionBasisPoints: deal.rate_reduction_basis_points,
			validFrom: Date.parse(deal.valid_from),
			validUntil: Date.parse(deal.valid_until),
		})),
		createdAt: now,
		retiredAt: null,
	};
}

/** Faults between the members of a product, each of which is valid on its own. */
function faultsOf(product: LoanProductRow, now: number): InvalidParam[] {
	const faults: InvalidParam[] = [];
	if (product.minLoanAmount > product.maxLoanAmount) {
		faults.push({ path: "max_loan_amount", reason: "is below min_loan_amount", sub_code: "OUT_OF_RANGE" });
	}
	const bands = product.rateSchedule.map((band, index) => ({ ...band, index }));
	for (const { minDays, maxDays, index } of bands) {
		if (minDays > maxDays) faults.push({ path: `rate_schedule[${index}].max_days`, reason: "is below min_days", sub_code: "OUT_OF_RANGE" });
		const earlier = bands.slice(0, index).find((other) => minDays <= other.maxDays && other.minDays <= maxDays);
		if (earlier)
			faults.push({ path: `rate_schedule[${index}]`, reason: `overlaps rate_schedule[${earlier.index}]`, sub_code: "DUPLICATE" });
	}
	for (const [index, { validFrom, validUntil }] of product.deals.entries()) {
		if (validFrom >= validUntil)
			faults.push({ path: `deals[${index}].valid_until`, reason: "is not after valid_from", sub_code: "OUT_OF_RANGE" });
	}
	const interestRate = rateFor(product.rateSchedule, product.tenure);
	if (!interestRate) faults.push({ path: "tenure", reason: "has no rate in rate_schedule", sub_code: "TENURE_NOT_OFFERED" });
	else if (
		!isSchedulable(loanTerms({ ...product, productType: product.loanProductType, interestRate }, localDate(now, product.timeZone)))
	) {
		faults.push({ path: "installment_every", reason: "divides the tenure into more than 1,200 installments", sub_code: "OUT_OF_RANGE" });
	}
	return faults;
}

function isSchedulable(terms: Omit<LoanTerms, "principal">): boolean {
	try {
		return scheduleFor({ ...terms, principal: 1 }).installments.length > 0;
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
}

export const listLoanProducts = operation({
	id: "listLoanProducts",
	method: "GET",
	path: "/v1/platform/loan-products",
	summary: "Loan products, newest first",
	access: operator,
	home: ({ query }) => query.organization_id,
	request: {
		query: z.object({ ...paging, organization_id: uuid.optional().meta({ description: "Products of this organization only" }) }),
	},
	response: z.object({ data: z.array(LoanProduct), links: Links }),
	async handle({ query }, services) {
		const page = await readPage(services, query, {
			list: "loan-products",
			owner: "operators",
			filters: { organization_id: query.organization_id },
			everywhere: query.organization_id === undefined,
			select: rowsOf(loanProducts),
			key: byCreation(loanProducts),
			where: query.organization_id === undefined ? undefined : eq(loanProducts.organizationId, query.organization_id),
		});
		return listReply(services, page, toLoanProduct);
	},
});

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
		const [[known], profiles, accounts, products] = await db.read(findUser(db.orm, path.userId), ...findLimited(db.orm, path.userId));
		if (!known) throw new ApiError("NOT_FOUND");
		const { limit } = body;
		return services.commit(await planLimitChange(services, known, { profiles, accounts, products }, limit), { limit });
	},
});

export const quoteLoan = operation({
	id: "quoteLoan",
	method: "POST",
	path: "/v1/accounts/loan/quotes",
	summary: "Quote the cost and installments of a loan; nothing is stored",
	access: alone(loanCaller),
	home: ({ caller, body }) => homeOfCaller(caller) ?? body.loan_product_id,
	request: {
		body: z.object({
			loan_product_id: z.uuid().toLowerCase(),
			loan_amount: Amount,
			tenure: Tenure.optional(),
			start_date: z.iso.date().optional().meta({ description: "Defaults to today in the product's time zone" }),
		}),
	},
	response: Quote,
	errors: ["NOT_FOUND"],
	async handle({ body, caller }, { db, now }) {
		const [[product]] = await db.read(
			db.orm
				.select()
				.from(loanProducts)
				.where(and(eq(loanProducts.id, body.loan_product_id), servesOrganization(organizationOf(caller)))),
		);
		if (!product) throw new ApiError("NOT_FOUND", { description: "There is no such loan product" });
		const range = { minLoanAmount: product.minLoanAmount, maxLoanAmount: product.maxLoanAmount };
		if (amountFault(body.loan_amount, range, product.amountStep)) {
			throw badInput("loan_amount", "is not an amount that the product offers", "OUT_OF_RANGE");
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
			total_interest: schedule.totalInterest,
			total_due: schedule.totalDue,
		};
	},
});
