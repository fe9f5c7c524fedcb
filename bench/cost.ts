// `npm run bench -- cost`: the processor time of ten operations, and that of a Worker that writes as many rows with the least that Hono and
// D1 can do. Both run in one process and are called in turns, on the deployed bundle. It prints figures and asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOwnService } from "../src/dev/own-service.ts";
import { companion } from "./companion.ts";
import { answerTo, type Call, textOf } from "./http.load.ts";
import {
	applyCall,
	invoiceCall,
	makeOrganization,
	makePair,
	movementCall,
	offerCall,
	operatorToken,
	type Pair,
	repayCall,
	type Send,
	signIn,
	transferCall,
	type User,
} from "./people.ts";
import { processorMs } from "./processor.ts";

const ROUNDS = 6;
/** Requests of an operation in a round. */
const TURN = 40;
const AT_ONCE = 4;
const PAIRS = 8;
/** So long after a turn its last calls of queues and objects have ended. */
const CALM_MS = 150;

/** What one call cost D1, by its `Server-Timing`. */
type Cost = { readonly trips: number; readonly statements: number; readonly read: number; readonly written: number };
type Operation = { readonly name: string; readonly call: () => Call };

const statePath = mkdtempSync(path.join(tmpdir(), "cost-"));
const service = await startOwnService(statePath, {
	companions: [{ ...companion("bare", statePath), d1Databases: { BARE: "bare" } }],
});
try {
	console.log("preparing borrowers, holders of accounts and rows …");
	const operations = await prepare();
	const costs = new Map<string, Cost>();
	const processor = new Map<string, { ms: number; sent: number }>();
	for (let round = 0; round <= ROUNDS; round++) {
		for (const { name, call } of operations) {
			const own = await turn(call);
			costs.set(name, own.cost);
			const bare = await turn(() => bareCall(own.cost));
			// The first round warms up.
			if (round === 0) continue;
			add(processor, name, own);
			add(processor, `bare ${name}`, bare);
		}
		console.log(`round ${round} of ${ROUNDS}, load ${loadavg()[0]?.toFixed(1)}`);
	}
	const each = (name: string): number => {
		const { ms, sent } = processor.get(name) ?? { ms: Number.NaN, sent: 1 };
		return ms / sent;
	};
	console.log(`\n${cpus().length} cores, Node ${process.version}, ${ROUNDS} turns of ${TURN} requests, ${AT_ONCE} at once\n`);
	console.log("| Operation | trips | statements | rows read | rows written | ms | bare, as many rows written | times |");
	console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
	for (const { name } of operations) {
		const { trips, statements, read, written } = costs.get(name) ?? { trips: 0, statements: 0, read: 0, written: 0 };
		const [own, bare] = [each(name), each(`bare ${name}`)];
		const cells = [name, trips, statements, read, written, own.toFixed(2), bare.toFixed(2), (own / bare).toFixed(2)];
		console.log(`| ${cells.join(" | ")} |`);
	}
} finally {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);

function add(to: Map<string, { ms: number; sent: number }>, name: string, { ms }: { ms: number }): void {
	const { ms: before, sent } = to.get(name) ?? { ms: 0, sent: 0 };
	to.set(name, { ms: before + ms, sent: sent + TURN });
}

/** One batch that reads a row, and a second batch that inserts as many rows as the operation wrote, its indexes' included. */
function bareCall({ written }: Cost): Call {
	return written === 0
		? { worker: "bare", method: "GET", path: "/one-row" }
		: { worker: "bare", method: "POST", path: `/two-batches?rows=${written}`, body: {} };
}

/** Sends calls, and returns the processor time that the runtime took for them all, and what the last of them cost D1. */
async function turn(call: () => Call): Promise<{ ms: number; cost: Cost }> {
	const calls = Array.from({ length: TURN }, call).values();
	const before = processorMs() ?? Number.NaN;
	let timing = "";
	const connection = async () => {
		for (const next of calls) timing = (await answerTo(service.inside, next)).timing;
	};
	await Promise.all(Array.from({ length: AT_ONCE }, connection));
	await sleep(CALM_MS);
	const ms = (processorMs() ?? Number.NaN) - before;
	const figure = (name: string): number => Number(new RegExp(`${name}=(\\d+)`).exec(timing)?.[1] ?? 0);
	return {
		ms,
		cost: { trips: figure("trips"), statements: figure("statements"), read: figure("read"), written: figure("written") },
	};
}

async function prepare(): Promise<Operation[]> {
	const send: Send = async (call) => (await answerTo(service.inside, call)).fields;
	await send({ worker: "bare", method: "POST", path: "/tables", body: {} });
	const operator = await operatorToken(send);
	const organization = await makeOrganization(send, operator, "cost");
	const pairs: Pair[] = [];
	for (let pair = 0; pair < PAIRS; pair++) pairs.push(await makePair(send, operator, organization, `pair-${pair}`));
	const usersOf = (name: string, count: number) =>
		someAtOnce(
			Array.from({ length: count }, (_, index) => `${name}-${index}`),
			(subject) => signIn(send, operator, organization, subject),
		);
	const times = (ROUNDS + 1) * TURN;
	const [first] = (await usersOf("known", 1)) as [User];
	const application = textOf(await send(offerCall(first, organization)), "id");
	const offers = await someAtOnce(await usersOf("borrower", times), async (user) => {
		const offer = await send(offerCall(user, organization));
		return { user, application: textOf(offer, "id"), accountId: textOf(offer, "account_id") };
	});
	const asking = await usersOf("asking", times);
	const takenFrom = <T>(values: Iterator<T>): T => {
		const { value, done } = values.next();
		if (done) throw new Error("there are too few borrowers");
		return value as T;
	};
	const [offering, applying, repaying] = [asking.values(), offers.values(), offers.values()];
	let [transfers, movements, repayments] = [0, 0, 0];
	const pairOf = (count: number) => pairs[count % pairs.length] as Pair;
	return [
		{ name: "profile", call: () => ({ method: "GET", path: "/v1/me", token: first.token }) },
		{
			name: "one application",
			call: () => ({ method: "GET", path: `/v1/accounts/loan/applications/${application}`, token: first.token }),
		},
		{ name: "list of 20 users", call: () => ({ method: "GET", path: "/v1/platform/users?size=20", token: operator }) },
		{ name: "invoice", call: () => invoiceCall(operator, organization) },
		{ name: "invoice, with a key", call: () => ({ ...invoiceCall(operator, organization), key: crypto.randomUUID() }) },
		{ name: "movement of the custodian", call: () => movementCall(operator, pairOf(movements++)) },
		{ name: "transfer, with a key", call: () => transferCall(pairOf(transfers++), "cost") },
		{ name: "loan offer, with a key", call: () => offerCall(takenFrom(offering), organization) },
		{
			name: "acceptance and payout, with a key",
			call: () => {
				const { user, application } = takenFrom(applying);
				return applyCall(user, application);
			},
		},
		{ name: "repayment, with a key", call: () => repayCall(operator, takenFrom(repaying).accountId, `COST${++repayments}`) },
	];
}

/** Does the work for each, a few at a time. */
async function someAtOnce<T, R>(of: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
	const done: R[] = [];
	for (let from = 0; from < of.length; from += AT_ONCE) done.push(...(await Promise.all(of.slice(from, from + AT_ONCE).map(work))));
	return done;
}
