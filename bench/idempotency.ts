// `npm run bench -- idempotency`: how many writes a second the service takes with a fresh Idempotency-Key on each, against the same
// writes without one. Three rounds of short turns on the deployed bundle, about a minute. It prints figures and asserts nothing.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService } from "../src/dev/service.ts";

const ROUNDS = 3;
/** Turns of one round: short ones, so that whatever else the machine does slows both kinds alike. */
const TURNS = 8;
const TURN_MS = 750;
const CONNECTIONS = 16;
const TARGET = 0.8;

type Round = { without: number; withKey: number; ratio: number; p50Without: number; p50WithKey: number };

const statePath = mkdtempSync(path.join(tmpdir(), "idempotency-"));
const service = await startService({
	port: 0,
	statePath,
	variables: { RATE_LIMITS: "off" },
	onLog: (log) => void (log.level === "error" && console.error(log.message)),
});
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
try {
	const token = text(await post("/v1/sandbox/tokens", { kind: "operator", subject: "bench", expires_in: 3600 }), "token");
	const organization = text(
		await post("/v1/platform/organizations", { name: "Bench", slug: "bench" }, { authorization: `Bearer ${token}` }),
		"id",
	);
	const write = (headers: Record<string, string>) =>
		post(
			`/v1/organizations/${organization}/api-keys`,
			{ name: "till", scopes: ["loans:write"] },
			{ authorization: `Bearer ${token}`, ...headers },
		);
	const without = () => write({});
	const withKey = () => write({ "idempotency-key": randomUUID() });

	await turn(without);
	await turn(withKey);
	const rounds: Round[] = [];
	for (let i = 0; i < ROUNDS; i++) rounds.push(await round(without, withKey));
	console.table(rounds.map((one) => ({ ...one, ratio: Number(one.ratio.toFixed(2)) })));
	console.log(
		`writes a second with / without a key, median: ${median(rounds.map(({ ratio }) => ratio)).toFixed(2)} (target: at least ${TARGET})`,
	);
} finally {
	agent.destroy();
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);

/** Both kinds of write in turns; rates are writes a second. */
async function round(without: () => Promise<unknown>, withKey: () => Promise<unknown>): Promise<Round> {
	const durations: { without: number[]; withKey: number[] } = { without: [], withKey: [] };
	for (let i = 0; i < TURNS; i++) {
		durations.without.push(...(await turn(without)));
		durations.withKey.push(...(await turn(withKey)));
	}
	const rate = (all: number[]) => Math.round(all.length / ((TURNS * TURN_MS) / 1000));
	return {
		without: rate(durations.without),
		withKey: rate(durations.withKey),
		ratio: durations.withKey.length / durations.without.length,
		p50Without: Math.round(median(durations.without)),
		p50WithKey: Math.round(median(durations.withKey)),
	};
}

/** Writes over all connections at once, and returns how long each took, in ms. */
async function turn(write: () => Promise<unknown>): Promise<number[]> {
	const durations: number[] = [];
	const until = performance.now() + TURN_MS;
	const connection = async () => {
		while (performance.now() < until) {
			const sent = performance.now();
			await write();
			durations.push(performance.now() - sent);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, connection));
	return durations;
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function post(pathname: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const sent = request(
			`${service.url}${pathname}`,
			{ method: "POST", agent, headers: { "content-type": "application/json", ...headers } },
			(response) => {
				let answer = "";
				response.setEncoding("utf8").on("data", (chunk: string) => {
					answer += chunk;
				});
				response.on("end", () => {
					if (response.statusCode && response.statusCode < 300) resolve(JSON.parse(answer));
					else reject(new Error(`${pathname} answered ${response.statusCode} ${answer}`));
				});
			},
		);
		sent.on("error", reject);
		sent.end(JSON.stringify(body));
	});
}

function text(body: unknown, name: string): string {
	const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
	if (typeof value !== "string") throw new Error(`the answer has no ${name}`);
	return value;
}
