// The load of `npm run bench -- soak`: borrowers and holders of current accounts who read and write in turns, at a given rate.

import { setTimeout as sleep } from "node:timers/promises";
import { type Fields, requestOf, textOf } from "./http.load.ts";
import { applyCall, type Organization, offerCall, type Pair, repayCall, type Send, signIn, transferCall, type User } from "./people.ts";

const CALLERS = 16;
const TRANSFERS = 3;

type Scene = { readonly url: string; readonly operator: string; readonly organization: Organization; readonly pairs: readonly Pair[] };

export class Load {
	answered = 0;
	writes = 0;
	/** What went wrong, and how often. */
	readonly errors = new Map<string, number>();
	/** Requests a second; as many as the service answers when absent. */
	rate: number | undefined;
	#next = 0;
	#stopped = false;
	readonly #scene: Scene;

	constructor(scene: Scene) {
		this.#scene = scene;
	}

	/** Sends until it is stopped. */
	async run(): Promise<void> {
		const again = async (story: () => Promise<void>) => {
			while (!this.#stopped) await story().catch(() => {});
		};
		const { pairs } = this.#scene;
		await Promise.all([
			...pairs.map((pair, index) => again(() => this.#transfer(pair, `pair-${index}-payer`))),
			...Array.from({ length: CALLERS - pairs.length }, () => again(() => this.#borrow())),
		]);
	}

	stop(): void {
		this.#stopped = true;
	}

	readonly #send: Send = async (call) => {
		await this.#turn();
		const { path, ...request } = requestOf(call);
		const { fields, fault } = await answerOf(`${this.#scene.url}${path}`, request);
		if (fault === undefined) {
			this.answered++;
			if (call.method !== "GET") this.writes++;
			return fields;
		}
		const error = `${call.method} ${path.replaceAll(/[0-9a-f-]{36}/g, "…")} ${fault}`;
		this.errors.set(error, (this.errors.get(error) ?? 0) + 1);
		throw new Error(error);
	};

	/** Waits until the rate allows a further request. A service that falls behind need not catch up. */
	async #turn(): Promise<void> {
		if (this.rate === undefined) return;
		const now = performance.now();
		this.#next = Math.max(this.#next, now - 1_000) + 1_000 / this.rate;
		if (this.#next > now) await sleep(this.#next - now);
	}

	async #borrow(): Promise<void> {
		const { operator, organization } = this.#scene;
		const user = await signIn(this.#send, operator, organization, crypto.randomUUID());
		await this.#read(user, "/v1/app/settings", `/v1/branding/${organization.id}`, "/v1/me", "/v1/accounts");
		const offer = await this.#send(offerCall(user, organization));
		const application = textOf(offer, "id");
		await this.#read(user, `/v1/accounts/loan/applications/${application}`);
		await this.#send(applyCall(user, application));
		const account = textOf(offer, "account_id");
		await this.#read(user, "/v1/accounts", `/v1/accounts/${account}`, `/v1/accounts/${account}/installments`);
		await this.#send(repayCall(operator, account, crypto.randomUUID()));
		await this.#read(user, `/v1/accounts/${account}/payoff`, `/v1/accounts/${account}/statement`, "/v1/me");
		await this.#read({ token: operator }, "/v1/platform/users?size=20", "/v1/accounts/loan/applications?status=DISBURSED");
	}

	/** The payer signs in each time, because tokens expire. */
	async #transfer(pair: Pair, subject: string): Promise<void> {
		const { operator, organization } = this.#scene;
		const payer = await signIn(this.#send, operator, organization, subject);
		for (let transfer = 0; transfer < TRANSFERS; transfer++) {
			await this.#send(transferCall({ ...pair, payer }, crypto.randomUUID()));
			await this.#read(payer, "/v1/user/accounts/current", "/v1/user/accounts/current/transactions", "/v1/user/transfers");
		}
	}

	async #read({ token }: Pick<User, "token">, ...paths: readonly string[]): Promise<void> {
		for (const path of paths) await this.#send({ method: "GET", path, token });
	}
}

async function answerOf(url: string, request: RequestInit): Promise<{ fields: Fields; fault?: string }> {
	try {
		const response = await fetch(url, request);
		const fields = (await response.json()) as Fields;
		return response.ok ? { fields } : { fields, fault: `${response.status} ${fields.code ?? ""}` };
	} catch (error) {
		return { fields: {}, fault: error instanceof Error ? error.message : String(error) };
	}
}
