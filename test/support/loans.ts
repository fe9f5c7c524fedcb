// Loan products and applications, created over HTTP.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import type * as z from "zod";
import { createLoanProduct } from "../../src/domains/loan-products/administration.operations";
import type { LoanProductInput } from "../../src/domains/loan-products/model/wire";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { createLoanApplication } from "../../src/domains/loans/operations";
import { webhookEvents } from "../../src/events/table";
import type { JobServices } from "../../src/runtime/services";
import { loanProduct } from "../../tools/loan-product";
import { call, expectOk } from "./client";
import { freshNumber } from "./current-accounts";
import { withBatches, wrapped } from "./databases";
import { environmentWith } from "./environments";
import { db, givenOrganization, givenUser, oneTrip, operatorToken } from "./factories";
import { servicesFor } from "./outbound";

/** Thirty days in one installment at 10%; a limit of 100,000 in steps of 500. */
export const LOAN_PRODUCT: z.input<typeof LoanProductInput> = {
	...loanProduct(null, "Stock loan"),
	min_loan_amount: 1_000,
	rate_schedule: [{ min_days: 1, max_days: 60, interest_rate: { basis_points: 1_000, period_value: 30, period_unit: "DAYS" } }],
};

export const givenLoanProduct = async (changes: Partial<z.input<typeof LoanProductInput>> = {}) =>
	expectOk(await call(createLoanProduct, { as: await operatorToken(), body: { ...LOAN_PRODUCT, ...changes } }));

export const givenOffer = async (as: string, loan_product_id?: string) =>
	expectOk(await call(createLoanApplication, { as, body: loan_product_id === undefined ? {} : { loan_product_id } }));

/** A user, and the organization that they belong to. */
export async function givenBorrower() {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const user = await givenUser({ organizationId: organization.id, mobileNumber: freshNumber() }, write);
	await written();
	return { organization, ...user };
}

/** Accepts an offer. */
export const apply = (as: string, application_id: string, loan_amount: number, headers: Record<string, string> = {}) =>
	call(applyForLoan, { as, path: { application_id }, body: { loan_amount }, headers });

/** The organization's events, in the order of the feed. */
export async function eventsOf(organizationId: string) {
	const rows = await db.select().from(webhookEvents);
	return rows
		.filter((row) => row.organizationId === organizationId)
		.sort((a, b) => a.sequence - b.sequence)
		.map((row) => ({ type: row.eventType, key: row.eventKey, data: JSON.parse(row.data) as Record<string, unknown> }));
}

/** Runs one piece of due work as the cron does; `vars` override configuration variables. */
export async function runDueWork(work: (services: JobServices) => Promise<unknown>, vars: Partial<Env> = {}) {
	const ctx = createExecutionContext();
	for (const here of (await servicesFor({ env: environmentWith(vars), ctx })).everywhere()) await work(here);
	await waitOnExecutionContext(ctx);
}

/** Bindings that run `happens` right before a request's second round trip: between its read and its commit. */
export const beforeCommit = (happens: () => Promise<unknown>): Partial<Env> => beforeTrip(2, happens);

/** Bindings that run `happens` right before the nth round trip, or before each of several. */
export function beforeTrip(nth: number | readonly number[], happens: () => Promise<unknown>): Partial<Env> {
	let trips = 0;
	return wrapped((database) =>
		withTrips(database, async () => {
			trips++;
			if ([nth].flat().includes(trips)) await happens();
		}),
	);
}

const withTrips = (database: D1Database, onTrip: () => Promise<void>): D1Database =>
	withBatches(database, async (_, run) => {
		await onTrip();
		return run();
	});
