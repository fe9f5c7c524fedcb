// README's commands and programs, run as they stand there against a service that was just started.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createClient } from "../../client/src/index.ts";
import { operatorOf } from "../../src/dev/own-service.ts";
import { repository, type Service, startService } from "../../src/dev/service.ts";
import { loanProduct } from "../../tools/loan-product.ts";

const statePath = mkdtempSync(path.join(os.tmpdir(), "readme-"));
let service: Service;
beforeAll(async () => {
	service = await startService({ port: 0, statePath, onLog: () => {} });
});
afterAll(async () => {
	await service?.stop();
	rmSync(statePath, { recursive: true, force: true });
});

/** A server on a free port of this machine. */
async function listening(server: Server): Promise<number> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listening(server);
	server.close();
	return port;
}

const readme = readFileSync(path.join(repository, "README.md"), "utf8");
const blocksOf = (language: string) =>
	[...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);
const [, listen = "", requests = "", ...otherCommands] = blocksOf("sh");
const [borrow = "", , ...otherPrograms] = blocksOf("ts");

/** Runs a script in a process group of its own, with which what it has started ends, until it has printed what is expected. */
async function prints(script: string, expected: RegExp, variables: NodeJS.ProcessEnv = {}): Promise<string> {
	const shell = spawn("bash", ["-euo", "pipefail", "-c", `${script}\nwait`], {
		cwd: repository,
		detached: true,
		env: { ...process.env, BASE_URL: service.url, ...variables },
	});
	let said = "";
	for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk) => (said += chunk));
	try {
		await vi.waitFor(() => expect(said).toMatch(expected), { timeout: 200_000, interval: 200 });
	} finally {
		if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, "SIGTERM");
	}
	return said;
}

it("has three blocks of commands and two programs", () => {
	expect([otherCommands, otherPrograms]).toEqual([[], []]);
});

it("README's requests deliver a webhook whose signature is valid", { timeout: 300_000 }, async () => {
	const port = await freePort();
	// A person starts the receiver before they ask for the delivery; here it may take longer than two seconds.
	const patient = `until curl -s -o /dev/null http://127.0.0.1:${port}; do sleep 0.2; done`;
	const script = requests
		.replaceAll("http://127.0.0.1:8787", service.url)
		.replaceAll("http://127.0.0.1:9080", `http://127.0.0.1:${port}`)
		.replace("--port 9080", `--port ${port}`)
		.replace("& sleep 2", `& ${patient}`);
	await prints(script, /webhook\.test .*\n.*signature valid; answered 20/);
});

it("README's `listen` sends an example to a receiver", { timeout: 300_000 }, async () => {
	const received: string[] = [];
	const receiver = createServer((request, response) => {
		received.push(`${request.method} ${request.url} ${request.headers["x-service-signature"]}`);
		response.end();
	});
	const port = await listening(receiver);
	try {
		await prints(listen.replace("127.0.0.1:3000", `127.0.0.1:${port}`), /loan\.disbursed.*answered/);
		await vi.waitFor(() => expect(received[0]).toMatch(/^POST \/hooks t=\d+,v1=/), { timeout: 200_000, interval: 200 });
	} finally {
		receiver.close();
	}
});

it("README's program takes a loan", { timeout: 300_000 }, async () => {
	const operator = await operatorOf(service);
	const { id: organization_id } = await operator.createOrganization({ body: { name: "Lender", slug: "lender" } });
	await operator.createLoanProduct({ body: loanProduct(organization_id) });
	const { token } = await operator.createSandboxToken({ body: { kind: "partner", subject: "alice", organization: "lender" } });
	const { access_token } = await operator.exchangePartnerToken({ body: { partner_token: token } });
	const me = await createClient({ baseUrl: service.url, token: access_token }).getMe();
	await operator.admitUser({ path: { userId: "id" in me ? me.id : "" } });
	const program = path.join(statePath, "borrow.ts");
	// Patient, because other programs may need the same cores.
	const patient = borrow.replaceAll("createClient({", "createClient({ timeoutMs: 60_000,");
	writeFileSync(program, patient.replace("@financial-account-service/client", path.join(repository, "client/src/index.ts")));
	const said = await prints(`'${process.execPath}' --disable-warning=ExperimentalWarning '${program}'`, /DISBURSED/, {
		API: service.url,
		PARTNER: token,
	});
	expect(said).toMatch(/^You can borrow \d+ to \d+$/m);
});
