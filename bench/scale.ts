// `npm run bench -- scale`: what operations and attempts cost in D1 rows, what rows take on disk, and what follows for limits and prices. It runs
// the real operations on the bundled Worker, in an unbounded profile and within the bounds of a deployment, and prints the tables of docs/scale.md;
// and the bill of docs/operations.md; `npm run bench -- scale --write` puts them there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseFile } from "../src/dev/databases.ts";
import { parsed } from "../src/dev/log-lines.ts";
import { startOwnService } from "../src/dev/own-service.ts";
import { type Receiver, startReceiver } from "../src/dev/receiver.ts";
import { firstLoanDeal, loanProduct } from "../tools/loan-product.ts";
import { answerTo, type Call, type Fields, textOf } from "./http.load.ts";
import { processorMs } from "./processor.ts";
import { bill } from "./scale.bill.ts";
import { type Bytes, type Cost, type Measured, tables } from "./scale.tables.ts";
import { invoicesOf, type Profile, progress } from "./webhooks.client.ts";

const BORROWERS = 100;
/** Where only their rows are asked for. */
const FEW_BORROWERS = 20;
/** Events of one commit, or endpoints of one event. */
const AT_ONCE = 20;
/** How often they are raised. */
const TIMES = 5;
/** Of which the processor's time is asked for, in hundredths of a second. */
const READS = 300;
const EXCHANGES = 100;
const SWEEPS = 20;
/** Between two that are raised, so that a batch of messages has ended before the next. */
const CALM_MS = 700;
const PATIENCE_MS = 60_000;
const documentOf = (name: string): string => path.resolve(import.meta.dirname, "../docs", name);
const [BEGIN, END] = ["<!-- measured: npm run bench -- scale --write -->", "<!-- end of measured -->"];

const deployed = await measuredIn("deployed");
const text = tables({ unbounded: await measuredIn("unbounded"), deployed });
const month = bill({ measured: deployed, backedUp: await measuredIn("deployed", true) });
process.stdout.write(`${text}\n\n${month}\n`);
if (process.argv.includes("--write")) {
	put("scale.md", text);
	put("operations.md", month);
}
process.exit(0);

function put(name: string, measured: string): void {
	const document = documentOf(name);
	const [before, rest] = readFileSync(document, "utf8").split(BEGIN);
	const after = rest?.split(END)[1];
	if (before === undefined || after === undefined) throw new Error(`${document} lacks the markers ${BEGIN} and ${END}`);
	writeFileSync(document, `${before}${BEGIN}\n\n${measured}\n\n${END}${after}`);
}

async function measuredIn(profile: Profile, backup = false): Promise<Measured> {
	progress(`measuring, ${profile}${backup ? ", backed up" : ""}`);
	const statePath = mkdtempSync(path.join(tmpdir(), "scale-"));
	const batches: Cost[] = [];
	const service = await startOwnService(statePath, {
		backup,
		variables: { WEBHOOK_PACE: profile },
		onLog: ({ message }) => void batches.push(...batchIn(message)),
	});
	const receiver = await startReceiver();
	try {
		if (backup) await service.sweep();
		return await measure({
			url: service.url,
			sweep: () => service.sweep(),
			statePath,
			receiver,
			batches,
			borrowers: backup ? FEW_BORROWERS : BORROWERS,
		});
	} finally {
		await receiver.close();
		await service.stop();
		rmSync(statePath, { recursive: true, force: true });
	}
}

/** What a batch of attempts has taken, by the line in which the service says so. */
function batchIn(message: string): Cost[] {
	const line = parsed(message);
	if (line?.message !== "webhook batch") return [];
	const of = (name: string) => Number(line[`d1_${name}`]);
	return [{ trips: of("trips"), read: of("rows_read"), written: of("rows_written"), ms: of("ms") }];
}

type Service = {
	readonly url: string;
	readonly sweep: () => Promise<unknown>;
	readonly statePath: string;
	readonly receiver: Receiver;
	readonly batches: Cost[];
	readonly borrowers: number;
};

async function measure({ url, sweep, statePath, receiver, batches, borrowers }: Service): Promise<Measured> {
	const { deliveries, behaviour } = receiver;
	const costs = new Map<string, Cost[]>();
	/** Calls the service; a name adds what the call cost to the figures of that operation. */
	type Caller = Pick<Call, "token" | "organization" | "key">;
	async function call(name: string | undefined, method: "GET" | "POST", path: string, by: Caller, body?: Fields): Promise<Fields> {
		const { fields, timing } = await answerTo(url, { method, path, ...by, body });
		if (name !== undefined) costs.set(name, [...(costs.get(name) ?? []), costOf(timing)]);
		return fields;
	}
	const sandboxToken = async (body: Fields) => textOf(await call(undefined, "POST", "/v1/sandbox/tokens", {}, body), "token");

	const operator = { token: await sandboxToken({ kind: "operator", subject: "scale", expires_in: 3600 }) };
	const makeOrganization = async (slug: string) => {
		const id = textOf(await call(undefined, "POST", "/v1/platform/organizations", operator, { name: slug, slug }), "id");
		return { ...operator, organization: id };
	};
	const register = async (manager: Caller, name: string, events: readonly string[]) =>
		textOf(await call(undefined, "POST", "/v1/webhooks", manager, { name, url: `${receiver.url}/${name}`, events }), "id");

	/** What each takes of the processor. */
	async function processorOf(count: number, work: () => Promise<unknown>): Promise<number> {
		const before = processorMs() ?? Number.NaN;
		await work();
		return ((processorMs() ?? Number.NaN) - before) / count;
	}
	const times = (count: number, work: () => Promise<unknown>) => async () => {
		for (let index = 0; index < count; index++) await work();
	};

	const attempts = new Map<string, Cost>();
	/** What an attempt takes in the batches of messages that follow the work. Returns how many there were. */
	async function attempting(name: string, work: () => Promise<unknown>): Promise<number> {
		batches.length = 0;
		const before = deliveries.length;
		await work();
		await settled(() => deliveries.length - before);
		// A batch logs its figures once its ends are recorded, a moment after the receiver's answer.
		await sleep(1_000);
		const count = deliveries.length - before;
		attempts.set(name, each(total(batches), count));
		return count;
	}

	const slug = "scale";
	const manager = await makeOrganization(slug);
	const product = textOf(
		await call(undefined, "POST", "/v1/platform/loan-products", operator, {
			...loanProduct(manager.organization),
			deals: [firstLoanDeal()],
		}),
		"id",
	);
	const types = (await call(undefined, "GET", "/v1/webhooks/events/types", manager)) as unknown as Fields[];
	const webhook = await register(
		manager,
		"all",
		types.map((type) => textOf(type, "event")),
	);

	const accounts: string[] = [];
	const before = bytesByTable(statePath);
	const exchange = async (name: string | undefined, subject: string) => {
		const partner_token = await sandboxToken({ kind: "partner", subject, organization: slug });
		return { token: textOf(await call(name, "POST", "/v1/auth/exchange", {}, { partner_token }), "access_token") };
	};
	let [delivered, ofRepayments] = [0, 0];
	const makeLoans = async () => {
		for (let borrower = 0; borrower < borrowers; borrower++) {
			const subject = `borrower-${borrower}`;
			const first = await exchange("first exchange of a new user", subject);
			const me = await call(undefined, "GET", "/v1/me", first);
			const { status } = me;
			if (status === "WAITING_LIST") {
				await call("admission by an operator", "POST", `/v1/platform/users/${textOf(me, "id")}/admit`, operator);
			}
			const user = await exchange("exchange of a known user", subject);
			const application = await call("loan application", "POST", "/v1/accounts/loan/applications/partner", user, {
				loan_product_id: product,
			});
			const id = textOf(application, "id");
			const { max_loan_amount } = application.terms_range as Fields;
			const apply = `/v1/accounts/loan/applications/partner/${id}/apply`;
			const key = crypto.randomUUID();
			await call("acceptance and disbursement", "POST", apply, { ...user, key }, { loan_amount: max_loan_amount });
			await call("profile", "GET", "/v1/me", user);
			await call("one application", "GET", `/v1/accounts/loan/applications/${id}`, user);
			accounts.push(textOf(application, "account_id"));
		}
	};
	const loan = await processorOf(borrowers, async () => {
		delivered = await attempting("events as loans raise them", makeLoans);
	});
	const after = bytesByTable(statePath);
	const repay = async () => {
		for (const account_id of accounts) {
			await call(
				"repayment",
				"POST",
				"/v1/repayments",
				{ ...operator, key: crypto.randomUUID() },
				{
					mobile_money_transaction_id: crypto.randomUUID(),
					account_id,
					amount: { value: 1_000, currency: "KES" },
					transacted_at: new Date().toISOString(),
					details: { type: "BUY_GOODS", till_number: "12345" },
				},
			);
		}
	};
	const repayment = await processorOf(borrowers, async () => {
		ofRepayments = await attempting("events of repayments", repay);
	});
	const known = await exchange(undefined, "borrower-0");
	const processor = {
		...{ loan, repayment },
		read: await processorOf(
			READS,
			times(READS, () => call(undefined, "GET", "/v1/me", known)),
		),
		exchange: await processorOf(
			EXCHANGES,
			times(EXCHANGES, () => exchange(undefined, "borrower-0")),
		),
		sweep: await processorOf(SWEEPS, times(SWEEPS, sweep)),
	};
	await call("feed of events, 100 a page", "GET", "/v1/webhooks/events?size=100", manager);

	const upload = (by: Caller, count: number) =>
		call(undefined, "POST", "/v1/financing/invoices/batch", by, { invoices: invoicesOf(count) });
	const one = await makeOrganization("one");
	await register(one, "one", ["invoice.uploaded"]);
	await attempting(`${AT_ONCE} events of one commit, at one endpoint`, () => inTurn(TIMES, () => upload(one, AT_ONCE)));
	const many = await makeOrganization("many");
	for (let index = 0; index < AT_ONCE; index++) await register(many, `many-${index}`, ["invoice.uploaded"]);
	await attempting(`one event, at ${AT_ONCE} endpoints`, () => inTurn(TIMES, () => upload(many, 1)));
	behaviour.failures = Number.POSITIVE_INFINITY;
	await attempting("attempts that fail, one by one", () =>
		inTurn(AT_ONCE, () => call("event for one webhook", "POST", `/v1/webhooks/${webhook}/test`, manager)),
	);
	return {
		borrowers,
		deliveriesPerLoan: delivered / borrowers,
		deliveriesPerRepayment: ofRepayments / borrowers,
		costs: new Map([...costs].map(([name, calls]) => [name, each(total(calls), calls.length)])),
		attempts,
		processor,
		bytes: new Map([...after].map(([table, bytes]) => [table, bytes - (before.get(table) ?? 0)])),
	};
}

/** Each waits until the deliveries of the one before it are likely to have ended. */
async function inTurn(count: number, work: () => Promise<unknown>): Promise<void> {
	for (let index = 0; index < count; index++) {
		await work();
		await sleep(CALM_MS);
	}
}

function costOf(timing: string): Cost {
	const [, trips, read, written, ms] = /trips=(\d+) read=(\d+) written=(\d+)[^"]*";dur=(\d+)/.exec(timing) ?? [];
	if (ms === undefined) throw new Error("the answer has no Server-Timing");
	return { trips: Number(trips), read: Number(read), written: Number(written), ms: Number(ms) };
}

function total(costs: readonly Cost[]): Cost {
	const of = (field: keyof Cost) => costs.reduce((sum, cost) => sum + cost[field], 0);
	return { trips: of("trips"), read: of("read"), written: of("written"), ms: of("ms") };
}

function each({ trips, read, written, ms }: Cost, count: number): Cost {
	return { trips: trips / count, read: read / count, written: written / count, ms: ms / count };
}

/** The count, once it has not changed for a second. */
async function settled(count: () => number): Promise<number> {
	for (const began = Date.now(); Date.now() - began < PATIENCE_MS; ) {
		const last = count();
		await sleep(1_000);
		if (last > 0 && count() === last) return last;
	}
	throw new Error("the deliveries do not end");
}

/** The pages of each table and its indexes, in bytes. */
function bytesByTable(statePath: string): Bytes {
	const database = new DatabaseSync(databaseFile(statePath), { readOnly: true });
	try {
		const rows = database
			.prepare("select s.tbl_name as name, sum(d.pgsize) as bytes from dbstat d join sqlite_schema s on s.name = d.name group by 1")
			.all();
		return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
	} finally {
		database.close();
	}
}
