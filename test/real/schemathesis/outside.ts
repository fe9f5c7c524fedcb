// Those outside who pay for the service under test: stand-ins for Daraja and MTN MoMo, and a disburser for lenders without a connection; and
// who knows the names of payees.
// Their reports are sent within a second, or kept for the tester, who then sends them.

import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DarajaStandIn } from "../../../src/dev/stand-ins/daraja.ts";
import { MomoStandIn } from "../../../src/dev/stand-ins/momo.ts";
import { type StandIn, serve } from "../../../src/dev/stand-ins/serve.ts";
import { CALLBACK_SECRET } from "../../fuzz/cast.ts";
import { type Answer, Connection, type Sent } from "../../fuzz/exchange.ts";
import type { Json } from "../../fuzz/values.ts";

export type Told = { readonly method: string; readonly path: string; readonly body: Json };

/** Calls after which somebody outside is asked to pay. */
const ORDERS = /\/(?:apply|draws|finance)$|^\/v1\/user\/transfers$/;
const PATIENCE_MS = 120_000;

export class Outside {
	/** What is kept for the tester, from `keep` on. */
	#kept: Told[] | undefined;
	readonly #url: () => string;
	readonly daraja: DarajaStandIn;
	readonly momo: MomoStandIn;
	readonly #disburser = new Disburser((url, init) => this.#tell(url, init));

	constructor(url: () => string) {
		this.#url = url;
		const now = () => Date.now();
		const fetch = ((url: string, init: RequestInit) => this.#tell(url, init)) as typeof globalThis.fetch;
		this.daraja = new DarajaStandIn({ now, fetch, plan: () => ({}), prompts: () => ({}) });
		this.momo = new MomoStandIn({ now, fetch, plan: (_, nth) => ({ odd: nth % 2 === 1 }) });
	}

	/** Serves all of them, until the process ends. Returns the variables of a service that finds them. */
	async serve(): Promise<(port: number) => Record<string, string>> {
		const [DARAJA_URL = "", MOMO_URL = "", DISBURSER_URL = "", NAME_LOOKUP_URL = ""] = await Promise.all(
			[this.daraja, this.momo, this.#disburser, NAMES].map(serve),
		);
		const found = { DARAJA_URL, MOMO_URL, DISBURSER_URL, NAME_LOOKUP_URL, NAME_LOOKUP_TOKEN: "a token" };
		return (port) => ({ DISBURSER: "connections", BASE_URL: `http://127.0.0.1:${port}`, ...found });
	}

	/** So many reports of what happens meanwhile. Nobody has got them yet. */
	async keep(happens: () => Promise<unknown>, reports = 1): Promise<readonly Told[]> {
		await this.deliver();
		const kept: Told[] = [];
		this.#kept = kept;
		await happens();
		await this.until(async () => {
			await this.deliver();
			return kept.length >= reports;
		});
		this.#kept = undefined;
		return kept;
	}

	async deliver(): Promise<void> {
		for (const one of [this.daraja, this.momo, this.#disburser]) await one.deliver();
	}

	/** Waits until what a call has ordered, if anything, is paid and reported. */
	async paid({ path }: Sent, { status, text }: Answer, askedBefore: number): Promise<void> {
		const isOpen = status === 202 || (status < 300 && /"status":"(?:PENDING|SUBMITTED)"/.test(text));
		if (!ORDERS.test(path) || !isOpen || this.#kept !== undefined) return;
		await this.until(async () => this.asked > askedBefore);
		await this.deliver();
	}

	/** How many payments they were asked for. */
	get asked(): number {
		const { prompts, reversals, asked } = this.daraja;
		return [prompts.asked, reversals.asked, asked, this.momo.asked, this.#disburser.asked].reduce((sum, of) => sum + of.length, 0);
	}

	async until(holds: () => Promise<boolean>): Promise<void> {
		for (const since = Date.now(); !(await holds()); await sleep(20))
			if (Date.now() - since > PATIENCE_MS) throw new Error("nobody outside was asked, or told anything");
	}

	async #tell(url: string, { method = "POST", ...init }: RequestInit): Promise<Response> {
		const { pathname: path } = new URL(url, this.#url());
		if (this.#kept === undefined) return fetch(new URL(path, this.#url()), { method, ...init });
		this.#kept.push({ method, path, body: JSON.parse(String(init.body)) });
		return Response.json({});
	}
}

/** Calls whose payments have arrived when they end. */
export class PayingConnection extends Connection {
	readonly #outside: Outside;

	constructor(url: string, outside: Outside) {
		super(url);
		this.#outside = outside;
	}

	override async send(sent: Sent): Promise<Answer> {
		const { asked } = this.#outside;
		const answer = await super.send(sent);
		await this.#outside.paid(sent, answer, asked);
		return answer;
	}
}

/** Knows in whose name every account is. */
const NAMES: StandIn = {
	handle: async () => Response.json({ known: true, name: "Grace Wanjiku" }),
	deliver: async () => {},
};

type Tell = (url: string, init: RequestInit) => Promise<Response>;

/** Pays everything that is ordered, and reports it under its signature. */
class Disburser implements StandIn {
	readonly asked: unknown[] = [];
	readonly #waiting: [path: string, report: object][] = [];
	readonly #tell: Tell;

	constructor(tell: Tell) {
		this.#tell = tell;
	}

	async handle(request: Request): Promise<Response> {
		const { disbursement_id, transfer_id } = (await request.json()) as Record<string, string>;
		this.asked.push(disbursement_id ?? transfer_id);
		const receipt = `OUTSIDE-${this.asked.length}-${process.pid}`;
		const report = { status: "SUCCEEDED", occurred_at: new Date().toISOString() };
		if (transfer_id)
			this.#waiting.push([`/v1/integrations/transfers/${transfer_id}/result`, { transfer_id, reference: receipt, ...report }]);
		else
			this.#waiting.push([
				`/v1/integrations/disbursements/${disbursement_id}/result`,
				{ disbursement_id, mobile_money_transaction_id: receipt, ...report },
			]);
		return Response.json({});
	}

	async deliver(): Promise<void> {
		for (const [path, report] of this.#waiting.splice(0)) {
			const body = JSON.stringify(report);
			const t = Math.floor(Date.now() / 1000);
			const v1 = createHmac("sha256", CALLBACK_SECRET).update(`${t}.${body}`).digest("hex");
			// A report that nobody got is sent again.
			await this.#tell(path, {
				method: "POST",
				body,
				headers: { "Content-Type": "application/json", "X-Service-Signature": `t=${t},v1=${v1}` },
			}).catch(() => this.#waiting.push([path, report]));
		}
	}
}
