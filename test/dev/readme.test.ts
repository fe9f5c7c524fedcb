// README's first request and first webhook, run as they stand there against a service that was just started.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { repository, type Service, startService } from "../../src/dev/service.ts";

const statePath = mkdtempSync(path.join(os.tmpdir(), "readme-"));
let service: Service;
beforeAll(async () => {
	service = await startService({ port: 0, statePath, onLog: () => {} });
});
afterAll(async () => {
	await service?.stop();
	rmSync(statePath, { recursive: true, force: true });
});

const freePort = async (): Promise<number> =>
	new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const address = server.address();
			server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
		});
	});

it("README's shell commands read the user's profile and deliver a webhook whose signature is valid", { timeout: 120_000 }, async () => {
	const readme = readFileSync(path.join(repository, "README.md"), "utf8");
	const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
	const [, request = "", webhook = ""] = blocks;
	expect(blocks).toHaveLength(3);
	const port = await freePort();
	// A person starts the receiver before they ask for the delivery; here it may take longer than two seconds.
	const patient = `until curl -s -o /dev/null http://127.0.0.1:${port}; do sleep 0.2; done`;
	const script = `${request}\n${webhook}`
		.replaceAll("http://127.0.0.1:8787", service.url)
		.replaceAll("http://127.0.0.1:9080", `http://127.0.0.1:${port}`)
		.replace("--port 9080", `--port ${port}`)
		.replace("& sleep 2", `& ${patient}`);
	// A process group of its own, with which the receiver ends.
	const shell = spawn("bash", ["-euo", "pipefail", "-c", `${script}\nwait`], { cwd: repository, detached: true });
	let said = "";
	for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk) => (said += chunk));
	try {
		await vi.waitFor(() => expect(said).toMatch(/webhook\.test .*\n.*signature valid; answered 20/), { timeout: 60_000, interval: 200 });
		expect(said).toMatch(/"status":"WAITING_LIST"/);
	} finally {
		if (shell.pid !== undefined) process.kill(-shell.pid, "SIGTERM");
	}
});
