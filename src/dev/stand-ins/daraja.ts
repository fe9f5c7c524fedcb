// Stands in for Safaricom's Daraja, for tests and for `npm start -- --with daraja`: it takes payments, keeps books of what it has paid, and
// reports results the way the real one may: late, early, twice, never, or wrong. It answers requests; its own reports wait until `deliver`
// is called.

import {
	type Accounts,
	balanceOf,
	CHARGE,
	consumerOf,
	heldAfter,
	isWrong,
	opened,
	type Role,
	refusalOfInitiator,
} from "./daraja.account.ts";
import { wrongField } from "./daraja.fields.ts";
import { DarajaPrompts, type PromptBehaviour, promptByLastDigits } from "./daraja.prompts.ts";
import { DarajaPulls, type PullBehaviour } from "./daraja.pulls.ts";
import { failureOf, fault } from "./daraja.replies.ts";
import { type Body, type Report, Reports } from "./daraja.reports.ts";
import { type Behaviour, byLastDigits, foundOf, NOT_FOUND, type Payment, partsOf, resultOf, taken } from "./daraja.results.ts";
import { DarajaReversals, type ReversalBehaviour } from "./daraja.reversals.ts";

/** How what is asked of it goes. */
export type Behaviours = {
	/** By the number that pays or is paid, and how many requests of the kind have come before. */
	readonly plan?: (number: string, nth: number) => Behaviour;
	readonly prompts?: (number: string, nth: number) => PromptBehaviour;
	/** By the receipt, and how many reversals of it have been asked for before. */
	readonly reversals?: (receipt: string, nth: number) => ReversalBehaviour;
	readonly pulls?: (nth: number) => PullBehaviour;
	/** The roles that the lender's API user does not have. */
	readonly lacks?: () => readonly Role[];
	/** What each shortcode's utility account holds at first, in shillings. */
	readonly utility?: number;
};

type Options = Behaviours & {
	readonly now: () => number;
	/** Carries its reports; the platform's by default. */
	readonly fetch?: typeof fetch;
};

const platformFetch: typeof fetch = (...request) => fetch(...request);

const TOKEN_SECONDS = 3_599;
/** So long it knows a reference again. How long the real one does is not documented. */
const REMEMBERS_MS = 24 * 3_600_000;
/** The shortcode that customers pay while none has registered an address. */
const SOME_SHORT_CODE = "600997";

type Received = {
	readonly shillings: number;
	readonly account: string;
	readonly at: number;
	readonly shortCode: string;
	isReversed: boolean;
};

export class DarajaStandIn {
	/** What it has paid, in the order in which it did. */
	readonly paid: Payment[] = [];
	/** Every request to pay, with its answer's fate. */
	readonly asked: Body[] = [];
	/** The paths and fields of requests that it has refused for a field. */
	readonly wrong: string[] = [];
	readonly prompts: DarajaPrompts;
	readonly reversals: DarajaReversals;
	readonly pulls: DarajaPulls;
	readonly #options: Required<Pick<Options, "now" | "plan" | "lacks">> & Pick<Options, "utility">;
	readonly #payments = new Map<string, Payment>();
	readonly #reports: Reports;
	readonly #received = new Map<string, Received>();
	/** By shortcode, the last of them last. */
	readonly #registered = new Map<string, Body>();
	readonly #accounts = new Map<string, Accounts>();
	/** By the app's key and secret: each has the last token that it was given. */
	#tokens = new Map<string, { readonly token: string; readonly until: number }>();
	#ended = new Set<string>();
	#serial = 0;

	constructor({
		now,
		plan = byLastDigits,
		prompts = promptByLastDigits,
		reversals = () => ({}),
		pulls = () => ({}),
		lacks = () => [],
		utility,
		fetch: carry = platformFetch,
	}: Options) {
		this.#options = { now, plan, lacks, ...(utility !== undefined && { utility }) };
		this.#reports = new Reports(carry);
		this.pulls = new DarajaPulls({ now, plan: pulls, received: this.#received });
		this.prompts = new DarajaPrompts({
			now,
			plan: prompts,
			collect: (payment, confirmations) => this.receive(payment, {}, confirmations),
			reports: this.#reports.apart(),
		});
		this.reversals = new DarajaReversals({
			plan: reversals,
			received: (receipt) => this.#received.get(receipt),
			take: (asked, shillings) => this.#take(asked, shillings),
			newReceipt: () => this.#receipt(),
			reports: this.#reports.apart(),
		});
	}

	/** What the shortcode holds. */
	accountsOf(shortCode: string): Accounts {
		const accounts = this.#accounts.get(shortCode) ?? opened(this.#options.utility);
		this.#accounts.set(shortCode, accounts);
		return accounts;
	}

	/**
	 * A customer pays a shortcode, by default the last registered one. It is confirmed to the address that the shortcode has registered.
	 * `claims`: what the confirmations say otherwise.
	 */
	receive(
		{ shortCode = this.#lastShortCode, ...payment }: { readonly shillings: number; readonly account: string; readonly shortCode?: string },
		claims: object = {},
		confirmations = 1,
	): string {
		const receipt = this.#receipt();
		this.#received.set(receipt, { ...payment, shortCode, at: this.#options.now(), isReversed: false });
		this.accountsOf(shortCode).utility += payment.shillings;
		const said = { TransID: receipt, TransAmount: `${payment.shillings}.00`, BillRefNumber: payment.account, ...claims };
		if (this.#registered.has(shortCode)) for (let nth = 0; nth < confirmations; nth++) this.confirm(said, shortCode);
		return receipt;
	}

	/** M-Pesa gives a payment back at its payer's wish, and does not inform the shortcode. */
	reverseForPayer(receipt: string): void {
		const received = this.#received.get(receipt);
		if (!received || received.isReversed) throw new Error("there is no such payment to give back");
		received.isReversed = true;
		this.accountsOf(received.shortCode).utility -= received.shillings;
	}

	/** Posts a confirmation, true or not, to the address that the shortcode has registered, by default to the last. */
	confirm(claims: object, shortCode = this.#lastShortCode): void {
		const { ShortCode, ConfirmationURL: url = "" } = this.#registered.get(shortCode) ?? {};
		const body = {
			TransactionType: "Pay Bill",
			TransTime: partsOf(this.#options.now()).join(""),
			BusinessShortCode: ShortCode,
			MSISDN: "2547*****126",
			...claims,
		};
		this.report(url, body);
	}

	/** Reports that wait. */
	get reports(): readonly Report[] {
		return this.#reports.waiting;
	}

	/** Where payments are confirmed. */
	get registeredAt(): string {
		return this.#registered.get(this.#lastShortCode)?.ConfirmationURL ?? "";
	}

	get #lastShortCode(): string {
		return [...this.#registered.keys()].at(-1) ?? SOME_SHORT_CODE;
	}

	/** Posts anything to any address. */
	report(url: string, body: object): void {
		this.#reports.waiting.push({ url, body });
	}

	/** Makes every token unknown to it. */
	forgetTokens(): void {
		this.#tokens = new Map();
		this.#ended = new Set();
	}

	/** Sends all waiting reports. Returns the answers' statuses. A report that is not taken with a 2xx is not repeated. */
	deliver(): Promise<number[]> {
		return this.#reports.deliver();
	}

	/** Never rejects but for an answer that is lost. */
	async handle(request: Request): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/oauth/v1/generate") return this.#token(consumerOf(request));
		const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
		if (this.#ended.has(token)) return fault(401, "401.003.01", `Error Occurred - Invalid Access Token - ${token}`);
		const isHeld = [...this.#tokens.values()].some((one) => one.token === token && one.until > this.#options.now());
		if (!isHeld) return fault(404, "404.001.03", "Invalid Access Token");
		const body = (await request.json()) as Body;
		const field = wrongField(pathname, body);
		if (field !== undefined) {
			this.wrong.push(`${pathname} ${field}`);
			return fault(400, "400.002.02", `Bad Request - Invalid ${field}`);
		}
		if (pathname === "/mpesa/b2c/v3/paymentrequest") return this.#pay(body);
		if (pathname === "/mpesa/transactionstatus/v1/query") return this.#query(body);
		if (pathname === "/mpesa/accountbalance/v1/query") {
			const held = balanceOf(this.accountsOf(body.PartyA ?? ""), this.#options.now());
			this.report(body.ResultURL ?? "", this.#refusal(body, "BALANCE") ?? held);
			return taken(`balance-${++this.#serial}`);
		}
		if (pathname === "/mpesa/c2b/v2/registerurl") {
			const { ShortCode = "" } = body;
			this.#registered.delete(ShortCode);
			this.#registered.set(ShortCode, body);
			return taken(`register-${++this.#serial}`);
		}
		return (
			this.prompts.handle(pathname, body) ??
			this.reversals.handle(pathname, body) ??
			this.pulls.handle(pathname, body) ??
			fault(404, "404.001.01", "Resource not found")
		);
	}

	/** A new token ends the last one of the same app. */
	#token(consumer: string): Response {
		if (isWrong(consumer)) return fault(400, "400.008.01", "Invalid Authentication passed");
		const last = this.#tokens.get(consumer);
		if (last) this.#ended.add(last.token);
		const token = `token-${++this.#serial}`;
		this.#tokens.set(consumer, { token, until: this.#options.now() + TOKEN_SECONDS * 1000 });
		return Response.json({ access_token: token, expires_in: String(TOKEN_SECONDS) });
	}

	async #pay(body: Body): Promise<Response> {
		const { OriginatorConversationID: reference = "", PartyA: shortCode = "", PartyB: number = "", ResultURL: url = "" } = body;
		const behaviour = this.#options.plan(number, this.asked.length);
		this.asked.push(body);
		const failure = failureOf(behaviour.answer);
		if (failure) return failure;
		const known = this.#payments.get(reference);
		if (known && this.#options.now() - known.at < REMEMBERS_MS) return fault(500, "500.002.1001", "Duplicate OriginatorConversationID.");
		const shillings = Number(body.Amount);
		const accounts = this.accountsOf(shortCode);
		const refused = this.#refusal(body, "PAYOUT");
		const code = behaviour.code ?? (accounts.utility < shillings ? 1 : 0);
		const isPaid = refused === undefined && String(code) === "0";
		const status = isPaid ? "Completed" : "Failed";
		const payment = { reference, shillings, number, shortCode, status, receipt: this.#receipt(), at: this.#options.now() } as const;
		this.#payments.set(reference, payment);
		if (isPaid) {
			this.paid.push(payment);
			accounts.utility -= shillings;
			accounts.charges -= CHARGE;
		}
		if (isPaid && behaviour.failsFirst !== undefined) {
			await this.#reports.add({ url, body: resultOf(payment, { code: behaviour.failsFirst }) }, behaviour.early ? { early: true } : {});
		}
		await this.#reports.add({ url, body: refused ?? resultOf(payment, { ...behaviour, code }, heldAfter(accounts)) }, behaviour);
		if (behaviour.answer === "LOST") throw new TypeError("connection lost");
		return taken(reference);
	}

	#refusal(asked: Body, role: Role): object | undefined {
		return refusalOfInitiator(asked, role, this.#options.lacks());
	}

	/** For a payment that is given back. */
	#take(asked: Body, shillings: number): object | undefined {
		const refused = this.#refusal(asked, "REVERSAL");
		if (refused) return refused;
		const accounts = this.accountsOf(asked.ReceiverParty ?? "");
		if (accounts.utility < shillings)
			return { Result: { ResultType: 0, ResultCode: 1, ResultDesc: "The balance is insufficient for the transaction." } };
		accounts.utility -= shillings;
		return undefined;
	}

	#query(asked: Body): Response {
		this.report(asked.ResultURL ?? "", this.#refusal(asked, "STATUS") ?? this.#found(asked) ?? NOT_FOUND);
		return taken(`query-${++this.#serial}`);
	}

	#found({ TransactionID: receipt = "", OriginalConversationID: reference = "" }: Body): object | undefined {
		const payment = receipt === "" ? this.#payments.get(reference) : this.paid.find((one) => one.receipt === receipt);
		if (payment) {
			const parties = [
				{ Key: "DebitPartyName", Value: `${payment.shortCode} - A Lender` },
				{ Key: "DebitPartyName", Value: `${payment.number} - Somebody` },
			];
			return foundOf({ ...payment, charges: CHARGE }, receipt === "" ? [] : parties);
		}
		const received = this.#received.get(receipt);
		if (!received) return undefined;
		const status = received.isReversed ? "Reversed" : "Completed";
		return foundOf({ reference: "", receipt, status, shillings: received.shillings, at: received.at }, [
			{ Key: "DebitPartyName", Value: "254712345678 - Somebody" },
			{ Key: "CreditPartyName", Value: `${received.shortCode} - A Lender` },
		]);
	}

	#receipt(): string {
		return `S${String(++this.#serial).padStart(9, "0")}`;
	}
}
