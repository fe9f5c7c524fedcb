// `npm run test:schemathesis`: Schemathesis reads the served document and calls every operation of the built service as five callers, with all
// its checks: what the document allows is taken, unless docs/openapi.md says why no schema states the rule, and nothing else fails.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readCommandLine, readNumber } from "../../../src/dev/command-line.ts";
import { localVariables } from "../../../src/dev/local-variables.ts";
import { startReceiver } from "../../../src/dev/receiver.ts";
import { startService } from "../../../src/dev/service.ts";
import { CALLBACK_SECRET, gather } from "../../fuzz/cast.ts";
import { ServiceDocument } from "../../fuzz/document.ts";
import { CALLERS, type CallerName, settingsOf, worldOf } from "./callers.ts";
import { casesFor } from "./cases.ts";
import { Outside, PayingConnection } from "./outside.ts";
import { readRecord, Tally } from "./tally.ts";

const usage = `npm run test:schemathesis -- [options]

  --seed <number>      what is drawn (default: a fresh one, printed); may be repeated
  --caller <name>      one of ${CALLERS.join(", ")} (default: all); may be repeated
  --seconds <number>   how long each caller calls at most, in all phases together (default 90)

Needs python3, and the packages of test/real/schemathesis/requirements.txt, which it installs into test/real/schemathesis/out.
`;
const { values } = readCommandLine(usage, {
	options: {
		seed: { type: "string", multiple: true },
		caller: { type: "string", multiple: true },
		seconds: { type: "string", default: "90" },
	},
});
const seeds = (values.seed ?? [String(Math.floor(Math.random() * 2 ** 31))]).map((text) => readNumber(usage, text, 0, 2 ** 31));
const seconds = readNumber(usage, values.seconds, 10, 3_600);
const callers = CALLERS.filter((name) => values.caller?.includes(name) ?? true);

if (spawnSync("which", ["python3"]).status !== 0) {
	console.log("schemathesis: not run, because python3 is not on this machine");
	process.exit(0);
}

const here = import.meta.dirname;
const out = path.join(here, "out");
const venv = path.join(out, "venv");
mkdirSync(out, { recursive: true });

/** Not `spawnSync`: the service answers in this process. */
function run(
	program: string,
	options: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; said: string }> {
	const child = spawn(program, options, { cwd: out, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
	return new Promise((resolve) => child.on("close", (status) => resolve({ status, said })));
}

for (const [program, ...options] of [
	["python3", "-m", "venv", venv],
	[path.join(venv, "bin/pip"), "install", "-q", "-r", path.join(here, "requirements.txt")],
]) {
	const { status, said } = await run(program ?? "", options);
	if (status !== 0) throw new Error(`${program} failed:\n${said}`);
}

const statePath = mkdtempSync(path.join(tmpdir(), "schemathesis-"));
const receiver = await startReceiver();
let url = "";
const outside = new Outside(() => url);
const outsideVariables = await outside.serve();
const service = await startService({
	port: 0,
	statePath,
	variables: (port) => ({
		...localVariables(),
		...outsideVariables(port),
		TRUSTED_ISSUERS: "[]",
		RATE_LIMITS: "off",
		MESSAGE_BUDGET_PER_MINUTE: "1000000",
		DISBURSER_SECRET: CALLBACK_SECRET,
		CUSTODIAN_SECRET: CALLBACK_SECRET,
		TRANSFER_OTP_ABOVE: "5000",
	}),
	onLog: ({ level, message }) => void (level === "error" && process.stderr.write(`${message}\n`)),
});
url = service.url;
const connection = new PayingConnection(url, outside);
const tally = new Tally();
try {
	const document = await ServiceDocument.of(service.url);
	const served = (await (await fetch(`${service.url}/openapi.json`)).json()) as Served;
	let round = 0;
	for (const seed of seeds) for (const caller of callers) await test(document, served, { seed, caller, round: String(++round) });
	tally.print(document.operations.map(({ id }) => id));
} finally {
	connection.close();
	await service.stop();
	await receiver.close();
	rmSync(statePath, { recursive: true, force: true });
}
process.exitCode = tally.failures > 0 ? 1 : 0;

type Served = { readonly paths: object };
type Run = { readonly seed: number; readonly caller: CallerName; readonly round: string };

/** Each run has a world of its own, made through the API: tokens are fresh, and what one caller has ended is there for the next. */
async function test(document: ServiceDocument, served: Served, { seed, caller, round }: Run): Promise<void> {
	const cast = await gather(connection, document, round, receiver.url);
	const name = `${caller}-${seed}`;
	const at = (ending: string) => path.join(out, `${name}.${ending}`);
	rmSync(at("jsonl"), { force: true });
	const cases = await casesFor(caller, { connection, document, cast, round, outside });
	writeFileSync(at("world.json"), JSON.stringify({ ...worldOf(document, cast, { caller, round }), cases }));
	writeFileSync(at("toml"), settingsOf(caller, cast, cases, path.join(here, "hooks.py")));
	// Where the time ends, each seed has reached other operations.
	writeFileSync(at("openapi.json"), JSON.stringify({ ...served, paths: shuffled(served.paths, seed) }));
	const began = performance.now();
	const tester = (...options: readonly string[]) =>
		run(
			path.join(venv, "bin/schemathesis"),
			[
				...["--no-color", "--config-file", at("toml"), "run", at("openapi.json"), "--url", service.url, "--seed", String(seed)],
				...["--checks", "all", "--continue-on-failure", "--warnings", "off", ...options],
			],
			{ WORLD: at("world.json"), RECORD: at("jsonl") },
		);
	// First each operation once, as its examples say.
	const shown = await tester("--phases", "examples");
	const drawn = await tester("--phases", "coverage,fuzzing,stateful", "--max-time", String(seconds));
	const said = `${shown.said}${drawn.said}`;
	writeFileSync(at("log"), said);
	const record = readRecord(at("jsonl"));
	// 1: a check has failed, which the record has too.
	const failed = [shown, drawn].find(({ status }) => status !== 0 && status !== 1);
	if (failed || record.length === 0) throw new Error(`${name} ended with ${failed?.status}:\n${said.slice(-3_000)}`);
	tally.enter(caller, seed, record, Math.round((performance.now() - began) / 1000));
}

/** The members in an order that the seed decides. */
function shuffled(paths: object, seed: number): object {
	const orderOf = (name: string) => createHash("sha256").update(`${seed} ${name}`).digest("hex");
	return Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (orderOf(a) < orderOf(b) ? -1 : 1)));
}
