// What all tests of pages share: a seeded service of their own, on a free port and temporary data, and one Chromium.

import { subscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { type LogEntry, SERVICE_LOG } from "../../src/dev/log-lines.ts";
import { startOwnService } from "../../src/dev/own-service.ts";
import { seed } from "../../tools/seed.ts";
import { chromiumPath } from "./chromium.ts";
import { SCREENSHOTS } from "./visit.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** The address of the service. */
		baseUrl: string;
		/** Where the browser is spoken to. */
		browser: string;
	}
}

const USERS = 60;

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	// First, because it fails at once where it is missing.
	const browser = await chromium.launchServer({ executablePath: chromiumPath(), args: ["--no-sandbox"] });
	const statePath = mkdtempSync(path.join(tmpdir(), "browser-"));
	rmSync(SCREENSHOTS, { recursive: true, force: true });
	const errors: string[] = [];
	subscribe(SERVICE_LOG, (entry) => {
		const { level, message } = entry as LogEntry;
		if (level === "error") errors.push(message);
	});
	await seed({ users: USERS, seed: 1, statePath, tell() {} });
	const service = await startOwnService(statePath);
	provide("baseUrl", service.url);
	provide("browser", browser.wsEndpoint());
	return async () => {
		await browser.close();
		await service.stop();
		rmSync(statePath, { recursive: true, force: true });
		// All tests share it, so that the run fails, and not one of them.
		if (errors.length === 0) return;
		process.exitCode = 1;
		throw new Error(`the service has logged errors that no test expects:\n${errors.join("\n")}`);
	};
}
