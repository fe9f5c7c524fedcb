import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { repository } from "../../src/dev/service.ts";

const directory = mkdtempSync(path.join(tmpdir(), "commands-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a command of src/dev to its end. */
const run = (command: string, ...args: string[]) =>
	new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		execFile(process.execPath, [path.join(repository, "src/dev", `${command}.ts`), ...args], (error, stdout, stderr) =>
			resolve({ code: error ? error.code : 0, stdout, stderr }),
		);
	});

const write = (name: string, text: string): string => {
	const file = path.join(directory, name);
	writeFileSync(file, text);
	return file;
};

describe.each(["start", "demo", "receiver", "seed", "reset", "audit-export", "audit-verify", "deploy", "build"])("%s", (command) => {
	it("prints its usage for --help, and does nothing else", async () => {
		expect(await run(command, "--help")).toEqual({ code: 0, stdout: expect.stringMatching(/^npm run|^npm start/), stderr: "" });
	});

	it("names an option that it does not have, and prints its usage", async () => {
		const { code, stdout, stderr } = await run(command, "--bogus");
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toMatch(/^Unknown option '--bogus'.*\n\nnpm /s);
		expect(stderr).not.toContain("    at ");
	});
});

describe("reset", () => {
	it("deletes the data that --persist-to names, and nothing when an option is wrong", async () => {
		const state = mkdtempSync(path.join(directory, "state-"));
		expect(await run("reset", "--persist-to", state, "--bogus")).toMatchObject({ code: 2 });
		expect(existsSync(state)).toBe(true);
		expect(await run("reset", "--persist-to", state)).toMatchObject({ code: 0 });
		expect(existsSync(state)).toBe(false);
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
