// Calls that succeed because somebody has prepared them: what they name was made for them alone, in the state that they need. Providers'
// reports are among them. Each is for the caller who may make it, by the operation.

import { randomUUID } from "node:crypto";
import { dateIn } from "../../../tools/days.ts";
import { invoice } from "../../fuzz/estate.ts";
import type { Json } from "../../fuzz/values.ts";
import type { CallerName } from "./callers.ts";
import { ofLender, ofPayers } from "./lending.ts";
import { type Cases, connected, ofConnections, ofProviders, prompt, told } from "./payments.ts";
import { type Given, type Lender, World } from "./world.ts";

export async function casesFor(caller: CallerName, given: Given): Promise<Cases> {
	const world = new World(given);
	const parts = {
		// Codes last.
		operator: [ofLoans, ofConnections, ofProviders, ofPlatform],
		owner: [ofInvoices, ofLender],
		key: [],
		user: [ofBorrowers, ofPayers, ofHolders],
		agent: [],
	} as const;
	let cases: Cases = {};
	for (const part of parts[caller]) cases = { ...cases, ...(await part(world)) };
	return cases;
}

async function ofPlatform(world: World): Promise<Cases> {
	const lender = await world.lender();
	const userOf = async () => ({ userId: (await world.customer(lender)).id });
	const erased = await userOf();
	await world.call("POST", `/v1/platform/users/${erased.userId}/erasure`);
	const recovery = async () => ({
		phone_verification_token: await world.token("phone", world.number()),
		reason: "The phone was stolen",
	});
	const recovered = async () => {
		const { id: userId } = await world.phoneUser();
		const { id } = await world.call("POST", `/v1/platform/users/${userId}/recoveries`, await recovery());
		await world.call("POST", `/v1/approvals/${id}/decision`, { decision: "APPROVED" }, world.secondOperator);
		return { userId, id };
	};
	const frozen = await world.holder();
	await world.call("POST", `/v1/platform/accounts/${frozen.accountId}/freeze`, { reason: "a court order" });
	const left = await world.holder();
	const { id: closureId } = await world.call("POST", "/v1/user/accounts/current/close", { reasons: ["FEES"] }, left.as);
	await world.call("POST", "/v1/user/accounts/current/close/otp/confirm", { otp_code: await world.sentTo(left.number) }, left.as);
	const number = world.number();
	const { id: verificationId } = await world.call(
		"POST",
		"/v1/auth/public/phone/verifications",
		{ mobile_country_code: "254", mobile_number: number.slice(4) },
		null,
	);
	const imported = async () => ({
		importId: (await world.call("POST", "/v1/platform/imports", { organization_id: lender.id, name: world.name("import") })).id,
	});
	const lines = await linesOf(world, lender);
	const filled = await imported();
	await world.call("POST", `/v1/platform/imports/${filled.importId}/lines`, lines);
	return {
		advanceClock: [{ body: { advance: "PT1S" } }],
		updateUser: [{ path: { userId: (await world.phoneUser()).id }, body: { home_organization_id: lender.id } }],
		eraseUser: [{ path: await userOf() }],
		getErasure: [{ path: erased }],
		requestRecovery: [{ path: { userId: (await world.phoneUser()).id }, body: await recovery() }],
		getRecovery: [{ path: await recovered() }],
		cancelRecovery: [{ path: await recovered() }],
		freezeAccount: [{ path: { accountId: (await world.holder()).accountId }, body: { reason: "a court order" } }],
		unfreezeAccount: [{ path: { accountId: frozen.accountId }, body: { reason: "the order was lifted" } }],
		decide: [{ body: { decision_id: randomUUID(), subject: "CLOSURE", subject_id: closureId, decision: "APPROVED" } }],
		exchangeIdentityToken: [{ body: { identity_token: await world.token("identity", (await world.customer(lender)).id) } }],
		confirmPhoneVerification: [{ path: { id: verificationId }, body: { otp_code: await world.sentTo(number) } }],
		addImportLines: [{ path: await imported(), body: lines }],
		runImport: [{ path: filled, body: { dry_run: true } }],
	};
}

async function linesOf(world: World, lender: Lender): Promise<Json> {
	const loan_product_id = await world.product(lender);
	const interest_rate = { basis_points: 300, period_value: 30, period_unit: "DAYS" };
	const cycle = { number: 1, tenure: { duration: 30, unit: "DAYS" }, interest_rate };
	const account = "L-1";
	return [
		{ type: "ACCOUNT", account, borrower: { mobile_number: world.number() }, loan_product_id, cycles: [cycle] },
		{ type: "FACT", account, id: "T-1", position: 1, on: "2026-01-05", kind: "DRAW", amount: 10_000, cycle: 1 },
		{ type: "BALANCE", account, on: "2026-01-05", principal: 10_000, interest: 0, arrears: 0, penalty: 0 },
	];
}

async function ofLoans(world: World): Promise<Cases> {
	const lender = await world.lender();
	const loan = async () => ({ accountId: (await world.loan(lender)).accountId });
	const installment = async () => {
		const { accountId, borrower } = await world.loan(lender);
		const { data } = await world.call<{ data: { id: string }[] }>("GET", `/v1/accounts/${accountId}/installments`, undefined, borrower.as);
		return { accountId, waiver: { installment_id: data[0]?.id ?? "", amount: 100, reason: "goodwill" } };
	};
	const waived = await installment();
	const reversed = await installment();
	const { id: transactionId } = await world.call("POST", `/v1/platform/accounts/${reversed.accountId}/waivers`, reversed.waiver);
	const overpaid = await world.loan(lender);
	await world.repay(overpaid.accountId, 1_000_000);
	const ended = await world.loan(lender);
	const { payoff_amount } = await world.call<{ payoff_amount: number }>(
		"GET",
		`/v1/accounts/${ended.accountId}/payoff`,
		undefined,
		ended.borrower.as,
	);
	await world.repay(ended.accountId, payoff_amount);
	const paidOut = await world.outside.keep(() => world.loan(lender));
	const sent = await world.outside.keep(() => world.transfer(1_000));
	const settlement = { amount: 1_000, valid_until: dateIn(1), reason: "hardship" };
	return {
		refundOverpayment: [{ path: { accountId: overpaid.accountId } }],
		closeAccount: [{ path: { accountId: ended.accountId } }],
		rescheduleAccount: [{ path: await loan(), body: { kind: "EXTEND", installments: 1, reason: "asked for more time" } }],
		settleAccount: [{ path: await loan(), body: settlement }],
		waive: [{ path: { accountId: waived.accountId }, body: waived.waiver }],
		reverseTransaction: [{ path: { accountId: reversed.accountId, transactionId }, body: { reason: "entered twice" } }],
		...told(world, [...paidOut, ...sent]),
	};
}

/** Nobody decides on what their own key has uploaded. */
async function ofInvoices(world: World): Promise<Cases> {
	const { id } = await world.call("POST", "/v1/financing/invoices", invoice(world.name("INVOICE")), world.credentialsOf("API key"));
	return { decideInvoice: [{ as: world.credentialsOf("member (financing-admin)"), path: { id }, body: { decision: "APPROVED" } }] };
}

const CURRENT = "/v1/user/accounts/current";

/** What owners of current accounts do with codes that they were sent. */
async function ofHolders(world: World): Promise<Cases> {
	const change = (next: string) => ({
		new_mobile_country_code: "254",
		new_mobile_number: `0${next.slice(4)}`,
		authorization_channel: "OLD_MOBILE",
	});
	const changing = async () => {
		const { as, number } = await world.holder();
		const next = world.number();
		const body = change(next);
		return { as, number, next, path: { mobileNumberChangeId: (await world.call("POST", `${CURRENT}/phone/changes`, body, as)).id } };
	};
	const closing = async () => {
		const { as, number } = await world.holder();
		await world.call("POST", `${CURRENT}/close`, { reasons: ["FEES"] }, as);
		return { as, number };
	};
	const opening = async () => {
		const { as, number, ...person } = await world.phoneUser();
		const { activationId } = await world.opened({ as, number, ...person });
		return { as, number, path: { activationId } };
	};
	const [changeToResend, closingToResend, openingToResend] = [await changing(), await closing(), await opening()];
	// A code is sent again after half a minute.
	await world.call("POST", "/v1/sandbox/clock", { advance: "PT31S" });
	const [authorized, confirmed, closed, opened] = [await changing(), await changing(), await closing(), await opening()];
	const authorize = `${CURRENT}/phone/changes/${confirmed.path.mobileNumberChangeId}/authorize`;
	await world.call("POST", authorize, { otp_code: await world.sentTo(confirmed.number) }, confirmed.as);
	const ordered = await world.transfer(6_000);
	const codeOf = async ({ number }: { readonly number: string }) => ({ otp_code: await world.sentTo(number) });
	const { as: starter } = await world.holder();
	return {
		resendNumberChangeCode: [{ as: changeToResend.as, path: changeToResend.path }],
		resendClosureCode: [{ as: closingToResend.as }],
		resendActivationCode: [{ as: openingToResend.as, path: openingToResend.path }],
		startNumberChange: [{ as: (await world.holder()).as, body: change(world.number()) }],
		authorizeNumberChange: [{ as: authorized.as, path: authorized.path, body: await codeOf(authorized) }],
		confirmNumberChange: [{ as: confirmed.as, path: confirmed.path, body: await codeOf({ number: confirmed.next }) }],
		confirmClosure: [{ as: closed.as, body: await codeOf(closed) }],
		cancelClosure: [{ as: (await closing()).as }],
		getClosure: [{ as: (await closing()).as }],
		confirmActivation: [{ as: opened.as, path: opened.path, body: await codeOf(opened) }],
		confirmTransfer: [{ as: ordered.as, path: { transferId: ordered.transferId }, body: await codeOf(ordered) }],
		startClosure: [{ as: starter, body: { reasons: ["FEES"] } }],
	};
}

/** What borrowers do, and people who were invited. */
async function ofBorrowers(world: World): Promise<Cases> {
	const { lender } = await connected(world, "daraja");
	const borrower = await world.customer(lender);
	const { accountId } = await world.loan(lender, borrower);
	const { id: promptId } = await prompt(world, accountId, borrower);
	const other = await world.customer(lender);
	const asked = await world.loan(lender, other);
	const rich = await world.holder(100_000, await world.customer(lender));
	const wallet = await world.loan(lender, rich);
	const reader = await world.customer(lender);
	const { data } = await world.call<{ data: { id: string }[] }>("GET", "/v1/me/messages", undefined, reader.as);
	const email = `${world.name("invited")}@example.com`;
	await world.call("POST", `/v1/organizations/${lender.id}/members/invitations`, { email, role: "organization-viewer" });
	const invited = await world.token("identity", world.name("invited"), { claims: { email, email_verified: true } });
	return {
		promptRepayment: [{ as: other.as, path: { accountId: asked.accountId }, body: {} }],
		getRepaymentPrompt: [{ as: borrower.as, path: { accountId, promptId } }],
		payInSandbox: [{ as: borrower.as, body: { account_id: accountId, amount: 1_000 } }],
		repayFromWallet: [{ as: rich.as, path: { accountId: wallet.accountId }, body: { amount: 1_000, channel: "WALLET" } }],
		readMyMessages: [{ as: reader.as, body: { through: data[0]?.id ?? "" } }],
		setMyPhone: [{ as: (await world.brought(lender)).as, body: { phone_verification_token: await world.token("phone", world.number()) } }],
		acceptInvitation: [{ as: ["Authorization", `Bearer ${invited}`], body: { token: await world.sentTo(email, "token") } }],
	};
}
