// A real OpenFGA on this machine, behind a proxy of ours, which counts what it is asked and breaks it as a test says.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const VERSION = "v1.11.0";
export const KEY = "fga-secret";

/** Outside of the repository, because building it takes minutes. */
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "financial-account-service", `openfga-${VERSION}`);

/** The server's binary; undefined where it is not there and cannot be built. */
export function binary(): string | undefined {
	const file = path.join(cache, "openfga");
	if (existsSync(file)) return file;
	if (spawnSync("which", ["go"]).status !== 0) return undefined;
	mkdirSync(cache, { recursive: true });
	console.log(`building OpenFGA ${VERSION}, once`);
	const env = { ...process.env, GOBIN: cache, CGO_ENABLED: "0" };
	const built = spawnSync("go", ["install", `github.com/openfga/openfga/cmd/openfga@${VERSION}`], { stdio: "inherit", env });
	if (built.status !== 0) throw new Error("OpenFGA was not built");
	return file;
}

export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

export type Server = { readonly url: string; stop(): Promise<void> };

/** @param most how many checks a request may have; 50 if nobody says anything else */
export async function startServer(file: string, most?: number): Promise<Server> {
	const [http, grpc] = [await freePort(), await freePort()];
	const options = [
		...["--datastore-engine", "memory", "--authn-method", "preshared", "--authn-preshared-keys", KEY],
		...["--http-addr", `127.0.0.1:${http}`, "--grpc-addr", `127.0.0.1:${grpc}`, "--playground-enabled=false", "--metrics-enabled=false"],
		...["--log-level", "error", ...(most === undefined ? [] : ["--max-checks-per-batch-check", String(most)])],
	];
	const child = spawn(file, ["run", ...options], { stdio: ["ignore", "inherit", "inherit"] });
	const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
	const url = `http://127.0.0.1:${http}`;
	for (let tries = 0; ; tries++) {
		if (
			await fetch(`${url}/healthz`).then(
				({ ok }) => ok,
				() => false,
			)
		)
			break;
		if (tries === 200 || child.exitCode !== null) throw new Error("OpenFGA does not start");
		await sleep(50);
	}
	return {
		url,
		async stop() {
			child.kill("SIGTERM");
			await ended;
		},
	};
}

/** What the proxy does with a request in place of handing it on. */
export type Fault = (
	request: { path: string; body: string },
	response: ServerResponse,
) => Promise<Changed | undefined> | Changed | undefined;
/** How the request is handed on. */
export type Changed = { path?: string; body?: string; authorization?: string | null };

async function textOf(request: IncomingMessage): Promise<string> {
	let text = "";
	for await (const chunk of request) text += chunk;
	return text;
}

export class Gate {
	/** The last part of each path that was asked for. */
	readonly asked: string[] = [];
	/** How the server answered each, in ms. */
	readonly took: number[] = [];
	fault: Fault | undefined;
	/** Meets only what begins so. */
	only: string | undefined;
	target = "";
	readonly #server = createServer((request, response) => {
		this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
	});

	async listen(): Promise<string> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = request.url ?? "";
		const what = asked.split("/").at(-1) ?? "";
		this.asked.push(what);
		const body = await textOf(request);
		const isMet = this.fault && (this.only === undefined || this.only === what);
		const changed = isMet ? await this.fault?.({ path: asked, body }, response) : undefined;
		if (response.writableEnded || response.destroyed) return;
		const { authorization = request.headers.authorization ?? null } = changed ?? {};
		const began = performance.now();
		const answer = await fetch(`${this.target}${changed?.path ?? asked}`, {
			method: request.method ?? "GET",
			headers: { "content-type": "application/json", ...(authorization !== null && { authorization }) },
			...(request.method === "POST" && { body: changed?.body ?? body }),
		});
		const text = await answer.text();
		this.took.push(performance.now() - began);
		response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" }).end(text);
	}
}
