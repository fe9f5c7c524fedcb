// Everybody who calls during one round, and what is theirs: an organization with a member of each role, a borrower, a
// webhook and an API key; another organization whose owner is a stranger to the first; a phone user on the waiting
// list, owners of current accounts; two operators, a provider who signs, and those who bring nothing or rubbish. Made over HTTP.

import { createHmac } from "node:crypto";
import { loanProduct } from "../../tools/loan-product.ts";
import type { Operation, ServiceDocument } from "./document.ts";
import type { Header } from "./draft.ts";
import { agentEvent, commissionModel, gatherEstate, invoice, numberOf, payment } from "./estate.ts";
import { type Answer, type Connection, freshAddress, type Sent } from "./exchange.ts";
import { Things } from "./things.ts";
import type { Json } from "./values.ts";

export interface Caller {
	readonly name: string;
	/** Whether they are strangers to the first organization, so that no answer may show them anything of it. */
	readonly stranger: boolean;
	credentials(body: Buffer | undefined): readonly Header[];
}

export interface Cast {
	readonly callers: readonly Caller[];
	readonly things: Things;
	/** A text in the names of everything that belongs to the first organization. */
	readonly canary: string;
}

const ROLES = ["owner", "admin", "financing-admin", "financing-viewer", "lending-admin", "lending-viewer", "developer", "viewer"];
const WRITES = ["loans", "repayments", "agents", "invoices", "approvals"].map((of) => `${of}:write`);
const SCOPES = [...WRITES, ...["agents", "invoices", "events", "accounts", "repayments", "users", "portfolio"].map((of) => `${of}:read`)];

/** Valid bodies, for operations whose schemas cannot say how members depend on each other. */
export const TEMPLATES: Readonly<Record<string, readonly Json[]>> = {
	createLoanProduct: [
		loanProduct("@@organization_id:0@@", "A product"),
		{ ...loanProduct(null, "Long"), tenure: { duration: 100, unit: "MONTHS" }, installment_every: { duration: 1, unit: "WEEKS" } },
	],
	createLoanApplication: [{ loan_product_id: "@@loan_product_id:0@@" }, {}],
	applyForLoan: [{ loan_amount: 50_000 }, { loan_amount: 100_000 }],
	quoteLoan: [{ loan_product_id: "@@loan_product_id:0@@", loan_amount: 50_000 }],
	createWebhook: [{ name: "Hook", url: "@@url:0@@", events: ["loan.disbursed", "api_key.created"] }],
	updateWebhook: [{ status: "ACTIVE" }, { status: "SUSPENDED" }, { timeout: "PT2S", events: ["loan.disbursed"] }],
	createSandboxToken: [{ kind: "partner", subject: "somebody", organization: "newcomers" }],
	putAppSettings: [{ minimum_supported_version: "1.2.3" }, { minimum_supported_version: "0.0.0", maintenance: { active: false } }],
	createIssuer: [{ issuer: "https://issuer.invalid", kind: "partner", jwks_uri: "https://issuer.invalid/jwks.json" }],
	tryWebhookFilter: [{ events: ["repayment.posted"], filter: [{ member: "amount", min: 1 }] }],
	verifySignature: [{ header: "@@header:0@@", body: '{"event_id":"a"}' }],
	recoverWebhook: [{ since: "2026-01-01T00:00:00Z" }],
	addMember: [{ user_id: "@@user_id:0@@", role: "organization-viewer" }],
	addPayeeAccount: [{ type: "BUY_GOODS", till_number: "123456" }],
	blockPayee: [{ reasons: ["UNWANTED_PAYMENTS"] }],
	changeTenure: [{ tenure: { duration: 45, unit: "DAYS" } }],
	combinePayees: [{ source_payee_id: "@@payee_id:0@@" }, { source_payee_id: "@@payee_id:1@@" }],
	createCommissionModel: [commissionModel("@@model_id:0@@")],
	createInvitation: [{ email: "carol@example.com", role: "organization-viewer" }],
	createPayee: [{ label: "Rent", accounts: [{ type: "SEND_MONEY", mobile_number: "+254722000111" }] }],
	decide: [{ decision_id: "decision-1", subject: "CLOSURE", subject_id: "@@closure_id:0@@", decision: "APPROVED" }],
	decideApproval: [{ decision: "APPROVED" }, { decision: "REJECTED", comment: "No" }],
	decideInvoice: [{ decision: "APPROVED" }],
	draw: [{ amount: 1_000 }],
	financeInvoice: [{ fee: 100 }],
	matchPayment: [{ account_id: "@@loan_account_id:0@@" }],
	orderTransfer: [
		{ payee_account_id: "@@payee_account_id:0@@", amount: 1_000 },
		{ payee_account_id: "@@payee_account_id:1@@", amount: 6_000 },
	],
	putMerchantGrant: [{ permissions: ["org:financing.merchants:read"] }],
	recordAgentEvents: [{ events: [agentEvent("@@event_id:3@@", "@@user_id:1@@")] }],
	recordMovement: [
		{
			movement_id: "@@event_id:5@@",
			account_id: "@@current_account_id:0@@",
			direction: "CREDIT",
			amount: 1_000,
			currency: "KES",
			occurred_at: "2026-03-10T10:00:00Z",
		},
	],
	recordRepayment: [0, 1, 2, 3].map((n) =>
		payment(`@@mobile_money_transaction_id:${n}@@`, n === 0 ? { account_number: "unknown" } : { account_id: "@@loan_account_id:0@@" }),
	),
	repayFromWallet: [{ amount: 1_000, channel: "WALLET" }],
	repayInvoice: [{ external_id: "@@invoice_number:9@@", amount: { value: 100, currency: "KES" }, transacted_at: "2026-03-10T10:00:00Z" }],
	requestApproval: [
		{ approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: "@@user_id:0@@", payload: { blocked: true } },
		{ approval_type: "LIMIT_CHANGE", entity_type: "USER", entity_id: "@@user_id:1@@", payload: { limit: 10_000 } },
	],
	moveRepayment: [{ account_id: "@@loan_account_id:0@@", reason: "booked on a wrong account" }],
	restoreRepayment: [{ reversal_id: "@@reversal_id:0@@", reason: "it was right after all" }],
	reverseRepayment: [{ reason: "in part", amount: 100 }, { reason: "in whole" }, { reason: "paid by mistake", return_money: true }],
	setSupervisor: [{ supervisor_user_id: "@@user_id:0@@", effective_from: "2026-01-01T00:00:00Z" }],
	startClosure: [{ reasons: ["FEES"] }],
	startNumberChange: [{ new_mobile_country_code: "254", new_mobile_number: "733123456", authorization_channel: "OLD_MOBILE" }],
	updatePayee: [{ is_favorite: true }, { label: "Home" }],
	uploadInvoice: [invoice("@@invoice_number:0@@"), invoice("@@invoice_number:1@@")],
	uploadInvoices: [{ invoices: [invoice("@@invoice_number:2@@"), invoice("@@invoice_number:3@@")] }],
	waive: [{ installment_id: "@@/v1/accounts/{accountId}/installments:0@@", amount: 100, reason: "goodwill" }],
};

/** A provider's secret; the service under test is configured with it. */
export const CALLBACK_SECRET = "fuzz-callback-secret-0123456789";

function signed(body: Buffer | undefined): Header {
	const t = Math.floor(Date.now() / 1000);
	const v1 = createHmac("sha256", CALLBACK_SECRET)
		.update(`${t}.`)
		.update(body ?? "")
		.digest("hex");
	return ["X-Service-Signature", `t=${t},v1=${v1}`];
}

const TWO_CREDENTIALS = "two credentials";

/** A fresh cast. `round` keeps the names of one apart from those of another. */
export async function gather(connection: Connection, document: ServiceDocument, round: string, receiverUrl: string): Promise<Cast> {
	const canary = `tamarind-${round}`;
	const things = new Things(document, canary);
	const call = async (method: string, path: string, body?: Json, ...headers: Header[]): Promise<Record<string, string>> => {
		const sent: Sent = {
			method,
			path,
			headers: [
				["CF-Connecting-IP", freshAddress()],
				...headers,
				...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
			],
			body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
		};
		const answer = await connection.send(sent);
		if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
		const told = answer.text === "" ? {} : JSON.parse(answer.text);
		learn(document, things, method, path, told);
		return told;
	};
	const bearer = (token: string): Header => ["Authorization", `Bearer ${token}`];
	const apiKey = (key: string): Header => ["X-API-Key", key];
	const token = async (kind: string, subject: string, more: { readonly [name: string]: Json } = {}): Promise<string> =>
		(await call("POST", "/v1/sandbox/tokens", { kind, subject, expires_in: 3_600, ...more })).token ?? "";
	const subjectOf = (jwt: string): string => JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()).sub;

	const operator = bearer(await token("operator", `operator-${round}`));
	const secondOperator = bearer(await token("operator", `second-operator-${round}`));
	/** A user whom a partner has brought; off the waiting list where they are admitted. */
	const newcomer = async (subject: string, organization: string, role?: string) => {
		const partner_token = await token("partner", `${subject}-${round}`, { organization });
		const { access_token = "" } = await call("POST", "/v1/auth/exchange", { partner_token });
		const id = subjectOf(access_token);
		await call("POST", `/v1/platform/users/${id}/admit`, undefined, operator);
		if (role)
			await call("POST", `/v1/platform/organizations/${organization}/members`, { user_id: id, role: `organization-${role}` }, operator);
		things.learn("user_id", id);
		things.learn("partner_token", partner_token);
		return { id, credentials: bearer(access_token) };
	};
	const exchange = async (number: string) => {
		const phone_verification_token = await token("phone", number);
		things.learn("phone_verification_token", phone_verification_token);
		return (await call("POST", "/v1/auth/public/exchange/phone", { phone_verification_token })).access_token ?? "";
	};
	const signIn = async (number: string) => call("POST", "/v1/auth/sign-in", { custom_token: await exchange(number) });
	/** A user whose loans are paid out to this number where no sandbox pays, off the waiting list. */
	const byPhone = async (number: string) => {
		const { access_token = "" } = await signIn(number);
		const id = subjectOf(access_token);
		await call("POST", `/v1/platform/users/${id}/admit`, undefined, operator);
		things.learn("user_id", id);
		return { id, credentials: bearer(access_token) };
	};
	/** An organization with everything that an organization can have. */
	const organization = async (slug: string, name: string) => {
		const { id = "" } = await call("POST", "/v1/platform/organizations", { name, slug }, operator);
		const product = await call("POST", "/v1/platform/loan-products", loanProduct(id, name), operator);
		const owner = await newcomer(`owner-${slug}`, slug, "owner");
		const borrower = await byPhone(`+25411${slug.startsWith("own") ? 0 : 1}${numberOf(round, 6)}`);
		await call("PATCH", `/v1/platform/users/${borrower.id}`, { home_organization_id: id }, operator);
		const { key = "" } = await call("POST", `/v1/organizations/${id}/api-keys`, { name, scopes: SCOPES }, owner.credentials);
		const hook = { name, url: `${receiverUrl}/${slug}`, events: ["loan.disbursed", "loan_application.submitted", "api_key.created"] };
		const webhook = await call("POST", "/v1/webhooks", hook, owner.credentials);
		await call("POST", `/v1/webhooks/${webhook.id}/test`, undefined, owner.credentials);
		const offers = "/v1/accounts/loan/applications/partner";
		const offer = await call("POST", offers, { loan_product_id: product.id ?? "" }, borrower.credentials);
		await call("POST", `${offers}/${offer.id}/apply`, { loan_amount: 50_000 }, borrower.credentials);
		// An offer that stays open.
		const another = await call("POST", "/v1/platform/loan-products", loanProduct(id, name), operator);
		await call("POST", offers, { loan_product_id: another.id ?? "" }, borrower.credentials);
		for (const row of ["/v1/webhooks/events", "/v1/webhooks/deliveries?size=1"]) await call("GET", row, undefined, owner.credentials);
		for (const one of [id, id, slug]) things.learn("organization_id", one);
		things.learn("loan_product_id", product.id ?? "");
		things.learn("event_type", "loan.disbursed");
		const webhookId = webhook.id ?? "";
		return {
			id,
			owner: owner.credentials,
			ownerId: owner.id,
			borrower: borrower.credentials,
			borrowerId: borrower.id,
			key: apiKey(key),
			webhookId,
		};
	};

	const own = await organization(`own-${round}`, canary);
	const foreign = await organization(`foreign-${round}`, "Foreign");
	// Most of what is named is the first organization's own.
	for (const name of [`own-${round}`, `own-${round}`, "nobodys"]) things.learn("organization_id", name);
	const members = new Map<string, { id: string; credentials: Header }>();
	for (const role of ROLES) members.set(role, await newcomer(role, `own-${round}`, role));
	const phone = `+2547${String(10_000_000 + Number.parseInt(round.replaceAll(/\D/g, ""), 10)).slice(-8)}`;
	const waiting = await signIn(phone);
	const holders = await gatherEstate({
		call,
		things,
		round,
		operator,
		secondOperator,
		decider: members.get("financing-admin")?.credentials ?? operator,
		organization: own,
		phoneUser: async (number) => (await byPhone(number)).credentials,
	});
	for (let n = 0; n < 3; n++) things.learn("custom_token", await exchange(phone));
	for (let n = 0; n < 3; n++) things.learn("partner_token", await token("partner", `someone-${n}-${round}`));
	things.learn("url", `${receiverUrl}/more`);
	things.learn("header", `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`);
	const expired = await token("operator", "late", { expires_in: -3_600 });
	const identity = await token("identity", members.get("owner")?.id ?? "");

	const caller = (name: string, stranger: boolean, ...credentials: Header[]): Caller => ({
		name,
		stranger,
		credentials: () => credentials,
	});
	return {
		things,
		canary,
		callers: [
			caller("nobody", true),
			caller("rubbish", true, bearer("rubbish")),
			caller("expired", true, bearer(expired)),
			caller("waiting user", true, bearer(waiting.access_token ?? "")),
			caller("ID token", true, bearer(waiting.id_token ?? "")),
			caller("foreign owner", true, foreign.owner),
			caller("foreign user", true, foreign.borrower),
			caller("foreign API key", true, foreign.key),
			caller("user", false, own.borrower),
			caller("owner", false, own.owner),
			...[...members].map(([role, { credentials }]) => caller(`member (${role})`, false, credentials)),
			caller("identity token", false, bearer(identity)),
			caller("API key", false, own.key),
			caller(TWO_CREDENTIALS, false, own.owner, own.key),
			caller("operator", false, operator),
			caller("second operator", false, secondOperator),
			...[...holders].map(([name, credentials]) => caller(name, true, credentials)),
			{ name: "provider", stranger: true, credentials: (body) => [signed(body)] },
		],
	};
}

/** Remembers what the answer of this path's operation contains. */
export function learn(document: ServiceDocument, things: Things, method: string, path: string, body: unknown): void {
	const [plain = ""] = path.split("?");
	const fits = (operation: Operation) => new RegExp(`^${operation.path.replaceAll(".", "\\.").replaceAll(/{\w+}/g, "[^/]+")}$`).test(plain);
	const operation =
		document.operations.find((one) => one.method === method && one.path === plain) ??
		document.operations.find((one) => one.method === method && fits(one));
	if (operation) things.learnFrom(operation.path, body);
}

/** The callers that each operation admits, found by calling it with a broken body. */
export async function likelyCallers(
	connection: Connection,
	document: ServiceDocument,
	cast: Cast,
): Promise<Map<string, readonly string[]>> {
	const likely = new Map<string, readonly string[]>();
	for (const operation of document.operations) {
		const admitted: { name: string; status: number }[] = [];
		for (const { name, credentials } of cast.callers) {
			// Two credentials are bad input to every operation, which looks as if the caller were admitted.
			if (name === TWO_CREDENTIALS) continue;
			const path = cast.things.fill(operation.path.replaceAll(/{organizationId}/g, "@@organization_id:0@@"), encodeURIComponent);
			const body = operation.method === "GET" ? undefined : Buffer.from("{");
			// The call changes nothing, because the ids are unknown and the body is not JSON; callers are refused before either matters.
			const headers: Header[] = [...credentials(body), ["Content-Type", "application/json"]];
			const answer: Answer = await connection.send({
				method: operation.method,
				path: path.replaceAll(/{\w+}/g, "00000000-0000-7000-8000-000000000000"),
				headers,
				body,
			});
			if (answer.status !== 401 && answer.status !== 403) admitted.push({ name, status: answer.status });
		}
		// Strangers to an organization in the path get 404. If some callers get another answer, only those are admitted.
		const further = operation.path.includes("{organizationId}") ? admitted.filter(({ status }) => status !== 404) : [];
		likely.set(
			operation.id,
			(further.length > 0 ? further : admitted).map(({ name }) => name),
		);
	}
	return likely;
}
