// How often each page asks while somebody looks, and that it asks nothing while nobody does.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { operatorOf } from "../../../src/dev/own-service.ts";
import { DESK, MOVES, visit } from "../visit.ts";
import { type Story, settled, signIn, tellStory, to, type Who } from "./support.ts";

/** Of every page, the most requests a minute, to whom it makes the most. */
const POLLS: Readonly<Partial<Record<Who, Readonly<Record<string, number>>>>> = {
	"Owner of an organization": {
		"/endpoints": 5,
		"/endpoints/new": 0,
		"/endpoints/:id": 18,
		"/endpoints/:id/edit": 0,
		"/events": 30,
		"/events/:id": 12,
		"/deliveries": 12,
		"/deliveries/:id": 30,
		"/signatures": 0,
		"/brand": 0,
		"/texts": 0,
		"/members": 2,
		"/keys": 1,
		"/invoices": 2,
		"/portfolio": 0,
		"/ledger": 0,
		"/ledger/provisions": 0,
		"/ledger/closings": 0,
		"/ledger/mapping": 0,
		"/statements": 2,
		"/statements/:id": 2,
		"/ledger/treasury": 0,
		"/credit-bureau": 0,
		"/credit-bureau/:id": 0,
		"/ledger/tariffs": 0,
		"/accounts": 2,
		"/calls": 1,
		"/work": 3,
		"/payouts": 4,
		"/products": 0,
		"/products/new": 0,
		"/connections": 0,
		"/join": 0,
	},
	"Platform operator": {
		"/": 10,
		"/work": 4,
		"/organizations": 1,
		"/sandbox": 12,
		"/approvals": 6,
		"/audit": 4,
		"/users": 4,
		"/users/:id": 3,
		"/accounts/:id": 4,
		"/payments": 4,
		"/commissions": 0,
		"/service": 0,
		"/imports": 0,
		"/imports/:id": 2,
		"/issuers": 0,
		"/app-settings": 0,
		"/messages": 0,
	},
};
/** What a page may ask at both ends of the time in which it is counted. */
const AT_THE_ENDS = 4;

let story: Story;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
	story = await tellStory({ good: "Read models", gone: "Pager" });
	const operator = await operatorOf({ url: inject("baseUrl") }, "reader");
	// Not everybody of the seed has a loan.
	const users = (await operator.listUsers({ query: { size: 20 } })).data;
	const accounts = await Promise.all(users.map(({ id }) => operator.listAccounts({ query: { user_id: id, size: 1 } })));
	const [account] = accounts.flatMap(({ data }) => data);
	const { id: importId } = await operator.createImport({ body: { organization_id: story.organizationId, name: "Read models" } });
	const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const statement = await story.owner.createProviderStatement({
		body: {
			...{ channel: "MPESA", number: "600100", currency: "KES", name: "Read models", sha256: "a".repeat(64) },
			...{ from: yesterday, to: yesterday },
		},
	});
	ids = {
		imports: importId,
		statements: statement.id,
		endpoints: story.good,
		events: story.eventId,
		deliveries: story.deliveryId,
		accounts: account?.id ?? "",
		users: users[0]?.id ?? "",
	};
});
afterAll(() => story.end());

it("counts every page", () => {
	const routes = readFileSync(path.resolve(import.meta.dirname, "../../../src/console/routes.ts"), "utf8");
	const paths = new Set([...routes.matchAll(/path: "([^"]+)"/g)].map(([, one]) => one));
	expect([...new Set(Object.values(POLLS).flatMap(Object.keys))].sort()).toEqual([...paths].sort());
});

/** What the page asks of the API from now on. */
function asking(page: Page) {
	const made: string[] = [];
	let all = 0;
	const open = new Set<object>();
	page.on("request", (request) => {
		const { pathname } = new URL(request.url());
		if (request.method() !== "GET" || !pathname.startsWith("/v1/")) return;
		made.push(pathname);
		all++;
		open.add(request);
	});
	const end = (request: object): void => void open.delete(request);
	page.on("requestfinished", end).on("requestfailed", end);
	const answered = () => expect.poll(() => open.size, { interval: 5, timeout: 10_000 }).toBe(0);
	/** Until nothing follows from an answer any more; what was asked until then is forgotten. */
	const quiet = async (): Promise<void> => {
		for (let before = -1; before !== all; ) {
			before = all;
			await page.waitForTimeout(300);
			await answered();
		}
		made.length = 0;
	};
	return { made, answered, quiet };
}

const isLookedAt = (page: Page, looked: boolean): Promise<void> =>
	page.evaluate(
		(visibility) => {
			Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
			document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
		},
		looked ? "visible" : "hidden",
	);

it.each(Object.keys(POLLS) as Who[])(
	"asks as often as is allowed, and nothing while the tab is hidden, on every page: %s",
	(who) =>
		visit(
			"/console",
			DESK,
			async ({ page }) => {
				const { made, answered, quiet } = asking(page);
				const now = () => page.evaluate(() => Date.now());
				/** The minutes that pass by the page's clock, which also runs by itself. */
				const pass = async (minutes: number): Promise<number> => {
					const before = await now();
					for (let second = 0; second < minutes * 60; second++) {
						await page.clock.runFor(1_000);
						// Each answer plans the next request.
						await answered();
					}
					return ((await now()) - before) / 60_000;
				};
				const receiver = { url: "http://127.0.0.1:9", status: 503, delay_ms: 0, failures: 0, hang: false, received: [] };
				await page.route("/v1/sandbox/receiver", (route) => route.fulfill({ json: receiver }));
				await page.clock.install();
				await page.reload();
				await signIn(page, who);
				for (const [pattern, most] of Object.entries(POLLS[who] ?? {})) {
					const none = page.getByRole("heading", { name: "No such page" });
					await to(page, "/nowhere");
					await none.waitFor();
					await to(
						page,
						pattern.replace(/^\/(\w+)\/:id/, (_, list) => `/${list}/${ids[list]}`),
					);
					await none.waitFor({ state: "detached" });
					await settled(page);
					await quiet();
					const minutes = await pass(1.1);
					expect(made.length, `${pattern}: ${made}`).toBeLessThanOrEqual(Math.ceil(most * minutes) + AT_THE_ENDS * Math.sign(most));
					expect(Math.sign(made.length), pattern).toBe(Math.sign(most));

					await isLookedAt(page, false);
					await quiet();
					await page.clock.runFor(66_000);
					await page.waitForTimeout(50);
					expect(made, `${pattern}, hidden`).toEqual([]);
					await isLookedAt(page, true);
					if (most > 0) await expect.poll(() => made.length, { message: `${pattern}, seen again`, timeout: 10_000 }).toBeGreaterThan(0);
				}
			},
			// An organization without a brand has none to be read.
			{ expected: new RegExp(`status of 404|${MOVES.source}`) },
		),
	600_000,
);
