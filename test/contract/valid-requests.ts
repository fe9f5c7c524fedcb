// A valid request for every operation, with all that it needs to succeed. An operation needs an entry here if its path has
// parameters, or if it has a body whose schema has no example.

import { eq } from "drizzle-orm";
import { getAccount } from "../../src/domains/accounts/operations";
import { issueStatement } from "../../src/domains/accounts/statements/operations";
import { requestLedgerClosing } from "../../src/domains/approvals/closing.operations";
import { requestLedgerMapping } from "../../src/domains/approvals/mapping.operations";
import { decideApproval, requestApproval } from "../../src/domains/approvals/operations";
import { requestProvisioningRules } from "../../src/domains/approvals/provisioning.operations";
import { requestRecovery } from "../../src/domains/approvals/recovery.operations";
import { requestProviderTariff } from "../../src/domains/approvals/tariff.operations";
import { requestTreasuryRecord } from "../../src/domains/approvals/treasury.operations";
import { putBrand } from "../../src/domains/branding/operations";
import { recordFollowUp } from "../../src/domains/collections/operations";
import { checkDarajaConnection } from "../../src/domains/connections/balances.operations";
import { putDarajaConnection, registerDarajaConfirmations } from "../../src/domains/connections/daraja.operations";
import { listInstallments } from "../../src/domains/credit-accounts/operations";
import { currentAccounts } from "../../src/domains/current-accounts/table";
import { disbursements } from "../../src/domains/disbursements/model/table";
import { workOnImports } from "../../src/domains/imports/job";
import { addImportLines, createImport, getImport, runImport } from "../../src/domains/imports/operations";
import { CHART_ACCOUNTS } from "../../src/domains/ledger/model/chart.policy";
import { monthOf } from "../../src/domains/ledger/model/closing.policy";
import { type JournalLine, journalEntries, ledgerDays, ledgers, NO_PRODUCT } from "../../src/domains/ledger/model/table";
import { publishLoanTermsText } from "../../src/domains/loan-products/administration.operations";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import { inbox } from "../../src/domains/messages/inbox.table";
import { keepInInbox } from "../../src/domains/messages/notices.plan";
import { listMessages } from "../../src/domains/messages/operations";
import { authorizeNumberChange } from "../../src/domains/mobile-number-changes/code.operations";
import { startNumberChange } from "../../src/domains/mobile-number-changes/operations";
import { createApiKey } from "../../src/domains/organizations/api-keys/operations";
import { putMerchantGrant } from "../../src/domains/organizations/merchant-grants/operations";
import { startPhoneVerification } from "../../src/domains/otp/operations";
import { RESEND_AFTER_MS } from "../../src/domains/otp/policy";
import { blockPayee, createPayee } from "../../src/domains/payees/operations";
import { eraseUser } from "../../src/domains/people/erasure.operations";
import { askAboutStatementBreak } from "../../src/domains/reconciliation/asking.operations";
import { addProviderStatementLines, createProviderStatement } from "../../src/domains/reconciliation/operations";
import { statementBreaks } from "../../src/domains/reconciliation/table";
import { reverseRepayment, waive } from "../../src/domains/repayments/corrections/operations";
import { getRepaymentPrompt, promptRepayment } from "../../src/domains/repayments/prompts/operations";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { exchangePhoneToken } from "../../src/domains/tokens/exchange/phone.operations";
import { createIssuer } from "../../src/domains/tokens/issuers/operations";
import { signIn } from "../../src/domains/tokens/sign-in.operations";
import { orderTransfer } from "../../src/domains/transfers/operations";
import { users } from "../../src/domains/users/model/table";
import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { createSigningKey } from "../../src/domains/webhooks/signing/operations";
import { webhookDeliveries } from "../../src/events/table";
import type { AnyOperation } from "../../src/http/operation";
import { addDays, DAY_MS, localDate } from "../../src/shared/time";
import { call, expectOk } from "../support/client";
import { moveClock, serviceTime } from "../support/clock";
import { eventOf, modelBody } from "../support/commissions";
import { expectCredit, paymentTo, verify } from "../support/credit";
import {
	codeSentTo,
	freshNumber,
	givenActivation,
	givenActive,
	givenClosure,
	givenConfirmedClosure,
	givenCurrentAccount,
	givenOpened,
	movementOf,
} from "../support/current-accounts";
import { CONNECTED, CREDENTIALS, darajaStandsIn } from "../support/daraja";
import { CALLBACK_SECRET } from "../support/doors";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, oneTrip, operatorToken } from "../support/factories";
import { givenInvitation } from "../support/invitations";
import { givenApproved, givenFinanced, givenInvoice, invoiceBody, repaymentOf } from "../support/invoices";
import { jobsFor } from "../support/jobs";
import { closeJournal } from "../support/journal";
import { givenLoanProduct, givenOffer, LOAN_PRODUCT, runDueWork } from "../support/loans";
import { givenSentMessage } from "../support/messages";
import { givenTag } from "../support/payees";
import { connectionRequests } from "../support/payment-providers";
import { close } from "../support/portfolios";
import { deviceOf, givenDevice } from "../support/pushes";
import { sandboxToken } from "../support/tokens";
import type { ValidRequest } from "../support/valid-request";
import { deliveriesOf, raiseQuietly } from "../support/webhooks";
import { givenWork } from "../support/work";
import { bureauRequests } from "./bureau-requests";

const NUMBER = "+254712345678";

/** A message that the user has not read. */
async function givenInboxMessage(userId: string): Promise<string> {
	const services = await jobsFor(userId);
	await services.commit([await keepInInbox(services, { userId, category: "ACCOUNT", message: { key: "ADMITTED", values: {} } })]);
	const row = await services.db.read(services.db.orm.select({ id: inbox.id }).from(inbox).where(eq(inbox.userId, userId)));
	return row[0]?.id ?? "";
}

/** An organization with its owner, and a user who is at home with it. */
export async function givenParties(mobileNumber: string = NUMBER) {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const owner = await givenMember(organization.id, "organization-owner", { organizationId: organization.id }, write);
	const user = await givenUser({ organizationId: organization.id, mobileNumber }, write);
	await written();
	return { organization, owner, user: { ...user, mobileNumber } };
}
export type Parties = Awaited<ReturnType<typeof givenParties>>;

const webhookBody = (name: string) => ({ name, url: "https://hooks.example/in", events: ["user.admitted" as const] });
const givenWebhook = async ({ owner }: Parties) =>
	expectOk(await call(createWebhook, { as: owner.token, body: webhookBody(crypto.randomUUID()) }));
const ofWebhook = async (parties: Parties) => ({ webhook_id: (await givenWebhook(parties)).id });

async function givenImport({ organization }: Parties) {
	const body = { organization_id: organization.id, name: crypto.randomUUID() };
	return { importId: expectOk(await call(createImport, { as: await operatorToken(), body })).id };
}

async function importLines({ organization }: Parties) {
	const { id } = await givenLoanProduct({ organization_id: organization.id });
	const cycle = { number: 1, tenure: { duration: 30, unit: "DAYS" as const }, interest_rate: RATE };
	const account = "L-1";
	return [
		{ type: "ACCOUNT" as const, account, borrower: { mobile_number: "+254712345670" }, loan_product_id: id, cycles: [cycle] },
		{ type: "FACT" as const, account, id: "T-1", position: 1, on: "2026-01-05", kind: "DRAW" as const, amount: 10_000, cycle: 1 },
		{ type: "BALANCE" as const, account, on: "2026-01-05", principal: 10_000, interest: 0, arrears: 0, penalty: 0 },
	];
}
const RATE = { basis_points: 300, period_value: 30, period_unit: "DAYS" as const };

const STATEMENT = {
	...{ channel: "MPESA" as const, number: "600100", account: "UTILITY", currency: "KES", from: "2026-01-05", to: "2026-01-05" },
	...{ name: "ORG_600100.csv", sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
};
const STATEMENT_PORTION = {
	row: 0,
	csv: "Receipt No.,Completion Time,Transaction Status,Paid In,Withdrawn\nTA51,2026-01-05 10:00:00,Completed,1.00,",
};
const actingOf = ({ owner, organization }: Parties) => ({ as: owner.token, headers: { "x-organization-id": organization.slug } });
const givenStatement = async (parties: Parties) => ({
	statementId: expectOk(await call(createProviderStatement, { ...actingOf(parties), body: STATEMENT })).id,
});
async function givenSentStatement(parties: Parties) {
	const path = await givenStatement(parties);
	expectOk(await call(addProviderStatementLines, { ...actingOf(parties), path, body: STATEMENT_PORTION }));
	return path;
}

async function givenFailedDelivery(parties: Parties) {
	const { id } = await givenWebhook(parties);
	await raiseQuietly(parties.organization.id);
	const [delivery] = await deliveriesOf(id);
	if (!delivery) throw new Error("expected a delivery");
	await db
		.update(webhookDeliveries)
		.set({ status: "FAILED", nextAttemptAt: null, failedAt: Date.now() })
		.where(eq(webhookDeliveries.id, delivery.id));
	return delivery;
}

const givenOwnProduct = ({ organization }: Parties) => givenLoanProduct({ organization_id: organization.id });
async function givenOwnOffer(parties: Parties) {
	await givenOwnProduct(parties);
	return givenOffer(parties.user.token);
}

/** Concerns a user of its own, so that no caller is blocked together with that user. */
const blockRequest = async (organizationId: string) => ({
	approval_type: "BLOCK_CHANGE" as const,
	entity_type: "USER" as const,
	entity_id: (await givenUser({ organizationId })).id,
	payload: { blocked: true },
});
async function ofApproval({ organization }: Parties) {
	const as = await operatorToken("somebody else");
	return { id: expectOk(await call(requestApproval, { as, body: await blockRequest(organization.id) })).id };
}

/** An account of the user with a loan that was paid out. */
async function givenOwnAccount(parties: Parties) {
	const offer = await givenOwnOffer(parties);
	expectOk(await call(applyForLoan, { as: parties.user.token, path: { application_id: offer.id }, body: { loan_amount: 5_000 } }));
	return { accountId: offer.account_id };
}
/** A statement of such an account. */
async function givenIssued(parties: Parties) {
	const path = await givenOwnAccount(parties);
	const day = localDate((await serviceTime()).getTime());
	const body = { from: addDays(day, -7), to: day };
	return { path, id: expectOk(await call(issueStatement, { as: parties.user.token, path, body })).id };
}
/** A closed day with an account of the user. */
async function givenClosedDay(parties: Parties): Promise<ValidRequest> {
	await givenOwnAccount(parties);
	await moveClock(2 * DAY_MS);
	await close();
	return {};
}
async function givenClosedLedger(parties: Parties): Promise<ValidRequest> {
	await givenClosedDay(parties);
	await closeJournal();
	return {};
}
/** A month whose days are closed. */
async function givenClosedMonth({ organization }: Parties): Promise<{ month: string }> {
	const organizationId = organization.id;
	const day = addDays(`${monthOf(localDate((await serviceTime()).getTime()))}-01`, -1);
	const of = { organizationId, day, currency: "KES" };
	const entry = { ...of, id: crypto.randomUUID(), source: "OPENING" as const, sourceId: "opening", valueDate: day, bookedAt: 1 };
	await db.insert(journalEntries).values({ ...entry, lines: OPENING_LINES });
	await db.insert(ledgerDays).values({ ...of, loanProductId: NO_PRODUCT, balances: Object.fromEntries(OPENING_LINES) });
	await db.update(ledgers).set({ closedThrough: day }).where(eq(ledgers.organizationId, organizationId));
	return { month: monthOf(day) };
}
const OPENING_LINES: readonly JournalLine[] = [
	["1110", 5],
	["3900", -5],
];
async function givenClosing(parties: Parties) {
	const body = await givenClosedMonth(parties);
	const headers = { "x-organization-id": parties.organization.id };
	const { id } = expectOk(await call(requestLedgerClosing, { as: await operatorToken("somebody"), headers, body }));
	expectOk(await call(decideApproval, { as: await operatorToken("somebody else"), path: { id }, body: { decision: "APPROVED" } }));
	return { path: body };
}
const PROVISIONING = {
	effective_from: addDays(localDate(Date.now()), 30),
	stages: [
		{ up_to_days: 30, rate_basis_points: 100 },
		{ up_to_days: null, rate_basis_points: 5_000, suspends_interest: true },
	],
	cure_days: 90,
};
async function givenProvisioningRules({ organization }: Parties): Promise<ValidRequest> {
	const headers = { "x-organization-id": organization.id };
	const { id } = expectOk(await call(requestProvisioningRules, { as: await operatorToken("somebody"), headers, body: PROVISIONING }));
	expectOk(await call(decideApproval, { as: await operatorToken("somebody else"), path: { id }, body: { decision: "APPROVED" } }));
	return {};
}
const TARIFF = {
	channel: "MPESA",
	direction: "PAYOUT",
	currency: "KES",
	effective_from: addDays(localDate(Date.now()), 30),
	bands: [
		{ up_to: 100_000, fee: 500 },
		{ up_to: null, fee: 1_300 },
	],
} as const;
async function givenTariff({ organization }: Parties): Promise<ValidRequest> {
	const headers = { "x-organization-id": organization.id };
	const { id } = expectOk(await call(requestProviderTariff, { as: await operatorToken("somebody"), headers, body: TARIFF as never }));
	expectOk(await call(decideApproval, { as: await operatorToken("somebody else"), path: { id }, body: { decision: "APPROVED" } }));
	return {};
}
const mappingAhead = async () => ({
	effective_from: addDays(localDate((await serviceTime()).getTime()), 30),
	accounts: CHART_ACCOUNTS.map(({ number: account }) => ({ account, number: `6${account}` })),
});
async function givenLedgerMapping({ organization }: Parties): Promise<ValidRequest> {
	const headers = { "x-organization-id": organization.id };
	const { id } = expectOk(await call(requestLedgerMapping, { as: await operatorToken("somebody"), headers, body: await mappingAhead() }));
	expectOk(await call(decideApproval, { as: await operatorToken("somebody else"), path: { id }, body: { decision: "APPROVED" } }));
	return {};
}
const TREASURY = {
	kind: "CONTRIBUTED",
	amount: 9_000_000,
	currency: "KES",
	account: "1130",
	value_date: "2026-01-05",
	reference: "Capital of January",
} as const;
async function givenTreasuryRecord(parties: Parties) {
	const headers = { "x-organization-id": parties.organization.id };
	const asked = await call(requestTreasuryRecord, { as: await operatorToken("somebody"), headers, body: TREASURY });
	const { id, entity_id: recordId } = expectOk(asked);
	expectOk(await call(decideApproval, { as: await operatorToken("somebody else"), path: { id }, body: { decision: "APPROVED" } }));
	return { path: { recordId } };
}
async function givenInstallment(parties: Parties) {
	const path = await givenOwnAccount(parties);
	const [installment] = expectOk(await call(listInstallments, { as: parties.user.token, path, query: {} })).data;
	if (!installment?.id) throw new Error("expected an installment");
	return { ...path, id: installment.id };
}
async function givenRepayment(parties: Parties) {
	const { accountId } = await givenOwnAccount(parties);
	const paid = await call(recordRepayment, { as: await operatorToken(), body: paymentTo(accountId, 1_000) });
	return expectOk(paid).transaction;
}

/** A key that another member made. */
async function givenConnection({ organization }: Parties) {
	const path = { organizationId: organization.id };
	expectOk(await call(putDarajaConnection, { as: await operatorToken(), path, body: CREDENTIALS }));
	return path;
}

/** A loan whose borrower can be asked on their phone. */
async function givenPrompting(parties: Parties) {
	const path = { organizationId: parties.organization.id };
	expectOk(await call(putDarajaConnection, { as: await operatorToken(), path, body: { ...CREDENTIALS, passkey: "a passkey" } }));
	return givenOwnAccount(parties);
}

async function givenPrompt(parties: Parties) {
	const path = await givenPrompting(parties);
	const { id } = expectOk(await call(promptRepayment, { as: parties.user.token, path, body: { amount: 1_000 }, vars: CONNECTED }));
	return { ...path, promptId: id };
}

/** A payment that its payer made when asked, and can get back. */
async function givenReturnable(parties: Parties) {
	const standIn = darajaStandsIn();
	const { accountId, promptId } = await givenPrompt(parties);
	await standIn.deliver();
	const prompt = expectOk(await call(getRepaymentPrompt, { as: parties.user.token, path: { accountId, promptId } }));
	return { standIn, id: prompt.transaction_id ?? "" };
}
async function givenReturn(parties: Parties) {
	const { standIn, id } = await givenReturnable(parties);
	expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id }, body: RETURNED, vars: CONNECTED }));
	return { id, code: String(standIn.reversals.asked[0]?.ResultURL).slice(-32) };
}
const RETURNED = { reason: "paid by mistake", return_money: true };

async function givenRegistered(parties: Parties): Promise<void> {
	const path = await givenConnection(parties);
	expectOk(await call(registerDarajaConfirmations, { as: await operatorToken(), path, body: {}, vars: CONNECTED }));
}

/** A payment that is missing on the statement of a connected shortcode. */
async function givenAskable(parties: Parties) {
	await givenConnection(parties);
	const body = { ...STATEMENT, number: CREDENTIALS.short_code };
	const { id: statementId } = expectOk(await call(createProviderStatement, { ...actingOf(parties), body }));
	const id = await givenWork("STATEMENT_BREAK", { organizationId: parties.organization.id, since: Date.now() });
	await db.update(statementBreaks).set({ statementId, receipt: "TA51" }).where(eq(statementBreaks.id, id));
	return { breakId: id };
}

async function ofApiKey({ organization }: Parties) {
	const path = { organizationId: organization.id };
	const { token } = await givenMember(organization.id, "organization-admin");
	return { ...path, id: expectOk(await call(createApiKey, { as: token, path, body: { name: "till", scopes: ["loans:write"] } })).id };
}

const ofInvitation = async ({ organization, owner }: Parties) => ({
	organizationId: organization.id,
	id: (await givenInvitation(owner.token, organization.id)).id,
});

const issuer = () => ({
	issuer: `https://${crypto.randomUUID()}.example`,
	kind: "identity" as const,
	audience: "financial-account-service",
	jwks_uri: "https://issuer.example/keys",
	algorithms: ["RS256" as const],
});
const givenIssuer = async () => expectOk(await call(createIssuer, { as: await operatorToken(), body: issuer() as never }));

/** An order that pays from the user's account to a mobile number. */
async function ofTransfer(parties: Parties) {
	await givenCurrentAccount({ user: parties.user, balance: 10_000 });
	return { payee_account_id: (await ofPayeeAccount(parties)).accountId, amount: 1_000 };
}
const givenTransfer = async (parties: Parties) =>
	expectOk(await call(orderTransfer, { as: parties.user.token, body: await ofTransfer(parties) }));
async function givenOutsideTransfer(parties: Parties): Promise<string> {
	const ordered = { as: parties.user.token, body: await ofTransfer(parties), vars: OUTSIDE_DISBURSER };
	return expectOk(await call(orderTransfer, ordered)).id;
}

const NUMBER_CHANGE = {
	new_mobile_country_code: "254",
	new_mobile_number: "0733123456",
	authorization_channel: "OLD_MOBILE" as const,
};
const ofNumberChange = async ({ user }: Parties) => ({
	mobileNumberChangeId: expectOk(await call(startNumberChange, { as: user.token, body: NUMBER_CHANGE })).id,
});

const recoveryTo = async (mobileNumber: string) => ({
	phone_verification_token: await sandboxToken("phone", mobileNumber, { jti: crypto.randomUUID() }),
	reason: "The phone was stolen",
});
/** A recovery of the number of a user of its own, which waits. */
async function ofRecovery({ organization }: Parties) {
	const mobileNumber = freshNumber();
	const path = { userId: (await givenUser({ organizationId: organization.id, mobileNumber })).id };
	const body = await recoveryTo(freshNumber());
	const { id } = expectOk(await call(requestRecovery, { as: await operatorToken("somebody"), path, body }));
	expectOk(await call(decideApproval, { as: await operatorToken("somebody else"), path: { id }, body: { decision: "APPROVED" } }));
	return { ...path, id };
}

const NEW_PAYEE = { label: "Rent", accounts: [{ type: "SEND_MONEY" as const, mobile_number: "+254722000111" }] };
const givenPayee = async ({ user }: Parties) => expectOk(await call(createPayee, { as: user.token, body: NEW_PAYEE }));
const ofPayee = async (parties: Parties) => ({ payeeId: (await givenPayee(parties)).id });
async function ofPayeeAccount(parties: Parties) {
	const { id, accounts } = await givenPayee(parties);
	return { payeeId: id, accountId: accounts[0]?.id ?? "" };
}

export const OUTSIDE_DISBURSER = { DISBURSER: "http", DISBURSER_URL: "https://disburser.example", DISBURSER_SECRET: CALLBACK_SECRET };

/** A loan that is being paid out outside. */
async function givenDisbursement(parties: Parties, vars: Record<string, string> = OUTSIDE_DISBURSER): Promise<string> {
	const { id } = await givenOwnOffer(parties);
	const applied = { as: parties.user.token, path: { application_id: id }, body: { loan_amount: 5_000 }, vars };
	expectOk(await call(applyForLoan, applied));
	return id;
}

async function ofDarajaPayout(parties: Parties) {
	const { asked } = darajaStandsIn();
	await givenConnection(parties);
	const id = await givenDisbursement(parties, CONNECTED);
	return { question: "payout", id, code: String(asked[0]?.ResultURL).slice(-32) };
}

const exampleOf = ({ request }: AnyOperation): object | undefined => request.body?.meta()?.examples?.[0];

/** What an operation lacks that has no valid request. */
export const WHAT_IT_NEEDS = "a valid request in test/contract/valid-requests.ts, or if its path has no parameters an example of its body";

/** Whether the operation's valid request is in the table, or follows from its schemas. */
export const knowsValidRequest = (op: AnyOperation): boolean =>
	op.id in VALID_REQUESTS || (!op.path.includes("{") && (!op.request.body || exampleOf(op) !== undefined));

export async function validRequest(op: AnyOperation, parties: Parties): Promise<ValidRequest> {
	if (!knowsValidRequest(op)) throw new Error(`${op.id} needs ${WHAT_IT_NEEDS}`);
	const body = exampleOf(op);
	return VALID_REQUESTS[op.id]?.(parties) ?? (body ? { body } : {});
}
/** Providers sign their callbacks with these secrets. */
export const CALLBACKS = { ...OUTSIDE_DISBURSER, CUSTODIAN_SECRET: CALLBACK_SECRET };
const givenGrant = async ({ organization, owner }: Parties) => {
	const path = { merchantId: "m-1", userId: (await givenMember(organization.id, "organization-viewer")).id };
	const body = { permissions: ["org:financing.invoices:write" as const] };
	expectOk(await call(putMerchantGrant, { as: owner.token, path, body }));
	return path;
};

const PHONE = { mobile_country_code: "254", mobile_number: "712345678" };
const phoneToken = () => sandboxToken("phone", NUMBER, { jti: crypto.randomUUID() });
const givenCustomToken = async () =>
	expectOk(await call(exchangePhoneToken, { body: { phone_verification_token: await phoneToken() } })).access_token;

/** By operation id. */
export const VALID_REQUESTS: { [id: string]: (parties: Parties) => ValidRequest | Promise<ValidRequest> } = {
	addPayeeAccount: async (parties) => ({ path: await ofPayee(parties), body: { type: "BUY_GOODS", till_number: "123456" } }),
	authorizeNumberChange: async (parties) => {
		const path = await ofNumberChange(parties);
		return { path, body: { otp_code: await codeSentTo(parties.user.mobileNumber) } };
	},
	acceptInvitation: async ({ organization, owner, user }) => {
		const email = "anna@example.com";
		await db.update(users).set({ email }).where(eq(users.id, user.id));
		return { body: { token: (await givenInvitation(owner.token, organization.id, { email })).token } };
	},
	addMember: async ({ organization }) => ({
		path: { organizationId: organization.id },
		body: { user_id: (await givenUser()).id, role: "organization-viewer" },
	}),
	admitUser: async ({ organization }) => ({
		path: { userId: (await givenUser({ status: "WAITING_LIST", organizationId: organization.id })).id },
	}),
	advanceClock: () => ({ body: { advance: "PT1S" } }),
	applyForLoan: async (parties) => ({
		path: { application_id: (await givenOwnOffer(parties)).id },
		body: { loan_amount: 5_000 },
		borrower: { user_id: parties.user.id },
	}),
	cancelClosure: async ({ user }) => {
		await givenActive(user.token);
		await givenClosure(user.token);
		return {};
	},
	cancelNumberChange: async (parties) => ({ path: await ofNumberChange(parties) }),
	cancelLoanApplication: async (parties) => ({ path: { application_id: (await givenOwnOffer(parties)).id } }),
	changeNotificationPreferences: () => ({
		body: { categories: [{ category: "MARKETING", channels: [{ channel: "SMS", enabled: true }] }] },
	}),
	changeRole: async ({ organization }) => ({
		path: { organizationId: organization.id, userId: (await givenMember(organization.id, "organization-viewer")).id },
		body: { role: "organization-admin" },
	}),
	cancelInvoice: async (parties) => ({ path: { id: (await givenInvoice(parties)).id } }),
	changeTenure: async (parties) => ({ path: await givenOwnAccount(parties), body: { tenure: { duration: 45, unit: "DAYS" } } }),
	confirmActivation: async ({ user }) => {
		await givenOpened(user.token);
		const { id } = await givenActivation(user.token);
		return { path: { activationId: id }, body: { otp_code: await codeSentTo(user.mobileNumber) } };
	},
	confirmClosure: async ({ user }) => {
		await givenActive(user.token);
		await givenClosure(user.token);
		return { body: { otp_code: await codeSentTo(user.mobileNumber) } };
	},
	blockPayee: async (parties) => ({ path: await ofPayee(parties), body: { reasons: ["UNWANTED_PAYMENTS"] } }),
	combinePayees: async (parties) => ({
		path: await ofPayee(parties),
		body: { source_payee_id: (await ofPayee(parties)).payeeId },
	}),
	closeAccount: async (parties) => {
		const path = await givenOwnAccount(parties);
		expectOk(await call(recordRepayment, { as: await operatorToken(), body: paymentTo(path.accountId, 5_000) }));
		return { path };
	},
	confirmNumberChange: async (parties) => {
		const path = await ofNumberChange(parties);
		const body = { otp_code: await codeSentTo(parties.user.mobileNumber) };
		expectOk(await call(authorizeNumberChange, { as: parties.user.token, path, body }));
		return { path, body: { otp_code: await codeSentTo("+254733123456") } };
	},
	confirmDaraja: async (parties) => {
		const { accountId } = await givenOwnAccount(parties);
		const { account_number } = expectCredit(await call(getAccount, { as: parties.user.token, path: { accountId } }));
		const vars = { DARAJA_SECRETS: JSON.stringify([{ secret: "a-long-secret", organization_id: parties.organization.id }]) };
		const body = { TransID: "RKTQDM7W6S", TransTime: "20251122063845", TransAmount: "10.00", BillRefNumber: account_number };
		return { path: { secret: "a-long-secret" }, body, vars };
	},
	confirmPhoneVerification: async () => ({
		path: { id: expectOk(await call(startPhoneVerification, { body: PHONE })).id },
		body: { otp_code: await codeSentTo(NUMBER) },
	}),
	confirmTransfer: async (parties) => {
		const { token } = parties.user;
		const transfer = expectOk(await call(orderTransfer, { as: token, body: await ofTransfer(parties), vars: { TRANSFER_OTP_ABOVE: "0" } }));
		const codes = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: parties.user.mobileNumber } }));
		return { path: { transferId: transfer.id }, body: { otp_code: codes.data[0]?.otp_code } };
	},
	createApiKey: ({ organization }) => ({ path: { organizationId: organization.id }, body: { name: "till", scopes: ["loans:write"] } }),
	createInvitation: ({ organization }) => ({
		path: { organizationId: organization.id },
		body: { email: "anna@example.com", role: "organization-viewer" },
	}),
	createCommissionModel: () => ({ body: modelBody() }),
	createIssuer: () => ({ body: issuer() }),
	createLoanApplication: async (parties) => ({
		body: { loan_product_id: (await givenOwnProduct(parties)).id },
		borrower: { user_id: parties.user.id },
	}),
	createLoanProduct: ({ organization }) => ({ body: { ...LOAN_PRODUCT, organization_id: organization.id } }),
	getLoanProduct: async (parties) => ({ path: { id: (await givenOwnProduct(parties)).id } }),
	listLoanProducts: async (parties) => {
		await givenOwnProduct(parties);
		return {};
	},
	publishLoanTermsText: async (parties) => ({ path: { id: (await givenOwnProduct(parties)).id }, body: { text: "1. Pay in time." } }),
	getLoanTermsText: async (parties) => {
		const { id } = await givenOwnProduct(parties);
		expectOk(await call(publishLoanTermsText, { as: await operatorToken(), path: { id }, body: { text: "1. Pay in time." } }));
		return { path: { id } };
	},
	updateLoanProduct: async (parties) => ({ path: { id: (await givenOwnProduct(parties)).id }, body: { status: "RETIRED" } }),
	createPayee: () => ({ body: NEW_PAYEE }),
	createSigningKey: async (parties) => ({ path: await ofWebhook(parties) }),
	createWebhook: () => ({ body: webhookBody("till") }),
	decide: async ({ user }) => {
		await givenActive(user.token);
		const { id } = await givenConfirmedClosure(user.token, user.mobileNumber);
		return { body: { decision_id: `d-${id.slice(-8)}`, subject: "CLOSURE", subject_id: id, decision: "APPROVED" } };
	},
	decideInvoice: async (parties) => ({ path: { id: (await givenInvoice(parties)).id }, body: { decision: "APPROVED" } }),
	createSandboxToken: () => ({ body: { kind: "operator", subject: "root" } }),
	adoptApiKey: async (parties) => ({ path: await ofApiKey(parties) }),
	deleteApiKey: async (parties) => ({ path: await ofApiKey(parties) }),
	updateApiKey: async (parties) => ({ path: await ofApiKey(parties), body: { daily_amount: 1_000 } }),
	deleteIssuer: async () => ({ path: { id: (await givenIssuer()).id } }),
	deleteMerchantGrant: async (parties) => ({ path: await givenGrant(parties) }),
	deletePayee: async (parties) => ({ path: await ofPayee(parties) }),
	deleteWebhook: async (parties) => ({ path: await ofWebhook(parties) }),
	draw: async (parties) => ({ path: await givenOwnAccount(parties), body: { amount: 1_000 } }),
	decideApproval: async (parties) => ({ path: await ofApproval(parties), body: { decision: "APPROVED" } }),
	getApproval: async (parties) => ({ path: await ofApproval(parties) }),
	listApprovals: () => ({}),
	requestRecovery: async ({ organization }) => {
		const mobileNumber = freshNumber();
		const path = { userId: (await givenUser({ organizationId: organization.id, mobileNumber })).id };
		return { path, body: await recoveryTo(freshNumber()) };
	},
	getRecovery: async (parties) => ({ path: await ofRecovery(parties) }),
	cancelRecovery: async (parties) => ({ path: await ofRecovery(parties) }),
	requestApproval: async ({ organization }) => ({ body: await blockRequest(organization.id) }),
	updateUser: async () => {
		const organization = await givenOrganization();
		const user = await givenUser({ organizationId: organization.id });
		await db.update(users).set({ homeOrganizationId: null }).where(eq(users.id, user.id));
		return { path: { userId: user.id }, body: { home_organization_id: organization.id } };
	},
	exchangeIdentityToken: async ({ user }) => ({ body: { identity_token: await sandboxToken("identity", user.id) } }),
	exchangePartnerToken: async ({ organization }) => ({
		body: { partner_token: await sandboxToken("partner", "somebody", { org_id: organization.slug }) },
	}),
	exchangePhoneToken: async () => ({ body: { phone_verification_token: await phoneToken() } }),
	explainBalance: async (parties) => ({ path: await givenOwnAccount(parties) }),
	financeInvoice: async (parties) => ({ path: { id: (await givenApproved(parties)).id }, body: { fee: 100 } }),
	freezeAccount: async ({ user }) => ({ path: { accountId: (await givenActive(user.token)).id }, body: { reason: "a court order" } }),
	getAccount: async (parties) => ({ path: await givenOwnAccount(parties) }),
	getBrand: async ({ organization, owner }) => {
		const path = { organizationId: organization.id };
		expectOk(await call(putBrand, { as: owner.token, path, body: { primary_color: "#0A7D38" } }));
		return { path };
	},
	getActivation: async ({ user }) => {
		await givenOpened(user.token);
		return { path: { activationId: (await givenActivation(user.token)).id } };
	},
	getCommissionReport: ({ user }) => ({ path: { userId: user.id }, query: "?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z" }),
	getClosure: async ({ user }) => {
		await givenActive(user.token);
		await givenClosure(user.token);
		return {};
	},
	getCurrentAccount: async ({ user }) => {
		await givenOpened(user.token);
		return {};
	},
	getDelivery: async (parties) => ({ path: { id: (await givenFailedDelivery(parties)).id } }),
	getEvent: async (parties) => ({ path: { event_id: (await givenFailedDelivery(parties)).eventId } }),
	getInvoice: async (parties) => ({ path: { id: (await givenInvoice(parties)).id } }),
	getIssuer: async () => ({ path: { id: (await givenIssuer()).id } }),
	getLoanApplication: async (parties) => ({ path: { application_id: (await givenOwnOffer(parties)).id } }),
	getNumberChange: async (parties) => ({ path: await ofNumberChange(parties) }),
	getMerchantGrant: async (parties) => ({ path: await givenGrant(parties) }),
	getOrganizationTexts: ({ organization }) => ({ path: { organizationId: organization.id } }),
	putOrganizationTexts: ({ organization }) => ({
		path: { organizationId: organization.id },
		body: { locale: "sw", texts: { ADMITTED: "Karibu {lender}!" } },
	}),
	getOrganization: ({ organization }) => ({ path: { organizationId: organization.id } }),
	updateOrganization: ({ organization }) => ({ path: { organizationId: organization.id }, body: { name: "Acme Credit" } }),
	getPayee: async (parties) => ({ path: await ofPayee(parties) }),
	getPayoff: async (parties) => ({ path: await givenOwnAccount(parties) }),
	issueStatement: async (parties) => {
		const day = localDate((await serviceTime()).getTime());
		return { path: await givenOwnAccount(parties), body: { from: addDays(day, -7), to: day } };
	},
	listIssuedStatements: async (parties) => ({ path: (await givenIssued(parties)).path }),
	getIssuedStatement: async (parties) => {
		const { path, id } = await givenIssued(parties);
		return { path: { ...path, statementId: id } };
	},
	getStatement: async (parties) => ({ path: await givenOwnAccount(parties) }),
	getRepayment: async (parties) => ({ path: { id: (await givenRepayment(parties)).id } }),
	getTransfer: async (parties) => ({ path: { transferId: (await givenTransfer(parties)).id } }),
	exportUser: ({ user }) => ({ path: { userId: user.id } }),
	eraseUser: async ({ organization }) => ({ path: { userId: (await givenUser({ organizationId: organization.id })).id } }),
	getErasure: async ({ organization }) => {
		const path = { userId: (await givenUser({ organizationId: organization.id })).id };
		expectOk(await call(eraseUser, { as: await operatorToken(), path }));
		return { path };
	},
	getUser: ({ user }) => ({ path: { userId: user.id } }),
	getWebhook: async (parties) => ({ path: await ofWebhook(parties) }),
	getWebhookStats: async (parties) => ({ path: await ofWebhook(parties) }),
	linkIdentity: ({ user }) => ({ path: { userId: user.id }, body: { issuer: "https://issuer.example", subject: "someone" } }),
	listAccountTransactions: async (parties) => ({ path: await givenOwnAccount(parties) }),
	listApiKeys: ({ organization }) => ({ path: { organizationId: organization.id } }),
	listDisbursements: async (parties) => ({ query: `?account_id=${(await givenOwnAccount(parties)).accountId}` }),
	registerDevice: async () => ({
		path: { device_id: deviceOf("phone") },
		body: { platform: "ANDROID", push_token: "token-1", locale: "sw" },
	}),
	deleteDevice: async ({ user }) => ({ path: { device_id: (await givenDevice(user.token, "token-1")).id } }),
	readMyMessages: async ({ user }) => ({ body: { through: await givenInboxMessage(user.id) } }),
	listRepayments: async (parties) => {
		await givenRepayment(parties);
		return {};
	},
	listCurrentAccountTransactions: async ({ user }) => {
		await givenOpened(user.token);
		return {};
	},
	recordFollowUp: async (parties) => ({
		body: { type: "NOTE", body: "Asked to be called on Friday.", account_id: (await givenOwnAccount(parties)).accountId },
	}),
	listFollowUps: async (parties) => ({ query: `?account_id=${(await givenOwnAccount(parties)).accountId}` }),
	withdrawPromise: async (parties) => {
		const { accountId: account_id } = await givenOwnAccount(parties);
		const body = { type: "PROMISE" as const, account_id, amount: 100, day: localDate((await serviceTime()).getTime()) };
		const by = { as: parties.owner.token, headers: { "x-organization-id": parties.organization.slug } };
		return { path: { followUpId: expectOk(await call(recordFollowUp, { ...by, body })).id } };
	},
	assignWork: async (parties) => ({
		path: { subjectId: (await givenOwnAccount(parties)).accountId },
		body: { kind: "ACCOUNT", owner_id: parties.owner.id },
	}),
	...bureauRequests(givenOwnAccount),
	listInstallments: async (parties) => ({ path: await givenOwnAccount(parties) }),
	listInstallmentTransactions: async (parties) => ({ path: await givenInstallment(parties) }),
	listInvitations: ({ organization }) => ({ path: { organizationId: organization.id } }),
	listMerchantInvoices: () => ({ path: { merchantId: "m-1" } }),
	listOrganizations: () => ({ query: "?slug=acme" }),
	getTrialBalance: givenClosedLedger,
	listLedgerEntries: givenClosedLedger,
	requestLedgerClosing: async (parties) => ({ body: await givenClosedMonth(parties) }),
	requestProvisioningRules: () => ({ body: PROVISIONING }),
	requestLedgerMapping: async () => ({ body: await mappingAhead() }),
	listLedgerMappings: givenLedgerMapping,
	listLedgerJournals: givenClosedLedger,
	listProvisions: givenClosedDay,
	listProvisioningRules: givenProvisioningRules,
	requestProviderTariff: () => ({ body: TARIFF }),
	listProviderTariffs: givenTariff,
	listLedgerClosings: givenClosing,
	getLedgerClosing: givenClosing,
	requestTreasuryRecord: () => ({ body: TREASURY }),
	listTreasuryRecords: givenTreasuryRecord,
	getTreasuryRecord: givenTreasuryRecord,
	getPortfolioTrend: givenClosedDay,
	listPortfolioAccounts: givenClosedDay,
	listPortfolioEntries: givenClosedDay,
	listPortfolioTransactions: givenClosedDay,
	listPortfolios: givenClosedDay,
	listUsers: () => ({ query: "?status=ACTIVE" }),
	search: () => ({ query: "?q=0712345678" }),
	listOwnedWork: () => ({ query: "?kind=PAYMENT" }),
	listOwners: async (parties) => ({ query: `?ids=${(await givenOwnAccount(parties)).accountId}` }),
	listWork: () => ({ query: "?kind=WAITING_USER" }),
	getDeliveryQuota: ({ organization }) => ({ path: { organizationId: organization.id } }),
	setDeliveryQuota: ({ organization }) => ({ path: { organizationId: organization.id }, body: { own_quota: 5_000_000 } }),
	listMembers: ({ organization }) => ({ path: { organizationId: organization.id } }),
	getMessageStatistics: async () => {
		await givenSentMessage("twilio");
		return { query: "?from=2026-03-01&to=2026-03-31" };
	},
	reportAfricasTalkingMessage: async () => {
		const { code, reference } = await givenSentMessage("africastalking");
		return { path: { code }, body: { id: reference, status: "Success", phoneNumber: "+254712345678" } };
	},
	reportTwilioMessage: async () => {
		const { id, code, reference } = await givenSentMessage("twilio");
		return { path: { messageId: id, code }, body: { MessageSid: reference, MessageStatus: "delivered" } };
	},
	listMessages: () => ({ query: "?recipient=%2B254712345678" }),
	matchPayment: async (parties) => {
		const { accountId } = await givenOwnAccount(parties);
		const { account_id: _, ...payment } = paymentTo(accountId, 1_000);
		const as = await givenApiKey(parties.organization.id, ["repayments:write"]);
		const kept = await call(recordRepayment, { as, body: { ...payment, account_number: "unknown" } });
		return { path: { id: expectOk(kept).transaction.id }, body: { account_id: accountId } };
	},
	orderTransfer: async (parties) => ({ body: await ofTransfer(parties) }),
	"orderTransfer@inside": async ({ user }) => {
		await givenCurrentAccount({ user, balance: 10_000 });
		const payee = await givenUser({ mobileNumber: "+254733123456" });
		await givenCurrentAccount({ user: payee });
		const body = { accounts: [{ type: "INTERNAL" as const, user_tag: await givenTag(payee.id) }] };
		const { accounts } = expectOk(await call(createPayee, { as: user.token, body }));
		return { body: { payee_account_id: accounts[0]?.id ?? "", amount: 1_000 } };
	},
	"orderTransfer@confirmed": async (parties) => ({ body: await ofTransfer(parties), vars: { TRANSFER_OTP_ABOVE: "0" } }),
	putAppSettings: () => ({ body: { minimum_supported_version: "1.0.0" } }),
	putBrand: ({ organization }) => ({ path: { organizationId: organization.id }, body: { primary_color: "#0A7D38" } }),
	putCreditProfile: ({ user }) => ({ path: { userId: user.id }, body: { limit: 5_000 } }),
	putMerchantGrant: async ({ organization }) => ({
		path: { merchantId: "m-1", userId: (await givenMember(organization.id, "organization-viewer")).id },
		body: { permissions: ["org:financing.merchants:read"] },
	}),
	quoteLoan: async (parties) => ({ body: { loan_product_id: (await givenOwnProduct(parties)).id, loan_amount: 5_000 } }),
	recordMovement: async ({ user }) => {
		const { id } = await givenActive(user.token);
		return { body: movementOf(id, 1_000) };
	},
	recordAgentEvents: ({ user }) => ({ body: { events: [eventOf(user.id)] } }),
	recordRepayment: async (parties) => ({ body: paymentTo((await givenOwnAccount(parties)).accountId, 1_000) }),
	repayInvoice: async (parties) => ({ path: { id: (await givenFinanced(parties)).id }, body: repaymentOf(100) }),
	recoverWebhook: async (parties) => {
		await raiseQuietly(parties.organization.id);
		return { path: await ofWebhook(parties), body: { since: "2020-01-01T00:00:00Z" } };
	},
	repayFromWallet: async (parties) => {
		await givenCurrentAccount({ user: parties.user, balance: 10_000 });
		return { path: await givenOwnAccount(parties), body: { amount: 1_000, channel: "WALLET" } };
	},
	refreshSession: async () => {
		const { refresh_token } = expectOk(await call(signIn, { body: { custom_token: await givenCustomToken() } }));
		return { body: { refresh_token } };
	},
	refundOverpayment: async (parties) => {
		const path = await givenOwnAccount(parties);
		const body = paymentTo(path.accountId, 10_000);
		expectOk(await call(recordRepayment, { as: await operatorToken(), body }));
		await verify(body.mobile_money_transaction_id);
		return { path };
	},
	addProviderStatementLines: async (parties) => ({ path: await givenStatement(parties), body: STATEMENT_PORTION }),
	compareProviderStatement: async (parties) => ({ path: await givenSentStatement(parties) }),
	createProviderStatement: async () => ({ body: STATEMENT }),
	discardProviderStatement: async (parties) => ({ path: await givenSentStatement(parties) }),
	getProviderStatement: async (parties) => ({ path: await givenSentStatement(parties) }),
	askAboutStatementBreak: async (parties) => {
		darajaStandsIn();
		return { path: await givenAskable(parties) };
	},
	answerDarajaBreak: async (parties) => {
		const standIn = darajaStandsIn();
		const path = await givenAskable(parties);
		expectOk(await call(askAboutStatementBreak, { ...actingOf(parties), path, vars: CONNECTED }));
		const [, id = "", code = ""] = /([0-9a-f-]{36})\/([0-9a-f]{32})$/.exec(standIn.reports[0]?.url ?? "") ?? [];
		const said = {
			...{ TransactionStatus: "Completed", Amount: "10", ReceiptNo: "TA51" },
			DebitPartyName: `${CREDENTIALS.short_code} - A Lender`,
		};
		const ResultParameter = Object.entries(said).map(([Key, Value]) => ({ Key, Value }));
		return { path: { id, code }, body: { Result: { ResultType: 0, ResultCode: 0, ResultParameters: { ResultParameter } } } };
	},
	resolveStatementBreak: async ({ organization }) => ({
		path: { breakId: await givenWork("STATEMENT_BREAK", { organizationId: organization.id, since: Date.now() }) },
		body: { action: "EXPLAIN", reason: "Moved to the bank account" },
	}),
	addImportLines: async (parties) => ({ path: await givenImport(parties), body: await importLines(parties) }),
	cancelImport: async (parties) => ({ path: await givenImport(parties) }),
	createImport: async ({ organization }) => ({ body: { organization_id: organization.id, name: "core banking" } }),
	getImport: async (parties) => ({ path: await givenImport(parties) }),
	listImportAccounts: async (parties) => ({ path: await givenImport(parties) }),
	listImportLines: async (parties) => ({ path: await givenImport(parties), query: "?account=L-1" }),
	runImport: async (parties) => {
		const path = await givenImport(parties);
		expectOk(await call(addImportLines, { as: await operatorToken(), path, body: await importLines(parties) }));
		return { path, body: { dry_run: true } };
	},
	"runImport@held": async (parties) => {
		const path = await givenImport(parties);
		expectOk(await call(addImportLines, { as: await operatorToken(), path, body: await importLines(parties) }));
		expectOk(await call(runImport, { as: await operatorToken(), path, body: { dry_run: true } }));
		await runDueWork(async (services) => {
			while (await workOnImports(services));
		});
		const { revision } = expectOk(await call(getImport, { as: await operatorToken(), path }));
		return { path, body: { dry_run: false, revision } };
	},
	previewReschedule: async (parties) => ({ path: await givenOwnAccount(parties), query: "?kind=HOLIDAY&installments=1" }),
	rescheduleAccount: async (parties) => ({
		path: await givenOwnAccount(parties),
		body: { kind: "EXTEND", installments: 1, reason: "asked for more time" },
	}),
	...connectionRequests,
	checkDarajaConnection: async (parties) => {
		darajaStandsIn();
		return { path: await givenConnection(parties) };
	},
	reportDarajaBalance: async (parties) => {
		const standIn = darajaStandsIn();
		const path = await givenConnection(parties);
		expectOk(await call(checkDarajaConnection, { as: await operatorToken(), path, vars: CONNECTED }));
		const [, id = "", code = ""] = /([0-9a-f-]{36})\/([0-9a-f]{32})$/.exec(standIn.reports[0]?.url ?? "") ?? [];
		const ResultParameters = { ResultParameter: { Key: "AccountBalance", Value: "Utility Account|KES|1.00|1.00|0.00|0.00" } };
		return { path: { id, code }, body: { Result: { ResultType: 0, ResultCode: 0, ResultParameters } } };
	},
	reportDarajaStatus: async (parties) => {
		const standIn = darajaStandsIn();
		const path = await givenConnection(parties);
		expectOk(await call(checkDarajaConnection, { as: await operatorToken(), path, vars: CONNECTED }));
		const { url = "" } = standIn.reports.find((report) => report.url.includes("/checks/")) ?? {};
		const [, id = "", code = ""] = /([0-9a-f-]{36})\/([0-9a-f]{32})$/.exec(url) ?? [];
		return { path: { id, code }, body: { Result: { ResultType: 0, ResultCode: 21 } } };
	},
	registerDarajaConfirmations: async (parties) => {
		darajaStandsIn();
		return { path: await givenConnection(parties), body: {} };
	},
	payInSandbox: async (parties) => ({
		body: { account_id: (await givenOwnAccount(parties)).accountId, amount: 1_000, mobile_money_transaction_id: "SBPAID0001" },
	}),
	promptRepayment: async (parties) => {
		darajaStandsIn();
		return { path: await givenPrompting(parties), body: {} };
	},
	getRepaymentPrompt: async (parties) => {
		darajaStandsIn();
		return { path: await givenPrompt(parties) };
	},
	listRepaymentPrompts: async (parties) => ({ path: await givenOwnAccount(parties) }),
	reportDarajaPrompt: async (parties) => {
		const { prompts } = darajaStandsIn();
		const { promptId: id } = await givenPrompt(parties);
		const code = String(prompts.asked[0]?.CallBackURL).slice(-32);
		const Item = Object.entries({ Amount: 10, MpesaReceiptNumber: "NLJ7RT61SV" }).map(([Name, Value]) => ({ Name, Value }));
		return { path: { id, code }, body: { Body: { stkCallback: { ResultCode: 0, CallbackMetadata: { Item } } } } };
	},
	validateDarajaPayment: async (parties) => {
		const standIn = darajaStandsIn();
		await givenRegistered(parties);
		const body = { TransID: "RKTQDM7W6S", TransTime: "20251122063845", TransAmount: "10", BillRefNumber: "invoice008" };
		return { path: { secret: standIn.registeredAt.split("/").at(-2) ?? "" }, body };
	},
	verifyDarajaConfirmation: async (parties) => {
		const standIn = darajaStandsIn();
		await givenRegistered(parties);
		const { accountId } = await givenOwnAccount(parties);
		const { account_number } = expectCredit(await call(getAccount, { as: parties.user.token, path: { accountId } }));
		const receipt = standIn.receive({ shillings: 10, account: account_number });
		await standIn.deliver();
		const [, id = "", code = ""] = /([0-9a-f-]{36})\/([0-9a-f]{32})$/.exec(standIn.reports[0]?.url ?? "") ?? [];
		const said = {
			TransactionStatus: "Completed",
			Amount: "10",
			ReceiptNo: receipt,
			CreditPartyName: `${CREDENTIALS.short_code} - A Lender`,
		};
		const ResultParameter = Object.entries(said).map(([Key, Value]) => ({ Key, Value }));
		return { path: { id, code }, body: { Result: { ResultType: 0, ResultCode: 0, ResultParameters: { ResultParameter } } } };
	},
	"reportDarajaResult@failed": async (parties) => ({
		path: await ofDarajaPayout(parties),
		body: { Result: { ResultType: 0, ResultCode: 2, TransactionID: "SG632NMUAB" } },
	}),
	reportDarajaResult: async (parties) => {
		const path = await ofDarajaPayout(parties);
		const ResultParameters = { ResultParameter: [{ Key: "TransactionAmount", Value: 50 }] };
		const Result = { ResultType: 0, ResultCode: 0, TransactionID: "SG632NMUAB", ResultParameters };
		return { path, body: { Result } };
	},
	reportDisbursement: async (parties) => {
		const id = await givenDisbursement(parties);
		const body = {
			disbursement_id: id,
			status: "SUCCEEDED",
			mobile_money_transaction_id: `TX-${id.slice(-8)}`,
			occurred_at: new Date().toISOString(),
		};
		return { path: { disbursement_id: id }, body };
	},
	"reportDisbursement@failed": async (parties) => {
		const id = await givenDisbursement(parties);
		const body = { disbursement_id: id, status: "FAILED", failure_reason: "UNKNOWN_NUMBER", occurred_at: new Date().toISOString() };
		return { path: { disbursement_id: id }, body };
	},
	removePayeeAccount: async (parties) => ({ path: await ofPayeeAccount(parties) }),
	removeMember: async ({ organization }) => ({
		path: { organizationId: organization.id, userId: (await givenMember(organization.id, "organization-viewer")).id },
	}),
	reportTransfer: async (parties) => {
		const id = await givenOutsideTransfer(parties);
		const occurred_at = new Date().toISOString();
		return { path: { transfer_id: id }, body: { transfer_id: id, status: "SUCCEEDED", reference: `TX-${id.slice(-8)}`, occurred_at } };
	},
	"reportTransfer@failed": async (parties) => {
		const id = await givenOutsideTransfer(parties);
		const occurred_at = new Date().toISOString();
		return { path: { transfer_id: id }, body: { transfer_id: id, status: "FAILED", failure_reason: "ACCOUNT_CLOSED", occurred_at } };
	},
	resendNumberChangeCode: async (parties) => {
		const path = await ofNumberChange(parties);
		await moveClock(RESEND_AFTER_MS);
		return { path };
	},
	startNumberChange: () => ({ body: NUMBER_CHANGE }),
	resendActivationCode: async ({ user }) => {
		await givenOpened(user.token);
		const { id } = await givenActivation(user.token);
		await moveClock(RESEND_AFTER_MS);
		return { path: { activationId: id } };
	},
	resendClosureCode: async ({ user }) => {
		await givenActive(user.token);
		await givenClosure(user.token);
		await moveClock(RESEND_AFTER_MS);
		return {};
	},
	resendInvitation: async (parties) => ({ path: await ofInvitation(parties) }),
	retryWork: async ({ organization }) => {
		const id = await givenWork("CUSTODIAN", { organizationId: organization.id, since: Date.now() - DAY_MS });
		return { path: { kind: "CUSTODIAN", id } };
	},
	retryDelivery: async (parties) => ({ path: { delivery_id: (await givenFailedDelivery(parties)).id } }),
	giveUpReturn: async (parties) => ({ path: { id: (await givenReturn(parties)).id }, body: { reason: "paid back in cash" } }),
	reportDarajaReturn: async (parties) => {
		const ResultParameter = { Key: "Amount", Value: "10" };
		const Result = { ResultType: 0, ResultCode: 0, TransactionID: "SG732NMUAC", ResultParameters: { ResultParameter } };
		return { path: await givenReturn(parties), body: { Result } };
	},
	"reportDarajaReturn@failed": async (parties) => ({
		path: await givenReturn(parties),
		body: { Result: { ResultType: 0, ResultCode: 1, TransactionID: "SG732NMUAC" } },
	}),
	"reverseRepayment@returned": async (parties) => ({ path: { id: (await givenReturnable(parties)).id }, body: RETURNED }),
	reverseRepayment: async (parties) => ({ path: { id: (await givenRepayment(parties)).id }, body: { reason: "paid by mistake" } }),
	moveRepayment: async (parties) => {
		const { id } = await givenRepayment(parties);
		const other = await givenUser({ organizationId: parties.organization.id });
		const offer = await givenOffer(other.token, (await givenOwnProduct(parties)).id);
		expectOk(await call(applyForLoan, { as: other.token, path: { application_id: offer.id }, body: { loan_amount: 5_000 } }));
		return { path: { id }, body: { account_id: offer.account_id, reason: "booked on a wrong account" } };
	},
	restoreRepayment: async (parties) => {
		const { id } = await givenRepayment(parties);
		const body = { reason: "paid by mistake" };
		const reversal = expectOk(await call(reverseRepayment, { as: await operatorToken(), path: { id }, body }));
		return { path: { id }, body: { reversal_id: reversal.id, reason: "it was right after all" } };
	},
	dismissConfirmation: async ({ organization }) => {
		const id = await givenWork("CONFIRMATION", { organizationId: organization.id, since: Date.now() - 7_200_000 });
		return { path: { id }, body: { reason: "Banked by the branch" } };
	},
	dismissSecondReceipts: async ({ organization }) => {
		const id = await givenWork("SECOND_RECEIPT", { organizationId: organization.id, since: Date.now() });
		return { path: { id }, body: { reason: "The provider has taken the second payment back" } };
	},
	recordPayoutReturned: async (parties) => {
		const { accountId } = await givenOwnAccount(parties);
		const payouts = await db.select().from(disbursements);
		const { id = "" } = payouts.find((row) => row.accountId === accountId) ?? {};
		return { path: { id }, body: { mobile_money_transaction_id: "SG632NMUAC", occurred_at: (await serviceTime()).toISOString() } };
	},
	"recordPayoutReturned@advance": async (parties) => {
		const { id: invoiceId } = await givenFinanced(parties);
		const { id = "" } = (await db.select().from(disbursements)).find((row) => row.invoiceId === invoiceId) ?? {};
		return { path: { id }, body: { mobile_money_transaction_id: "SG632NMUAE", occurred_at: (await serviceTime()).toISOString() } };
	},
	reverseTransaction: async (parties) => {
		const { accountId, id } = await givenInstallment(parties);
		const waiver = { as: await operatorToken(), path: { accountId }, body: { installment_id: id, amount: 100, reason: "goodwill" } };
		return { path: { accountId, transactionId: expectOk(await call(waive, waiver)).id }, body: { reason: "entered twice" } };
	},
	revokeInvitation: async (parties) => ({ path: await ofInvitation(parties) }),
	revokeSessions: ({ user }) => ({ path: { userId: user.id } }),
	revokeSigningKey: async (parties) => {
		const path = await ofWebhook(parties);
		const key = expectOk(await call(createSigningKey, { as: parties.owner.token, path }));
		return { path: { ...path, signing_key_id: key.id } };
	},
	setSupervisor: async ({ organization, user }) => ({
		path: { userId: user.id },
		body: {
			supervisor_user_id: (await givenUser({ organizationId: organization.id })).id,
			effective_from: "2026-01-01T00:00:00Z",
		},
	}),
	settleAccount: async (parties) => ({
		path: await givenOwnAccount(parties),
		body: { amount: 1_000, valid_until: new Date(Date.now() + DAY_MS).toISOString().slice(0, 10), reason: "hardship" },
	}),
	setMyPhone: async ({ user }) => {
		await db.update(users).set({ mobileNumber: null }).where(eq(users.id, user.id));
		const phone_verification_token = await sandboxToken("phone", "+254733999888", { jti: crypto.randomUUID() });
		return { body: { phone_verification_token } };
	},
	signIn: async () => ({ body: { custom_token: await givenCustomToken() } }),
	signOut: () => ({ body: { all: true } }),
	startPhoneVerification: () => ({ body: PHONE }),
	startActivation: async ({ user }) => {
		await givenOpened(user.token);
		return { body: {} };
	},
	startClosure: async ({ user }) => {
		await givenActive(user.token);
		return { body: { reasons: ["FEES"] } };
	},
	tryIssuer: async () => ({ path: { id: (await givenIssuer()).id }, body: { token: "e30.e30.x" } }),
	testWebhook: async (parties) => ({ path: await ofWebhook(parties), body: { event_type: "user.admitted" } }),
	unblockPayee: async (parties) => {
		const path = await ofPayee(parties);
		expectOk(await call(blockPayee, { as: parties.user.token, path, body: { reasons: ["UNWANTED_PAYMENTS"] } }));
		return { path };
	},
	unfreezeAccount: async ({ user }) => {
		const { id } = await givenActive(user.token);
		await db.update(currentAccounts).set({ status: "FROZEN" }).where(eq(currentAccounts.id, id));
		return { path: { accountId: id }, body: { reason: "the order was lifted" } };
	},
	updatePayee: async (parties) => ({ path: await ofPayee(parties), body: { is_favorite: true } }),
	updateIssuer: async () => ({ path: { id: (await givenIssuer()).id }, body: { audience: "another" } }),
	updateWebhook: async (parties) => ({
		path: await ofWebhook(parties),
		body: { url: "https://elsewhere.example/in", status: "SUSPENDED" },
	}),
	uploadInvoice: () => ({ body: invoiceBody() }),
	uploadInvoices: () => ({ body: { invoices: [invoiceBody(), invoiceBody()] } }),
	verifyPayeeAccount: async (parties) => ({ path: await ofPayeeAccount(parties) }),
	verifySignature: async (parties) => ({ path: await ofWebhook(parties), body: { header: "t=1,v1=00", body: "{}" } }),
	waive: async (parties) => {
		const { accountId, id } = await givenInstallment(parties);
		return { path: { accountId }, body: { installment_id: id, amount: 100, reason: "goodwill" } };
	},
};
