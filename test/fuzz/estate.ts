// What the people of a round own beyond their credentials: current accounts at each stage, payees, transfers, invoices, repayments,
// invitations, commissions and approvals. Each part is in a state in which its next operations succeed.

import { dateIn } from "../../tools/days.ts";
import { loanProduct } from "../../tools/loan-product.ts";
import type { Header } from "./draft.ts";
import type { Things } from "./things.ts";
import type { Json } from "./values.ts";

type Call = (method: string, path: string, body?: Json, ...headers: Header[]) => Promise<Record<string, string>>;

export interface World {
	readonly call: Call;
	readonly things: Things;
	readonly round: string;
	readonly operator: Header;
	/** A member who may decide on invoices that others have uploaded. */
	readonly decider: Header;
	/** A second one, because nobody decides what they requested themselves. */
	readonly secondOperator: Header;
	/** A user with this mobile number, off the waiting list. */
	phoneUser(number: string): Promise<Header>;
	readonly organization: {
		readonly id: string;
		readonly owner: Header;
		readonly ownerId: string;
		readonly borrower: Header;
		readonly borrowerId: string;
		readonly key: Header;
		readonly webhookId: string;
	};
}

/** The digits of a round's name, for numbers of its own. */
export const numberOf = (round: string, digits: number): string =>
	String(Number.parseInt(round.replaceAll(/\D/g, ""), 10))
		.padStart(digits, "0")
		.slice(-digits);

export const invoice = (number: string): Json => ({
	merchant_id: "merchant-1",
	invoice_number: number,
	amount_minor_units: 90_000,
	currency: "KES",
	issued_date: dateIn(-1),
	due_date: dateIn(30),
});

export const payment = (transaction: string, to: { readonly [name: string]: Json }, value = 1_000): { [name: string]: Json } => ({
	mobile_money_transaction_id: transaction,
	...to,
	amount: { value, currency: "KES" },
	transacted_at: new Date().toISOString(),
	details: { type: "BUY_GOODS", till_number: "12345" },
});

export const agentEvent = (id: string, user: string): Json => ({
	event_id: id,
	agent_user_id: user,
	event_type: "TRANSACTION",
	reference_id: "reference-1",
	amount: 10_000,
	currency: "KES",
	event_occurred_at: "2026-03-10T10:00:00Z",
	description: "cash in",
});

export const commissionModel = (id: string): Json => ({
	model_id: id,
	currency: "KES",
	effective_from: "2026-01-01T00:00:00Z",
	rules: [{ event_type: "TRANSACTION", tiers: [{ from: 0, basis_points: 100 }], supervisor_share_basis_points: 1_000 }],
});

const CURRENT = "/v1/user/accounts/current";

/** Returns the credentials of those who own current accounts, by name. */
export async function gatherEstate(world: World): Promise<ReadonlyMap<string, Header>> {
	const holders = await gatherCurrentAccounts(world);
	await gatherLoans(world);
	await gatherInvoices(world);
	await gatherOrganization(world);
	return holders;
}

async function gatherCurrentAccounts({ call, things, round, operator, phoneUser }: World): Promise<ReadonlyMap<string, Header>> {
	const digits = numberOf(round, 6);
	const learnCode = async (number: string): Promise<string> => {
		const { data } = (await call(
			"GET",
			`/v1/sandbox/messages?recipient=${encodeURIComponent(number)}`,
			undefined,
			operator,
		)) as unknown as {
			data: { otp_code: string | null }[];
		};
		const code = data.find(({ otp_code }) => otp_code !== null)?.otp_code ?? "";
		things.learn("otp_code", code);
		return code;
	};
	const opened = async (number: string) => {
		const credentials = await phoneUser(number);
		const account = await call("POST", CURRENT, undefined, credentials);
		const activation = await call("POST", `${CURRENT}/activations`, {}, credentials);
		return { credentials, accountId: account.id ?? "", activationId: activation.id ?? "", code: await learnCode(number) };
	};
	const active = async (number: string) => {
		const { credentials, accountId, activationId, code } = await opened(number);
		await call("POST", `${CURRENT}/activations/${activationId}/confirm`, { otp_code: code }, credentials);
		return { credentials, accountId };
	};

	const holder = await active(`+25471${digits}1`);
	const movement = {
		movement_id: `movement-${round}`,
		account_id: holder.accountId,
		direction: "CREDIT",
		amount: 100_000,
		currency: "KES",
	};
	await call("POST", "/v1/integrations/custodian/movements", { ...movement, occurred_at: new Date().toISOString() }, operator);
	things.learn("current_account_id", holder.accountId);
	for (const label of ["Rent", "School"]) {
		const payee = { label, accounts: [{ type: "SEND_MONEY", mobile_number: `+25472${digits}${label.length}` }] };
		const { accounts } = (await call("POST", "/v1/user/payees", payee, holder.credentials)) as unknown as { accounts: { id: string }[] };
		for (const { id } of accounts) for (const name of ["payee_account_id", "account_id"]) things.learn(name, id);
	}
	// The larger one waits for its code.
	for (const amount of [1_000, 6_000])
		await call(
			"POST",
			"/v1/user/transfers",
			{ payee_account_id: things.fill("@@payee_account_id:0@@", String), amount },
			holder.credentials,
		);
	await learnCode(`+25471${digits}1`);
	const change = { new_mobile_country_code: "254", new_mobile_number: `073${digits}4`, authorization_channel: "OLD_MOBILE" };
	await call("POST", `${CURRENT}/phone/changes`, change, holder.credentials);
	await learnCode(`+25471${digits}1`);

	const leaver = await active(`+25471${digits}2`);
	await call("POST", `${CURRENT}/close`, { reasons: ["FEES"] }, leaver.credentials);
	await learnCode(`+25471${digits}2`);
	const starter = await opened(`+25471${digits}3`);
	return new Map([
		["account holder", holder.credentials],
		["closing holder", leaver.credentials],
		["new holder", starter.credentials],
	]);
}

async function gatherLoans({ call, things, round, operator, organization: { id, borrower, borrowerId, key } }: World): Promise<void> {
	await call("PUT", `/v1/platform/users/${borrowerId}/credit-profile`, { limit: 1_000_000 }, operator);
	const offers = "/v1/accounts/loan/applications/partner";
	/** One account that is repaid in part, an overpaid account, and an account whose repayment is reversed. */
	const [part, over, reversed] = [1_000, 200_000, 2_000];
	for (const value of [part, over, reversed]) {
		const product = await call("POST", "/v1/platform/loan-products", loanProduct(id, `Loan of ${value}`), operator);
		const offer = await call("POST", offers, { loan_product_id: product.id ?? "" }, borrower);
		await call("POST", `${offers}/${offer.id}/apply`, { loan_amount: 50_000 }, borrower);
		const account_id = offer.account_id ?? "";
		const paid = payment(`PAID-${round}-${value}`, { account_id }, value);
		const { transaction } = (await call("POST", "/v1/repayments", paid, key)) as unknown as { transaction: { id: string } };
		things.learn("/v1/repayments", transaction.id);
		things.learn("loan_account_id", account_id);
		await call("GET", `/v1/accounts/${account_id}/installments`, undefined, borrower);
		if (value !== reversed) continue;
		const reversal = await call("POST", `/v1/repayments/${transaction.id}/reverse`, { reason: "paid by mistake" }, operator);
		things.learn("reversal_id", reversal.id ?? "");
	}
	const unmatched = await call("POST", "/v1/repayments", payment(`LOST-${round}`, { account_number: "unknown" }), key);
	things.learn("/v1/platform/unmatched-payments", (unmatched as unknown as { transaction: { id: string } }).transaction.id);
	for (let n = 0; n < 10; n++) things.learn("mobile_money_transaction_id", `TX-${round}-${n}`);
}

async function gatherInvoices({ call, things, round, operator, decider, organization: { ownerId, owner, key } }: World): Promise<void> {
	things.learn("merchant_id", "merchant-1");
	const grant = { permissions: ["org:financing.invoices:write"] };
	await call("PUT", `/v1/financing/merchants/merchant-1/grants/${ownerId}`, grant, owner);
	for (const stage of ["UPLOADED", "UPLOADED", "APPROVED", "FINANCED"]) {
		const { id } = await call("POST", "/v1/financing/invoices", invoice(`INVOICE-${round}-${crypto.randomUUID()}`), key);
		if (stage === "UPLOADED") continue;
		await call("POST", `/v1/financing/invoices/${id}/decision`, { decision: "APPROVED" }, decider);
		if (stage === "FINANCED") await call("POST", `/v1/financing/invoices/${id}/finance`, { fee: 100 }, operator);
	}
	for (let n = 0; n < 10; n++) things.learn("invoice_number", `NEXT-${round}-${n}`);
}

async function gatherOrganization(world: World): Promise<void> {
	const { call, things, round, operator, secondOperator } = world;
	const { id, owner, ownerId, borrowerId, key, webhookId } = world.organization;
	for (const name of ["anna", "ben"]) {
		const invitation = { email: `${name}-${round}@example.com`, role: "organization-viewer" };
		await call("POST", `/v1/organizations/${id}/members/invitations`, invitation, owner);
	}
	await call("POST", `/v1/webhooks/${webhookId}/secrets`, {}, owner);
	await call("PUT", `/v1/agents/${borrowerId}/supervisor`, supervision(things), operator);
	await call("POST", "/v1/platform/commission-models", commissionModel(`model-${round}`), operator);
	things.learn("model_id", `model-${round}`);
	for (let n = 0; n < 10; n++) things.learn("event_id", crypto.randomUUID());
	await call("POST", "/v1/agents/events", { events: [agentEvent(crypto.randomUUID(), borrowerId)] }, key);
	const issuer = { issuer: `https://issuer-${round}.invalid`, kind: "identity", audience: "service", algorithms: ["RS256"] };
	await call("POST", "/v1/platform/issuers", { ...issuer, jwks_uri: `${issuer.issuer}/keys` }, operator);
	const requests = [
		[operator, borrowerId],
		[secondOperator, ownerId],
	] as const;
	for (const [requester, entity_id] of requests) {
		const change = { approval_type: "LIMIT_CHANGE", entity_type: "USER", entity_id, payload: { limit: 70_000 } };
		await call("POST", "/v1/approvals", change, requester);
	}
}

const supervision = (things: Things): Json => ({
	supervisor_user_id: things.fill("@@user_id:0@@", String),
	effective_from: "2026-01-01T00:00:00Z",
});
