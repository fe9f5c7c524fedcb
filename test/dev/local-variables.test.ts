// `.dev.vars`, read back with wrangler's own parser.

import { createPrivateKey } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundle, configIn } from "../../src/dev/bundle.ts";
import { dotenv, ensureLocalVariables, localVariables } from "../../src/dev/local-variables.ts";
import { loadRuntime } from "../../src/dev/runtime.ts";

const runtime = await loadRuntime();
const built = JSON.parse(readFileSync(configIn(await bundle(path.resolve(import.meta.dirname, "../.."))), "utf8"));

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(path.join(os.tmpdir(), "local-variables-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** As the launcher has wrangler read them, for a Worker without variables of its own. */
function asWranglerReads(): Record<string, string> {
	const file = path.join(directory, "worker/wrangler.json");
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify({ ...built, vars: {}, userConfigPath: path.join(directory, "wrangler.toml") }));
	return runtime.configured(file).options.bindings as Record<string, string>;
}

describe("the local variables", () => {
	it("are read by wrangler as they were written", () => {
		const variables = localVariables();
		writeFileSync(path.join(directory, ".dev.vars"), dotenv(variables));
		expect(asWranglerReads()).toEqual(variables);
	});

	it("contain an RS256 key of 2048 bits and a master key of 32 bytes", () => {
		ensureLocalVariables(directory);
		const read = asWranglerReads();
		const { keys } = JSON.parse(read.SERVICE_KEYS ?? "") as { keys: { kid: string; alg: string; use: string }[] };
		expect(keys).toHaveLength(1);
		const [jwk] = keys;
		expect(jwk).toMatchObject({ kty: "RSA", alg: "RS256", use: "sig", kid: expect.stringMatching(/.+/) });
		expect(createPrivateKey({ key: jwk ?? {}, format: "jwk" }).asymmetricKeyDetails?.modulusLength).toBe(2048);
		expect(Buffer.from(read.MASTER_KEY ?? "", "base64")).toHaveLength(32);
	});

	it("are readable by their owner only", () => {
		ensureLocalVariables(directory);
		expect(statSync(path.join(directory, ".dev.vars")).mode & 0o777).toBe(0o600);
	});

	it("are never overwritten", () => {
		writeFileSync(path.join(directory, ".dev.vars"), "MASTER_KEY=mine\n");
		expect(ensureLocalVariables(directory)).toBe(false);
		expect(readFileSync(path.join(directory, ".dev.vars"), "utf8")).toBe("MASTER_KEY=mine\n");
	});

	it("reject a value that cannot be quoted", () => {
		expect(() => dotenv({ NAME: "it's" })).toThrow("NAME");
	});
});
