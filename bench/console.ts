// `npm run bench -- console [users]`: what each page of a lender's console asks for, the rows that the service reads for it, and how long it
// takes until all is shown: the bundled Worker in workerd over one lender with 100,000 users, in Chromium (`CHROMIUM`, else Debian's).

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page, type Response } from "playwright-core";
import { databaseFile } from "../src/dev/databases.ts";
import { startOwnService } from "../src/dev/own-service.ts";
import { seed } from "../tools/seed.ts";
import { progress } from "./webhooks.client.ts";

const USERS = Number(process.argv[2] ?? 100_000);
/** Of each page, each in a tab that has just been loaded, where nothing of it is known. The first also loads its script. */
const VISITS = 5;
/** So long no request, and all is shown. */
const CALM_MS = 250;
/** The organization whose owner the console's button signs in. */
const LENDER = "umoja-savings";
const BROWSERS = [process.env.CHROMIUM ?? "", "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** By the row of a list, the page of the first that is shown. */
const PAGES = [
	"/",
	"/accounts",
	"/accounts?due=today",
	"/accounts?due=30",
	"/accounts?sort=OUTSTANDING",
	"/accounts?due=30&sort=NEWEST",
	"/accounts/:account",
	"/accounts/:account?tab=transactions",
	"/accounts/:account?tab=statement",
	"/accounts/:account?tab=follow-ups",
	"/calls",
	"/work",
	"/work?kind=WAITING_USER",
	"/users",
	"/users?status=WAITING_LIST",
	"/users/:user",
	"/payments",
	"/payments?status=POSTED",
	"/payouts",
	"/portfolio",
	"/ledger",
	"/ledger/closings",
	"/products",
	"/commissions",
	"/invoices",
	"/approvals",
	"/audit",
	"/members",
	"/keys",
	"/connections",
	"/brand",
	"/texts",
	"/endpoints",
	"/events",
	"/deliveries",
] as const;

/** Loans are late by some days each, and each tenth payment has no account: what is copied is in time. */
function makeLate(statePath: string): Record<"account" | "user", string> {
	const database = new DatabaseSync(databaseFile(statePath));
	try {
		database.exec(`
			update credit_accounts set earliest_due = date('now', '-' || (abs(random()) % 120 + 1) || ' days') where earliest_due is not null;
			update loan_positions set overdue = principal, oldest_due =
				(select earliest_due from credit_accounts where credit_accounts.id = loan_positions.account_id);
			update payments set status = 'UNMATCHED', posted_at = null, unmatched_reason = 'UNKNOWN_ACCOUNT' where abs(random()) % 10 = 0 and reversed_amount = 0;`);
		const found = database
			.prepare("select id as account, user_id as user from credit_accounts where earliest_due is not null limit 1")
			.get();
		return found as Record<"account" | "user", string>;
	} finally {
		database.close();
	}
}

type Asked = { readonly line: string; readonly rows: number; readonly ms: number };

function askedBy(response: Response): Asked | undefined {
	const { pathname } = new URL(response.url());
	if (!pathname.startsWith("/v1/")) return undefined;
	const [, rows = "0"] = /read=(\d+)/.exec(response.headers()["server-timing"] ?? "") ?? [];
	const { responseStart, requestStart } = response.request().timing();
	const line = pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id").replace(/[0-9a-f-]{36}/g, ":id");
	return { line, rows: Number(rows), ms: responseStart - requestStart };
}

/** Something is still being read. */
const BUSY = `(document.querySelector("[aria-busy=true]") !== null)`;

/** The page, and until when something changed on it. */
async function visit(page: Page, address: string): Promise<{ ms: number; asked: Asked[] }> {
	const asked: Asked[] = [];
	let last = 0;
	const note = (response: Response) => {
		const one = askedBy(response);
		if (one) asked.push(one);
		last = performance.now();
	};
	page.on("response", note);
	const began = performance.now();
	await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/console${address}`)}); dispatchEvent(new PopStateEvent("popstate"))`);
	await page.waitForFunction(`document.querySelector("main h1") && !${BUSY}`);
	let shown = performance.now();
	while (performance.now() - Math.max(shown, last) < CALM_MS) {
		await sleep(10);
		if (await page.evaluate<boolean>(BUSY)) shown = performance.now();
	}
	page.off("response", note);
	return { ms: Math.max(shown, last) - began, asked };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const statePath = mkdtempSync(path.join(tmpdir(), "bench-console-"));
progress(`one lender with ${USERS} users`);
await seed({ users: USERS, seed: 1, statePath, slugs: [LENDER], tell: progress });
const ids = makeLate(statePath);
const service = await startOwnService(statePath, { sweptWhenAsked: true });
const browser = await chromium.launch({ executablePath: BROWSERS.find((file) => file && existsSync(file)), args: ["--no-sandbox"] });
try {
	const context = await browser.newContext({ baseURL: service.url, bypassCSP: true });
	// Another tab keeps the session.
	const keeper = await context.newPage();
	await keeper.goto("/console");
	await keeper.getByRole("button", { name: "Owner of an organization" }).click();
	await keeper.locator(".shell main h1").waitFor();
	const page = await context.newPage();
	process.stdout.write(
		"| Page | requests | most rows of one | rows | ms, first | ms, median | ms, fastest | slowest request |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
	);
	for (const name of PAGES) {
		const address = name.replace(":account", ids.account).replace(":user", ids.user);
		const visits = [];
		for (let turn = 0; turn < VISITS; turn++) {
			await page.goto("/console/join");
			await page.locator(".shell main h1").waitFor();
			visits.push(await visit(page, address));
		}
		const [first = { ms: 0, asked: [] }] = visits;
		const { asked } = first;
		const most = (of: (one: Asked) => number) => Math.max(0, ...asked.map(of));
		const slowest = asked.toSorted((a, b) => b.ms - a.ms)[0];
		const cells = [name, asked.length, most(({ rows }) => rows), asked.reduce((sum, { rows }) => sum + rows, 0), Math.round(first.ms)];
		const times = visits.map(({ ms }) => ms);
		const rest = [Math.round(median(times)), Math.round(Math.min(...times)), slowest ? `${slowest.line} ${Math.round(slowest.ms)} ms` : ""];
		process.stdout.write(`| ${[...cells, ...rest].join(" | ")} |\n`);
	}
} finally {
	await browser.close();
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
}
process.exit(0);
