// Finds loan applications, and moves one from a status to the next.

import { and, eq, getTableColumns, gt, lte, type SQL, Subquery, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Effect, Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { indexedBy } from "../../../db/indexed-by";
import { ALWAYS, hole, insertOf, prebuilt } from "../../../db/prebuilt";
import { fact } from "../../../db/reads";
import { findLoaded } from "../../credit-accounts/ledger.store";
import { isOffered } from "../../loan-products/model/store";
import { loanProducts } from "../../loan-products/model/table";
import type { ApplicationReader } from "./callers";
import { type ApplicationMove, type ApplicationStatus, OFFER_VALIDITY_MS, statusAfter } from "./lifecycle";
import { type LoanApplicationRow, loanApplications, OPEN_OFFER } from "./table";

const loanApplication = alias(loanApplications, "loan_application");

const { placeholder } = sql;
const applicationWhere = (condition: () => SQL | undefined) =>
	prebuilt((orm) =>
		orm
			.select()
			.from(loanApplications)
			.where(and(eq(loanApplications.id, placeholder("id")), condition())),
	);
const anyApplication = applicationWhere(() => undefined);
const applicationOfUser = applicationWhere(() => eq(loanApplications.userId, placeholder("userId")));
const applicationOfOrganization = applicationWhere(() => eq(loanApplications.organizationId, placeholder("organizationId")));

/** Users see their own applications, keys and members their organization's; operators and the disburser that signs its reports see all. */
export function findApplication(id: string, caller: ApplicationReader) {
	if (caller.kind === "user") return applicationOfUser({ id, userId: caller.userId });
	if ("organizationId" in caller) return applicationOfOrganization({ id, organizationId: caller.organizationId });
	return anyApplication({ id });
}

export const insertApplication = insertOf(loanApplications);

export const findOpenApplication = (orm: Orm, userId: string, productId: SQL) =>
	orm
		.select()
		.from(loanApplications)
		.where(and(eq(loanApplications.userId, userId), eq(loanApplications.loanProductId, productId), OPEN_OFFER));

/** The payee's account that the application names for the payout; null for none. */
export const requestedPayeeAccount = (id: string) =>
	sql`(select ${loanApplication.payout} ->> 'payeeAccountId' from ${loanApplications} ${loanApplication} where ${loanApplication.id} = ${id})`;

const accountOf = (applicationId: string, userId: string) =>
	sql`(select ${loanApplication.accountId} from ${loanApplications} ${loanApplication} where ${loanApplication.id} = ${applicationId} and ${loanApplication.userId} = ${userId})`;

/** The records of the account of the user's application. */
export const findRecordsOf = (applicationId: string, userId: string) => findLoaded(accountOf(applicationId, userId));

const productOf = prebuilt((orm) =>
	orm
		.select()
		.from(loanProducts)
		.where(
			eq(
				loanProducts.id,
				sql`(select ${loanApplication.loanProductId} from ${loanApplications} ${loanApplication} where ${loanApplication.id} = ${placeholder("applicationId")} and ${loanApplication.userId} = ${placeholder("userId")})`,
			),
		),
);
/** The product of the user's application, on which credit may still be offered. */
export const offeredProduct = (applicationId: string, userId: string) =>
	fact(productOf({ applicationId, userId }), { unchanged: ({ id }) => isOffered(id) });

const OPEN_STATES = ["PENDING", "APPROVED"] as const;

/**
 * What a list selects from: all applications, or those that have the status at that instant as `statusAt` reads it. An open offer
 * past its expiry counts as EXPIRED, so these are the rows of several statuses, which SQLite merges in the order of the list. The
 * conditions on `created_at` follow from those on `expires_at`, and let the indexes leave out what does not match.
 */
export function applicationsWith(status: ApplicationStatus | undefined, now: number): Subquery {
	const { createdAt, expiresAt } = loanApplications;
	const stored = (state: ApplicationStatus) => eq(loanApplications.status, state);
	const lastExpired = now - OFFER_VALIDITY_MS;
	const branches = (): (SQL | undefined)[] => {
		if (status === undefined) return [undefined];
		if (status === "EXPIRED")
			return [stored(status), ...OPEN_STATES.map((open) => and(stored(open), lte(expiresAt, now), lte(createdAt, lastExpired)))];
		return OPEN_STATES.some((open) => open === status)
			? [and(stored(status), gt(expiresAt, now), gt(createdAt, lastExpired))]
			: [stored(status)];
	};
	const selects = branches().map((where) => sql`select * from ${loanApplications}${where && sql` where ${where}`}`);
	return new Subquery(sql.join(selects, sql` union all `), {}, "loan_applications");
}

/**
 * The applications of the user, and of each of the organizations. The first of them all chooses the index; the plus sign keeps SQLite
 * from taking that of another, whose order may hold many rows of other users.
 */
export function applicationsOf(userId: string | undefined, organizationIds: readonly string[]): SQL | undefined {
	const owners = [
		...(userId === undefined ? [] : [{ column: loanApplications.userId, id: userId }]),
		...organizationIds.map((id) => ({ column: loanApplications.organizationId, id })),
	];
	return and(...owners.map(({ column, id }, index) => (index === 0 ? eq(column, id) : sql`+${column} = ${id}`)));
}

export const findOverdueOffers = (orm: Orm, now: number, limit: number) =>
	orm
		.select(getTableColumns(loanApplications))
		// Otherwise SQLite takes an index that goes by status, and sorts.
		.from(indexedBy(loanApplications, "loan_applications_expiry"))
		.where(and(OPEN_OFFER, lte(loanApplications.expiresAt, now)))
		.orderBy(loanApplications.expiresAt)
		.limit(limit);

/** Open offers of products that are retired. */
export const findOffersOfRetired = (orm: Orm, limit: number) =>
	orm
		.select(getTableColumns(loanApplications))
		.from(loanProducts)
		// In this order: there are few retired products, and an index of each one's open offers.
		.crossJoin(indexedBy(loanApplications, "loan_applications_open_of_product"))
		.where(and(sql`${loanProducts.retiredAt} is not null`, eq(loanApplications.loanProductId, loanProducts.id), OPEN_OFFER))
		.limit(limit);

type Changes = Partial<Pick<LoanApplicationRow, "loanAmount" | "cost" | "submittedAt" | "disbursedAt" | "failureReason">>;

const move = prebuilt((orm) =>
	orm
		.update(loanApplications)
		.set({
			status: placeholder("status"),
			loanAmount: placeholder("loanAmount"),
			cost: placeholder("cost"),
			submittedAt: placeholder("submittedAt"),
			disbursedAt: placeholder("disbursedAt"),
			failureReason: placeholder("failureReason"),
		} as never)
		.where(and(eq(loanApplications.id, placeholder("id")), eq(loanApplications.status, placeholder("seenStatus")), hole("only"))),
);

/**
 * Moves an application from the status it was seen in, provided that `only` still holds. Throws when the lifecycle does not have
 * these moves one after the other.
 */
export function moveApplication(
	seen: LoanApplicationRow,
	moves: readonly ApplicationMove[],
	set: Changes = {},
	only: SQL = ALWAYS,
): Effect {
	const status = moves.reduce<ApplicationStatus | undefined>((from, move) => from && statusAfter(from, move), seen.status);
	if (!status) throw new Error(`a loan application cannot ${moves.join(", then ")} from ${seen.status}`);
	const { id, loanAmount, cost, submittedAt, disbursedAt, failureReason } = { ...seen, ...set };
	return guarded(move({ id, seenStatus: seen.status, status, loanAmount, cost, submittedAt, disbursedAt, failureReason, only }));
}
