// A day of a lender's head of operations, a test for each task: by clicks alone and by at most forty keys, on a phone and at a desk.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { userOf } from "../../../src/dev/own-service.ts";
import { DESK, MOVES, PHONE, type View, visit } from "../visit.ts";
import { itsFirstMonth } from "./closings.ts";
import { itsBorrowers } from "./day-borrowers.ts";
import { itsMoney } from "./day-money.ts";
import { itsOffice } from "./day-office.ts";
import { type DayWorld, makeDay } from "./day-world.ts";
import { handsOn, MOST_KEYS } from "./hands.ts";
import { itsOwners } from "./owners.ts";
import { itsStatements } from "./statements.ts";
import { SLUG, settled, signIn, to } from "./support.ts";
import { makeLending, type World } from "./world.ts";

const PATIENCE_MS = 120_000;

describe("the day", () => {
	let day: DayWorld;
	beforeAll(async () => {
		day = await makeDay();
	}, 4 * PATIENCE_MS);
	afterAll(() => day?.end());
	it.each([PHONE, DESK])("Home says what needs somebody, and draws thirty days, at $width px", { timeout: PATIENCE_MS }, (view) =>
		visit(
			"/console",
			view,
			async ({ page, sound }) => {
				await signIn(page);
				await settled(page);
				await page.getByRole("region", { name: "Needs attention" }).getByText("loans are overdue").waitFor();
				const drawn = page.getByRole("region", { name: "Thirty days" });
				await expect.poll(() => drawn.locator("svg g > title").count()).toBe(30);
				await drawn.getByText("The days as a table").click();
				const table = drawn.getByRole("table", { name: "The last thirty days, in KES" });
				expect(await table.locator("tbody tr").count()).toBe(30);
				const collected = async () => (await table.locator("tbody tr td:nth-child(3)").allTextContents()).filter((text) => text !== "0.00");
				expect(await collected()).toHaveLength(3);
				await sound("day-home");
			},
			{ at: day.at, expected: MOVES },
		),
	);
	itsBorrowers(() => day);
	itsMoney(() => day);
	itsOffice(() => day);
	itsFirstMonth(() => day);
	itsStatements(() => day);
	itsOwners(() => day);
});

let world: World;
beforeAll(async () => {
	world = await makeLending(inject("baseUrl"), "Baraka Mwangi");
}, PATIENCE_MS);

/** Signed in as the owner; what is wrong with the page is asked for at the end. */
const day = (view: View, then: (page: Page) => Promise<void>) =>
	visit(
		"/console",
		view,
		async ({ page }) => {
			await signIn(page);
			await settled(page);
			await then(page);
		},
		{ expected: MOVES },
	);

/** Of names that no other file signs in: theirs may have been admitted. */
async function twoWait(): Promise<void> {
	for (const _ of [1, 2]) await (await userOf({ url: inject("baseUrl") }, `waits-${crypto.randomUUID()}`, SLUG)).getMe();
}

const account = () => `/accounts/${world.account.id}?tab=follow-ups`;

describe.each([PHONE, DESK])("at $width px, by clicks,", (view) => {
	it("a borrower's loan is found by the number of the account, and says what is owed and why", { timeout: PATIENCE_MS }, () =>
		day(view, async (page) => {
			await page.getByRole("button", { name: /^Find/ }).click();
			await page.keyboard.type(world.account.number);
			await page.getByRole("option").filter({ hasText: world.account.number }).first().click();
			await page.getByRole("heading", { name: "Loan of Baraka Mwangi" }).waitFor();
			await page.getByRole("heading", { name: "Why this amount is owed" }).waitFor();
			await settled(page);
		}),
	);

	it("a call is noted, a promise to pay recorded, and the loan taken over", { timeout: PATIENCE_MS }, () =>
		day(view, async (page) => {
			await to(page, account());
			const note = `Called at ${view.width}.`;
			await page.getByLabel("A note").fill(note);
			await page.getByRole("button", { name: "Add the note" }).click();
			await page.getByRole("cell", { name: note }).waitFor();
			await page.getByRole("button", { name: "Promise", exact: true }).click();
			await page.getByLabel(/^Amount/).fill("1,500");
			await page.getByRole("button", { name: "Record the promise" }).click();
			await page
				.getByText(/^1,500\.00 KES by/)
				.first()
				.waitFor();
			await page.getByLabel("Looked after by").selectOption({ index: 1 });
			await settled(page);
		}),
	);

	it("loans are chosen by days late, sorted, and the filter is kept", { timeout: PATIENCE_MS }, () =>
		day(view, async (page) => {
			await to(page, "/accounts");
			await page.getByLabel("Order").selectOption("OUTSTANDING");
			await page.getByRole("button", { name: "Keep this filter" }).click();
			await to(page, "/accounts");
			await page.getByRole("button", { name: "Most principal first" }).click();
			await page.locator(".row-link").first().waitFor();
			expect(await page.getByLabel("Order").inputValue()).toBe("OUTSTANDING");
			await page.getByRole("button", { name: "Forget this filter" }).click();
			await settled(page);
		}),
	);
});

it("a borrower is found by name, and a note is written, by at most forty keys", { timeout: PATIENCE_MS }, () =>
	day(DESK, async (page) => {
		const hands = handsOn(page);
		await hands.press("Control+k");
		await hands.type("Baraka");
		await page.getByRole("option").filter({ hasText: "Baraka" }).first().waitFor();
		await hands.press("Enter");
		await page.getByRole("heading", { name: "Baraka Mwangi" }).waitFor();
		await page.getByLabel("A note").waitFor();
		await hands.tabTo(/^A note/);
		await hands.type("Moved");
		await hands.press("Tab", "Enter");
		await page.getByRole("cell", { name: "Moved" }).first().waitFor();
		expect(hands.keys()).toBeLessThanOrEqual(MOST_KEYS);
	}),
);

it("the waiting list is shared out: many are taken at once, and found by who looks after them", { timeout: PATIENCE_MS }, () =>
	day(DESK, async (page) => {
		await twoWait();
		await to(page, "/work?kind=WAITING_USER&owner=NONE");
		const listed = page.locator("tbody tr");
		await expect.poll(() => listed.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
		await page.getByRole("checkbox", { name: "Select all that are shown" }).check();
		const rows = await listed.count();
		await page.locator(".chosen").getByRole("button", { name: "Take" }).click();
		await page.getByRole("button", { name: `Take ${rows}` }).click();
		await page.getByText(`${rows} of ${rows} are looked after by you`).waitFor({ timeout: 60_000 });
		await page.getByRole("button", { name: "Close" }).click();
		await page.getByLabel("Looked after by").selectOption({ label: "Anybody" });
		await page.getByRole("cell", { name: "you", exact: true }).first().waitFor();
		await settled(page);
	}),
);

it("a member asks to put an installment off, and sees beforehand what becomes of the others", { timeout: PATIENCE_MS }, () =>
	day(DESK, async (page) => {
		await to(page, `/accounts/${world.account.id}`);
		await page.getByRole("button", { name: "Reschedule" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Reason").fill("The harvest is late");
		await dialog.getByRole("table", { name: "Installments before and after" }).waitFor();
		await dialog.getByRole("button", { name: "Ask for approval" }).click();
		await page.getByText("Asked. It waits among the").waitFor();
		await to(page, "/approvals");
		const card = page.getByRole("listitem").filter({ hasText: "Put 1 installment off" });
		await card
			.getByText(/installments to pay, from/)
			.first()
			.waitFor();
		await settled(page);
	}),
);

it("many who wait are admitted at once, each with an outcome", { timeout: PATIENCE_MS }, () =>
	day(DESK, async (page) => {
		await twoWait();
		await to(page, "/users?status=WAITING_LIST");
		await page.getByRole("checkbox", { name: "Select all that are shown" }).waitFor();
		const rows = await page.locator("tbody tr").count();
		expect(rows).toBeGreaterThan(0);
		await page.getByRole("checkbox", { name: "Select all that are shown" }).check();
		await page.getByText(`${rows} selected`).waitFor();
		await page.locator(".chosen").getByRole("button", { name: "Admit" }).click();
		await page.getByRole("button", { name: `Admit ${rows}` }).click();
		await page.getByText(`${rows} of ${rows} admitted`).waitFor({ timeout: 60_000 });
		await page.getByRole("button", { name: "Close" }).click();
		await page.getByText("Nothing matches").waitFor();
	}),
);
