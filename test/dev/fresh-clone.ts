// From a fresh clone to a verified delivery on a plain HTTP receiver of one's own, by README's words alone: its commands as they stand
// there, and its receiver. Prints what each step took. `node test/dev/fresh-clone.ts`; not one of the tests, because it installs.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 180_000;
const repository = path.resolve(import.meta.dirname, "../..");
const clone = path.join(mkdtempSync(path.join(tmpdir(), "fresh-clone-")), "financial-account-service");
const running: ChildProcess[] = [];

const took: [step: string, ms: number][] = [];
async function timed<T>(step: string, work: () => T | Promise<T>): Promise<T> {
	const began = performance.now();
	const done = await work();
	took.push([step, performance.now() - began]);
	return done;
}

const freePort = (): Promise<number> =>
	new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const address = server.address();
			server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
		});
	});

/** Runs a command of the shell in a process group of its own, and resolves when it has said this. */
async function until(said: RegExp, command: string, env: Record<string, string> = {}): Promise<void> {
	const child = spawn("bash", ["-euo", "pipefail", "-c", command], { cwd: clone, detached: true, env: { ...process.env, ...env } });
	running.push(child);
	let text = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
	for (const began = performance.now(); !said.test(text); await sleep(20)) {
		if (performance.now() - began > PATIENCE_MS || (child.exitCode ?? 0) > 0) throw new Error(`${command}\nhas not said ${said}:\n${text}`);
	}
}

/** README's receiver, served by Node over plain HTTP. */
function writeReceiver(readme: string): void {
	const [, code = ""] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].at(-1) ?? [];
	writeFileSync(path.join(clone, "own-receiver.ts"), code.replace('/verify"', '/verify.ts"'));
	const serve = `import { createServer } from "node:http";
import receiver from "./own-receiver.ts";

const [port, SECRET] = process.argv.slice(2);
createServer(async (request, response) => {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	const body = Buffer.concat(chunks);
	const asked = new Request("http://own.receiver/", { method: request.method, headers: request.headers, ...(request.method === "POST" && { body }) });
	const { status } = await receiver.fetch(asked, { SECRET });
	console.log(request.method, request.headers["x-service-event-type"], status);
	response.writeHead(status).end();
}).listen(Number(port), "127.0.0.1");
`;
	writeFileSync(path.join(clone, "serve-own-receiver.mjs"), serve);
}

try {
	await timed("git clone", () => execFileSync("git", ["clone", "-q", "--depth", "1", `file://${repository}`, clone]));
	const readme = readFileSync(path.join(clone, "README.md"), "utf8");
	const requests = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].at(-1)?.[1] ?? "";
	await timed("npm ci", () => execFileSync("npm", ["ci"], { cwd: clone, stdio: "ignore" }));
	const [port, own] = [await freePort(), await freePort()];
	await timed("npm start", () => until(/Ctrl-C/, "npm start", { PORT: String(port) }));
	writeReceiver(readme);
	const script = requests
		.replaceAll("http://127.0.0.1:8787", `http://127.0.0.1:${port}`)
		.replaceAll("http://127.0.0.1:9080", `http://127.0.0.1:${own}`)
		.replace(
			/npm run -s listen -- --port 9080 --secret ("\$\([^)]*\)") & sleep 2/,
			`node_modules/.bin/node serve-own-receiver.mjs ${own} $1 & sleep 2`,
		);
	if (!script.includes("serve-own-receiver")) throw new Error("README starts its receiver otherwise");
	await timed("README's requests, to the verified delivery", () => until(/POST webhook\.test 200/, `${script}\nwait`));
	for (const [step, ms] of took) console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${step}`);
	const sum = (some: typeof took) => (some.reduce((total, [, ms]) => total + ms, 0) / 1000).toFixed(1);
	console.log(`${sum(took).padStart(6)} s  together; ${sum(took.filter(([step]) => step !== "npm ci"))} s without npm ci`);
} finally {
	for (const { pid, exitCode } of running) if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGTERM");
	await sleep(500);
	rmSync(path.dirname(clone), { recursive: true, force: true });
}
