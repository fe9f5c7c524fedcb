// The callers in measurements: an organization, its borrowers, and holders of current accounts. All are created over HTTP, by the
// function that sends the calls.

import { dateIn } from "../tools/days.ts";
import { loanProduct } from "../tools/loan-product.ts";
import { type Call, type Fields, textOf } from "./http.load.ts";

/** Sends a call that must succeed, and returns its answer. */
export type Send = (call: Call) => Promise<Fields>;

export type Organization = { readonly id: string; readonly slug: string; readonly product: string };
export type User = { readonly id: string; readonly token: string };
/** Two holders of current accounts; the first has money. */
export type Pair = { readonly payer: User; readonly accounts: readonly string[]; readonly payeeAccount: string };

export const DEPOSIT = 100_000_000;
export const LOAN_AMOUNT = 50_000;

export const sandboxToken = async (send: Send, body: Fields): Promise<string> =>
	textOf(await send({ method: "POST", path: "/v1/sandbox/tokens", body }), "token");

export const operatorToken = (send: Send): Promise<string> =>
	sandboxToken(send, { kind: "operator", subject: "bench", expires_in: 86_400 });

/** An organization with a loan product. */
export async function makeOrganization(send: Send, operator: string, slug: string): Promise<Organization> {
	const post = async (path: string, body: Fields) => textOf(await send({ method: "POST", path, token: operator, body }), "id");
	const id = await post("/v1/platform/organizations", { name: slug, slug });
	return { id, slug, product: await post("/v1/platform/loan-products", loanProduct(id)) };
}

/** An endpoint that gets every event of the organization. Returns its id. */
export async function registerEndpoint(
	send: Send,
	operator: string,
	organization: Organization,
	url: string,
	fields: Fields = {},
): Promise<string> {
	const manager = { token: operator, organization: organization.id };
	const types = (await send({ method: "GET", path: "/v1/webhooks/events/types", ...manager })) as unknown as Fields[];
	const events = types.map((type) => textOf(type, "event"));
	const body = { name: "All events", url, events, timeout: "PT30S", max_in_flight: 50, ...fields };
	return textOf(await send({ method: "POST", path: "/v1/webhooks", ...manager, body }), "id");
}

/** Signs a user of the organization in, and admits them if need be. */
export async function signIn(send: Send, operator: string, { slug }: Organization, subject: string, claims: Fields = {}): Promise<User> {
	const exchange = async () => {
		const partner_token = await sandboxToken(send, { kind: "partner", subject, organization: slug, claims });
		return textOf(await send({ method: "POST", path: "/v1/auth/exchange", body: { partner_token } }), "access_token");
	};
	const token = await exchange();
	const me = await send({ method: "GET", path: "/v1/me", token });
	const id = textOf(me, "id");
	if (me.status !== "WAITING_LIST") return { id, token };
	await send({ method: "POST", path: `/v1/platform/users/${id}/admit`, token: operator, key: crypto.randomUUID(), body: {} });
	return { id, token: await exchange() };
}

const OFFERS = "/v1/accounts/loan/applications/partner";

export const offerCall = ({ token }: User, { product }: Organization): Call => ({
	method: "POST",
	path: OFFERS,
	token,
	key: crypto.randomUUID(),
	body: { loan_product_id: product, loan_amount: LOAN_AMOUNT },
});

export const applyCall = ({ token }: User, application: string): Call => ({
	method: "POST",
	path: `${OFFERS}/${application}/apply`,
	token,
	key: crypto.randomUUID(),
	body: { loan_amount: LOAN_AMOUNT },
});

export const repayCall = (operator: string, accountId: string, transaction: string): Call => ({
	method: "POST",
	path: "/v1/repayments",
	token: operator,
	key: crypto.randomUUID(),
	body: {
		mobile_money_transaction_id: transaction,
		account_id: accountId,
		amount: { value: 1_000, currency: "KES" },
		transacted_at: new Date().toISOString(),
		details: { type: "BANK_TRANSFER", bank_code: "01", reference: transaction },
	},
});

export const invoiceCall = (operator: string, { id }: Organization): Call => ({
	method: "POST",
	path: "/v1/financing/invoices",
	token: operator,
	organization: id,
	body: {
		merchant_id: "m-1",
		invoice_number: crypto.randomUUID(),
		amount_minor_units: 90_000,
		currency: "KES",
		issued_date: dateIn(-1),
		due_date: dateIn(30),
	},
});

/** The custodian's report of a little money that has come into the first account. */
export const movementCall = (operator: string, { accounts: [account] }: Pick<Pair, "accounts">, amount = 100): Call => ({
	method: "POST",
	path: "/v1/integrations/custodian/movements",
	token: operator,
	body: {
		movement_id: crypto.randomUUID(),
		account_id: account,
		direction: "CREDIT",
		amount,
		currency: "KES",
		occurred_at: new Date().toISOString(),
	},
});

export const transferCall = ({ payer, payeeAccount }: Pair, note: string): Call => ({
	method: "POST",
	path: "/v1/user/transfers",
	token: payer.token,
	key: crypto.randomUUID(),
	body: { payee_account_id: payeeAccount, amount: 100, note },
});

const CURRENT = "/v1/user/accounts/current";

/** Two holders of active current accounts. A client may have 30 codes sent in an hour, so it can make 15 pairs. */
export async function makePair(send: Send, operator: string, organization: Organization, name: string): Promise<Pair> {
	const open = async (subject: string) => {
		const email = `${subject}@example.com`;
		const user = await signIn(send, operator, organization, subject, { email, email_verified: true });
		const { token } = user;
		const account = textOf(await send({ method: "POST", path: CURRENT, token }), "id");
		const activation = await send({ method: "POST", path: `${CURRENT}/activations`, token, body: { channel: "EMAIL" } });
		const { data } = await send({ method: "GET", path: `/v1/sandbox/messages?recipient=${encodeURIComponent(email)}`, token: operator });
		const otp_code = (data as Fields[]).find((message) => message.otp_code !== null)?.otp_code;
		await send({ method: "POST", path: `${CURRENT}/activations/${textOf(activation, "id")}/confirm`, token, body: { otp_code } });
		return { user, account };
	};
	const payer = await open(`${name}-payer`);
	const payee = await open(`${name}-payee`);
	await send(movementCall(operator, { accounts: [payer.account] }, DEPOSIT));
	const user_tag = textOf(await send({ method: "GET", path: "/v1/me", token: payee.user.token }), "tag");
	const saved = await send({
		method: "POST",
		path: "/v1/user/payees",
		token: payer.user.token,
		body: { accounts: [{ type: "INTERNAL", user_tag }] },
	});
	const [account] = saved.accounts as Fields[];
	return { payer: payer.user, accounts: [payer.account, payee.account], payeeAccount: textOf(account ?? {}, "id") };
}
