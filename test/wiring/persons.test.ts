// The five kinds of people, each walked from their first token to the end of what they came for.

import { describe, expect, it } from "vitest";
import { listAccounts } from "../../src/domains/accounts/operations";
import { openCurrentAccount } from "../../src/domains/current-accounts/accounts/operations";
import { confirmActivation, startActivation } from "../../src/domains/current-accounts/activations/operations";
import { reportDisbursement } from "../../src/domains/disbursements/result.operations";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { createLoanApplication, listLoanApplications } from "../../src/domains/loans/operations";
import { setMyPhone } from "../../src/domains/mobile-number-changes/first.operations";
import { createApiKey } from "../../src/domains/organizations/api-keys/operations";
import { acceptInvitation } from "../../src/domains/organizations/invitations/acceptance.operations";
import { createInvitation } from "../../src/domains/organizations/invitations/operations";
import { addMember, listMembers } from "../../src/domains/organizations/members/operations";
import { createOrganization } from "../../src/domains/organizations/operations";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { exchangeIdentityToken } from "../../src/domains/tokens/exchange/identity.operations";
import { exchangePartnerToken } from "../../src/domains/tokens/exchange/operations";
import { createIssuer } from "../../src/domains/tokens/issuers/operations";
import { listCurrentAccountTransactions } from "../../src/domains/transfers/transaction.operations";
import { linkIdentity } from "../../src/domains/users/identity.operations";
import { admitUser, getMe, updateMe } from "../../src/domains/users/profile.operations";
import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { call, expectOk } from "../support/client";
import { paymentTo } from "../support/credit";
import { codeSentTo, freshNumber } from "../support/current-accounts";
import { givenMember, givenOrganization, operatorToken } from "../support/factories";
import { mailedToken } from "../support/invitations";
import { givenKey, signed } from "../support/issuers";
import { eventsOf, givenLoanProduct } from "../support/loans";
import { answerOutbound } from "../support/outbound";
import { signedInByPhone, verifiedPhone } from "../support/phone-door";
import { expectUser } from "../support/profiles";
import { sandboxToken } from "../support/tokens";

const vars = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example/in", DISBURSER_SECRET: "a disburser's secret" };

function disburser() {
	const sent: { disbursement_id: string; recipient: unknown }[] = [];
	answerOutbound(async (input, init) => {
		sent.push(await new Request(input, init).json());
		return new Response(null, { status: 202 });
	});
	return sent;
}

const typesOf = async (organizationId: string) => (await eventsOf(organizationId)).map(({ type }) => type);
const admit = async (userId: string) => expectOk(await call(admitUser, { as: await operatorToken(), path: { userId } }));
const borrow = async (as: string, more: Partial<Env> = {}) => {
	const { id, account_id } = expectOk(await call(createLoanApplication, { as, body: {} }));
	const answer = await call(applyForLoan, { as, path: { application_id: id }, body: { loan_amount: 30_000 }, vars: more });
	return { id, account_id, answer };
};

async function givenIssuer() {
	const key = await givenKey("ES256");
	const issuer = `https://${crypto.randomUUID()}.example`;
	const body = { issuer, kind: "identity", jwks: { keys: [key.jwk] }, algorithms: ["ES256"] };
	expectOk(await call(createIssuer, { as: await operatorToken(), body: body as never }));
	return { issuer, token: (claims: object) => signed(key, { iss: issuer, ...claims }) };
}

describe("a person", () => {
	it("who comes by a partner's app without mail or number proves a number, and the loan is paid to it", async () => {
		const sent = disburser();
		const organization = await givenOrganization();
		await givenLoanProduct({ organization_id: organization.id });
		const partner_token = await sandboxToken("partner", "alice", { org_id: organization.slug });
		const { access_token: as } = expectOk(await call(exchangePartnerToken, { body: { partner_token } }));
		const me = expectUser(await call(getMe, { as }));
		expect(me).toMatchObject({ mobile_number: null, home_organization: { id: organization.id } });
		if (me.status === "WAITING_LIST") await admit(me.id);
		const { id, answer } = await borrow(as, vars);
		expect(answer).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });

		const number = freshNumber();
		expectOk(await call(setMyPhone, { as, body: { phone_verification_token: await verifiedPhone(number) } }));
		expectOk(await call(applyForLoan, { as, path: { application_id: id }, body: { loan_amount: 30_000 }, vars }));
		expect(sent).toMatchObject([{ disbursement_id: id, recipient: { type: "OWN_NUMBER", mobile_number: number } }]);
		const body = {
			disbursement_id: id,
			status: "SUCCEEDED" as const,
			mobile_money_transaction_id: "TX-1",
			occurred_at: new Date().toISOString(),
		};
		expectOk(await call(reportDisbursement, { as: await operatorToken(), path: { disbursement_id: id }, body }));
		expect(await typesOf(organization.id)).toEqual(expect.arrayContaining(["user.mobile_number_set", "loan.disbursed"]));
	});

	it("who comes by phone belongs to the app's organization, activates an account, and gets the loan there", async () => {
		const organization = await givenOrganization();
		await givenLoanProduct({ organization_id: organization.id, payout_destinations: ["CURRENT_ACCOUNT"] });
		const number = freshNumber();
		const { access_token: as } = await signedInByPhone(number, organization.slug);
		const me = expectOk(await call(updateMe, { as, body: { display_name: "Baraka" } }));
		await admit(me.id);
		expectOk(await call(openCurrentAccount, { as }));
		const { id: activationId } = expectOk(await call(startActivation, { as, body: {} }));
		expectOk(await call(confirmActivation, { as, path: { activationId }, body: { otp_code: await codeSentTo(number) } }));
		const { id, answer } = await borrow(as, vars);
		expect(expectOk(answer).status).toBe("DISBURSED");
		const { data } = expectOk(await call(listCurrentAccountTransactions, { as, query: {} }));
		expect(data).toMatchObject([{ type: "LOAN_DISBURSEMENT", amount: 30_000, reference: id }]);
		expect(await typesOf(organization.id)).toEqual(
			expect.arrayContaining(["user.waitlisted", "user.admitted", "current_account.opened", "current_account.activated", "loan.disbursed"]),
		);
	});

	it("the owner of an organization invites by mail, and the invited person does all that their role permits", async () => {
		const organization = await givenOrganization();
		const owner = await givenMember(organization.id);
		const path = { organizationId: organization.id };
		const email = `${crypto.randomUUID()}@example.com`;
		expectOk(await call(createInvitation, { as: owner.token, path, body: { email, role: "organization-owner" } }));
		const { token } = await givenIssuer();
		const identity_token = await token({ sub: "new", email, email_verified: true, auth_time: Math.floor(Date.now() / 1000) });
		const refused = await call(exchangeIdentityToken, { body: { identity_token } });
		expect(refused).toMatchObject({ status: 403 });
		expectOk(await call(acceptInvitation, { as: identity_token, body: { token: await mailedToken(email) } }));
		const { access_token: as } = expectOk(await call(exchangeIdentityToken, { body: { identity_token } }));
		const me = expectUser(await call(getMe, { as }));
		expect(me.organizations).toMatchObject([{ id: organization.id, role: "organization-owner" }]);
		if (me.status === "WAITING_LIST") await admit(me.id);
		expect((await call(listMembers, { as, path, query: {} })).status).toBe(200);
		const webhook = { name: "Ours", url: "https://127.0.0.1:8443/in", events: ["loan.disbursed"] };
		expect((await call(createWebhook, { as, headers: { "x-organization-id": organization.id }, body: webhook })).status).toBe(201);
		expect((await call(createApiKey, { as, path, body: { name: "till", scopes: ["loans:write"] } })).status).toBe(201);
	});

	it("who works as an agent signs in by the organization's own login, and sees its borrowers and their loans", async () => {
		const organization = await givenOrganization();
		await givenLoanProduct({ organization_id: organization.id });
		const { access_token: borrower } = await signedInByPhone(freshNumber(), organization.slug);
		const { id: borrowerId } = await admit(expectUser(await call(getMe, { as: borrower })).id);
		const { account_id } = await borrow(borrower);

		const agent = await givenMember(organization.id, "organization-lending-viewer");
		const { issuer, token } = await givenIssuer();
		const link = { issuer, subject: "agent-7" };
		expectOk(await call(linkIdentity, { as: await operatorToken(), path: { userId: agent.id }, body: link }));
		const { access_token: as } = expectOk(await call(exchangeIdentityToken, { body: { identity_token: await token({ sub: "agent-7" }) } }));
		const headers = { "x-organization-id": organization.id };
		const accounts = expectOk(await call(listAccounts, { as, headers, query: { user_id: borrowerId } })).data;
		expect(accounts).toMatchObject([{ id: account_id }]);
		const applications = expectOk(await call(listLoanApplications, { as, headers, query: { user_id: borrowerId } })).data;
		expect(applications).toMatchObject([{ account_id, status: "DISBURSED" }]);
		const other = { "x-organization-id": (await givenOrganization()).id };
		expect((await call(listAccounts, { as, headers: other, query: { user_id: borrowerId } })).status).toBe(403);
	});

	it("who operates the platform sets an organization up, and takes a payment for its borrower", async () => {
		const as = await operatorToken();
		const slug = `new-${crypto.randomUUID().slice(0, 8)}`;
		const organization = expectOk(await call(createOrganization, { as, body: { name: "New", slug } }));
		await givenLoanProduct({ organization_id: organization.id });
		const number = freshNumber();
		const { access_token: borrower } = await signedInByPhone(number, slug);
		const { id: userId } = expectUser(await call(getMe, { as: borrower }));
		expect(expectOk(await call(admitUser, { as, path: { userId } })).status).toBe("ACTIVE");
		const member = { user_id: userId, role: "organization-viewer" as const };
		expectOk(await call(addMember, { as, path: { organizationId: organization.id }, body: member }));
		const { account_id } = await borrow(borrower);
		expectOk(await call(recordRepayment, { as, body: paymentTo(account_id, 33_000) }));
		const [account] = expectOk(await call(listAccounts, { as, query: { user_id: userId } })).data;
		expect(account).toMatchObject({ id: account_id, balance: { principal_used: 0 } });
		expect(await typesOf(organization.id)).toEqual(expect.arrayContaining(["user.admitted", "loan.disbursed", "repayment.posted"]));
	});
});
