// Where the scenes play: the built service, its console in Chromium, and the provider; each scene has a browser profile of its own.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Api } from "../../../client/src/index.ts";
import { type Service, startService, type Variables } from "../../../src/dev/service.ts";
import { chromiumPath } from "../../browser/chromium.ts";
import { OPERATORS, type OpenIdProvider, STAFF } from "./provider.ts";

/** At which the provider knows no client. */
const UNKNOWN = "console-unknown";
export const LABELS = { [OPERATORS]: "Operators", [STAFF]: "Staff", [UNKNOWN]: "Nobody’s client" } as const;

export type Stage = {
	readonly provider: OpenIdProvider;
	readonly service: Service;
	/** The console, for somebody who was never here. */
	open(path?: string): Promise<Page>;
	/** Keeps a picture of it. */
	picture(page: Page, name: string): Promise<void>;
	/** False in a browser that was made to have no screen: it lets every page open windows. */
	readonly hasBlocker: boolean;
};

/** In `local`, where the sandbox signs an operator in. */
export type LocalStage = Stage & { readonly operator: Api };

export const pictures = mkdtempSync(path.join(tmpdir(), "openid-pictures-"));

export const launch = (executablePath: string): Promise<Browser> =>
	// With its own blocker of windows, where it has one: playwright turns it off.
	chromium.launch({
		executablePath,
		headless: false,
		args: ["--no-sandbox", "--headless=new"],
		ignoreDefaultArgs: ["--disable-popup-blocking"],
	});

/** The service, which trusts the provider and offers it in its console. */
export function serve({ issuer }: OpenIdProvider, statePath: string, variables: (url: string) => Variables): Promise<Service> {
	const entry = (client_id: keyof typeof LABELS, kind: string) => ({
		...{ label: LABELS[client_id], issuer, client_id, kind },
		scope: "email profile offline_access",
	});
	return startService({
		port: 0,
		statePath,
		databases: 0,
		onLog: ({ level, message }) => void (level === "error" && process.stderr.write(`${message}\n`)),
		variables: (port) => ({
			CONSOLE_SIGN_IN: JSON.stringify([entry(OPERATORS, "operator"), entry(STAFF, "identity"), entry(UNKNOWN, "partner")]),
			...variables(`http://127.0.0.1:${port}`),
		}),
	});
}

export function stageOf(browser: Browser, provider: OpenIdProvider, service: Service): Stage {
	provider.serve(service.url);
	return {
		provider,
		service,
		hasBlocker: !chromiumPath().endsWith("headless-shell"),
		async open(to = "/console") {
			const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1100, height: 820 } });
			context.setDefaultTimeout(15_000);
			const page = await context.newPage();
			await page.goto(new URL(to, service.url).href);
			return page;
		},
		picture: async (page, name) => void (await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true })),
	};
}

export const way = (page: Page, client: keyof typeof LABELS) => page.getByRole("button", { name: new RegExp(`^${LABELS[client]}`) });

/** What a blocker does to a page, until the function that it returns is called. */
export async function blockWindows(page: Page): Promise<() => Promise<void>> {
	await page.evaluate("window.opens = window.open; window.open = () => null;");
	return () => page.evaluate("window.open = window.opens");
}

/** What opens when somebody clicks. */
export async function opened(page: Page, click: () => Promise<void>): Promise<Page> {
	const popup = page.waitForEvent("popup");
	await click();
	return popup;
}

/** Types a name into the provider's page. */
export async function signInThere(popup: Page, person: string): Promise<void> {
	await popup.getByLabel("Name").fill(person);
	await popup.getByRole("button", { name: "Sign in" }).click();
}

export async function signIn(page: Page, client: keyof typeof LABELS, person: string): Promise<void> {
	await signInThere(await opened(page, () => way(page, client).click()), person);
	await isIn(page);
}

/** Waits until the console shows somebody's pages. */
export const isIn = (page: Page): Promise<void> => page.locator(".shell main h1").waitFor();
