// What the account must have before anything is built: one refusal for each thing that is missing, with wrangler's own words and the one
// next step.

import { beforeEach, describe, expect, it } from "vitest";
import type { AuthorizationCheck } from "../../src/dev/authorization-check.ts";
import type { Edge, Ran } from "../../src/dev/edge.ts";
import { preflight } from "../../src/dev/preflight.ts";
import { accountOf, answerOf, failed, ok, signedInBy } from "./account.ts";
import { changed } from "./filled-in.ts";

const environments = changed((staging) => {
	staging.r2_buckets = [{ binding: "ARCHIVE", bucket_name: "archive" }];
});
const config = environments.deployed.get("staging") ?? {};
const database = config.d1_databases?.[0]?.database_id;
const script = `/workers/scripts/${config.name}`;

let replies: ReturnType<typeof accountOf>;
let ran: Ran | undefined;
let said: string[];
let tokens: (string | null)[];
beforeEach(() => {
	replies = accountOf(config);
	ran = undefined;
	[said, tokens] = [[], []];
});

const edge: Edge = {
	wrangler: (command) => (command[0] === "whoami" && ran) || (signedInBy(config, command) as Ran),
	build: () => Promise.reject(new Error("nothing is built")),
	async fetch(input, init) {
		tokens.push(new Headers(init?.headers).get("authorization"));
		return answerOf(replies, config, String(input)) ?? Promise.reject(new TypeError("fetch failed"));
	},
	authorization: async () => authorization,
	sleep: async () => {},
	say: (line) => void said.push(line),
};
let authorization: AuthorizationCheck = {};
const asked = async () => (await preflight({ edge, config, env: "staging" })).core;

it("the authorization provider is asked, and what it lacks keeps the deployment from being made", async () => {
	authorization = { unknown: "OpenFGA was not asked" };
	expect(await asked()).toBe("earlier");
	expect(said).toContain("OpenFGA was not asked");
	authorization = { fault: "OpenFGA: The model lacks organization#lending_approvals_decide" };
	await expect(asked()).rejects.toThrow("[env.staging] OpenFGA: The model lacks organization#lending_approvals_decide");
	authorization = {};
});

describe("an account that has everything", () => {
	it("is asked with wrangler's own token, and says where its databases run and which version serves", async () => {
		expect(await asked()).toBe("earlier");
		expect(said).toEqual(["DB runs in WEUR."]);
		expect(new Set(tokens)).toEqual(new Set(["Bearer t0ken"]));
	});

	it("has nothing to go back to while only a draft serves, which storing a secret makes", async () => {
		replies.set(
			`${script}/versions/earlier`,
			ok({ id: "earlier", resources: { bindings: [{ type: "secret_text", name: "MASTER_KEY" }] } }),
		);
		expect(await asked()).toBeUndefined();
	});
});

/** As wrangler 4.135 prints it, with an account that answers 401, and with none that answers. */
const EXPIRED = `\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mA request to the Cloudflare API (/user/tokens/verify) failed.\u001b[0m

  Authentication error [code: 10000]


\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mA request to the Cloudflare API (/user/tokens/verify) failed.\u001b[0m

  Authentication error [code: 10000]



APIError: A request to the Cloudflare API (/user/tokens/verify) failed.
    at throwFetchError (/clone/node_modules/wrangler/wrangler-dist/cli.js:56250:19)
    at process.processTicksAndRejections (node:internal/process/task_queues:104:5)

(error handler also failed: APIError: A request to the Cloudflare API (/user/tokens/verify) failed.
    at throwFetchError (/clone/node_modules/wrangler/wrangler-dist/cli.js:56250:19)
    at async main (/clone/node_modules/wrangler/wrangler-dist/cli.js:357207:9))
🪵  Logs were written to "/home/.config/.wrangler/logs/wrangler-2026-11-24_14-59-57_839.log"
`;
const NO_NETWORK = `▲ [WARNING] A fetch request failed, likely due to a connectivity issue.

  Common causes:
    - No internet connection or network connectivity problems
    - Firewall or VPN blocking the request
    - Network proxy configuration issues

  Please check your network connection and try again.


✘ [ERROR] fetch failed


🪵  Logs were written to "/home/.config/.wrangler/logs/wrangler-2026-11-24_15-00-01_674.log"
`;

describe("nothing is built or touched", () => {
	const LOST = "Unable to resolve Cloudflare's API hostname (api.cloudflare.com or dash.cloudflare.com).";

	it("and wrangler's words are printed once each, without its own lines of code", async () => {
		const refusalTo = async (stderr: string) => {
			ran = { status: 1, stdout: "", stderr };
			return String(await asked().catch((error: Error) => error.message)).split("\n");
		};
		expect(await refusalTo(EXPIRED)).toEqual([
			"Nothing was deployed.",
			"wrangler is not signed in. wrangler says:",
			"✘ [ERROR] A request to the Cloudflare API (/user/tokens/verify) failed.",
			"  Authentication error [code: 10000]",
			"APIError: A request to the Cloudflare API (/user/tokens/verify) failed.",
			"The token has expired or was revoked: npx wrangler login again, or roll CLOUDFLARE_API_TOKEN.",
		]);
		const lost = await refusalTo(NO_NETWORK);
		expect(lost).toContain("✘ [ERROR] fetch failed");
		expect(lost.at(-1)).toBe(
			"Cloudflare cannot be reached from here: correct the connection, and deploy again. Nothing is known of the account.",
		);
	});

	it.each<[string, Ran, string]>([
		["nobody is signed in", { status: 1, stdout: '{"loggedIn":false}', stderr: "" }, "Sign in: npx wrangler login."],
		[
			"the token has expired",
			{ status: 1, stdout: "", stderr: "✘ [ERROR] A request to the Cloudflare API (/user) failed.\n  Invalid access token [code: 9109]" },
			"The token has expired or was revoked: npx wrangler login again, or roll CLOUDFLARE_API_TOKEN.",
		],
		["there is no network", { status: 1, stdout: "", stderr: `✘ [ERROR] ${LOST}` }, "Cloudflare cannot be reached from here"],
		["wrangler says something else", { status: 1, stdout: "", stderr: "✘ [ERROR] Surprise" }, "Correct what wrangler says"],
	])("while %s, and wrangler's words are printed with the one next step and no fresh keys", async (_, answer, step) => {
		ran = answer;
		const refusal = String(await asked().catch((error: Error) => error.message));
		expect(refusal).toContain((answer.stderr || answer.stdout).trim());
		expect(refusal).toContain(step);
		expect(refusal).not.toContain("npm run -s secrets");
		expect(tokens).toEqual([]);
	});

	it("in another account than the environment's", async () => {
		ran = { status: 0, stdout: JSON.stringify({ loggedIn: true, accounts: [{ id: "b".repeat(32), name: "Other" }] }), stderr: "" };
		await expect(asked()).rejects.toThrow(`belongs to the account ${config.account_id}, and wrangler is signed in to Other (bbbb`);
		expect(tokens).toEqual([]);
	});

	const none = failed(404, 10007, "This Worker does not exist on your account.");
	it.each<[string, string, ReturnType<typeof ok>, string]>([
		[
			"a workers.dev subdomain",
			"/workers/subdomain",
			failed(404, 10007, "no_subdomain"),
			"without which no secret can be stored (10063): open https://dash",
		],
		["Analytics Engine", "/analytics_engine/sql", failed(403, 10000, "Authentication error"), "the Worker is refused (10089)"],
		["a queue", "/queues?per_page=100", ok([]), "there is no queue staging-webhook-slow: npx wrangler queues create staging-webhook-slow"],
		[
			"a database",
			`/d1/database/${database}`,
			failed(404, 7404, "not found"),
			"npx wrangler d1 create financial-account-service-staging --location weur",
		],
		[
			"read replicas",
			`/d1/database/${database}`,
			ok({ running_in_region: "WEUR", read_replication: { mode: "disabled" } }),
			"DB has no read replicas: curl -X PUT",
		],
		[
			"the region that PLACES names",
			`/d1/database/${database}`,
			ok({ running_in_region: "EEUR", read_replication: { mode: "auto" } }),
			"PLACES says that DB is in weur, and it runs in EEUR: correct PLACES in both files, and placement",
		],
		[
			"a bucket",
			"/r2/buckets/archive",
			failed(404, 10006, "The specified bucket does not exist."),
			"npx wrangler r2 bucket create archive",
		],
		[
			"a Worker",
			`${script}/secrets`,
			none,
			"there is no Worker financial-account-service-staging yet. npm run -s secrets prints fresh keys.",
		],
		[
			"a secret",
			`${script}/secrets`,
			ok([{ name: "SERVICE_KEYS" }]),
			"a fresh MASTER_KEY would make every known user a stranger:\n  npx wrangler secret put MASTER_KEY --env staging",
		],
	])("without %s", async (_, path, reply, fault) => {
		replies.set(path, reply);
		const refusal = String(await asked().catch((error: Error) => error.message));
		expect(refusal).toContain(fault);
		// Each by itself.
		expect(refusal.match(/\[env\.staging\]/g)).toHaveLength(path.startsWith("/queues") ? 3 : 1);
		expect(refusal.includes("npm run -s secrets")).toBe(reply === none);
	});

	it.each([
		"/workers/subdomain",
		"/analytics_engine/sql",
		"/queues?per_page=100",
		`/d1/database/${database}`,
		"/r2/buckets/archive",
		`${script}/secrets`,
	])("when %s cannot be asked, and no fresh keys are proposed", async (path) => {
		replies.set(path, failed(500, 10013, "An unknown error has occurred."));
		const refusal = String(await asked().catch((error: Error) => error.message));
		expect(refusal).toContain("could not be asked for (500): An unknown error has occurred. [code: 10013]");
		expect(refusal).not.toContain("npm run -s secrets");
	});

	it("and everything that is missing is said at once", async () => {
		replies = new Map([...replies].map(([path]) => [path, failed(403, 10000, "Authentication error")]));
		const refusal = String(await asked().catch((error: Error) => error.message));
		expect(refusal.match(/\[env\.staging\]/g)).toHaveLength(6);
		expect(refusal).toContain("npx wrangler login again, or roll CLOUDFLARE_API_TOKEN");
	});
});
