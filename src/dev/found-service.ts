// The service that a command talks to: a running one, or one of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CannotStart } from "./cannot-start.ts";
import { holderOf } from "./claim.ts";
import { defaultPort, defaultStatePath, type ServiceOptions, startService } from "./service.ts";

async function answers(baseUrl: string): Promise<boolean> {
	try {
		return (await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(5_000) })).ok;
	} catch {
		return false;
	}
}

export type Found = { baseUrl: string; end?: () => Promise<void> };

const onLog = (log: { level: string; message: string }): void => void (log.level === "error" && process.stderr.write(`${log.message}\n`));

/** The service at BASE_URL, else the running service of this checkout's data, else a service that it starts. */
export async function findService(): Promise<Found> {
	const named = process.env.BASE_URL?.replace(/\/+$/, "");
	if (named) {
		if (await answers(named)) return { baseUrl: named };
		throw new CannotStart(`nothing healthy answers at ${named} (BASE_URL)`);
	}
	const usual = `http://127.0.0.1:${defaultPort}`;
	const baseUrl = (await holderOf(defaultStatePath))?.url ?? usual;
	if (await answers(baseUrl)) return { baseUrl };
	process.stdout.write("No service is running: this starts one and stops it afterwards.\n");
	const own = await startService({ port: 0, onLog });
	return { baseUrl: own.url, end: () => own.stop() };
}

/** A separate service for the demo, whose data is deleted afterwards. */
export async function startOn(databases: number, variables: ServiceOptions["variables"] = {}): Promise<Found> {
	const statePath = mkdtempSync(path.join(tmpdir(), "demo-"));
	const remove = (): void => rmSync(statePath, { recursive: true, force: true });
	process.once("exit", remove);
	const own = await startService({ port: 0, statePath, databases, variables, onLog });
	process.stdout.write(`The demo's own service has the directory and ${own.databases} databases for homes.\n`);
	return { baseUrl: own.url, end: () => own.stop() };
}
