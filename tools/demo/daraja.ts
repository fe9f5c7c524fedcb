// `npm run demo -- --with daraja`: a loan that is paid out from the lender's own shortcode and repaid to it, over the stand-in for
// Safaricom's Daraja. The demo compares the stand-in's payments with the service's figures.

import { randomBytes, randomInt } from "node:crypto";
import { createClient } from "../../client/src/index.ts";
import type { DarajaStandIn } from "../../src/dev/stand-ins/daraja.ts";
import { loanProduct } from "../loan-product.ts";
import { check, DemoFailed, eventually, out, printing, step } from "./call.ts";

/** Reports of results take a second, and a repayment waits for two of them. */
const PATIENCE_MS = 30_000;

export async function overDaraja(baseUrl: string, standIn: DarajaStandIn): Promise<void> {
	const clientWith = (token?: string, organization?: string) => createClient({ baseUrl, token, organization, fetch: printing });
	const anyone = clientWith();
	const run = randomBytes(4).toString("hex");
	const slug = `demo-${run}`;

	step("The sandbox's issuer signs in a platform operator, who creates a lender and its loan product");
	const { token } = await anyone.createSandboxToken({ body: { kind: "operator", subject: `operator-${run}` } });
	const operator = clientWith(token);
	const { id: organizationId } = await operator.createOrganization({ body: { name: `Demo ${run}`, slug } });
	const product = await operator.createLoanProduct({ body: loanProduct(organizationId) });

	step("The lender's shortcode is connected: from now on its loans are paid out from there");
	const path = { organizationId };
	await operator.putDarajaConnection({
		path,
		body: {
			environment: "sandbox",
			short_code: "600997",
			consumer_key: "a consumer key",
			consumer_secret: "a consumer secret",
			initiator_name: "testapi",
			security_credential: "RC6E9WDxXR4b9X2c6z3gp0oC5Th==",
			payouts: true,
		},
	});

	step("The service checks the credentials, and Daraja reports the balance");
	await operator.checkDarajaConnection({ path });
	const { balances } = await eventually(
		"the balance has come",
		async () => {
			const connection = await operator.getDarajaConnection({ path });
			return connection.last_check?.outcome === "SUCCEEDED" ? connection : undefined;
		},
		PATIENCE_MS,
	);
	check(
		"the utility account has money",
		(balances ?? []).some(({ account, available }) => account.startsWith("Utility") && available > 0),
	);

	step("Payments to the shortcode are to be confirmed to the service");
	const registered = await operator.registerDarajaConfirmations({ path, body: {} });
	check("the addresses are registered", registered.outcome === "REGISTERED");

	step("Alice signs in, is admitted, and proves her number");
	const identity = { kind: "partner", subject: `alice-${run}`, organization: slug } as const;
	const { token: partner_token } = await anyone.createSandboxToken({ body: identity });
	const { access_token } = await anyone.exchangePartnerToken({ body: { partner_token } });
	const alice = clientWith(access_token);
	const me = await alice.getMe();
	if (!("tag" in me)) throw new DemoFailed("she is no user");
	if (me.status === "WAITING_LIST") await operator.admitUser({ path: { userId: me.id } });
	// The last three digits choose how the stand-in behaves; these choose nothing.
	const number = `+2547${String(randomInt(100_000)).padStart(5, "0")}999`;
	const { token: phone_verification_token } = await anyone.createSandboxToken({ body: { kind: "phone", subject: number } });
	await alice.setMyPhone({ body: { phone_verification_token } });

	step("She asks for a loan, gets terms, and applies for KES 500");
	const offer = await alice.createLoanApplication({ body: { loan_product_id: product.id } });
	check("the application is APPROVED", offer.status === "APPROVED");
	const loan_amount = 50_000;
	const applied = await alice.applyForLoan({ path: { application_id: offer.id }, body: { loan_amount } });
	check("the loan is SUBMITTED: Daraja has taken the payout, and reports its result later", applied.status === "SUBMITTED");

	step("Daraja reports that it has paid");
	await eventually(
		"the loan is DISBURSED",
		async () => {
			const application = await alice.getLoanApplication({ path: { application_id: offer.id } });
			return application.status === "DISBURSED" ? application : undefined;
		},
		PATIENCE_MS,
	);
	const paid = standIn.paid.filter(({ reference }) => reference === offer.id);
	check("the stand-in has paid it once, to her number", paid.length === 1 && `+${paid[0]?.number}` === number);
	check("it has paid what she applied for", paid[0]?.shillings === loan_amount / 100);
	const { data: payouts } = await operator.listDisbursements({ query: { account_id: offer.account_id } });
	check("the payout has its receipt", payouts[0]?.mobile_money_transaction_id === paid[0]?.receipt);

	step("She pays all that she owes to the shortcode, with her account number");
	const account = () => alice.getAccount({ path: { accountId: offer.account_id } });
	const owing = await account();
	if (owing.type !== "CREDIT") throw new DemoFailed("it is no credit account");
	const shillings = Math.ceil(owing.balance.total_outstanding / 100);
	const receipt = standIn.receive({ shillings, account: owing.account_number });
	standIn.confirm({ TransID: "MADEUP0001", TransAmount: "100000", BillRefNumber: owing.account_number });
	out(`    the stand-in confirms ${receipt} over KES ${shillings}, and somebody a payment that nobody has made`);
	await standIn.deliver();
	await eventually(
		"Daraja has said that it was paid, and the loan owes nothing",
		async () => {
			const seen = await account();
			return seen.type === "CREDIT" && seen.balance.total_outstanding === 0 ? seen : undefined;
		},
		PATIENCE_MS,
	);
	const { data: repayments } = await clientWith(token, organizationId).listRepayments();
	check("one payment is recorded, and none that was made up", repayments.length === 1);
	check("it has the receipt", repayments[0]?.mobile_money_transaction_id === receipt);
	check("it has the amount that the stand-in has received", repayments[0]?.amount.value === shillings * 100);
}
