// Checks and imports the accounts of an import, a portion at a time. Each account is imported in one commit with its borrower, so that a
// crash leaves it whole or not at all, and the next portion continues behind it.

import { sql } from "drizzle-orm";
import { StaleWrite, UniqueViolation } from "../../db/database";
import { first } from "../../db/reads";
import { unlessStale } from "../../db/stale";
import { violates } from "../../db/unique";
import type { JobServices } from "../../runtime/services";
import { loanProducts } from "../loan-products/model/table";
import { noticesTo } from "../messages/notices.plan";
import { payments } from "../repayments/table";
import { type OldAccount, oldAccountOf, planAccount } from "./account.plan";
import { type Borrower, findBorrowers } from "./borrowers.procedure";
import { MAX_ACCOUNT_LINES, MAX_ATTEMPTS } from "./bounds.policy";
import type { Fault } from "./fault.policy";
import { BUSY, WORK } from "./lifecycle";
import { countAttempts, findBusy, findLines, findNext, moveImport, recordImported, recordVerdict, whileStill } from "./store";
import type { ImportAccountRow, ImportRow } from "./table";

/** An account of the portion: what its lines say, and whose it is. */
type Taken = { readonly account: ImportAccountRow; readonly old: OldAccount; readonly borrower: Borrower };
type Judged = { readonly account: ImportAccountRow; readonly fault: Fault };
type Products = readonly (typeof loanProducts.$inferSelect)[];

/** Whether more may be to do. */
export async function workOnImports(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const found = await db.read(first(findBusy(db.orm)));
	const status = BUSY.find((busy) => busy === found?.status);
	if (!found || !status) return false;
	const { takes, ends } = WORK[status];
	const accounts = await db.read(findNext(db.orm, found.id, takes));
	// Stale: another run of the sweep has done this portion, or the import was cancelled.
	await unlessStale(async () =>
		accounts.length === 0 ? services.commit([moveImport(db.orm, found, ends, now)]) : workOn(services, { of: found, status }, accounts),
	);
	return true;
}

const ENDED: Fault = {
	code: "UNEXPECTED",
	description: "Twice its computation ended without a result, as when it takes too much memory or time: check it again, or leave it out",
};

/** The accounts of a portion, together. One whose computation has ended without a result is alone in its portion, so that it ends no other. */
async function workOn(
	services: JobServices,
	{ of, status }: { readonly of: ImportRow; readonly status: (typeof BUSY)[number] },
	portion: readonly ImportAccountRow[],
): Promise<void> {
	const { db } = services;
	const begun = portion.find(({ attempts }) => attempts > 0);
	if (begun && begun.attempts >= MAX_ATTEMPTS) {
		services.log.error("an account of an import was given up", new Error(ENDED.description), { import_id: of.id });
		await services.commit([whileStill(of), recordVerdict(db.orm, begun, ENDED, begun.existingUserId)]);
		return;
	}
	const accounts = begun ? [begun] : portion;
	await services.commit([whileStill(of), ...countAttempts(db.orm, accounts)]);
	await (status === "CHECKING" ? check : importAll)(services, of, accounts);
}

async function check(services: JobServices, of: ImportRow, accounts: readonly ImportAccountRow[]): Promise<void> {
	const { products, taken, judged } = await read(services, of, accounts);
	const faults = new Map(judged.map(({ account, fault }) => [account.oldId, fault]));
	for (const each of taken) {
		const plan = guardedPlan(services, of, products, each);
		if ("code" in plan) faults.set(each.account.oldId, plan);
	}
	const known = new Map(taken.map(({ account, borrower }) => [account.oldId, borrower.known?.id]));
	const verdictOn = (account: ImportAccountRow) =>
		recordVerdict(services.db.orm, account, faults.get(account.oldId), known.get(account.oldId) ?? null);
	await services.commit([whileStill(of), ...accounts.map(verdictOn)]);
}

async function importAll(services: JobServices, of: ImportRow, accounts: readonly ImportAccountRow[]): Promise<void> {
	const { products, taken, judged } = await read(services, of, accounts);
	for (const { account, fault } of judged) await services.commit([whileStill(of), recordVerdict(services.db.orm, account, fault, null)]);
	for (const each of taken) {
		const fault = await importOne(services, of, products, each);
		if (fault) await services.commit([whileStill(of), recordVerdict(services.db.orm, each.account, fault, null)]);
	}
}

const NEW_USER: Fault = { code: "CONFLICT", description: "Its borrower has become a user since the check: check it again" };
const TOLD = { key: "LOAN_IMPORTED", values: {} } as const;

/** Imports the account, or says why not. A second time with what is known then, if its borrower or their tag was made meanwhile. */
async function importOne(
	services: JobServices,
	of: ImportRow,
	products: Products,
	{ account, old, borrower }: Taken,
	isSecond = false,
): Promise<Fault | undefined> {
	const plan = guardedPlan(services, of, products, { account, old, borrower });
	if ("code" in plan) return plan;
	const isApproved = borrower.known?.id === account.existingUserId;
	// The approver of the import has seen which users it touches. A user who was never seen was made with another account of an import.
	if (borrower.known && !isApproved && borrower.known.lastSeenAt !== null) return NEW_USER;
	const there = services.at(borrower.userId);
	const told = borrower.known && isApproved ? await noticesTo(there, borrower.known, TOLD) : [];
	const writes = [whileStill(of), ...recordImported(there.db.orm, account, plan.accountId), ...borrower.writes, ...plan.writes, ...told];
	try {
		await there.commit(writes, { reserve: { names: borrower.names } });
	} catch (error) {
		if (error instanceof StaleWrite) return undefined;
		if (!(error instanceof UniqueViolation)) throw error;
		if (violates(error, [payments.organizationId, payments.mobileMoneyTransactionId])) {
			return { code: "PAYMENT_KNOWN", description: "A payment with one of its transaction ids is recorded here" };
		}
		if (isSecond) return { code: "CONFLICT", description: "Its borrower was changed at the same moment: check it again" };
		const [again] = await findBorrowers(services, of, [old.account]);
		if (!again || "code" in again) return again;
		return importOne(services, of, products, { account, old, borrower: again }, true);
	}
	return undefined;
}

/** An account that cannot even be computed keeps no others waiting. */
function guardedPlan(services: JobServices, of: ImportRow, products: Products, { old, borrower }: Taken): ReturnType<typeof planAccount> {
	const product = products.find(({ id }) => id === old.account.loan_product_id);
	if (!product || (product.organizationId !== null && product.organizationId !== of.organizationId)) {
		return { code: "UNKNOWN_PRODUCT", description: "The organization has no such loan product" };
	}
	try {
		return planAccount(services.at(borrower.userId), old, product, { userId: borrower.userId, of });
	} catch (error) {
		services.log.error("an account could not be computed for its import", error, { import_id: of.id });
		return { code: "UNEXPECTED", description: "It could not be computed" };
	}
}

/** Reads what the lines of the accounts say, their products and borrowers. */
async function read(services: JobServices, of: ImportRow, accounts: readonly ImportAccountRow[]) {
	const { db } = services;
	const linesOf = (account: ImportAccountRow) => findLines(db.orm, account, MAX_ACCOUNT_LINES + 2);
	if (accounts.length === 0) return { products: [], taken: [], judged: [] };
	const lines = await db.read(accounts.map(linesOf));
	const olds = accounts.map((account, index) => ({ account, old: oldAccountOf((lines[index] ?? []).map(({ content }) => content)) }));
	const whole = olds.flatMap(({ account, old }) => ("code" in old ? [] : [{ account, old }]));
	const productIds = whole.map(({ old }) => old.account.loan_product_id);
	const isProduct = sql`${loanProducts.id} in (select value from json_each(${JSON.stringify(productIds)}))`;
	const products = await db.read(db.orm.select().from(loanProducts).where(isProduct));
	const borrowers = await findBorrowers(
		services,
		of,
		whole.map(({ old }) => old.account),
	);
	const found = whole.map(({ account, old }, index) => ({ account, old, borrower: borrowers[index] }));
	return {
		products,
		taken: found.flatMap(({ borrower, ...each }): Taken[] => (!borrower || "code" in borrower ? [] : [{ ...each, borrower }])),
		judged: [
			...olds.flatMap(({ account, old }): Judged[] => ("code" in old ? [{ account, fault: old }] : [])),
			...found.flatMap(({ account, borrower }): Judged[] => (borrower && "code" in borrower ? [{ account, fault: borrower }] : [])),
		],
	};
}
