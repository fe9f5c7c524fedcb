// What benchmarks share: a service in a process of its own, which can be killed, a client of its API, and percentiles.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, type CreateWebhookRequest, createClient } from "../client/src/index.ts";
import { dateIn } from "../tools/days.ts";

const root = path.resolve(import.meta.dirname, "..");

/** So many invoices, which can be uploaded together: each raises an event. */
export const invoicesOf = (count: number) =>
	Array.from({ length: count }, () => ({
		merchant_id: "m-1",
		invoice_number: crypto.randomUUID(),
		amount_minor_units: 90_000,
		currency: "KES",
		issued_date: dateIn(-1),
		due_date: dateIn(30),
	}));

export class Client {
	readonly #child: ChildProcess;
	readonly url: string;
	readonly api: Api;

	constructor(child: ChildProcess, url: string) {
		this.#child = child;
		this.url = url;
		const body = { kind: "operator", subject: "bench", expires_in: 3600 } as const;
		this.api = createClient({ baseUrl: url, token: async () => (await createClient({ baseUrl: url }).createSandboxToken({ body })).token });
	}

	async organization(name: string): Promise<string> {
		return (await this.api.createOrganization({ body: { name, slug: `${name}-${Date.now().toString(36)}` } })).id;
	}

	async webhook(organization: string, fields: Omit<CreateWebhookRequest["body"], "name">): Promise<string> {
		return (await this.api.createWebhook({ organization, body: { name: crypto.randomUUID(), ...fields } })).id;
	}

	/** Raises a test event for one endpoint. Returns its delivery's id. */
	async test(webhook: string, organization: string): Promise<string> {
		return (await this.api.testWebhook({ path: { webhook_id: webhook }, organization })).id;
	}

	/** Raises as many events as it uploads invoices, in one request. */
	async upload(organization: string, count: number): Promise<void> {
		await this.api.uploadInvoices({ organization, body: { invoices: invoicesOf(count) } });
	}

	async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
		if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
		const ended = new Promise((resolve) => this.#child.once("exit", resolve));
		this.#child.kill(signal);
		await ended;
	}
}

/** `deployed`: within the bounds of a deployment. */
export type Profile = "unbounded" | "deployed";

export async function startClient(statePath: string, profile: Profile = "unbounded", databases = 0): Promise<Client> {
	const child = spawn(process.execPath, [path.join(import.meta.dirname, "webhooks.service.ts"), statePath, profile, String(databases)], {
		cwd: root,
		stdio: ["ignore", "pipe", "inherit"],
	});
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
		child.once("exit", (code) => reject(new Error(`the service did not start: ${code}`)));
	});
	child.stdout?.resume();
	return new Client(child, url);
}

/** The receivers of `bad-receivers.ts`. */
export async function startBadReceivers() {
	const child = fork(path.join(import.meta.dirname, "bad-receivers.ts"));
	const told = async () => (await once(child, "message", { signal: AbortSignal.timeout(10_000) }))[0];
	const { silent, failing } = (await told()) as { silent: string; failing: string };
	return {
		silent,
		failing,
		/** Ends them. Returns how many connections they have left hanging. */
		async end(): Promise<number> {
			const answer = told();
			child.send("how many?");
			const hung = (await answer) as number;
			child.disconnect();
			return hung;
		},
	};
}

export function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const progress = (text: string): void => void process.stderr.write(`${text}\n`);

/** Waits until the condition holds, and says how far it is. */
export async function until(holds: () => boolean, limitMs: number, state: () => string): Promise<void> {
	const began = Date.now();
	for (let said = began; !holds() && Date.now() - began < limitMs; await sleep(20)) {
		if (Date.now() - said < 5_000) continue;
		said = Date.now();
		progress(`  ${state()}`);
	}
}

/** Runs the work `count` times, at most `atOnce` at the same time. */
export async function times(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
	let next = 0;
	const worker = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
