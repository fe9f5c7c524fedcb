// Commands explain their options, and refuse wrong ones in a line.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { claim } from "../../src/dev/claim.ts";
import { repository } from "../../src/dev/service.ts";

const directory = mkdtempSync(path.join(tmpdir(), "commands-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a file of the repository to its end. */
const runFile = (file: string, ...args: string[]) =>
	new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		execFile(process.execPath, [path.join(repository, file), ...args], (error, stdout, stderr) =>
			resolve({ code: error ? error.code : 0, stdout, stderr }),
		);
	});

/** Runs a command to its end. */
const run = (command: string, ...args: string[]) =>
	runFile(`${["demo", "openfga", "seed"].includes(command) ? "tools" : "src/dev"}/${command}.ts`, ...args);

const write = (name: string, text: string): string => {
	const file = path.join(directory, name);
	writeFileSync(file, text);
	return file;
};

describe.each(["start", "demo", "listen", "seed", "reset", "audit-export", "audit-verify", "openfga", "deploy", "build", "ledger"])(
	"%s",
	(command) => {
		it("prints its usage for --help, and does nothing else", async () => {
			expect(await run(command, "--help")).toEqual({ code: 0, stdout: expect.stringMatching(/^npm run|^npm start/), stderr: "" });
		});

		it("names an option that it does not have, and prints its usage", async () => {
			const { code, stdout, stderr } = await run(command, "--bogus");
			expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
			expect(stderr).toMatch(/^Unknown option '--bogus'.*\n\nnpm /s);
			expect(stderr).not.toContain("    at ");
		});
	},
);

describe("listen", () => {
	it.each([
		["--port", "many", "Not a number from 0 to 65535: many"],
		["--fail", "-1", "Not a number from 0 to 1000000: -1"],
		["--status", "99", "Not a number from 200 to 599: 99"],
		["--delay", "soon", "Not a number from 0 to 600000: soon"],
		["--forward", "http://127.0.0.1", "--forward goes without --port"],
	])("does not start with %s=%s", async (option, value, problem) => {
		const { code, stderr } = await run("listen", "--port=0", `${option}=${value}`);
		expect({ code, said: stderr.split("\n")[0] }).toEqual({ code: 2, said: problem });
	});

	it.each([
		["--hang", "--hang needs --port"],
		["--secret=short", "--secret takes a secret that begins with whsec_, and two of them only with --port"],
		["--batch=0", "Not a number from 1 to 100: 0"],
		["--forward=ftp://127.0.0.1", "Not an http or https URL: ftp://127.0.0.1"],
	])("hands nothing on with %s", async (option, problem) => {
		const { code, stderr } = await run("listen", option);
		expect({ code, said: stderr.split("\n")[0] }).toEqual({ code: 2, said: problem });
	});
});

describe("reset", () => {
	const holding = (...names: string[]): string => {
		const state = mkdtempSync(path.join(directory, "state-"));
		for (const name of names) writeFileSync(path.join(state, name), "");
		return state;
	};

	it("deletes the data that --persist-to names, and nothing when an option is wrong", async () => {
		const state = holding("claim.sqlite", "claim.json", "databases");
		mkdirSync(path.join(state, "v3/d1"), { recursive: true });
		expect(await run("reset", "--persist-to", state, "--bogus")).toMatchObject({ code: 2 });
		expect(existsSync(state)).toBe(true);
		expect(await run("reset", "--persist-to", state)).toMatchObject({ code: 0 });
		expect(existsSync(state)).toBe(false);
		expect(await run("reset", "--persist-to", state)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^There is no data: .*\n$/) });
	});

	it.each([
		["is empty", [], "no service has run on it"],
		["looks like data but was never served", ["v3"], "no service has run on it"],
		["holds a file of somebody else beside the data", ["claim.sqlite", "claim.json", "v3", "thesis.txt"], "it holds thesis.txt"],
	])("leaves alone a directory that %s", async (_, names, reason) => {
		const state = holding(...names);
		const { code, stdout, stderr } = await run("reset", "--persist-to", state);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toMatch(new RegExp(`is not the data of this service: ${reason}\\. Nothing was deleted\\.\n$`));
		expect(readdirSync(state).toSorted()).toEqual(names.toSorted());
	});

	it("leaves alone a file, and data that is being served", async () => {
		const file = write("notes.txt", "mine");
		expect(await run("reset", "--persist-to", file)).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was deleted") });
		expect(existsSync(file)).toBe(true);
		const state = holding();
		const served = claim(state);
		expect(await run("reset", "--persist-to", state)).toMatchObject({ code: 1, stderr: expect.stringContaining("Stop it first") });
		expect(existsSync(state)).toBe(true);
		if ("release" in served) served.release();
		expect(await run("reset", "--persist-to", state)).toMatchObject({ code: 0 });
	});
});

describe("audit-export", () => {
	it("says that nothing answers at the address, without a stack trace", async () => {
		const { code, stdout, stderr } = await run("audit-export", "--token", "a", "--url", "http://127.0.0.1:9");
		expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: "Nothing answers at http://127.0.0.1:9.\n" });
	});
});

describe("audit-verify", () => {
	const keys = write("keys.json", '{"keys":[]}');

	it("fails for an empty export, which proves nothing", async () => {
		const { code, stderr } = await run("audit-verify", write("empty.jsonl", ""), "--jwks", keys);
		expect({ code, stderr }).toEqual({ code: 1, stderr: "The export is empty: nothing was verified.\n" });
	});

	it("names the file that cannot be read", async () => {
		const missing = path.join(directory, "missing.jsonl");
		const { code, stderr } = await run("audit-verify", missing, "--jwks", keys);
		expect({ code, stderr }).toEqual({ code: 1, stderr: `${missing} cannot be read: ENOENT\n` });
	});

	it("names the first line that is not of an export", async () => {
		const file = write("cut.jsonl", '{"row":{"stream":"s","sequence":1}}\n{"row":{"str');
		const { code, stderr } = await run("audit-verify", file, "--jwks", keys);
		expect({ code, stderr }).toEqual({ code: 1, stderr: `${file}, line 2: not what is expected there\n` });
	});
});

describe("examples", () => {
	it("fails with the tests that it runs, and keeps nothing of them", async () => {
		const recorded = () => readFileSync(path.join(repository, "src/http/reference/examples.json"), "utf8");
		const before = recorded();
		const { code, stdout, stderr } = await runFile("test/examples/main.ts", "test/no-such-test");
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toMatch(/The tests have failed: nothing is kept of what they saw\.\n$/);
		expect(recorded()).toBe(before);
	});
});
