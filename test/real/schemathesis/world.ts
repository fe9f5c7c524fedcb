// People, lenders and loans of a run's own, made through the API. Nothing of them is named elsewhere, so that no other call changes them.

import { randomUUID } from "node:crypto";
import { loanProduct } from "../../../tools/loan-product.ts";
import type { Cast } from "../../fuzz/cast.ts";
import type { ServiceDocument } from "../../fuzz/document.ts";
import type { Header } from "../../fuzz/draft.ts";
import { type Connection, freshAddress } from "../../fuzz/exchange.ts";
import type { Json } from "../../fuzz/values.ts";
import type { Outside } from "./outside.ts";

export type Given = {
	readonly connection: Connection;
	readonly document: ServiceDocument;
	readonly cast: Cast;
	readonly round: string;
	readonly outside: Outside;
};
export type Person = { readonly id: string; readonly as: Header; readonly number: string };
/** `prefix`: of its borrowers' numbers. */
export type Lender = { readonly id: string; readonly slug: string; readonly currency: string; readonly prefix: string };
export type Loan = { readonly accountId: string; readonly applicationId: string };

const CURRENT = "/v1/user/accounts/current";
const KENYAN = "+254112";
const LENT = 50_000;

export class World {
	readonly operator: Header;
	/** Nobody decides what they requested themselves. */
	readonly secondOperator: Header;
	readonly outside: Outside;
	readonly document: ServiceDocument;
	readonly #connection: Connection;
	readonly #cast: Cast;
	readonly round: string;
	#serial = 0;

	constructor({ connection, document, cast, round, outside }: Given) {
		this.#connection = connection;
		this.round = round;
		this.outside = outside;
		this.document = document;
		this.#cast = cast;
		this.operator = this.credentialsOf("operator");
		this.secondOperator = this.credentialsOf("second operator");
	}

	credentialsOf(name: string): Header {
		const [header] = this.#cast.callers.find((one) => one.name === name)?.credentials(undefined) ?? [];
		if (!header) throw new Error(`nobody is ${name}`);
		return header;
	}

	async call<Told = { readonly id: string }>(method: string, path: string, body?: Json, as: Header | null = this.operator): Promise<Told> {
		const { status, text } = await this.#connection.send({
			method,
			path,
			headers: [
				["CF-Connecting-IP", freshAddress()],
				...(as ? [as] : []),
				...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
			],
			body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
		});
		if (status >= 300) throw new Error(`${method} ${path} answered ${status} ${text}`);
		return (text === "" ? {} : JSON.parse(text)) as Told;
	}

	/** The first of the things of a kind that the cast has. */
	named(thing: string): string {
		return this.#cast.things.fill(`@@${thing}:0@@`, String);
	}

	name(of: string): string {
		return `${of}-${this.round}-${++this.#serial}`;
	}

	number(prefix = KENYAN): string {
		return prefix + String(Number(this.round) % 1_000).padStart(3, "0") + String(++this.#serial).padStart(3, "0");
	}

	async token(kind: string, subject: string, more: { readonly [name: string]: Json } = {}): Promise<string> {
		return (await this.call<{ token: string }>("POST", "/v1/sandbox/tokens", { kind, subject, ...more })).token;
	}

	/** The newest code, or the token of a link, that was sent to a number or address. */
	async sentTo(recipient: string, what: "otp_code" | "token" = "otp_code"): Promise<string> {
		const messages = await this.call<{ data: { [name in typeof what]: string | null }[] }>(
			"GET",
			`/v1/sandbox/messages?recipient=${encodeURIComponent(recipient)}`,
		);
		const found = messages.data.find((message) => message[what] !== null)?.[what];
		if (!found) throw new Error(`nothing was sent to ${recipient}`);
		return found;
	}

	async lender(country: "KE" | "UG" = "KE"): Promise<Lender> {
		const slug = this.name("lender");
		const { id } = await this.call("POST", "/v1/platform/organizations", { name: slug, slug });
		return { id, slug, ...(country === "UG" ? { currency: "UGX", prefix: "+256772" } : { currency: "KES", prefix: KENYAN }) };
	}

	/** A borrower of a lender, who has come by phone. */
	async customer(lender: Lender): Promise<Person> {
		const person = await this.phoneUser(lender.prefix);
		await this.call("PATCH", `/v1/platform/users/${person.id}`, { home_organization_id: lender.id });
		return person;
	}

	/** Whom a lender has brought, without a number. */
	async brought({ slug }: Lender): Promise<Pick<Person, "id" | "as">> {
		const partner_token = await this.token("partner", this.name("customer"), { organization: slug });
		return this.#admitted((await this.call<{ access_token: string }>("POST", "/v1/auth/exchange", { partner_token }, null)).access_token);
	}

	/** Who has come by phone, to no lender, off the waiting list. */
	async phoneUser(prefix?: string): Promise<Person> {
		const number = this.number(prefix);
		const phone_verification_token = await this.token("phone", number);
		const { access_token: custom_token } = await this.call<{ access_token: string }>(
			"POST",
			"/v1/auth/public/exchange/phone",
			{ phone_verification_token },
			null,
		);
		const { access_token } = await this.call<{ access_token: string }>("POST", "/v1/auth/sign-in", { custom_token }, null);
		return { ...(await this.#admitted(access_token)), number };
	}

	async #admitted(token: string): Promise<{ readonly id: string; readonly as: Header }> {
		const { sub: id } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
		await this.call("POST", `/v1/platform/users/${id}/admit`);
		return { id, as: ["Authorization", `Bearer ${token}`] };
	}

	/** A current account that is not active yet, with its code. */
	async opened(person: Person): Promise<{ readonly accountId: string; readonly activationId: string }> {
		const { id: accountId } = await this.call("POST", CURRENT, undefined, person.as);
		const { id: activationId } = await this.call("POST", `${CURRENT}/activations`, {}, person.as);
		return { accountId, activationId };
	}

	/** An active current account, with money if any. */
	async holder(amount = 0, person?: Person): Promise<Person & { readonly accountId: string }> {
		const owner = person ?? (await this.phoneUser());
		const { accountId, activationId } = await this.opened(owner);
		await this.call("POST", `${CURRENT}/activations/${activationId}/confirm`, { otp_code: await this.sentTo(owner.number) }, owner.as);
		const movement = { movement_id: randomUUID(), account_id: accountId, direction: "CREDIT", currency: "KES" };
		if (amount > 0) await this.call("POST", "/v1/integrations/custodian/movements", { ...movement, amount, occurred_at: await this.now() });
		return { ...owner, accountId };
	}

	async product({ id, currency }: Lender): Promise<string> {
		return (await this.call("POST", "/v1/platform/loan-products", { ...loanProduct(id, this.name("Loan")), currency })).id;
	}

	async offer(lender: Lender, { as }: Person): Promise<Loan> {
		const loan_product_id = await this.product(lender);
		const offer = await this.call<{ id: string; account_id: string }>(
			"POST",
			"/v1/accounts/loan/applications/partner",
			{ loan_product_id },
			as,
		);
		return { applicationId: offer.id, accountId: offer.account_id };
	}

	async apply({ applicationId }: Loan, { as }: Person): Promise<void> {
		await this.call("POST", `/v1/accounts/loan/applications/partner/${applicationId}/apply`, { loan_amount: LENT }, as);
	}

	/** A loan that was paid out. */
	async loan(lender: Lender, borrower?: Person): Promise<Loan & { readonly borrower: Person }> {
		const person = borrower ?? (await this.customer(lender));
		const offer = await this.offer(lender, person);
		await this.apply(offer, person);
		return { ...offer, borrower: person };
	}

	/** A payment on an account, and its id. */
	async repay(accountId: string, value: number): Promise<string> {
		const payment = {
			mobile_money_transaction_id: this.name("PAID"),
			account_id: accountId,
			amount: { value, currency: "KES" },
			transacted_at: await this.now(),
			details: { type: "BUY_GOODS", till_number: "12345" },
		};
		return (await this.call<{ transaction: { id: string } }>("POST", "/v1/repayments", payment)).transaction.id;
	}

	/** An order to pay somebody outside. */
	async transfer(amount: number): Promise<Person & { readonly transferId: string }> {
		const holder = await this.holder(100_000);
		const payee = { label: "Rent", accounts: [{ type: "SEND_MONEY", mobile_number: this.number() }] };
		const { accounts } = await this.call<{ accounts: [{ id: string }] }>("POST", "/v1/user/payees", payee, holder.as);
		const order = { payee_account_id: accounts[0].id, amount };
		return { ...holder, transferId: (await this.call("POST", "/v1/user/transfers", order, holder.as)).id };
	}

	/** By the service's clock, which may be ahead. */
	async now(): Promise<string> {
		return (await this.call<{ now: string }>("GET", "/v1/sandbox/clock")).now;
	}
}
