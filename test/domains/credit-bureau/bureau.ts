// A lender whose files for a credit bureau are made, and what they say.

import type * as z from "zod";
import { findLoaded, loadedOf, theAccount } from "../../../src/domains/credit-accounts/ledger.store";
import { planWriteOff } from "../../../src/domains/credit-accounts/write-off.plan";
import { putCreditBureauIdentity } from "../../../src/domains/credit-bureau/identities.operations";
import { makeCreditBureauFiles } from "../../../src/domains/credit-bureau/job";
import {
	listCreditBureauFiles,
	listCreditBureauNotices,
	listCreditBureauRows,
	putCreditBureauSettings,
} from "../../../src/domains/credit-bureau/operations";
import type { CreditBureauRow } from "../../../src/domains/credit-bureau/wire";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { daysBetween, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { THREE_INSTALLMENTS } from "../../support/credit";
import { freshNumber } from "../../support/current-accounts";
import { givenApiKey, givenMember, givenOrganization, givenUser } from "../../support/factories";
import { givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";
import { clock, close, type Loan, waitDays } from "../../support/portfolios";

export type Row = z.output<typeof CreditBureauRow>;

export const SETTINGS = { enabled: true, currency: "KES", threshold: 100_000, notice_days: 30 };

/** Makes all files that can be made, in portions of so many accounts. */
export const makeFiles = (size?: number, vars: Partial<Env> = {}) =>
	runDueWork(async (services) => {
		while (await makeCreditBureauFiles(services, size));
	}, vars);

/** The morning after the day, once it is closed, without the files. */
export async function closeUntil(day: string): Promise<void> {
	await waitDays(daysBetween(localDate(clock.now()), day) + 1);
	await close();
}

export async function passUntil(day: string, size?: number): Promise<void> {
	await closeUntil(day);
	await makeFiles(size);
}

/** Writes the account off as an approval does. */
export const writeOff = (accountId: string) =>
	runDueWork(async (services) => {
		const loaded = loadedOf(await services.db.read(findLoaded(theAccount(accountId))));
		if (!loaded) return;
		const planned = planWriteOff(services, loaded, { reason: "uncollectable", actor: "root" });
		if (planned.accepted) await services.commit(planned.writes);
	});

type About = { readonly amount?: number; readonly name?: string | null; readonly number?: string | null };

/** On 2030-01-01, with files switched on; loans of it are due on 01-31, 03-02 and 04-01, and in default from 05-02 on. */
export async function givenBureau(settings: typeof SETTINGS | null = SETTINGS) {
	await waitDays(daysBetween(localDate(clock.now()), "2030-01-01"));
	const { currency } = settings ?? SETTINGS;
	const organization = await givenOrganization();
	const key = await givenApiKey(organization.id, ["repayments:write"]);
	const admin = await givenMember(organization.id, "organization-lending-admin");
	const headers = { "x-organization-id": organization.id };
	const by = { as: admin.token, headers };
	const colleague = { as: (await givenMember(organization.id, "organization-lending-admin")).token, headers };
	const { id: productId } = await givenLoanProduct({
		...THREE_INSTALLMENTS,
		base_limit: 500_000,
		currency,
		organization_id: organization.id,
	});
	const put = (body: typeof SETTINGS) => call(putCreditBureauSettings, { ...by, body });
	if (settings) expectOk(await put(settings));
	const loan = async ({ amount = 100_000, name = "Wanjiru", number = freshNumber() }: About = {}): Promise<Loan> => {
		const borrower = await givenUser({ organizationId: organization.id, ...(number !== null && { mobileNumber: number }) });
		if (name !== null) expectOk(await call(updateMe, { as: borrower.token, body: { display_name: name } }));
		const offer = await givenOffer(borrower.token, productId);
		expectOk(await call(applyForLoan, { as: borrower.token, path: { application_id: offer.id }, body: { loan_amount: amount } }));
		return { organization, key, borrower, productId, accountId: offer.account_id, currency };
	};
	const identify = (userId: string, changes: { readonly document_number?: string } = {}) => {
		const document = { document_type: "NATIONAL_ID" as const, document_number: "12345678", document_country: "KE" };
		return call(putCreditBureauIdentity, { ...by, path: { userId }, body: { name: "Wanjiru Kamau", ...document, ...changes } });
	};
	const files = async () => expectOk(await call(listCreditBureauFiles, { ...by, query: {} })).data;
	const rows = async (month: string, part: "FILE" | "LEFT_OUT" = "FILE"): Promise<Row[]> =>
		expectOk(await call(listCreditBureauRows, { ...by, path: { month }, query: { part, size: "500" } })).data;
	const rowOf = async (month: string, { accountId }: Loan) =>
		(await rows(month)).find(({ account_id, corrects_file }) => account_id === accountId && corrects_file === null);
	const notices = async () => expectOk(await call(listCreditBureauNotices, { ...by, query: {} })).data;
	return { organization, admin, by, colleague, headers, put, loan, identify, files, rows, rowOf, notices };
}
