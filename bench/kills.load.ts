// The load of `npm run bench -- kills`: callers who write with an Idempotency-Key each, and repeat a request with its key until it is
// answered.

import { setTimeout as sleep } from "node:timers/promises";
import { type Call, type Fields, requestOf, textOf } from "./http.load.ts";
import { applyCall, type Organization, offerCall, type Pair, repayCall, type Send, signIn, transferCall } from "./people.ts";

/** What an answered write has made. `mark` is the caller's own name for it. */
export type Answered = { readonly kind: Kind; readonly mark: string; readonly id: string };
export const KINDS = ["organization", "API key", "admission", "offer", "loan", "repayment", "transfer"] as const;
export type Kind = (typeof KINDS)[number];

export const PREFIX = "kills-";
const REPAYMENTS = 2;
const KEYS = 2;
const PATIENCE_MS = 15_000;
const PAUSE_MS = 100;
const BORROWERS_AT_ONCE = 4;
const MANAGERS_AT_ONCE = 2;

const mark = (): string => `${PREFIX}${crypto.randomUUID()}`;

/** Nothing listened, so nothing was sent. */
const isRefused = (error: unknown): boolean =>
	error instanceof TypeError && error.cause instanceof Error && "code" in error.cause && error.cause.code === "ECONNREFUSED";

export class Load {
	readonly answered: Answered[] = [];
	/** How many requests were sent and not answered. */
	cut = 0;
	/** How many of those had been carried out all the same, so that the repeated request got the recorded answer. */
	replayed = 0;
	#stopped = false;
	readonly #urlOf: () => string;

	/** `urlOf`: where the service is now. */
	constructor(urlOf: () => string) {
		this.#urlOf = urlOf;
	}

	/** Sends the call until it is answered. */
	readonly send: Send = async (call) => {
		for (;;) {
			const answer = await this.#attempt(call);
			if (answer !== undefined) return answer;
			await sleep(PAUSE_MS);
		}
	};

	async #attempt(call: Call): Promise<Fields | undefined> {
		const { path, ...request } = requestOf(call);
		let response: Response;
		let text: string;
		try {
			response = await fetch(`${this.#urlOf()}${path}`, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
			text = await response.text();
		} catch (error) {
			if (!isRefused(error)) this.cut++;
			return undefined;
		}
		if (response.headers.has("idempotent-replayed")) this.replayed++;
		if (response.ok) return JSON.parse(text) as Fields;
		// A service that is being killed may still say that something failed, which is no answer.
		if (response.status >= 500 || text.includes("IDEMPOTENCY_IN_PROGRESS")) {
			this.cut++;
			return undefined;
		}
		throw new Error(`${call.method} ${path} answered ${response.status} ${text}`);
	}

	stop(): void {
		this.#stopped = true;
	}

	/** Runs all callers until the load is stopped and what they have sent is answered. */
	async run(operator: string, organization: Organization, pairs: readonly Pair[]): Promise<void> {
		const again = async (story: () => Promise<void>) => {
			while (!this.#stopped) await story();
		};
		await Promise.all([
			...Array.from({ length: BORROWERS_AT_ONCE }, () => again(() => this.#borrow(operator, organization))),
			...Array.from({ length: MANAGERS_AT_ONCE }, () => again(() => this.#manage(operator))),
			...pairs.map((pair) => again(() => this.#transfer(pair))),
		]);
	}

	async #borrow(operator: string, organization: Organization): Promise<void> {
		const user = await signIn(this.send, operator, organization, mark());
		this.#note("admission", user.id, user.id);
		const offer = await this.send(offerCall(user, organization));
		const application = textOf(offer, "id");
		this.#note("offer", user.id, application);
		await this.send(applyCall(user, application));
		this.#note("loan", application, application);
		for (let payment = 0; payment < REPAYMENTS; payment++) {
			const reference = mark();
			const { transaction } = await this.send(repayCall(operator, textOf(offer, "account_id"), reference));
			this.#note("repayment", reference, textOf(transaction as Fields, "id"));
		}
	}

	async #manage(operator: string): Promise<void> {
		const slug = mark();
		const write = async (path: string, body: Fields) =>
			textOf(await this.send({ method: "POST", path, token: operator, key: crypto.randomUUID(), body }), "id");
		const organization = await write("/v1/platform/organizations", { name: slug, slug });
		this.#note("organization", slug, organization);
		for (let key = 0; key < KEYS; key++) {
			const name = mark();
			this.#note("API key", name, await write(`/v1/organizations/${organization}/api-keys`, { name, scopes: ["loans:write"] }));
		}
	}

	async #transfer(pair: Pair): Promise<void> {
		const note = mark();
		this.#note("transfer", note, textOf(await this.send(transferCall(pair, note)), "id"));
	}

	#note(kind: Kind, of: string, id: string): void {
		this.answered.push({ kind, mark: of, id });
	}
}
