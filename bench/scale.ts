// `npm run bench -- scale`: what operations cost in D1 rows, what rows take on disk, and what follows for limits and prices. It runs the real
// operations on the bundled Worker, and prints the tables of docs/scale.md; `npm run bench -- scale --write` puts them there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { firstLoanDeal, loanProduct } from "../src/dev/loan-product.ts";
import { startOwnService } from "../src/dev/own-service.ts";
import { type Receiver, startReceiver } from "../src/dev/receiver.ts";
import { databaseFile } from "../src/dev/seed-stories.ts";
import type { Service } from "../src/dev/service.ts";
import { answerTo, type Call, type Fields, textOf } from "./http.load.ts";
import { type Bytes, type Cost, type Measured, tables } from "./scale.tables.ts";

const BORROWERS = 100;
const ATTEMPTS = 60;
const PATIENCE_MS = 60_000;
const DOCUMENT = path.resolve(import.meta.dirname, "../docs/scale.md");
const [BEGIN, END] = ["<!-- measured: npm run bench -- scale --write -->", "<!-- end of measured -->"];

const statePath = mkdtempSync(path.join(tmpdir(), "scale-"));
const service = await startOwnService(statePath);
const receiver = await startReceiver();
let text: string;
try {
	text = tables(await measure(service, receiver));
} finally {
	await receiver.close();
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.stdout.write(`${text}\n`);
if (process.argv.includes("--write")) {
	const [before, rest] = readFileSync(DOCUMENT, "utf8").split(BEGIN);
	const after = rest?.split(END)[1];
	if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} lacks the markers ${BEGIN} and ${END}`);
	writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`);
}
process.exit(0);

async function measure({ url }: Service, { url: receiverUrl, deliveries, behaviour }: Receiver): Promise<Measured> {
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
	const slug = "scale";
	const organization = textOf(await call(undefined, "POST", "/v1/platform/organizations", operator, { name: "Scale", slug }), "id");
	const product = textOf(
		await call(undefined, "POST", "/v1/platform/loan-products", operator, { ...loanProduct(organization), deals: [firstLoanDeal()] }),
		"id",
	);
	const manager = { ...operator, organization };
	const types = (await call(undefined, "GET", "/v1/webhooks/events/types", manager)) as unknown as Fields[];
	const events = types.map((type) => textOf(type, "event"));
	const webhook = textOf(await call(undefined, "POST", "/v1/webhooks", manager, { name: "Scale", url: receiverUrl, events }), "id");

	const before = bytesByTable();
	const received = deliveries.length;
	for (let borrower = 0; borrower < BORROWERS; borrower++) {
		const subject = `borrower-${borrower}`;
		const exchange = async (name: string) => {
			const partner_token = await sandboxToken({ kind: "partner", subject, organization: slug });
			return { token: textOf(await call(name, "POST", "/v1/auth/exchange", {}, { partner_token }), "access_token") };
		};
		const first = await exchange("first exchange of a new user");
		const me = await call(undefined, "GET", "/v1/me", first);
		const { status } = me;
		if (status === "WAITING_LIST") {
			await call("admission by an operator", "POST", `/v1/platform/users/${textOf(me, "id")}/admit`, operator);
		}
		const user = await exchange("exchange of a known user");
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
	}
	await call("feed of events, 100 a page", "GET", "/v1/webhooks/events?size=100", manager);
	const perLoan = await settled(() => deliveries.length - received);
	// The last outcomes are committed within 100 ms of the receiver's answer.
	await sleep(1_000);
	const after = bytesByTable();

	// Attempts run in no request, except those that a call to the sandbox's clock makes. Their rows are the cost of that
	// call, less the cost of one that makes no attempt.
	const advance = (name: string) => call(name, "POST", "/v1/sandbox/clock", operator, { advance: "PT30M" });
	await advance("clock");
	behaviour.failures = ATTEMPTS;
	const failed = deliveries.length;
	for (let index = 0; index < ATTEMPTS; index++) await call("event for one webhook", "POST", `/v1/webhooks/${webhook}/test`, manager);
	await settled(() => deliveries.length - failed);
	await advance("clock with attempts");
	const [idle, busy] = [mean(costs.get("clock")), mean(costs.get("clock with attempts"))];
	costs.delete("clock");
	costs.delete("clock with attempts");
	if (deliveries.length - failed !== 2 * ATTEMPTS) throw new Error(`${deliveries.length - failed} attempts instead of ${2 * ATTEMPTS}`);
	return {
		borrowers: BORROWERS,
		deliveriesPerLoan: perLoan / BORROWERS,
		costs: new Map([...costs].map(([name, each]) => [name, mean(each)])),
		attempt: {
			trips: (busy.trips - idle.trips) / ATTEMPTS,
			read: (busy.read - idle.read) / ATTEMPTS,
			written: (busy.written - idle.written) / ATTEMPTS,
			ms: (busy.ms - idle.ms) / ATTEMPTS,
		},
		bytes: new Map([...after].map(([table, bytes]) => [table, bytes - (before.get(table) ?? 0)])),
	};
}

function costOf(timing: string): Cost {
	const [, trips, read, written, ms] = /trips=(\d+) read=(\d+) written=(\d+)";dur=(\d+)/.exec(timing) ?? [];
	if (ms === undefined) throw new Error("the answer has no Server-Timing");
	return { trips: Number(trips), read: Number(read), written: Number(written), ms: Number(ms) };
}

function mean(costs: readonly Cost[] = []): Cost {
	const of = (field: keyof Cost) => costs.reduce((sum, cost) => sum + cost[field], 0) / costs.length;
	return { trips: of("trips"), read: of("read"), written: of("written"), ms: of("ms") };
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
function bytesByTable(): Bytes {
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
