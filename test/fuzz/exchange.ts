// One request and its answer over a plain connection, with what it cost the runtime: the time it took, and the most
// memory by which the workerd process grew.
//
// Time is the wall clock less the time that the runtime stood waiting for a processor (/proc/<pid>/task/*/schedstat), so
// that a busy machine is not taken for a slow service. Memory is the peak of the resident set during the request
// (VmHWM, reset before it through /proc/<pid>/clear_refs) less the resident set at its start; D1 and the queues live in
// the same process and count too. Garbage that V8 has not collected yet counts as well: the bound of 32 MB is above its
// young generation. A heap that has grown for one request stays large for a while, so a second request like it shows
// less growth: the first of its kind counts, and the most and the least memory of the whole run are printed too.
// Without /proc only the wall clock is measured.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Header } from "./draft.ts";

export interface Sent {
	readonly method: string;
	readonly path: string;
	readonly headers: readonly Header[];
	readonly body?: Buffer | undefined;
}

export interface Answer {
	readonly status: number;
	readonly headers: { readonly [name: string]: string | undefined };
	readonly text: string;
	readonly ms: number;
	/** Undefined where it cannot be measured. */
	readonly grownMb: number | undefined;
}

let addresses = 0;
/** Codes are sent to an address a limited number of times, so each call comes from another one. */
export const freshAddress = (): string => `100.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;

type Before = { readonly rssKb: number; readonly waitedNs: ReadonlyMap<string, number> };

const PATIENCE_MS = 60_000;

export class Connection {
	readonly #url: URL;
	readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
	readonly #runtime: number | undefined;
	#lowestKb: number | undefined;
	#highestKb = 0;

	constructor(url: string) {
		this.#url = new URL(url);
		this.#runtime = runtimeOf(process.pid);
	}

	/** How far the runtime grew over all that was sent. */
	get memory(): string {
		if (this.#lowestKb === undefined) return "Memory was not measured: there is no /proc here.";
		return `The runtime held ${Math.round(this.#lowestKb / 1024)} MB at its least and ${Math.round(this.#highestKb / 1024)} MB at its most.`;
	}

	async send(sent: Sent): Promise<Answer> {
		const before = this.#begin();
		const began = performance.now();
		const answer = await this.#exchange(sent);
		const ms = performance.now() - began;
		const { waitedMs, grownMb } = this.#end(before);
		return { ...answer, ms: Math.max(0, ms - waitedMs), grownMb };
	}

	close(): void {
		this.#agent.destroy();
	}

	#exchange({ method, path, headers, body }: Sent): Promise<Pick<Answer, "status" | "headers" | "text">> {
		const { hostname, port, host } = this.#url;
		const flat = [...headers, ["Host", host] as const, ...(body ? [["Content-Length", String(body.length)] as const] : [])].flat();
		return new Promise((resolve, reject) => {
			const sending = request({ hostname, port, method, path, headers: flat, agent: this.#agent }, (incoming) => {
				const chunks: Buffer[] = [];
				incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
				incoming.on("error", reject);
				incoming.on("end", () => {
					try {
						const text = decoded(Buffer.concat(chunks), incoming.headers["content-encoding"]).toString();
						const named = Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()] as const);
						resolve({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(named), text });
					} catch (error) {
						// A compressed body that was cut off.
						reject(error);
					}
				});
			});
			sending.setTimeout(PATIENCE_MS, () => sending.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)));
			sending.on("error", reject);
			sending.end(body);
		});
	}

	#begin(): Before | undefined {
		if (this.#runtime === undefined) return undefined;
		try {
			writeFileSync(`/proc/${this.#runtime}/clear_refs`, "5");
			const rssKb = statusOf(this.#runtime, "VmRSS");
			this.#lowestKb = Math.min(this.#lowestKb ?? rssKb, rssKb);
			return { rssKb, waitedNs: waits(this.#runtime) };
		} catch {
			return undefined;
		}
	}

	#end(before: Before | undefined): { waitedMs: number; grownMb: number | undefined } {
		if (this.#runtime === undefined || !before) return { waitedMs: 0, grownMb: undefined };
		const waited = [...waits(this.#runtime)].map(([task, ns]) => ns - (before.waitedNs.get(task) ?? ns));
		const highestKb = statusOf(this.#runtime, "VmHWM");
		this.#highestKb = Math.max(this.#highestKb, highestKb);
		return { waitedMs: Math.max(0, ...waited) / 1e6, grownMb: Math.max(0, highestKb - before.rssKb) / 1024 };
	}
}

const decoded = (bytes: Buffer, encoding: string | undefined): Buffer =>
	bytes.length === 0 ? bytes : encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes;

/** The workerd process that a process of ours has started. */
function runtimeOf(parent: number): number | undefined {
	try {
		return readdirSync("/proc")
			.filter((name) => /^\d+$/.test(name))
			.map(Number)
			.find((pid) => {
				const [, command, parentPid] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
				return command?.startsWith("workerd") && Number(parentPid) === parent;
			});
	} catch {
		return undefined;
	}
}

const statusOf = (pid: number, name: string): number =>
	Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

/** Nanoseconds that each thread has stood waiting for a processor. */
function waits(pid: number): Map<string, number> {
	const tasks = readdirSync(`/proc/${pid}/task`);
	return new Map(tasks.map((task) => [task, Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[1])]));
}
