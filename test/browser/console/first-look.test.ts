// What somebody meets who has never seen the console, on a service of its own whose clock moves.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operatorOf, startOwnService } from "../../../src/dev/own-service.ts";
import type { Service } from "../../../src/dev/service.ts";
import { DESK, MOVES, visit } from "../visit.ts";
import { type Story, savedBy, settled, signIn, tellStory, to } from "./support.ts";

const statePath = mkdtempSync(path.join(tmpdir(), "console-"));
let service: Service;
let story: Story;
beforeAll(async () => {
	[service, story] = await Promise.all([startOwnService(statePath), tellStory({ good: "Ledger copy", gone: "Collections desk" })]);
});
afterAll(async () => {
	await Promise.all([service?.stop(), story?.end()]);
	rmSync(statePath, { recursive: true, force: true });
});

it("shows a borrower one loan from its beginning, and the lender the same account", () =>
	visit(
		"/console",
		DESK,
		async ({ page, picture }) => {
			const number = /^\d{13}$/;
			await signIn(page, "Borrower");
			await to(page, "/accounts");
			await page.locator(".row-link").click();
			await page.getByRole("heading", { name: "Loan" }).waitFor();
			await settled(page);
			const own = await page.locator(".about code").textContent();
			expect(own).toMatch(number);
			expect(await page.locator("main").textContent()).not.toContain("takes what the others leave");
			await page.goto("/console");

			const operator = await operatorOf(service);
			await operator.advanceClock({ body: { advance: "P45D" } });
			await signIn(page, "Borrower");
			await to(page, "/accounts");
			await page.locator(".row-link").click();
			const schedule = page.getByRole("table", { name: "Installments" });
			await schedule.locator("small", { hasText: /^Penalty$/ }).waitFor();
			const [first, second, ...others] = await schedule.locator("tbody tr").allTextContents();
			expect([first, second, others]).toEqual([expect.stringContaining("Installment 1"), expect.stringContaining("Penalty"), []]);
			await settled(page);
			await picture("console-loan-with-penalty");
			await page
				.getByRole("radio", { name: "Statement" })
				.or(page.getByRole("button", { name: "Statement" }))
				.click();
			await page.getByRole("table", { name: "Statement" }).locator("tbody tr").first().getByText("Drawn").waitFor();
			await settled(page);
			await picture("console-statement");
			const account = new URL(page.url()).pathname.replace("/console", "");
			const issued = page.locator("section", { hasText: "Issued statements" });
			await issued.getByLabel("From").fill("2026-01-01");
			await issued.getByRole("button", { name: "Issue a statement" }).click();
			await issued.getByText("Statement 1 is issued.").waitFor();
			const save = page.getByRole("button", { name: "Save statement 1 as PDF" });
			expect((await savedBy(page, () => save.click())).join()).toMatch(/^%PDF-1\.7\n[\s\S]*%%EOF$/);
			await picture("console-statement-issued");
			await page.goto("/console");

			await signIn(page, "Owner of an organization");
			await page.getByText(/^1 loan is overdue$/).waitFor();
			await settled(page);
			await picture("console-home-overdue");
			await to(page, `${account}?tab=statement`);
			expect((await savedBy(page, () => page.getByRole("button", { name: "Save statement 1 as CSV" }).click()))[1]).toMatch(/,DRAWN,/);
			await page.getByRole("button", { name: "Issue a statement" }).waitFor();
			await to(page, "/portfolio");
			await page
				.getByRole("table", { name: "Accounts behind the figures" })
				.getByText(own ?? "", { exact: true })
				.last()
				.waitFor();
			await settled(page);
			await picture("console-portfolio-numbers");
		},
		{ at: service.url, expected: MOVES },
	));

it("shows an operator every page of the menu", () =>
	visit(
		"/console",
		DESK,
		async ({ page, picture }) => {
			await signIn(page, "Platform operator");
			await settled(page);
			const menu = page.getByRole("navigation", { name: "Pages" });
			await menu.getByRole("link", { name: "Products" }).waitFor();
			const [needs, has] = await menu.evaluate((nav) => [nav.scrollHeight, nav.clientHeight]);
			expect(needs).toBeLessThanOrEqual(has ?? 0);
			await picture("console-menu");
			// Where there is less room, it says that it goes on.
			await page.setViewportSize({ width: 1440, height: 600 });
			await picture("console-menu-low");
		},
		{ expected: MOVES },
	));

it("says what to do about a delivery that failed, why it cannot be retried, and where those are that are retried", () =>
	visit(
		"/console",
		DESK,
		async ({ page, picture }) => {
			await signIn(page);
			await to(page, `/deliveries/${story.failedId}`);
			await page.getByText("The receiver says that it wants no more.").waitFor();
			const retry = page.getByRole("button", { name: "Retry now" });
			expect(await retry.isDisabled()).toBe(true);
			const described = await retry.getAttribute("aria-describedby");
			expect(await page.locator(`#${described}`).textContent()).toBe("Its endpoint is suspended: resume that first.");
			await picture("console-delivery-remedy");
			await to(page, `/deliveries/${story.deliveryId}`);
			await page.getByText("The receiver took it.").waitFor();
			expect(await retry.isEnabled()).toBe(true);
			await to(page, "/deliveries?status=FAILED");
			await page.getByRole("button", { name: "Show the pending ones" }).click();
			await page.getByText("are still retried").waitFor();
			expect(new URL(page.url()).searchParams.get("status")).toBe("PENDING");
			await page.locator(".row-link").first().waitFor();
			await picture("console-deliveries-pending");
		},
		{ expected: MOVES },
	));
