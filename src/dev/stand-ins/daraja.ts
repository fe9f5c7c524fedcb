// Stands in for Safaricom's Daraja, for tests and for `npm start -- --with daraja`: it takes payments, keeps books of what it has paid, and
// tells results the way the real one may: late, early, twice, never, or wrong. It answers requests; what it tells of its own accord waits
// until `deliver` is called.

import { balanceOf, isWrong, type Role, refusalOfInitiator } from "./daraja.account.ts";
import { DarajaPrompts, type PromptBehaviour, promptByLastDigits } from "./daraja.prompts.ts";
import { DarajaPulls, type PullBehaviour } from "./daraja.pulls.ts";
import { failureOf, fault } from "./daraja.replies.ts";
import { type Behaviour, foundOf, type Payment, partsOf, resultOf, taken } from "./daraja.results.ts";
import { DarajaReversals, type ReversalBehaviour } from "./daraja.reversals.ts";
import { type Body, type Telling, Tellings } from "./daraja.tellings.ts";

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
};

type Options = Behaviours & {
	readonly now: () => number;
	/** Carries what it tells; the platform's by default. */
	readonly fetch?: typeof fetch;
};

const platformFetch: typeof fetch = (...request) => fetch(...request);

const TOKEN_SECONDS = 3_599;
/** So long it knows a reference again. How long the real one does is not documented. */
const REMEMBERS_MS = 24 * 3_600_000;

export class DarajaStandIn {
	/** What it has paid, in the order in which it did. */
	readonly paid: Payment[] = [];
	/** Every request to pay, with its answer's fate. */
	readonly asked: Body[] = [];
	readonly prompts: DarajaPrompts;
	readonly reversals: DarajaReversals;
	readonly pulls: DarajaPulls;
	readonly #options: Required<Pick<Options, "now" | "plan" | "lacks">>;
	readonly #payments = new Map<string, Payment>();
	readonly #tellings: Tellings;
	readonly #received = new Map<string, { readonly shillings: number; readonly account: string; readonly at: number }>();
	#registered: Body = {};
	#tokens = new Map<string, number>();
	#serial = 0;

	constructor({
		now,
		plan = byLastDigits,
		prompts = promptByLastDigits,
		reversals = () => ({}),
		pulls = () => ({}),
		lacks = () => [],
		fetch: carry = platformFetch,
	}: Options) {
		this.#options = { now, plan, lacks };
		this.#tellings = new Tellings(carry);
		this.pulls = new DarajaPulls({ now, plan: pulls, received: this.#received });
		this.prompts = new DarajaPrompts({
			now,
			plan: prompts,
			collect: (payment, confirmations) => this.receive(payment, {}, this.registeredAt === "" ? 0 : confirmations),
			tellings: this.#tellings.apart(),
		});
		this.reversals = new DarajaReversals({
			plan: reversals,
			received: (receipt) => this.#received.get(receipt),
			newReceipt: () => this.#receipt(),
			tellings: this.#tellings.apart(),
		});
	}

	/**
	 * A customer pays the shortcode. It is confirmed to the address that was registered last.
	 * `claims`: what the confirmations say otherwise.
	 */
	receive(payment: { readonly shillings: number; readonly account: string }, claims: object = {}, confirmations = 1): string {
		const receipt = this.#receipt();
		this.#received.set(receipt, { ...payment, at: this.#options.now() });
		const said = { TransID: receipt, TransAmount: `${payment.shillings}.00`, BillRefNumber: payment.account, ...claims };
		for (let nth = 0; nth < confirmations; nth++) this.confirm(said);
		return receipt;
	}

	/** Posts a confirmation, true or not, to the address that was registered. */
	confirm(claims: object): void {
		const { ShortCode, ConfirmationURL: url = "" } = this.#registered;
		const body = {
			TransactionType: "Pay Bill",
			TransTime: partsOf(this.#options.now()).join(""),
			BusinessShortCode: ShortCode,
			MSISDN: "2547*****126",
			...claims,
		};
		this.tell(url, body);
	}

	/** What waits to be told. */
	get tellings(): readonly Telling[] {
		return this.#tellings.waiting;
	}

	/** Where payments are confirmed. */
	get registeredAt(): string {
		return this.#registered.ConfirmationURL ?? "";
	}

	/** Posts anything to any address. */
	tell(url: string, body: object): void {
		this.#tellings.waiting.push({ url, body });
	}

	/** Makes every token one that it does not know. */
	forgetTokens(): void {
		this.#tokens = new Map();
	}

	/** Tells all that waits to be told. Returns the answers' statuses. What is not taken with a 2xx is not told again. */
	deliver(): Promise<number[]> {
		return this.#tellings.deliver();
	}

	/** Never rejects but for an answer that is lost. */
	async handle(request: Request): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/oauth/v1/generate")
			return isWrong(request) ? fault(400, "400.008.01", "Invalid Authentication passed") : this.#token();
		const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
		if ((this.#tokens.get(token) ?? 0) <= this.#options.now()) return fault(404, "404.001.03", "Invalid Access Token");
		const body = (await request.json()) as Body;
		if (pathname === "/mpesa/b2c/v3/paymentrequest") return this.#pay(body);
		if (pathname === "/mpesa/transactionstatus/v1/query") return body.TransactionID ? this.#queryReceipt(body) : this.#query(body);
		if (pathname === "/mpesa/accountbalance/v1/query") {
			this.tell(body.ResultURL ?? "", this.#refusal(body, "BALANCE") ?? balanceOf(this.#options.now()));
			return taken(`balance-${++this.#serial}`);
		}
		if (pathname === "/mpesa/c2b/v2/registerurl") {
			this.#registered = body;
			return taken(`register-${++this.#serial}`);
		}
		return (
			this.prompts.handle(pathname, body) ??
			this.reversals.handle(pathname, body) ??
			this.pulls.handle(pathname, body) ??
			fault(404, "404.001.01", "Resource not found")
		);
	}

	#token(): Response {
		const token = `token-${++this.#serial}`;
		this.#tokens.set(token, this.#options.now() + TOKEN_SECONDS * 1000);
		return Response.json({ access_token: token, expires_in: String(TOKEN_SECONDS) });
	}

	async #pay(body: Body): Promise<Response> {
		const { OriginatorConversationID: reference = "", PartyB: number = "", Amount = "", ResultURL: url = "" } = body;
		const behaviour = this.#options.plan(number, this.asked.length);
		this.asked.push(body);
		const failure = failureOf(behaviour.answer);
		if (failure) return failure;
		const known = this.#payments.get(reference);
		if (known && this.#options.now() - known.at < REMEMBERS_MS) return fault(500, "500.002.1001", "Duplicate OriginatorConversationID.");
		const status = behaviour.code === undefined || String(behaviour.code) === "0" ? "Completed" : "Failed";
		const payment = { reference, shillings: Number(Amount), number, status, receipt: this.#receipt(), at: this.#options.now() } as const;
		this.#payments.set(reference, payment);
		if (status === "Completed") this.paid.push(payment);
		await this.#tellings.add({ url, body: resultOf(payment, behaviour) }, behaviour);
		if (behaviour.answer === "LOST") throw new TypeError("connection lost");
		return taken(reference);
	}

	#refusal(asked: Body, role: Role): object | undefined {
		return refusalOfInitiator(asked, role, this.#options.lacks());
	}

	#query(asked: Body): Response {
		const { OriginalConversationID: reference = "", ResultURL: url = "" } = asked;
		const payment = this.#payments.get(reference);
		const body = payment ? foundOf(payment) : { Result: { ResultType: 0, ResultCode: "2033", ResultDesc: "Not found" } };
		this.tell(url, this.#refusal(asked, "STATUS") ?? body);
		return taken(`query-${++this.#serial}`);
	}

	#queryReceipt(asked: Body): Response {
		const { TransactionID: receipt = "", PartyA = "", ResultURL: url = "" } = asked;
		const received = this.#received.get(receipt);
		const paid = this.paid.find((one) => one.receipt === receipt);
		const parties = paid
			? [
					{ Key: "DebitPartyName", Value: `${PartyA} - A Lender` },
					{ Key: "DebitPartyName", Value: `${paid.number} - Somebody` },
				]
			: [
					{ Key: "DebitPartyName", Value: "254712345678 - Somebody" },
					{ Key: "CreditPartyName", Value: `${PartyA} - A Lender` },
				];
		const made = received ?? paid;
		const found = made
			? foundOf({ reference: "", number: "", receipt, status: "Completed", ...made }, parties)
			: { Result: { ResultType: 0, ResultCode: "2033", ResultDesc: "Not found" } };
		const body = this.#refusal(asked, "STATUS") ?? found;
		this.tell(url, body);
		return taken(`query-${++this.#serial}`);
	}

	#receipt(): string {
		return `S${String(++this.#serial).padStart(9, "0")}`;
	}
}

/** By the last three digits of the number, so that a demo can choose what goes wrong. */
const BY_DIGITS: Readonly<Record<string, Behaviour>> = {
	"001": { code: 1 },
	"002": { answer: "LOST" },
	"003": { results: 0 },
	"004": { timeOut: true },
	"005": { code: 2040 },
	"006": { answer: "INVALID" },
	"007": { results: 5 },
};
const byLastDigits = (number: string): Behaviour => BY_DIGITS[number.slice(-3)] ?? {};
