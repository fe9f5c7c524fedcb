// Going back to an earlier version, and giving a new one a share: what is refused, and what runs.

import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { back, deploy } from "../../src/dev/deploying.ts";
import type { Edge } from "../../src/dev/edge.ts";
import { accountOf, answerOf, ok, signedInBy } from "./account.ts";
import { filledIn, release } from "./filled-in.ts";

const environments = filledIn();
const config = environments.deployed.get("staging") ?? {};
const script = `/workers/scripts/${config.name}`;
const migrations = path.resolve(import.meta.dirname, "../../migrations");
const deployment = { env: "staging", environments, release, operatorToken: undefined, migrations };
const NEW = "0190a0a0-0000-4000-8000-000000000001";

let replies: ReturnType<typeof accountOf>;
let done: string[];
let serving: string;
beforeEach(() => {
	replies = accountOf(config);
	[done, serving] = [[], "0.1.0"];
	const secrets = ["SERVICE_KEYS", "MASTER_KEY"].map((name) => ({ type: "secret_text", name }));
	const bindings = [{ type: "plain_text", name: "RELEASE", text: "0.1.0" }, ...secrets];
	replies.set(
		`${script}/versions/earlier`,
		ok({ id: "earlier", metadata: { created_on: "2026-11-01T00:00:00Z" }, resources: { bindings } }),
	);
	stored("2026-10-01T00:00:00Z");
});

/** A secret was stored then. */
function stored(at: string): void {
	const items = [{ id: "v", metadata: { created_on: at }, annotations: { "workers/triggered_by": "secret" } }];
	replies.set(`${script}/versions?per_page=100`, ok({ items }));
}

const edge: Edge = {
	wrangler(command) {
		const who = signedInBy(config, command);
		if (who) return who;
		if (!command.includes("--json")) done.push(command.join(" "));
		const stdout = command.includes("upload")
			? `Worker Version ID: ${NEW}`
			: command.includes("time-travel")
				? '{"bookmark":"b"}'
				: '[{"results":[]},{"results":[]}]';
		return { status: 0, stdout, stderr: "" };
	},
	build: async () => ({ core: "wrangler.json", edge: "edge.json" }),
	authorization: async () => ({}),
	fetch: async (input) =>
		answerOf(replies, config, String(input)) ??
		Response.json({ status: "ok", release: serving, schema: serving === "0.1.0" ? "older" : release.schema }),
	sleep: async () => {},
	say() {},
};

it("an earlier version serves again where the secrets are still its own, and that it does is proved", async () => {
	await back(deployment, "earlier", edge);
	expect(done).toEqual(["rollback earlier --message back to 0.1.0 --env staging"]);
	serving = "0.2.0";
	await expect(back(deployment, "earlier", edge)).rejects.toThrow("does not say that 0.1.0 serves");
});

it("nothing goes back across a secret that was stored since, such as a new MASTER_KEY, or that is new or gone", async () => {
	stored("2026-11-02T00:00:00Z");
	await expect(back(deployment, "earlier", edge)).rejects.toThrow("a secret was stored at 2026-11-02T00:00:00Z");
	stored("2026-10-01T00:00:00Z");
	replies.set(`${script}/secrets`, ok(["SERVICE_KEYS", "CUSTODIAN_SECRET"].map((name) => ({ name }))));
	await expect(back(deployment, "earlier", edge)).rejects.toThrow("CUSTODIAN_SECRET is new since\n  MASTER_KEY is gone since");
	expect(done).toEqual([]);
});

it("nothing goes back to a draft", async () => {
	replies.set(`${script}/versions/earlier`, ok({ id: "earlier", resources: { bindings: [] } }));
	await expect(back(deployment, "earlier", edge)).rejects.toThrow("is a draft without a RELEASE");
	expect(done).toEqual([]);
});

it("a share is of the same release, tag, proof and triggers as a whole deployment", async () => {
	serving = release.name;
	await deploy({ ...deployment, share: 10 }, edge);
	expect(done.slice(-3)).toEqual([
		`versions upload --config wrangler.json --var RELEASE:${release.name} --tag ${release.name}`,
		`versions deploy ${NEW}@10% earlier@90% --yes --config wrangler.json`,
		"triggers deploy --config wrangler.json",
	]);
});

it("a first deployment has nothing to share with", async () => {
	replies.set(`${script}/deployments`, ok({ deployments: [] }));
	await expect(deploy({ ...deployment, share: 10 }, edge)).rejects.toThrow("There is no release yet to share the requests with");
	expect(done).toEqual([]);
});
