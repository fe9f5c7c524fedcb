// The proof of a deployment against a real service: the build of the environment `staging`, with its own queues, on this machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { releaseOf } from "../../src/dev/deployment.ts";
import { prove } from "../../src/dev/proof.ts";
import { repository, type Service, startService } from "../../src/dev/service.ts";

const statePath = mkdtempSync(path.join(tmpdir(), "proof-"));
const release = releaseOf(repository, undefined, new Date());
let service: Service;
let operatorToken: string;

async function sandboxToken(kind: string): Promise<string> {
	const body = JSON.stringify({ kind, subject: "first" });
	const headers = { "content-type": "application/json" };
	const answer = await fetch(`${service.url}/v1/sandbox/tokens`, { method: "POST", headers, body });
	return ((await answer.json()) as { token: string }).token;
}

beforeAll(async () => {
	// Its queues, and the name of the one for dead letters, differ from those of the top level.
	process.env.CLOUDFLARE_ENV = "staging";
	// No issuer of its own, which would be looked for elsewhere.
	const variables = (port: number) => ({
		BASE_URL: `http://127.0.0.1:${port}`,
		RELEASE: release.name,
		TRUSTED_ISSUERS: "[]",
		CONSOLE_SIGN_IN: "[]",
	});
	service = await startService({ port: 0, statePath, variables, databases: 1, onLog() {} }).finally(
		() => delete process.env.CLOUDFLARE_ENV,
	);
	operatorToken = await sandboxToken("operator");
});

afterAll(async () => {
	await service?.stop();
	rmSync(statePath, { recursive: true, force: true });
});

/** What is said, with waits that end at once where nothing is to come. */
async function proven(changed: Partial<Parameters<typeof prove>[0]>, patient = true): Promise<string[]> {
	const said: string[] = [];
	const outside = { fetch, sleep: (ms: number) => sleep(patient ? ms / 10 : 0), say: (line: string) => void said.push(line) };
	await prove({ baseUrl: service.url, release, operatorToken, delivers: true, ...changed }, outside);
	return said;
}

describe("the proof of a deployment", () => {
	it("asks for the release and its schema, signs the operator in, and has a signed webhook arrive, again and again", async () => {
		for (const _ of ["first", "again"]) {
			expect(await proven({})).toEqual([
				`${service.url} serves ${release.name}, with the schema ${release.schema}`,
				expect.stringMatching(/^first of \S+ signed in as an operator$/),
				"a signed webhook arrived at the service's own receiver",
			]);
		}
	});

	it("fails for another release or schema, for a token that is no operator's, and where nothing answers", async () => {
		await expect(proven({ release: { ...release, name: "0.0.9+before" } }, false)).rejects.toThrow(
			"does not say that 0.0.9+before serves: 200",
		);
		await expect(proven({ release: { ...release, schema: "0123456789ab" } }, false)).rejects.toThrow("does not say that");
		await expect(proven({ operatorToken: "rubbish" })).rejects.toThrow("The operator could not sign in: 401");
		await expect(proven({ baseUrl: "http://127.0.0.1:1" }, false)).rejects.toThrow(/does not say that .*: 0 /);
	});

	it("is not satisfied by a receiver that takes anything: this one refuses what is not signed", async () => {
		const url = `${service.url}/v1/sandbox/receiver/0190a0a0-0000-7000-8000-000000000000`;
		for (const headers of [new Headers(), new Headers({ "x-service-signature": "t=1,v1=00" })]) {
			expect((await fetch(url, { method: "POST", headers, body: "{}" })).status).toBe(401);
		}
	});
});
