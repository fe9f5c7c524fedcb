// The pages of organizations, lenders, operators and borrowers: on a phone and at a desk, by day and by night, in every state; and what
// people do there by keyboard alone.

import type { Route } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { itsDecisions } from "./decisions.ts";
import { itsDesk } from "./desk.ts";
import { itsLedger } from "./ledger.ts";
import { changed, HOSTILE, pressUntil, signIn, tabTo, to, tour } from "./support.ts";
import { makeWorld, pay, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await makeWorld(inject("baseUrl"));
});

const OWNER = [
	"",
	"/brand",
	"/texts",
	"/texts?locale=am",
	"/members",
	"/keys",
	"/invoices",
	"/invoices?status=PAID",
	"/approvals",
	"/approvals?status=FAILED",
	"/audit",
];
const LENDER = [
	"/portfolio",
	"/portfolio?over=90",
	"/ledger",
	"/ledger?account=1210",
	"/ledger/provisions",
	"/ledger/closings",
	"/ledger/mapping",
	"/ledger/treasury",
	"/credit-bureau",
	"/ledger/tariffs",
	"/users",
	"/accounts",
	"/accounts?due=today",
	"/payments",
	"/payments?status=all",
	"/payments?status=confirmations",
	"/payouts",
	"/products",
	"/products/new",
	"/commissions",
	"/connections",
];
const OPERATOR = [
	"",
	"/users?status=WAITING_LIST",
	"/work",
	"/work?kind=PAYMENT",
	"/work?kind=DEAD_LETTER",
	"/organizations",
	"/approvals",
	"/service",
	"/imports",
	"/issuers",
	"/app-settings",
	"/messages",
];

it.each([PHONE, DESK])(
	"have no fault at $width px, by day and by night",
	(view) =>
		visit(
			"/console",
			view,
			async ({ page, sound }) => {
				const account = `/accounts/${world.account.id}`;
				const checkFor = (home: string) => (path: string) =>
					sound(`console${(path || home).replace(/\/[0-9a-f-]{36}/, "-one").replaceAll(/\W/g, "-")}`);
				await tour(page, "Owner of an organization", [...OWNER, ...LENDER, account, `/users/${world.borrower.id}`], checkFor("/home"));
				await tour(page, "Platform operator", OPERATOR, checkFor("/home-operator"));
				await tour(
					page,
					"Borrower",
					["", "/accounts", `${account}?tab=statement`, `${account}?tab=transactions`, "/products"],
					checkFor("/home-borrower"),
				);
			},
			// An organization without a brand has none to be read.
			{ expected: /status of 404/ },
		),
	600_000,
);

const json = (body: unknown, status = 200) => ({ status, contentType: "application/json", body: JSON.stringify(body) });

it("say what they wait for, what is missing, and what went wrong", () =>
	visit(
		"/console",
		PHONE,
		async ({ page, faults }) => {
			await signIn(page, "Owner of an organization");
			let answer: (route: Route) => Promise<void> = (route) =>
				new Promise((resolve) => setTimeout(() => resolve(route.continue()), 30_000));
			await page.route(/\/v1\/platform\/unmatched-payments/, (route) => answer(route));
			const open = async () => {
				await to(page, "/approvals");
				await to(page, "/payments");
			};
			await to(page, "/payments");
			await page.locator("[aria-busy=true]").waitFor();
			expect(await faults(), "loading").toEqual([]);
			await page.unrouteAll({ behavior: "ignoreErrors" });
			const refusals = [
				[
					403,
					{ code: "FORBIDDEN", description: "This needs the permission org:lending:write" },
					"This needs the permission org:lending:write",
				],
				[500, { code: "INTERNAL_SERVER_ERROR" }, "The service made a mistake"],
			] as const;
			for (const [status, body, sentence] of refusals) {
				answer = (route) => route.fulfill(json(body, status));
				await page.route(/\/v1\/platform\/unmatched-payments/, (route) => answer(route));
				await page.reload();
				await signIn(page, "Owner of an organization");
				await open();
				await page.getByText(sentence).waitFor();
				expect(await faults(), sentence).toEqual([]);
				await page.unrouteAll({ behavior: "ignoreErrors" });
			}
			await page.route(/\/v1\/platform\/unmatched-payments/, (route) =>
				route.fulfill(json({ data: [], links: { next: null, prev: null } })),
			);
			await page.getByRole("button", { name: "Try again" }).click();
			await page.getByText("Every payment has its account").waitFor();
			await to(page, "/invoices?status=CANCELLED");
			await page.getByRole("button", { name: "Clear the filter" }).click();
			await page.getByRole("row").nth(1).waitFor();
			expect(await faults(), "cleared").toEqual([]);
		},
		{ expected: /status of (403|404|500)|^the layout shifts/ },
	));

const DAY_MS = 86_400_000;
const installment = (index: number) => ({
	id: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
	cycle_id: "00000000-0000-7000-8000-000000000000",
	position: index + 1,
	due_date: new Date(Date.now() + (index - 99) * DAY_MS).toISOString().slice(0, 10),
	status: index < 40 ? "SETTLED" : index < 99 ? "OVERDUE" : "UPCOMING",
	...{ principal: 10_000, interest: 500, arrears: 0, penalty: 0, waived: 0 },
	...(index < 40 ? { paid: 10_500, outstanding: 0 } : { paid: 0, outstanding: 10_500 }),
});

it.each([DESK, PHONE])("draws 1,200 installments by quarter and lists them by page at $width px", (view) =>
	visit(
		"/console",
		view,
		async ({ page, faults, picture }) => {
			await signIn(page, "Borrower");
			await page.route(/\/installments\?/, (route) => {
				const from = Number(new URL(route.request().url()).searchParams.get("after") ?? 0);
				const next = from + 100 < 1_200 ? String(from + 100) : null;
				return route.fulfill(
					json({ data: Array.from({ length: 100 }, (_, index) => installment(from + index)), links: { next, prev: null } }),
				);
			});
			await to(page, `/accounts/${world.account.id}`);
			await page.getByText("Page 1 of 34").waitFor();
			expect(await page.locator(".chart svg > g:has(> title)").count()).toBeLessThan(20);
			await page.locator("tfoot", { hasText: "120,000.00" }).waitFor();
			await page.getByRole("button", { name: "Later" }).click();
			await page.getByText("Installment 37", { exact: true }).waitFor();
			expect(await faults()).toEqual([]);
			await picture("console-account-1200");
		},
		{ expected: MOVES },
	),
);

it("shows names of others as texts", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			await world.borrower.api.updateMe({ body: { display_name: HOSTILE } });
			await signIn(page, "Owner of an organization");
			await to(page, `/users/${world.borrower.id}`);
			expect(await page.locator("h1", { hasText: "<img" }).textContent()).toBe(HOSTILE);
			await to(page, "/users");
			await page.locator(".row-link", { hasText: HOSTILE }).waitFor();
			expect([await page.title(), await page.locator("main img").count()]).not.toContain("ran");
			expect(await page.locator("main img").count()).toBe(0);
			expect(await faults()).toEqual([]);
			await world.borrower.api.updateMe({ body: { display_name: "Njeri Kariuki" } });
		},
		{ expected: MOVES },
	));

it("lets operators make an organization, and act for it", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			await signIn(page, "Platform operator");
			await to(page, "/organizations");
			await page.getByRole("button", { name: "Make an organization" }).click();
			await page.getByLabel("Name", { exact: true }).fill("Mto Cooperative");
			await expect.poll(() => page.getByLabel("Short name").last().inputValue()).toBe("mto-cooperative");
			expect(await faults()).toEqual([]);
			await page.getByRole("button", { name: "Make it" }).click();
			await page.getByRole("button", { name: "Suspend Mto Cooperative" }).waitFor();
			await page.getByLabel("Organization", { exact: true }).selectOption("Mto Cooperative");
			await to(page, "/members");
			await page.getByText("Who acts for Mto Cooperative").waitFor();
			expect(await faults()).toEqual([]);
		},
		{ expected: MOVES },
	));

it("lets a payment be matched by keyboard alone, to an account that what was written leads to", () =>
	visit(
		"/console",
		PHONE,
		async ({ page, faults }) => {
			const { id, number } = world.account;
			const before = await world.operator.getAccount({ path: { accountId: id } });
			const spaced = `${number.slice(0, 4)} ${number.slice(4)}`;
			await pay(world.operator, world.organization.id, { account_number: spaced }, 100_000, "SKRTYZJ0042");
			await signIn(page, "Owner of an organization");
			await to(page, "/payments");
			await page.getByRole("button", { name: "Match SKRTYZJ0042" }).waitFor();
			await tabTo(page, /^Match SKRTYZJ0042$/);
			await page.keyboard.press("Enter");
			await page.getByText(`Account number ${number}`).waitFor();
			expect(await faults()).toEqual([]);
			await tabTo(page, new RegExp(`^Post 1,000.00 KES to ${number}$`));
			await page.keyboard.press("Enter");
			await page.getByText("1,000.00 KES (SKRTYZJ0042) is posted").waitFor();
			const after = await world.operator.getAccount({ path: { accountId: id } });
			expect("total_paid" in after.balance && "total_paid" in before.balance && after.balance.total_paid - before.balance.total_paid).toBe(
				100_000,
			);
		},
		{ expected: MOVES },
	));

it("lets a borrower find out by keyboard alone why they owe what they owe", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			await signIn(page, "Borrower");
			await page.locator(".row-link").first().waitFor();
			const table = page.locator(".why");
			await pressUntil(page, ["j", "Enter"], table);
			const explained = await world.operator.explainBalance({ path: { accountId: world.account.id } });
			const cents = (text: string) => Math.round(Number(text.replaceAll(",", "").replace("−", "-")) * 100);
			const amounts = (await table.locator("tbody td.right").allTextContents()).map(cents);
			expect(amounts).toEqual(explained.lines.map(({ amount }) => amount));
			expect(cents(await table.locator(".total").innerText())).toBe(amounts.reduce((sum, amount) => sum + amount, 0));
		},
		{ expected: MOVES },
	));

it("writes amounts of approvals in their currency, and reads a limit as it is only for who decides about it", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			const asked: string[] = [];
			page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
			await signIn(page, "Platform operator");
			await to(page, "/approvals");
			await page.getByRole("heading", { name: "Set a user's limit to 150,000.00 KES" }).waitFor();
			const source = `/v1/platform/users/${world.borrower.id}`;
			expect(asked).not.toContain(source);
			await page.getByRole("button", { name: /^Approve: Set a user's limit/ }).click();
			await page.getByRole("dialog").getByText("Before", { exact: true }).waitFor();
			expect(asked).toContain(source);
			type Me = { organizations: { role: string }[] };
			await page.route(
				/\/v1\/me$/,
				changed((me: Me) => ({ ...me, organizations: me.organizations.map((one) => ({ ...one, role: "organization-financing-admin" })) })),
			);
			await page.reload();
			asked.length = 0;
			await signIn(page, "Owner of an organization");
			await to(page, "/approvals");
			await page.getByRole("heading", { name: "Set a user's limit to 150,000.00 KES" }).waitFor();
			await page.getByText("Your role decides about invoices only.").first().waitFor();
			expect([asked.includes("/v1/approvals"), asked.includes(source)]).toEqual([true, false]);
		},
		{ expected: MOVES },
	));

itsDesk(() => world);
itsLedger();
// Last, because they write the loan off.
itsDecisions(() => world);
