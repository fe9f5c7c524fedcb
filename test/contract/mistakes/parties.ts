// The parties of the tables of mistakes, whose names stand in them as `$name`.

import { env } from "cloudflare:workers";
import { requestApproval } from "../../../src/domains/approvals/operations";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { createInvitation } from "../../../src/domains/organizations/invitations/operations";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { mintToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { createWebhook } from "../../../src/domains/webhooks/endpoints/operations";
import { configuration } from "../../../src/runtime/config";
import { SCOPES } from "../../../src/shared/permissions";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { paymentTo } from "../../support/credit";
import { freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { accessToken, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenInvoice, invoiceBody } from "../../support/invoices";
import { givenLoanProduct, givenOffer } from "../../support/loans";
import { givenPayee, sendMoney } from "../../support/payees";
import { sandboxToken } from "../../support/tokens";

/** The credentials of each kind of caller, and the ids of what they have. */
export async function givenParties() {
	const organization = await givenOrganization();
	const about = { organizationId: organization.id };
	const user = await givenUser({ ...about, mobileNumber: freshNumber() });
	const owner = await givenMember(organization.id, "organization-owner", about);
	const { id: product } = await givenLoanProduct({ organization_id: organization.id });
	const loan = await givenOffer(user.token, product);
	expectOk(await call(applyForLoan, { as: user.token, path: { application_id: loan.id }, body: { loan_amount: 5_000 } }));
	const newcomer = await givenUser({ ...about, mobileNumber: freshNumber() });
	const offer = await givenOffer(newcomer.token, product);
	const wallet = await givenCurrentAccount({ user, balance: 10_000 });
	const payee = await givenPayee(user.token, "Rent", sendMoney("+254722000111"));
	const { id: challenge } = expectOk(
		await call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: "712345678" } }),
	);
	const keys = await givenApiKey(organization.id, SCOPES, { createdBy: owner.id });
	const paid = expectOk(await call(recordRepayment, { as: keys, body: paymentTo(loan.account_id, 100, "TX-1") }));
	const hook = { name: "till", url: "https://hooks.example/in", events: ["user.admitted" as const] };
	const webhook = expectOk(await call(createWebhook, { as: owner.token, body: hook }));
	const invoice = await givenInvoice({ organization });
	const asked = { approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: newcomer.id, payload: { blocked: true } } as const;
	const approval = expectOk(await call(requestApproval, { as: owner.token, body: asked }));
	const invitee = { email: "anna@example.com", role: "organization-viewer" as const };
	const path = { organizationId: organization.id };
	expectOk(await call(createInvitation, { as: owner.token, path, body: invitee }));
	const elsewhere = await givenOrganization();
	const foreigner = await givenUser({ organizationId: elsewhere.id });
	const expired = await mintToken(await configuration(env), {
		kind: "access",
		issuer: "http://localhost",
		subject: user.id,
		realNow: Date.now() - 3_600_000,
		lifetimeSeconds: 900,
	});
	const credentials: Record<string, string | undefined> = {
		nobody: undefined,
		user: user.token,
		newcomer: newcomer.token,
		waiting: (await givenUser({ ...about, status: "WAITING_LIST" })).token,
		blocked: (await givenUser({ ...about, blocked: true })).token,
		foreigner: foreigner.token,
		expired,
		custom: await sandboxToken("identity", user.id),
		rubbish: "rubbish",
		unknown: await accessToken(crypto.randomUUID()),
		key: keys,
		reader: await givenApiKey(organization.id, ["accounts:read"], { createdBy: owner.id }),
		revoked: await givenApiKey(organization.id, SCOPES, { revokedAt: 1 }),
		cut: keys.slice(0, -2),
		foreignKey: await givenApiKey(elsewhere.id, SCOPES),
		owner: owner.token,
		viewer: (await givenMember(organization.id, "organization-viewer")).token,
		developer: (await givenMember(organization.id, "organization-developer")).token,
		lender: (await givenMember(organization.id, "organization-lending-admin")).token,
		operator: await operatorToken(),
	};
	const names = {
		organization: organization.id,
		slug: organization.slug,
		elsewhere: elsewhere.id,
		product,
		application: loan.id,
		account: loan.account_id,
		offer: offer.id,
		wallet: wallet.id,
		payee: payee.id,
		payeeAccount: payee.accounts[0]?.id ?? "",
		challenge,
		payment: paid.transaction.id,
		webhook: webhook.id,
		invoice: invoice.id,
		approval: approval.id,
		user: user.id,
		owner: owner.id,
		foreigner: foreigner.id,
		absent: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		invoiceBody: JSON.stringify(invoiceBody({ invoice_number: "INV-9" })).slice(1, -1),
		now: new Date().toISOString(),
		yesterday: addDays(localDate(Date.now()), -1),
	};
	return { credentials, names };
}
