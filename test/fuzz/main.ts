// `npm run fuzz`: requests drawn from the schemas of every operation, sent to a service of its own on this machine by
// callers of every kind, one after the other. Ends with 1 when an answer is not as the OpenAPI document declares it,
// or costs more than a second or 32 MB. Everything is drawn from one seed, which is printed. Each round of 250
// requests has its own cast and shares only the database with the others, so a case is replayed by its round alone.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { localVariables } from "../../src/dev/local-variables.ts";
import { startReceiver } from "../../src/dev/receiver.ts";
import { startService } from "../../src/dev/service.ts";
import { CALLBACK_SECRET, type Caller, type Cast, gather, learn, likelyCallers, TEMPLATES } from "./cast.ts";
import { ServiceDocument } from "./document.ts";
import { type Draft, draftsOf, draw, type Header } from "./draft.ts";
import { type Answer, Connection, freshAddress, type Sent } from "./exchange.ts";
import { hostile } from "./hostile.ts";
import { Ledger } from "./ledger.ts";
import { complaints } from "./verdict.ts";

const ROUND = 250;
const SHOWN_OF_A_KIND = 3;
const LONGEST_RUN_MS = 30 * 60_000;

const help = `npm run fuzz -- [options]

  --requests <number>  how many to send (default 20000)
  --seed <number>      draw what that seed draws (default: a fresh one, printed)
  --case <number>      replay one case: its round up to it, then the case in full
  --only <operation>   draw for one operation only (another drawing than without)
  --hostile            instead, the table of hostile inputs: time and memory for each operation
`;

const { values: options } = parseArgs({
	options: {
		requests: { type: "string", default: "20000" },
		seed: { type: "string" },
		case: { type: "string" },
		only: { type: "string" },
		hostile: { type: "boolean", default: false },
		help: { type: "boolean", short: "h" },
	},
});
if (options.help) {
	process.stdout.write(help);
	process.exit(0);
}
const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(options.seed);
const requests = Number(options.requests);
const replayed = options.case === undefined ? undefined : Number(options.case);
if (![seed, requests, replayed ?? 0].every((number) => Number.isSafeInteger(number) && number >= 0)) {
	process.stderr.write(help);
	process.exit(2);
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A resolver that knows no name: what is registered under one is refused, and nothing asks the internet. */
async function startResolver(): Promise<string> {
	const server = createServer((_, answer) => {
		answer.writeHead(200, { "content-type": "application/dns-json" });
		answer.end(JSON.stringify({ Status: 3, TC: false, RD: true, RA: true, AD: false, CD: false, Question: [], Answer: [] }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query`;
}

async function main(): Promise<boolean> {
	const statePath = mkdtempSync(path.join(tmpdir(), "fuzz-"));
	const receiver = await startReceiver();
	const logged: string[] = [];
	const service = await startService({
		port: 0,
		statePath,
		variables: {
			...localVariables(),
			TRUSTED_ISSUERS: "[]",
			RATE_LIMITS: "off",
			DISBURSER_SECRET: CALLBACK_SECRET,
			CUSTODIAN_SECRET: CALLBACK_SECRET,
			TRANSFER_OTP_ABOVE: "5000",
			DNS_OVER_HTTPS_URL: await startResolver(),
		},
		onLog: ({ level, message }) => {
			if (level === "error" && logged.push(message) > 50) logged.shift();
		},
	});
	const connection = new Connection(service.url);
	try {
		const document = await ServiceDocument.of(service.url);
		const assemble = (round: string) => gather(connection, document, round, receiver.url);
		const likely = await likelyCallers(connection, document, await assemble("0"));
		if (options.hostile) return await hostile({ connection, document, assemble, likely, seed, only: options.only });
		return await fuzz({ connection, document, assemble, likely, logged });
	} finally {
		connection.close();
		await service.stop();
		await receiver.close();
		rmSync(statePath, { recursive: true, force: true });
	}
}

interface Run {
	readonly connection: Connection;
	readonly document: ServiceDocument;
	assemble(round: string): Promise<Cast>;
	readonly likely: ReadonlyMap<string, readonly string[]>;
	readonly logged: string[];
}

async function fuzz({ connection, document, assemble, likely, logged }: Run): Promise<boolean> {
	const operations = document.operations.filter(({ id }) => options.only === undefined || id === options.only);
	if (operations.length === 0) throw new Error(`no operation is called ${options.only}`);
	const drafts = fc.oneof(...operations.map((operation) => draftsOf(document, operation, TEMPLATES[operation.id] ?? [])));
	const ledger = new Ledger();
	const shown = new Map<string, number>();
	const first = replayed === undefined ? 0 : replayed - (replayed % ROUND);
	const last = replayed ?? requests - 1;
	const began = Date.now();
	let cast: Cast | undefined;
	say(`Seed ${seed}: ${last - first + 1} requests to ${operations.length} operations`);

	for (let number = first; number <= last; number++) {
		if (!cast || number % ROUND === 0) cast = await assemble(String(number / ROUND + 1));
		const draft = draw(drafts, seed, number);
		const caller = callerOf(draft, cast, likely);
		const sent = requestOf(draft, caller, cast);
		for (let time = 0; time < (draft.twice ? 2 : 1); time++) {
			logged.length = 0;
			const { answer, found } = await exchange(connection, document, draft, caller, cast, sent);
			ledger.enter(draft.operation.id, answer, found);
			if (answer && answer.status < 300) learn(document, cast.things, sent.method, draft.path, parsed(answer.text));
			if (number === replayed) show(draft, caller, sent, answer, found, logged);
			for (const complaint of found) {
				const kind = `${draft.operation.id}: ${complaint.slice(0, 60)}`;
				shown.set(kind, (shown.get(kind) ?? 0) + 1);
				if ((shown.get(kind) ?? 0) > SHOWN_OF_A_KIND || number === replayed) continue;
				say(`FAILED  case ${number}, ${draft.operation.id} as ${caller.name}: ${complaint}`);
				say(`        wrong with it: ${draft.wrong.join("; ") || "nothing"}${time > 0 ? "; sent for the second time" : ""}`);
				say(`        npm run fuzz -- --seed ${seed} --case ${number}${options.only ? ` --only ${options.only}` : ""}`);
			}
		}
		if ((number + 1) % 2_000 === 0) {
			const rate = Math.round(((number + 1 - first) / (Date.now() - began)) * 1000);
			say(`${number + 1} of ${last + 1}, ${rate} a second, ${ledger.failures} failed`);
		}
		if (Date.now() - began > LONGEST_RUN_MS) throw new Error(`not done after ${LONGEST_RUN_MS / 60_000} minutes: ${number + 1} requests`);
	}
	ledger.print(say);
	say(connection.memory);
	say(`Seed ${seed}: ${ledger.requests} requests in ${Math.round((Date.now() - began) / 1000)} s, ${ledger.failures} failed`);
	for (const [kind, times] of [...shown].sort(([, a], [, b]) => b - a)) say(`  ${times} times  ${kind}`);
	return ledger.failures === 0;
}

async function exchange(connection: Connection, document: ServiceDocument, draft: Draft, caller: Caller, cast: Cast, sent: Sent) {
	try {
		const answer = await connection.send(sent);
		return { answer, found: complaints(document, draft, caller, cast, sent, answer) };
	} catch (error) {
		return { answer: undefined, found: [`no answer: ${error instanceof Error ? error.message : error}`] };
	}
}

/** The owners of what the paths under a prefix name; the first prefix that fits counts. */
const OWNERS: readonly (readonly [prefix: string, ...names: string[]])[] = [
	["/v1/user/accounts/current/close", "closing holder"],
	["/v1/user/accounts/current/activations", "new holder"],
	["/v1/user/", "account holder"],
	["/v1/accounts/", "user"],
	["/v1/approvals", "operator", "second operator"],
	["/v1/financing/", "API key", "member (financing-admin)"],
	["/", "owner", "API key", "user"],
];

const isOwner = (path: string, name: string): boolean => OWNERS.find(([prefix]) => path.startsWith(prefix))?.includes(name, 1) ?? false;

function callerOf({ operation, caller: { likely: wanted, pick } }: Draft, { callers }: Cast, likely: Run["likely"]): Caller {
	const admitted = callers.filter(({ name }) => likely.get(operation.id)?.includes(name));
	// The owners call as often as all others together.
	const owners = admitted.filter(({ name }) => isOwner(operation.path, name));
	const from = wanted && admitted.length > 0 ? (pick % 2 === 0 && owners.length > 0 ? owners : admitted) : callers;
	const caller = from[(pick >> 1) % from.length];
	if (!caller) throw new Error("nobody to call");
	return caller;
}

function requestOf({ operation, path: unfilled, headers, body }: Draft, caller: Caller, { things }: Cast): Sent {
	// A JSON string inside takes no quotes of its own.
	const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
	const filled = body && (body.includes("@@") ? Buffer.from(things.fill(body.toString(), inJson)) : body);
	const own: Header[] = [["CF-Connecting-IP", freshAddress()], ...caller.credentials(filled)];
	// An odd header replaces the caller's own header of that name.
	const odd = headers.map(([name, value]) => [name, things.fill(value, (one) => one)] as const);
	return {
		method: operation.method,
		path: things.fill(unfilled, encodeURIComponent),
		headers: [...own.filter(([name]) => !odd.some(([other]) => other === name)), ...odd],
		body: filled,
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function show(
	draft: Draft,
	caller: Caller,
	sent: Sent,
	answer: Answer | undefined,
	found: readonly string[],
	logged: readonly string[],
): void {
	const short = (text: string) => (text.length > 4_000 ? `${text.slice(0, 4_000)}... (${text.length} characters)` : text);
	say(`\n${draft.operation.id} as ${caller.name}; wrong with it: ${draft.wrong.join("; ") || "nothing"}\n`);
	say(`${sent.method} ${short(sent.path)}`);
	for (const [name, value] of sent.headers) say(`${name}: ${short(value)}`);
	if (sent.body) say(`\n${short(sent.body.toString())}`);
	if (answer) {
		say(`\n${answer.status} after ${answer.ms.toFixed(1)} ms, ${answer.grownMb?.toFixed(1) ?? "?"} MB`);
		for (const [name, value] of Object.entries(answer.headers)) say(`${name}: ${value}`);
		say(`\n${short(answer.text)}`);
	}
	for (const line of logged) say(`log: ${short(line)}`);
	for (const complaint of found) say(`FAILED  ${complaint}`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.prependListener(signal, () => process.exit(1));
process.exit((await main()) ? 0 : 1);
