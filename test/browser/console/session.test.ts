// What the console does when something fails: the session, the network, the service.

import type { BrowserContext, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Api } from "../../../client/src/index.ts";
import { DESK, visit } from "../visit.ts";
import { ownerOf, settled, signIn, to } from "./support.ts";

/** The address of an endpoint. Nothing is sent to it. */
const url = "http://127.0.0.1:9/session";
let owner: Api;
let webhook_id: string;
beforeAll(async () => {
	({ owner } = await ownerOf());
	({ id: webhook_id } = await owner.createWebhook({ body: { name: "Data warehouse", url, events: ["approval.expired"] } }));
});
afterAll(() => owner.deleteWebhook({ path: { webhook_id } }));

const REFUSED = /status of (?:401|403|429|500|503)|ERR_INTERNET_DISCONNECTED|^the layout shifts/;
const refusal =
	(status: number, code: string, description: string, headers = {}) =>
	(route: Route) =>
		route.fulfill({
			status,
			headers: { "content-type": "application/json", "x-request-id": "req-1", ...headers },
			body: JSON.stringify({ code, description }),
		});
const WEBHOOKS = /\/v1\/webhooks$/;

it.each([
	[403, "FORBIDDEN", "your role lacks org:webhooks:read", "Your role lacks org:webhooks:read."],
	[429, "TOO_MANY_REQUESTS", "", "Too much was asked in a minute."],
	[500, "INTERNAL_SERVER_ERROR", "", "The service made a mistake."],
])("says what %i means, with its code and the request's id", (status, code, description, sentence) =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			await page.route(WEBHOOKS, refusal(status, code, description, status === 429 ? { "retry-after": "30" } : {}));
			await signIn(page);
			const notice = page.getByRole("alert").first();
			await notice.waitFor();
			const text = await notice.textContent();
			expect(text).toContain(sentence);
			expect(text).toContain(code);
			expect(text).toContain("req-1");
			expect(await faults()).toEqual([]);
		},
		{ expected: REFUSED },
	),
);

it("takes an answer that breaks off for none", () =>
	visit("/console", DESK, async ({ page, faults }) => {
		await page.addInitScript(() => {
			const { text } = Response.prototype;
			Response.prototype.text = function () {
				return this.url.endsWith("/v1/webhooks") ? Promise.reject(new TypeError("network error")) : text.call(this);
			};
		});
		await page.reload();
		await signIn(page);
		await page.getByRole("alert").filter({ hasText: "The service does not answer." }).first().waitFor();
		expect(await faults()).toEqual([]);
	}));

it("keeps what was typed when the session ends, and continues after the next sign-in", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			await signIn(page);
			await page.getByRole("link", { name: "Endpoints", exact: true }).click();
			await page.getByRole("link", { name: "Add an endpoint" }).click();
			await page.getByLabel("Name").fill("Fraud screening");
			await page.getByLabel("URL").fill(url);
			await page.getByText("approval.expired").click();
			let ended = true;
			await page.route(/\/v1\//, (route) => (ended ? refusal(401, "UNAUTHORISED", "")(route) : route.continue()));
			await page.getByRole("button", { name: "Add the endpoint" }).click();
			await page.getByText("Your session has ended").waitFor();
			expect(await faults()).toEqual([]);
			ended = false;
			await page.getByRole("button", { name: "Owner of an organization" }).click();
			await page.getByText("Its signing secret").waitFor();
			const made = (await owner.listWebhooks()).find(({ name }) => name === "Fraud screening");
			await owner.deleteWebhook({ path: { webhook_id: made?.id ?? "" } });
		},
		{ expected: REFUSED },
	));

it("shows what it had while it is offline, and says so", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			await signIn(page);
			await page.locator(".row-link").first().waitFor();
			await page.context().setOffline(true);
			await page.getByText("You are offline").waitFor();
			expect(await page.locator(".row-link").count()).toBeGreaterThan(0);
			expect(await faults()).toEqual([]);
			await page.context().setOffline(false);
			await page.getByText("You are offline").waitFor({ state: "detached" });
		},
		{ expected: REFUSED },
	));

const tabs = async (context: BrowserContext): Promise<readonly [Page, Page]> => [await context.newPage(), await context.newPage()];

it("renews a session once for all tabs, and ends it for all", () =>
	visit("/console", DESK, async ({ page }) => {
		const [one, two] = await tabs(page.context());
		const refreshed: string[] = [];
		// The first tab has joined the session too, and may be the tab that renews it.
		page.context().on("request", (request) => {
			if (request.url().endsWith("/v1/auth/exchange")) refreshed.push(request.url());
		});
		// One clock for both.
		const { clock } = page.context();
		await clock.install();
		await one.goto("/console");
		await signIn(one);
		// On a page that asks nothing by itself: a quarter of an hour of polls would be in the way.
		await to(one, "/signatures");
		await two.goto("/console/signatures");
		await settled(two);
		refreshed.length = 0;
		// A minute before the quarter of an hour is over.
		await clock.runFor(841_000);
		await expect.poll(() => refreshed.length, { timeout: 10_000 }).toBe(1);
		await one.getByRole("button", { name: "Sign out" }).click();
		await two.getByText("Start at once").waitFor();
		expect(refreshed.length).toBe(1);
		for (const tab of [one, two]) {
			const stored = await tab.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length);
			expect(stored).toBe(0);
		}
	}));

it("says that a sign-out has failed, stays signed in, and ends the session at the next try", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			await signIn(page);
			await settled(page);
			let asked = 0;
			await page.route(/\/v1\/auth\/sign-out$/, (route) =>
				++asked === 1 ? refusal(500, "INTERNAL_SERVER_ERROR", "")(route) : route.continue(),
			);
			await page.getByRole("button", { name: "Sign out" }).click();
			const dialog = page.getByRole("dialog", { name: "Your session has not ended" });
			await dialog.getByText("The service made a mistake.").waitFor();
			expect(await faults()).toEqual([]);
			await dialog.getByRole("button", { name: "Sign out again" }).click();
			await page.getByRole("button", { name: "Owner of an organization" }).waitFor();
			expect(asked).toBe(2);
		},
		{ expected: REFUSED },
	));
