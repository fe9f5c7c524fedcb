// What all tests of pages share: a seeded service of their own, on a free port and temporary data, and one Chromium.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { startOwnService } from "../../src/dev/own-service.ts";
import { seed } from "../../tools/seed.ts";
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

/** Debian's, the one first that has no window, because it does the same in two thirds of the processor's time. */
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** `CHROMIUM`, else Debian's. */
function executable(): string {
	const named = process.env.CHROMIUM;
	const file = (named ? [named] : BROWSERS).find((each) => existsSync(each));
	if (file) return file;
	throw new Error(`There is no ${named ?? BROWSERS.join(", nor ")}. Install one (apt-get install chromium), or name one in CHROMIUM.`);
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	// First, because it fails at once where it is missing.
	const browser = await chromium.launchServer({ executablePath: executable(), args: ["--no-sandbox"] });
	const statePath = mkdtempSync(path.join(tmpdir(), "browser-"));
	rmSync(SCREENSHOTS, { recursive: true, force: true });
	await seed({ users: USERS, seed: 1, statePath, tell() {} });
	const service = await startOwnService(statePath);
	provide("baseUrl", service.url);
	provide("browser", browser.wsEndpoint());
	return async () => {
		await browser.close();
		await service.stop();
		rmSync(statePath, { recursive: true, force: true });
	};
}
