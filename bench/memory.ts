// Reads what the runtime uses: memory and processor time of the whole process from /proc, and the memory of the service's isolate from
// V8's inspector.

import { readdirSync, readFileSync } from "node:fs";

const MB = 1_048_576;
/** Miniflare's name of the first Worker. */
const SERVICE = "core:user:";

/** The resident memory of the runtime that this process has started, in MB; undefined without /proc. */
export function residentMb(): number | undefined {
	const status = runtimeFile("status");
	return status === undefined ? undefined : Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

/** The processor time that this runtime has taken, in ms; undefined without /proc. */
export function processorMs(): number | undefined {
	const stat = runtimeFile("stat");
	return stat === undefined ? undefined : processorMsIn(stat);
}

/** The processor time of a process of this name, in ms; 0 of another, and of one that has ended. */
export function processorMsOf(pid: string, name: string): number {
	const stat = fileOf(pid, "stat");
	return stat?.startsWith(`${pid} (${name})`) ? processorMsIn(stat) : 0;
}

function processorMsIn(stat: string): number {
	// After the name, which may hold spaces, come the fields from the third on.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Linux counts in hundredths of a second, whatever the processor. */
const MS_PER_TICK = 10;

function runtimeFile(name: "status" | "stat"): string | undefined {
	try {
		const pid = readdirSync("/proc").find((entry) => {
			const status = /^\d+$/.test(entry) ? fileOf(entry, "status") : undefined;
			return status?.startsWith("Name:\tworkerd") && status.includes(`\nPPid:\t${process.pid}\n`);
		});
		return pid === undefined ? undefined : fileOf(pid, name);
	} catch {
		// A system without /proc.
		return undefined;
	}
}

function fileOf(pid: string, name: "status" | "stat"): string | undefined {
	try {
		return readFileSync(`/proc/${pid}/${name}`, "utf8");
	} catch {
		// The process has ended meanwhile.
		return undefined;
	}
}

type Usage = { readonly usedSize: number; readonly embedderHeapUsedSize?: number; readonly backingStorageSize?: number };

export type Isolate = {
	/** What the isolate uses now, garbage included, in MB: its heap, and buffers outside of it. */
	usedMb(): Promise<number>;
	/** What it uses after a garbage collection. */
	liveMb(): Promise<number>;
	close(): void;
};

/** Connects to the inspector of the service's isolate. */
export async function openIsolate(inspector: URL): Promise<Isolate> {
	const listed = (await (await fetch(`http://${inspector.host}/json`)).json()) as { id: string; webSocketDebuggerUrl: string }[];
	const target = listed.find(({ id }) => id.startsWith(SERVICE));
	if (!target) throw new Error(`the inspector does not list the service: ${listed.map(({ id }) => id).join()}`);
	const socket = new WebSocket(target.webSocketDebuggerUrl);
	const waiting = new Map<number, PromiseWithResolvers<unknown>>();
	socket.addEventListener("message", ({ data }) => {
		const { id, result, error } = JSON.parse(String(data)) as { id?: number; result?: unknown; error?: { message: string } };
		if (id === undefined) return;
		if (error) waiting.get(id)?.reject(new Error(error.message));
		else waiting.get(id)?.resolve(result);
		waiting.delete(id);
	});
	await new Promise((resolve, reject) => {
		socket.addEventListener("open", resolve, { once: true });
		socket.addEventListener("error", () => reject(new Error("the inspector does not answer")), { once: true });
	});
	// Another debugger has taken the connection over, or the runtime has ended.
	socket.addEventListener("close", () => {
		for (const asked of waiting.values()) asked.reject(new Error("the inspector has closed the connection"));
	});
	let last = 0;
	const ask = async (method: string): Promise<unknown> => {
		if (socket.readyState !== WebSocket.OPEN) throw new Error("the inspector has closed the connection");
		const asked = Promise.withResolvers<unknown>();
		waiting.set(++last, asked);
		socket.send(JSON.stringify({ id: last, method }));
		return asked.promise;
	};
	const usedMb = async () => {
		const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = (await ask("Runtime.getHeapUsage")) as Usage;
		return (usedSize + embedderHeapUsedSize + backingStorageSize) / MB;
	};
	return {
		usedMb,
		async liveMb() {
			await ask("HeapProfiler.collectGarbage");
			return usedMb();
		},
		close: () => socket.close(),
	};
}
