// docs/operations.md as a new operator reads it: its commands are wrangler's, and its first loan is lent, word by word, by the service as
// `staging` configures it, with an identity provider that stands in for the operators' own.

import { execFile, spawnSync } from "node:child_process";
import { createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { wranglerCommand } from "../../src/dev/deployment.ts";
import { freshMasterKey, freshServiceKeys } from "../../src/dev/local-variables.ts";
import { startOwnService } from "../../src/dev/own-service.ts";
import { ofCheckout } from "./filled-in.ts";

const root = path.resolve(import.meta.dirname, "../..");
const scratch = mkdtempSync(path.join(tmpdir(), "runbook-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const page = readFileSync(path.join(root, "docs/operations.md"), "utf8");

/** The commands of wrangler that the page names, without what stands for a value. */
const COMMANDS = [
	["login", "whoami", "rollback", "secret put", "deployments list", "versions deploy", "versions secret put", "queues create"],
	["d1 create", "d1 execute", "d1 export", "d1 insights", "d1 time-travel", "d1 time-travel info", "d1 time-travel restore"],
	["r2 bucket create", "r2 bucket lifecycle add"],
].flat();

/** Each command that begins with `wrangler`, on one line. */
const written = [...page.replaceAll(/\\?\n\s*/g, " ").matchAll(/(?:npx )?wrangler ((?:[a-z0-9][\w-]* ?)+(?:[^`|]*?))(?=`|$| "| \\)/g)]
	.map(([, words = ""]) => words.trim())
	.filter((words) => COMMANDS.some((command) => words === command || words.startsWith(`${command} `)));

const helps = new Map<string, string>();
function helpOf(command: string): string {
	const known = helps.get(command);
	if (known !== undefined) return known;
	const { stdout, stderr } = spawnSync(process.execPath, [...wranglerCommand(), ...command.split(" "), "--help"], {
		encoding: "utf8",
		cwd: scratch,
		env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
	});
	const said = `${stdout}${stderr}`;
	helps.set(command, said);
	return said;
}

describe("the page's commands of wrangler", () => {
	it.each(COMMANDS)("%s is one of the installed version, with the options that the page gives it", (command) => {
		const uses = written.filter((words) => words === command || words.startsWith(`${command} `));
		expect(uses, "the page does not name it").not.toEqual([]);
		expect(helpOf(command)).toMatch(new RegExp(`^wrangler ${command}\\b`, "m"));
		const deepest = uses.filter((words) => !COMMANDS.some((other) => other.startsWith(`${command} `) && words.startsWith(other)));
		for (const option of new Set(deepest.flatMap((words) => words.match(/--[a-z][a-z-]*/g) ?? [])))
			expect(helpOf(command), `${command} ${option}`).toContain(option);
	});
});

const staging = ofCheckout.deployed.get("staging")?.vars ?? {};
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const [{ jwks_uri: _, ...issuer }] = JSON.parse(String(staging.TRUSTED_ISSUERS)) as [Record<string, unknown>];

/** As the operators' provider issues it. */
function tokenOf(sub: string): string {
	const now = Math.floor(Date.now() / 1000);
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
	const claims = {
		iss: issuer.issuer,
		aud: issuer.audience,
		sub,
		iat: now,
		exp: now + 3600,
		auth_time: now,
		amr: ["mfa"],
		jti: randomUUID(),
	};
	const text = `${part({ alg: "RS256", kid: "staff", typ: "JWT" })}.${part(claims)}`;
	return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
}

const section = (heading: string): string => page.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`)) ?? "";
const shells = (text: string): string[] => [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

it("the page's first loan is lent by the service as staging configures it", async () => {
	const jwk = { ...publicKey.export({ format: "jwk" }), kid: "staff", alg: "RS256", use: "sig" };
	const service = await startOwnService(path.join(scratch, "state"), {
		variables: {
			...(staging as Record<string, string>),
			TRUSTED_ISSUERS: JSON.stringify([{ ...issuer, jwks: { keys: [jwk] } }]),
			SERVICE_KEYS: freshServiceKeys(),
			MASTER_KEY: freshMasterKey(),
			// Of this machine's own variables.
			WEBHOOK_ALLOWED_NETWORKS: "",
			RATE_LIMITS: "on",
		},
	});
	try {
		const blocks = shells(section("A first loan"));
		expect(blocks).toHaveLength(4);
		const script = ["set -euo pipefail", ...blocks].join("\n").replaceAll(String(staging.BASE_URL), service.url);
		// This process passes the requests on meanwhile.
		const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], {
			env: { ...process.env, OPERATOR_TOKEN: tokenOf("olivia"), SECOND_OPERATOR_TOKEN: tokenOf("oscar") },
		});
		expect(stderr).toBe("");
		expect(stdout.trim().split("\n")).toEqual(['"status":"APPROVED"', '"status":"ACTIVE"', '"status":"DISBURSED"']);
	} finally {
		await service.stop();
	}
});
