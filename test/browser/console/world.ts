// The organization that the sandbox's people belong to, with something on every page: a loan, a payment without account, requests for
// approval, an invoice, an invitation.

import type { Api } from "../../../client/src/index.ts";
import { operatorOf, userOf } from "../../../src/dev/own-service.ts";
import { dateIn } from "../../../tools/days.ts";
import { loanProduct } from "../../../tools/loan-product.ts";
import { ownerOf, SLUG } from "./support.ts";

export type World = {
	readonly operator: Api;
	readonly organization: { readonly id: string };
	readonly product: string;
	readonly borrower: { readonly id: string; readonly api: Api };
	readonly account: { readonly id: string; readonly number: string };
};

export async function person(baseUrl: string, operator: Api, subject: string, display_name: string) {
	const api = await userOf({ url: baseUrl }, subject, SLUG, { email: `${subject}@example.com`, email_verified: true });
	const me = await api.getMe();
	if (me.kind !== "USER") throw new Error("not a user");
	if (me.status === "WAITING_LIST") await operator.admitUser({ path: { userId: me.id } });
	await api.updateMe({ body: { display_name } });
	return { api, id: me.id };
}

/** `principal` in cents. */
export async function lend(borrower: Api, product: string, principal: number) {
	const { id, account_id } = await borrower.createLoanApplication({ body: { loan_product_id: product } });
	await borrower.applyForLoan({ path: { application_id: id }, body: { loan_amount: principal } });
	const account = await borrower.getAccount({ path: { accountId: account_id } });
	return { id: account_id, number: account.account_number };
}

/** A payment as the provider of mobile money reports it. */
export const pay = (operator: Api, organization: string, to: object, amount: number, reference: string) =>
	operator.recordRepayment({
		organization,
		body: {
			...(to as { account_id: string }),
			amount: { value: amount, currency: "KES" },
			mobile_money_transaction_id: reference,
			transacted_at: new Date().toISOString(),
			details: { type: "BUY_GOODS", till_number: "12345" },
		},
	});

export const sixMonths = (organization: string) => ({
	...loanProduct(organization, "Six months"),
	max_loan_amount: 20_000_000,
	base_limit: 15_000_000,
	amount_step: 1_000,
	tenure: { duration: 180, unit: "DAYS" } as const,
	fee_basis_points: 150,
	rate_schedule: [{ min_days: 1, max_days: 180, interest_rate: { basis_points: 250, period_value: 30, period_unit: "DAYS" as const } }],
	penalty_terms: { ...loanProduct(null).penalty_terms, trigger: "AFTER_INSTALLMENT_DUE" as const },
});

/** A borrower of this name, who has a loan of a product of their own. Each file has another borrower: loans of one would share a limit. */
export async function makeLending(baseUrl: string, name: string): Promise<World> {
	const operator = await operatorOf({ url: baseUrl }, "seed");
	const organization = { id: (await ownerOf(baseUrl)).organizationId };
	const borrower = await person(baseUrl, operator, name.toLowerCase().replace(" ", "."), name);
	const { id: product } = await operator.createLoanProduct({ body: sixMonths(organization.id) });
	const account = await lend(borrower.api, product, 12_000_000);
	return { operator, organization, product, borrower, account };
}

/** Of the borrower whom the sandbox signs in: once in a service. */
export async function makeWorld(baseUrl: string): Promise<World> {
	const world = await makeLending(baseUrl, "Njeri Kariuki");
	const { operator, organization, borrower, account } = world;
	const path = { organizationId: organization.id };
	// Terms never change, so other terms are another product, which may have the same name.
	await operator.createLoanProduct({ body: { ...sixMonths(organization.id), fee_basis_points: 100 } });
	await pay(operator, organization.id, { account_number: "UM-00917" }, 350_000, "SKRTYZJ0005");
	await pay(operator, organization.id, { account_number: "SHAMBA 12" }, 75_000, "SKRTYZJ0007");
	await askForApprovals(operator, organization.id, { userId: borrower.id, accountId: account.id });
	const invoice = {
		merchant_id: "merchant-1",
		amount_minor_units: 2_133_520,
		currency: "KES",
		issued_date: dateIn(0),
		due_date: dateIn(60),
	};
	await operator.uploadInvoice({ organization: organization.id, body: { ...invoice, invoice_number: "UM-1001" } });
	await operator.createInvitation({ path, body: { email: "achieng@example.com", role: "organization-lending-admin" } });
	return world;
}

type Borrowing = { readonly userId: string; readonly accountId: string };

async function askForApprovals(operator: Api, organization: string, { userId, accountId }: Borrowing): Promise<void> {
	const user = { entity_type: "USER", entity_id: userId } as const;
	const requests = [
		{ approval_type: "LIMIT_CHANGE", ...user, payload: { limit: 15_000_000 }, reason: "Four cycles repaid on time" },
		{ approval_type: "BLOCK_CHANGE", ...user, payload: { blocked: true }, reason: "Two chargebacks within a week" },
		{ approval_type: "WRITE_OFF", entity_type: "ACCOUNT", entity_id: accountId, reason: "The borrower has left the country" },
	] as const;
	for (const body of requests) await operator.requestApproval({ body, organization });
}
