// Stands in for MTN MoMo's Disbursements, for tests and for `npm start -- --with momo`: it takes transfers, keeps books of what it has paid,
// answers what became of them, and calls back the way the real one may: early, late, twice, never, by another method, or lying.

/** How a transfer goes. Each member departs from a transfer that is taken and paid, with one callback after the answer. */
export type Behaviour = {
	/** LOST: it is taken, and no answer comes. UNKNOWN_KEY is about the subscription, TOKEN_EXPIRED about the token. */
	readonly answer?:
		| "LOST"
		| "DOWN"
		| "HTML"
		| "BUSY"
		| "INTERNAL"
		| "INVALID"
		| "FORBIDDEN"
		| "TOKEN_EXPIRED"
		| "UNKNOWN_KEY"
		/** The code of a 500. */
		| { readonly code: string };
	/** It fails for this reason; without one it is paid, if the wallet holds enough. */
	readonly reason?: string;
	/** It is paid, and the first callback and the first query say that it failed for this reason. */
	readonly failsFirst?: string;
	/** How often it is called back about; 0: never. */
	readonly callbacks?: number;
	/** The callback comes before the answer. */
	readonly early?: boolean;
	/** By PUT, with the reason as a text. */
	readonly odd?: boolean;
	/** The callback says the opposite of what happened. */
	readonly lies?: boolean;
	/** So often a query finds it on its way. */
	readonly pending?: number;
	/** So often a query is answered by nobody, and then so often by a page. */
	readonly silent?: number;
	/** Queries do not find it. */
	readonly forgotten?: boolean;
	/** Queries say another amount than the paid one. */
	readonly saysAmount?: string;
	/** Queries say the receipt of another transfer. */
	readonly saysReceipt?: string;
};

type Transfer = {
	readonly amount: string;
	readonly currency: string;
	readonly externalId: string;
	readonly payee: { readonly partyIdType: string; readonly partyId: string };
	readonly payerMessage?: string;
	readonly payeeNote?: string;
};
type Asked = { readonly reference: string; readonly market: string; readonly callback: string; readonly transfer: Transfer };
type Known = Asked & { readonly receipt: string; readonly behaviour: Behaviour; queries: number; told: number };

type Options = {
	readonly now: () => number;
	/** By the number that is paid, and how many requests to pay have come before. */
	readonly plan?: (number: string, nth: number) => Behaviour;
	/** What each API user's wallet holds at first, in whole units of its currency. */
	readonly wallet?: number;
	/** The host of the callbacks that the API user was made with; any by default. */
	readonly callbackHost?: string;
	/** Carries its reports; the platform's by default. */
	readonly fetch?: typeof fetch;
};

/** The currencies of some markets. An API user of one market cannot pay in another. */
const CURRENCIES: Readonly<Record<string, string>> = {
	...{ sandbox: "EUR", mtnbenin: "XOF", mtncameroon: "XAF", mtncongo: "XAF", mtnghana: "GHS", mtnguineaconakry: "GNF" },
	...{ mtnivorycoast: "XOF", mtnliberia: "LRD", mtnrwanda: "RWF", mtnsouthafrica: "ZAR", mtnswaziland: "SZL" },
	...{ mtnuganda: "UGX", mtnzambia: "ZMW" },
};

/** What is wrong with a transfer, as MTN's list of errors has it; undefined if nothing is. */
function faultIn({ transfer, market, reference, callback }: Asked, callbackHost: string | undefined): Response | undefined {
	const { amount, currency, externalId, payee, payerMessage = "", payeeNote = "" } = transfer;
	const expected = CURRENCIES[market];
	if (expected === undefined) return refusal(500, "NOT_ALLOWED_TARGET_ENVIRONMENT", "Access to target environment is forbidden.");
	const isText = (text: unknown) => typeof text === "string" && text.length <= 160 && !text.includes("'");
	const isWhole =
		UUID_V4.test(reference) &&
		AMOUNT.test(amount) &&
		Boolean(externalId) &&
		payee?.partyIdType === "MSISDN" &&
		/^[1-9]\d{7,14}$/.test(payee.partyId) &&
		[payerMessage, payeeNote].every(isText);
	if (!isWhole) return refusal(400, "", "Bad request");
	if (currency !== expected) return refusal(500, "INVALID_CURRENCY", "Currency not supported.");
	const isCallback = URL.canParse(callback) && (callbackHost === undefined || new URL(callback).hostname === callbackHost);
	return isCallback
		? undefined
		: refusal(500, "INVALID_CALLBACK_URL_HOST", "Callback URL with different host name to configured for API User");
}

const TOKEN_SECONDS = 3_600;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** As MTN's own description has it: no leading zero, no zero after a decimal. */
const AMOUNT = /^(0|[1-9]\d{0,17})(\.\d{0,3}[1-9])?$/;
const PATH = "/disbursement/v1_0/transfer";

export class MomoStandIn {
	/** What it has paid, in the order in which it did. */
	readonly paid: Known[] = [];
	/** Every request to pay. */
	readonly asked: Asked[] = [];
	/** Requests to pay that it has refused for a field. */
	readonly wrong: string[] = [];
	readonly #options: Required<Omit<Options, "callbackHost">> & Pick<Options, "callbackHost">;
	readonly #wallets = new Map<string, number>();
	readonly #known = new Map<string, Known>();
	readonly #reports: (() => Promise<number>)[] = [];
	#tokens = new Map<string, { readonly until: number; readonly user: string }>();
	#serial = 363_440_000;

	constructor({
		now,
		plan = byLastDigits,
		wallet = 1_000_000_000,
		callbackHost,
		fetch: carry = (...request) => fetch(...request),
	}: Options) {
		this.#options = { now, plan, wallet, fetch: carry, ...(callbackHost !== undefined && { callbackHost }) };
	}

	/** What the wallet of the API user holds. */
	held(user: string): number {
		return this.#wallets.get(user) ?? this.#options.wallet;
	}

	/** Makes every token unknown to it. */
	forgetTokens(): void {
		this.#tokens = new Map();
	}

	/** Calls back what waits for it. Returns the answers' statuses. */
	async deliver(): Promise<number[]> {
		const statuses: number[] = [];
		for (const report of this.#reports.splice(0)) statuses.push(await report());
		return statuses;
	}

	/** Rejects where no answer comes. */
	async handle(request: Request): Promise<Response> {
		const { pathname } = new URL(request.url);
		const { headers, method } = request;
		const authorization = headers.get("authorization") ?? "";
		if (!headers.get("ocp-apim-subscription-key")) return noKey();
		if (pathname === "/disbursement/token/" && method === "POST") return this.#token(authorization);
		const token = /^Bearer (.+)$/.exec(authorization)?.[1] ?? "";
		const known = this.#tokens.get(token);
		if (!known || known.until <= this.#options.now()) return refusal(401, "", "The token has expired");
		if (pathname === PATH && method === "POST") return this.#pay(known.user, headers, (await request.json()) as Transfer);
		if (pathname.startsWith(`${PATH}/`) && method === "GET") return this.#query(pathname.slice(PATH.length + 1));
		return refusal(404, "RESOURCE_NOT_FOUND", "Requested resource was not found.");
	}

	#token(authorization: string): Response {
		const [, basic = ""] = /^Basic ([\w+/]+=*)$/.exec(authorization) ?? [];
		const [user = "", key = ""] = basic === "" ? [] : atob(basic).split(":");
		if (key === "" || /wrong/i.test(key)) return Response.json({ error: "login_failed" }, { status: 401 });
		const token = `token-${++this.#serial}`;
		this.#tokens.set(token, { until: this.#options.now() + TOKEN_SECONDS * 1000, user });
		return Response.json({ access_token: token, token_type: "access_token", expires_in: TOKEN_SECONDS });
	}

	async #pay(user: string, headers: Headers, transfer: Transfer): Promise<Response> {
		const reference = headers.get("x-reference-id") ?? "";
		const asked = { reference, transfer, market: headers.get("x-target-environment") ?? "", callback: headers.get("x-callback-url") ?? "" };
		const behaviour = this.#options.plan(transfer.payee.partyId, this.asked.length);
		this.asked.push(asked);
		const refused = refusalBy(behaviour);
		if (refused) return refused;
		const fault = faultIn(asked, this.#options.callbackHost);
		if (fault) {
			this.wrong.push(JSON.stringify(asked));
			return fault;
		}
		if (this.#known.has(reference)) return refusal(409, "RESOURCE_ALREADY_EXIST", "Duplicated reference id. Creation of resource failed.");
		const rest = this.held(user) - Number(transfer.amount);
		const isEmpty = behaviour.reason === undefined && rest < 0;
		const known: Known = {
			...{ ...asked, receipt: String(++this.#serial), queries: 0, told: 0 },
			behaviour: isEmpty ? { ...behaviour, reason: "NOT_ENOUGH_FUNDS" } : behaviour,
		};
		this.#known.set(reference, known);
		if (known.behaviour.reason === undefined) {
			this.paid.push(known);
			this.#wallets.set(user, rest);
		}
		const reports = Array.from(
			{ length: (behaviour.callbacks ?? 1) + (behaviour.failsFirst === undefined ? 0 : 1) },
			() => () => this.#report(known),
		);
		if (behaviour.early) for (const report of reports) await report();
		else this.#reports.push(...reports);
		if (behaviour.answer === "LOST") throw new TypeError("connection lost");
		return new Response(null, { status: 202 });
	}

	#query(reference: string): Response {
		const known = this.#known.get(reference);
		if (!known || known.behaviour.forgotten) return refusal(404, "RESOURCE_NOT_FOUND", "Requested resource was not found.");
		const { pending = 0, silent = 0 } = known.behaviour;
		const nth = known.queries++;
		if (nth < silent) throw new TypeError("connection lost");
		if (nth < 2 * silent) return page();
		if (nth < 2 * silent + pending) return Response.json(foundOf(known, "PENDING"));
		const isFirst = known.behaviour.failsFirst !== undefined && nth === 2 * silent + pending;
		return Response.json(foundOf(known, isFirst ? "FAILED" : endOf(known.behaviour)));
	}

	async #report(known: Known): Promise<number> {
		const { behaviour, callback } = known;
		const isFirst = behaviour.failsFirst !== undefined && known.told++ === 0;
		const status = isFirst ? "FAILED" : behaviour.lies ? (endOf(behaviour) === "FAILED" ? "SUCCESSFUL" : "FAILED") : endOf(behaviour);
		const init = {
			method: behaviour.odd ? "PUT" : "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(foundOf(known, status)),
		};
		try {
			const response = await this.#options.fetch(callback, init);
			await response.body?.cancel();
			return response.status;
		} catch {
			return 0;
		}
	}
}

/** By the last three digits of the number, so that a demo can choose what goes wrong. */
const BY_DIGITS: Readonly<Record<string, Behaviour>> = {
	"001": { reason: "NOT_ENOUGH_FUNDS" },
	"002": { answer: "LOST" },
	"003": { callbacks: 0 },
	"004": { pending: 2 },
	"005": { reason: "PAYEE_NOT_FOUND" },
	"006": { answer: "INVALID" },
	"007": { callbacks: 5, lies: true },
};
const byLastDigits = (number: string): Behaviour => BY_DIGITS[number.slice(-3)] ?? {};

const reasonIn = ({ reason, failsFirst }: Behaviour) => reason ?? failsFirst;
const endOf = ({ reason }: Behaviour) => (reason === undefined ? "SUCCESSFUL" : "FAILED");

const refusal = (status: number, code: string, message: string) => Response.json({ ...(code && { code }), message }, { status });
const page = () => new Response("<html>Service Unavailable</html>", { status: 503, headers: { "Content-Type": "text/html" } });
const noKey = () => refusal(401, "", "Access denied due to invalid subscription key.");

/** The answer to a request that is not taken. */
function refusalBy({ answer }: Behaviour): Response | undefined {
	if (typeof answer === "object") return refusal(500, answer.code, "It is refused");
	switch (answer) {
		case "DOWN":
			throw new TypeError("connection lost");
		case "HTML":
			return page();
		case "BUSY":
			return refusal(429, "", "Rate limit is exceeded.");
		case "INTERNAL":
			return refusal(500, "INTERNAL_PROCESSING_ERROR", "An internal error occurred while processing.");
		case "INVALID":
			return refusal(400, "", "Bad request");
		case "FORBIDDEN":
			return refusal(403, "", "Authorization failed. IP not authorized to use the API.");
		case "TOKEN_EXPIRED":
			return refusal(401, "", "The token has expired");
		case "UNKNOWN_KEY":
			return noKey();
		default:
			return undefined;
	}
}

const foundOf = ({ transfer, receipt, behaviour }: Known, status: string) => ({
	...transfer,
	...(behaviour.saysAmount !== undefined && { amount: behaviour.saysAmount }),
	...(status === "SUCCESSFUL" && { financialTransactionId: behaviour.saysReceipt ?? receipt }),
	...(status === "FAILED" && { reason: behaviour.odd ? reasonIn(behaviour) : { code: reasonIn(behaviour), message: "It has failed" } }),
	status,
});
