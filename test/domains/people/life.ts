// The life of a person whose name, number and mail address stand wherever the service can have written them.

import { issueStatement } from "../../../src/domains/accounts/statements/operations";
import { closeAccount } from "../../../src/domains/credit-accounts/closing.operations";
import { custodianInstructions } from "../../../src/domains/current-accounts/custodian/table";
import { addImportLines, createImport } from "../../../src/domains/imports/operations";
import { createInvitation } from "../../../src/domains/organizations/invitations/operations";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { hintOf } from "../../../src/domains/repayments/recording/confirmations.procedure";
import { keep } from "../../../src/domains/repayments/recording/confirmations.store";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { matchPayment } from "../../../src/domains/repayments/unmatched/operations";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { admitUser, updateMe } from "../../../src/domains/users/profile.operations";
import { DAY_MS, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { paymentTo, verify } from "../../support/credit";
import { decideAs, givenActive, givenConfirmedClosure, move, servicesAt } from "../../support/current-accounts";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { apply, givenLoanProduct, givenOffer } from "../../support/loans";
import { askRecovery } from "../../support/number-changes";
import { givenPayee, sendMoney } from "../../support/payees";
import { transfer } from "../../support/transfers";
import { attemptAt, fakeWorld, givenWebhookOwner, raiseQuietly } from "../../support/webhooks";
import { atMinute, compare, rowsOf, sendStatement } from "../reconciliation/statement";

export const NUMBER = "+254711223344";
export const MAIL = "wanjiru.plantagenet@example.com";
export const NAME = "Wanjiru Plantagenet";
/** In every form in which they are written. */
export const PLANTED = ["711223344", "711 223-344", "wanjiru", "plantagenet", "799000111"];
export const ISSUER = "https://identity.example";

const SEVEN_YEARS = 2557 * DAY_MS;

/** They have closed everything, and the law's periods are over. `other`: whom they have paid, and who has paid them. */
export async function givenLifeOfEvents() {
	const as = await operatorToken();
	const organization = await givenOrganization();
	const { id: userId, token } = await givenUser({ organizationId: organization.id, mobileNumber: NUMBER, email: MAIL });
	// They sign in, name themselves, and ask for a code; a partner's identity is linked to them.
	expectOk(await call(updateMe, { as: token, body: { display_name: NAME }, headers: { "idempotency-key": crypto.randomUUID() } }));
	// They are admitted already, so that no commit records the answer.
	expectOk(await call(admitUser, { as, path: { userId }, headers: { "idempotency-key": crypto.randomUUID() } }));
	const linked = { as, path: { userId }, body: { issuer: ISSUER, subject: MAIL }, headers: { "idempotency-key": crypto.randomUUID() } };
	expectOk(await call(linkIdentity, linked));
	expectOk(await call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: "711223344" } }));
	// They are invited, imported, and somebody asks for their number's recovery.
	const owner = await givenMember(organization.id);
	const path = { organizationId: organization.id };
	expectOk(await call(createInvitation, { as: owner.token, path, body: { email: MAIL, role: "organization-viewer" } }));
	const { id: importId } = expectOk(await call(createImport, { as, body: { organization_id: organization.id, name: "old book" } }));
	const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
	const interest_rate = { basis_points: 300, period_value: 30, period_unit: "DAYS" as const };
	const cycles = [{ number: 1, tenure: { duration: 30, unit: "DAYS" as const }, interest_rate }];
	const borrower = { mobile_number: NUMBER, identity: { issuer: ISSUER, subject: MAIL } };
	const line = { type: "ACCOUNT" as const, account: "L-1", borrower, loan_product_id: productId, cycles };
	expectOk(await call(addImportLines, { as, path: { importId }, body: [line] }));
	expectOk(await askRecovery({ id: userId }, "+254799000111"));
	// They have payees and are one, pay and are paid, and close their account.
	const other = await givenUser({ organizationId: organization.id, mobileNumber: "+254733444555" });
	const mine = await givenPayee(token, `${NAME} at work`, sendMoney("+254733999888", NAME));
	const theirs = await givenPayee(other.token, "Neighbour", sendMoney(NUMBER, NAME));
	const account = await givenActive(token);
	await givenActive(other.token);
	expectOk(await move(account.id, 1_000));
	const { id: otherAccount } = await givenActive(other.token);
	expectOk(await move(otherAccount, 1_000));
	expectOk(await transfer(other, theirs.accounts[0]?.id ?? "", 1_000, { note: `For ${NAME}` }));
	expectOk(await transfer({ token }, mine.accounts[0]?.id ?? "", 2_000, { note: `From ${NAME}` }));
	// They borrow and repay from their phone, and a provider reports a payment.
	const key = await givenApiKey(organization.id, ["repayments:write"]);
	const offer = await givenOffer(token, productId);
	expectOk(await apply(token, offer.id, 30_000));
	const paid = paymentTo(offer.account_id, 29_000, "RCPT0001");
	expectOk(await call(recordRepayment, { as: key, body: { ...paid, details: { type: "SEND_MONEY", mobile_number: NUMBER } } as never }));
	await verify("RCPT0001");
	// Payers type a number and a name instead of the account's number.
	for (const [receipt, account_number] of Object.entries({
		RCPT0003: "0711223344",
		RCPT0004: "0711 223-344",
		RCPT0005: NAME.toUpperCase(),
	})) {
		const { account_id: _, ...unknown } = paymentTo(offer.account_id, 1_000, receipt);
		const details = { type: "PAY_BILL", paybill_number: "600000", account_reference: account_number };
		expectOk(await call(recordRepayment, { as: key, body: { ...unknown, account_number, details } as never }));
	}
	// Somebody matches a payment to their loan by a part of their name.
	const { account_id, ...last } = paymentTo(offer.account_id, 1_000, "RCPT0007");
	const nicknamed = { ...last, account_number: "Mama Wanjiru", details: { type: "BANK_TRANSFER", bank_code: "01", reference: "Mama W." } };
	const { id } = expectOk(await call(recordRepayment, { as: key, body: nicknamed as never })).transaction;
	expectOk(await call(matchPayment, { as, path: { id }, body: { account_id } }));
	// Of a payment that failed its provider says to whom it belonged.
	const { account_id: __, ...failing } = paymentTo(offer.account_id, 1_000, "RCPT0006");
	const failure_reason = `the account of ${NUMBER}, ${MAIL}, is closed`;
	const failed = { ...failing, account_number: "1000000000001", status: "FAILED", failure_reason };
	expectOk(await call(recordRepayment, { as: key, body: { ...failed, details: { type: "BUY_GOODS", till_number: "600000" } } as never }));
	// A statement of the provider repeats what payers typed, in lines that nobody knows.
	const lender = { by: { as: owner.token, headers: { "x-organization-id": organization.slug } } };
	const typed = [`${NAME.toUpperCase()} rent`, "711223344 shoes", MAIL, "0711 223-344 and others"];
	const lines = typed.map((reference, index) => ({ receipt: `LINE000${index}`, at: atMinute(index), amount: 1_000, reference }));
	await compare(lender, await sendStatement(lender, rowsOf(lines)));
	const there = await servicesAt(organization.id);
	const body = {
		...{ TransID: "RCPT0002", TransAmount: "10", MSISDN: NUMBER.slice(1), BusinessShortCode: "600000" },
		BillRefNumber: "0711223344",
	};
	const hint = await hintOf(
		there,
		{ organizationId: organization.id, body: body as never, amount: 1000 },
		{ attempts: 1, nextAttemptAt: 0 },
	);
	await there.commit([keep({ ...hint, status: "UNVERIFIED" })]);
	await db.insert(custodianInstructions).values({
		...{
			id: crypto.randomUUID(),
			kind: "OPEN",
			subjectId: account.id,
			round: 1,
			status: "TAKEN" as never,
			attempts: 1,
			nextAttemptAt: 0,
			createdAt: 0,
		},
		facts: { account_id: account.id, user_id: userId, mobile_number: NUMBER },
	});
	const days = { from: "2026-01-01", to: localDate(Date.now()) };
	expectOk(await call(issueStatement, { as: token, path: { accountId: account.id }, body: days }));
	const { id: closureId } = await givenConfirmedClosure(token, NUMBER);
	expectOk(await decideAs(closureId, { subject: "CLOSURE", decision: "APPROVED" }));
	expectOk(await call(closeAccount, { as, path: { accountId: offer.account_id } }));
	await moveClock(SEVEN_YEARS + DAY_MS);
	// A receiver of webhooks answers with what it knows of them: a delivery that failed once, a second that fails, and a third that arrives
	// at once.
	const world = fakeWorld();
	const { organization: receiving, register } = await givenWebhookOwner();
	const webhook = await register();
	const answering = (status: number) => () => Response.json({ customer: NAME, phone: NUMBER }, { status });
	world.answer = answering(500);
	await raiseQuietly(receiving.id);
	await attemptAt(webhook.id);
	await attemptAt(webhook.id, DAY_MS);
	world.answer = answering(200);
	await raiseQuietly(receiving.id, 2 * DAY_MS);
	await attemptAt(webhook.id, 2 * DAY_MS);
	world.answer = answering(500);
	await raiseQuietly(receiving.id, 3 * DAY_MS);
	await attemptAt(webhook.id, 3 * DAY_MS);
	return { as, organization, userId, token, other };
}
