// A deployment by a stand-in for wrangler, a program of its own as the real one is, which fails at each step in turn: what ran, and what
// the operator reads.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { deploy } from "../../src/dev/deploying.ts";
import { type Edge, edgeOf } from "../../src/dev/edge.ts";
import { accountOf, answerOf, SIGNED_IN } from "./account.ts";
import { filledIn, release } from "./filled-in.ts";

const own = mkdtempSync(path.join(tmpdir(), "stand-in-"));
afterAll(() => rmSync(own, { recursive: true, force: true }));

const environments = filledIn();
const config = environments.deployed.get("staging") ?? {};
const migrations = path.resolve(import.meta.dirname, "../../migrations");
const names = readdirSync(migrations)
	.filter((name) => name.endsWith(".sql"))
	.sort();

const log = path.join(own, "ran");
const program = path.join(own, "wrangler.mjs");
writeFileSync(
	program,
	`import { appendFileSync } from "node:fs";
const words = process.argv.slice(2);
const line = words.map((word) => word.includes("\\n") ? "<sql>" : word.replace(/^.*[/\\\\](?=\\d{4}_)/, "")).join(" ");
appendFileSync(${JSON.stringify(log)}, line + "\\n");
if (process.env.FAILS_AT && line.startsWith(process.env.FAILS_AT)) {
	console.error("✘ [ERROR] A request to the Cloudflare API failed. [code: 7500]");
	process.exit(1);
}
const answers = {
	whoami: ${JSON.stringify(SIGNED_IN(config.account_id))},
	auth: { type: "api_token", token: "t" },
	bookmark: { bookmark: "0000-bookmark" },
	applied: [{ results: [] }, { results: [] }],
};
const answer = words.includes("time-travel") ? "bookmark" : words.includes("--command") ? "applied" : words[0];
if (words.includes("--json")) console.log(JSON.stringify(answers[answer]));
`,
);

let said: string[];
beforeEach(() => {
	said = [];
	writeFileSync(log, "");
});

/** What the operator reads at the end, and what ran. */
async function deployed(failsAt: string): Promise<{ told: string; ran: string[] }> {
	process.env.FAILS_AT = failsAt;
	const real = edgeOf(own, [program]);
	const edge: Edge = {
		...real,
		// Its output stands among the lines of the test otherwise.
		wrangler: (command) => real.wrangler(command, "ASKED"),
		build: async () => ({ core: "wrangler.json", edge: "edge.json" }),
		async fetch(input) {
			return (
				answerOf(accountOf(config), config, String(input)) ??
				Response.json({ status: "ok", release: failsAt === "proof" ? "0.0.9" : release.name, schema: release.schema })
			);
		},
		sleep: async () => {},
		say: (line) => void said.push(line),
	};
	const deployment = { env: "staging", environments, release, operatorToken: undefined, migrations };
	const told = await deploy(deployment, edge).then(
		() => "",
		(error: Error) => error.message,
	);
	delete process.env.FAILS_AT;
	return { told, ran: readFileSync(log, "utf8").trim().split("\n") };
}

const BY = "--config wrangler.json";
const steps = [
	"whoami --json",
	"auth token --json",
	`d1 time-travel info DB --json ${BY}`,
	`d1 execute DB --remote --json --command <sql> ${BY}`,
	...names.map((name) => `d1 execute DB --remote --yes --file ${name} ${BY}`),
	`deploy ${BY} --var RELEASE:${release.name} --tag ${release.name}`,
	`deploy --config edge.json --var RELEASE:${release.name} --tag ${release.name}`,
];
const WORDS = "✘ [ERROR] A request to the Cloudflare API failed. [code: 7500]";
const NOTHING = "Nothing was deployed.";

describe("a deployment by wrangler", () => {
	it("takes its steps in this order", async () => {
		expect(await deployed("")).toEqual({ told: "", ran: steps });
		expect(said).toContain(
			`DB gets ${names.join(", ")}. Its bookmark before: 0000-bookmark (npx wrangler d1 time-travel restore, with --bookmark)`,
		);
	});

	it.each([
		[0, [NOTHING, WORDS, "Correct what wrangler says"]],
		[1, [NOTHING, WORDS, "Correct what wrangler says"]],
		[2, ["and nothing was deployed:", WORDS]],
		[3, ["and nothing was deployed:", WORDS]],
		[4, [`${names[0]} could not be applied to DB: all of it is there, or nothing.`, "The Worker was not deployed", "deploy again"]],
		[steps.length - 3, [`${names.at(-1)} could not be applied to DB: all of it is there, or nothing.`, "The Worker was not deployed"]],
		[steps.length - 2, ["wrangler could not deploy.", "with which the Worker before goes on"]],
		[steps.length - 1, ["wrangler could not deploy the edge. The core is deployed"]],
	] as const)("that fails at step %i ends there, and says what holds now", async (index, told) => {
		const { told: text, ran } = await deployed(steps[index]?.replace(/ --var.*/, "").replace(/^(d1 .*) --config.*/, "$1") ?? "");
		for (const part of told) expect(text).toContain(part);
		expect(ran).toEqual(steps.slice(0, index + 1));
	});

	it("whose proof fails names the version to go back to", async () => {
		const { told, ran } = await deployed("proof");
		expect(told).toContain("healthz does not say that");
		expect(told).toContain("earlier");
		expect(ran).toEqual(steps);
	});
});
