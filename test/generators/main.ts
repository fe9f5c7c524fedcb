// `npm run generators`: reads the OpenAPI document as its users get it. Two linters must find nothing, and the clients of three generators must
// compile under the strictest rules.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const here = import.meta.dirname;
const out = path.join(here, "out");
const file = path.join(out, "openapi.json");

/** The specification itself has these paths: `/v1/webhooks/deliveries/{id}` and `/v1/webhooks/{webhook_id}/…`. */
const AMBIGUOUS = ["recover", "secrets", "stats", "test", "verify"].map((last) => `#/paths/~1v1~1webhooks~1{webhook_id}~1${last}`);

async function redocly(): Promise<string[]> {
	// Objects are open, of which the document says nothing; that examples have no member without a name, test/contract/examples holds.
	const open = { severity: "error", allowAdditionalProperties: true } as const;
	const rules = { "no-invalid-media-type-examples": open, "no-invalid-schema-examples": open };
	const config = await createConfig({ extends: ["recommended-strict"], rules });
	const found = await lint({ ref: file, config });
	return (
		found
			.map(({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0]?.pointer ?? "" }))
			.filter(({ ruleId, pointer }) => ruleId !== "no-ambiguous-paths" || !AMBIGUOUS.includes(pointer))
			// A rule between members names those of the schema around it.
			.filter(({ ruleId, pointer }) => ruleId !== "no-required-schema-properties-undefined" || !/\/(if|then|else|not)\//.test(pointer))
			.map(({ ruleId, message, pointer }) => `Redocly ${ruleId} at ${pointer}: ${message}`)
	);
}

async function spectralOas(): Promise<string[]> {
	const linter = new spectral.Spectral();
	linter.setRuleset({ extends: [rulesets.oas] } as Parameters<typeof linter.setRuleset>[0]);
	const found = await linter.run(JSON.parse(readFileSync(file, "utf8")));
	return found.map(({ code, message, path: place }) => `Spectral ${code} at ${place.join("/")}: ${message}`);
}

const GENERATORS: Readonly<Record<string, readonly string[]>> = {
	"openapi-typescript": ["openapi-typescript/bin/cli.js", file, "-o", path.join(out, "openapi-typescript/schema.ts")],
	"hey-api": ["@hey-api/openapi-ts/bin/run.js", "-i", file, "-o", path.join(out, "hey-api")],
	orval: ["orval/dist/bin/orval.mjs", "--config", path.join(here, "orval.config.ts")],
};

/** Runs a program of a package; what it says, if it fails. */
function failure(name: string, [program = "", ...options]: readonly string[]): string[] {
	const args = [path.join(here, "node_modules", program), ...options];
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		cwd: here,
		encoding: "utf8",
		env: { ...process.env, NO_COLOR: "1" },
	});
	return status === 0 ? [] : [`${name} failed:\n${stdout}${stderr}`];
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const { status } = spawnSync(process.execPath, [path.resolve(here, "../../src/dev/document.ts"), "--served", file], { stdio: "inherit" });
if (status !== 0) throw new Error("the document was not made");
const problems = [...(await redocly()), ...(await spectralOas())];
for (const [name, command] of Object.entries(GENERATORS)) problems.push(...failure(name, command));
problems.push(...failure("the compiler", ["typescript/bin/tsc"]));
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "the linters find nothing, and the generated clients compile" : `${problems.length} problems`);
console.log("not run: clients in Java, Kotlin, Go and Python, whose compilers take minutes: npm run test:real");
if (problems.length > 0) process.exitCode = 1;
