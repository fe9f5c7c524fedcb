// The lender's day: products, colleagues, keys, receivers, the trail and the brand. In the world of `day.test.ts`.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { DayWorld } from "./day-world.ts";
import { type Day, open, task } from "./hands.ts";
import { focused, SLUG } from "./support.ts";

export function itsOffice(world: () => DayWorld): void {
	const at = () => world().at;
	const missing = /status of 404/;

	task("9. a product is made", at, {
		async clicks({ page, sound, view }) {
			await open(page, "Products");
			await page.getByRole("link", { name: "New product" }).click();
			await page.getByLabel("Name", { exact: true }).fill(`Harvest ${view.width}`);
			await page.getByLabel("Interest, %").fill("7.5");
			await page.getByRole("table", { name: "Installments of the example" }).waitFor();
			await sound("product");
			await page.getByRole("button", { name: "Make the product" }).click();
			await page.getByRole("heading", { name: `Harvest ${view.width}` }).waitFor();
		},
		async keys(hands, { view }) {
			await hands.press("g", "r");
			await hands.page.getByRole("link", { name: "New product" }).waitFor();
			await hands.tabTo(/^New product$/);
			await hands.press("Enter");
			await hands.page.getByRole("heading", { name: "New product" }).waitFor();
			await hands.tabTo(/^Name$/);
			await hands.type(`Seed ${view.width}`);
			await hands.press("Enter");
			await hands.page.getByRole("heading", { name: `Seed ${view.width}` }).waitFor();
		},
	});

	/** The address in the mail, and what an own sign-in gives the person. */
	async function invited(email: string): Promise<{ readonly link: string; readonly token: string }> {
		const { operator } = world();
		const [mail] = (await operator.listMessages({ query: { recipient: email } })).data;
		const { token } = await operator.createSandboxToken({
			body: { kind: "partner", subject: email, organization: SLUG, claims: { email, email_verified: true } },
		});
		return { link: /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "", token };
	}
	const joined = (page: Page) => page.getByRole("heading", { name: "Welcome to Umoja Savings" }).waitFor();

	task("12. a colleague is invited, and joins", at, {
		async clicks({ page, sound, view, beside }) {
			const email = `achieng.${view.width}@example.com`;
			await open(page, "Members");
			await page.getByRole("button", { name: "Invite" }).click();
			await page.getByLabel("Mail address").fill(email);
			await page.getByLabel("Role", { exact: true }).selectOption("organization-lending-admin");
			await sound("invite");
			await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
			await page.getByText(`The invitation was sent to ${email}, as lending administrator.`).waitFor();
			await page.getByRole("cell", { name: email }).first().waitFor();
			const { link, token } = await invited(email);
			await beside({ address: link }, async (theirs) => {
				await theirs.getByText("With a partner’s token").click();
				await theirs.getByLabel("Token").fill(token);
				await theirs.getByRole("button", { name: "Sign in" }).last().click();
				await theirs.getByRole("button", { name: "Accept the invitation" }).click();
				await joined(theirs);
			});
		},
		async keys(hands, { view, beside }) {
			const email = `${view.width}@a.ke`;
			await hands.press("g", "m");
			await hands.page.getByRole("button", { name: "Invite" }).waitFor();
			await hands.tabTo(/^Invite$/);
			await hands.press("Enter");
			await hands.tabTo(/^Mail address$/, "Shift+Tab");
			await hands.type(email);
			await hands.press("Enter");
			await hands.page.getByRole("cell", { name: email }).first().waitFor();
			const { link, token } = await invited(email);
			await beside({ address: link }, async (theirs) => {
				const their = hands.at(theirs);
				await theirs.getByText("With a partner’s token").waitFor();
				await their.seek(/^With a partner’s token$/);
				await their.press("Enter");
				await their.seek(/^Token/);
				await their.paste(token);
				await their.seek(/^Sign in$/);
				await their.press("Enter");
				await theirs.getByRole("button", { name: "Accept the invitation" }).waitFor();
				await their.seek(/^Accept the invitation$/);
				await their.press("Enter");
				await joined(theirs);
			});
		},
	});

	task("13. a program gets a key", at, {
		async clicks({ page, sound, view }) {
			const name = `General ledger ${view.width}`;
			await open(page, "API keys");
			await page.getByRole("button", { name: "Make a key" }).click();
			await page.getByLabel("Name", { exact: true }).fill(name);
			await page.getByLabel("Read the ledger").check();
			await sound("key");
			await page.getByRole("button", { name: "Make the key" }).click();
			await page.getByRole("heading", { name: `${name} is made` }).waitFor();
			await sound("key-once");
			await page.getByRole("button", { name: /^Copy/ }).click();
			await page.getByRole("button", { name: "Done" }).click();
			await page.getByRole("button", { name: `Revoke ${name}` }).waitFor();
		},
		async keys(hands, { view }) {
			const name = `GL ${view.width}`;
			await hands.press("g", "k");
			await hands.page.getByRole("button", { name: "Make a key" }).waitFor();
			await hands.tabTo(/^Make a key$/);
			await hands.press("Enter");
			await hands.page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor();
			await hands.type(name);
			await hands.tabTo(/^Read the ledger/);
			await hands.press("Space", "Enter");
			await hands.page.getByRole("heading", { name: `${name} is made` }).waitFor();
			await hands.tabTo(/^Copy/);
			await hands.press("Enter");
			await hands.tabTo(/^Done$/);
			await hands.press("Enter");
			await hands.page.getByRole("button", { name: `Revoke ${name}` }).waitFor();
		},
	});

	/** The receiver says that it is gone for good, and misses what happens then. */
	async function broken({ round }: Pick<Day, "round">): Promise<void> {
		const { owner, organizationId, receiver, webhookId } = world();
		const happen = (colour: string) => owner.putBrand({ path: { organizationId }, body: { primary_color: colour, secondary_color: null } });
		receiver.behaviour.failures = 1;
		await happen(`#12345${round}`);
		await expect
			.poll(async () => (await owner.getWebhook({ path: { webhook_id: webhookId } })).status, { timeout: 30_000 })
			.toBe("SUSPENDED");
		receiver.behaviour.failures = 0;
		await happen(`#65432${round}`);
	}

	task("14. a receiver that failed is repaired, and gets what it missed", at, {
		expected: missing,
		async clicks({ page, sound, ...day }) {
			await broken(day);
			const needs = page.getByRole("region", { name: "Needs attention" });
			await needs.getByRole("listitem").filter({ hasText: "Core banking" }).getByRole("link", { name: "Look" }).click();
			await page.getByRole("button", { name: "Resume" }).click();
			await sound("resume");
			await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
			await page.locator(".title .badge", { hasText: "Active" }).waitFor();
			await page.getByRole("button", { name: "send what it missed" }).click();
			await page.getByRole("button", { name: /^Recover \d/ }).click();
			await page.getByText("will be sent, ten a second").waitFor();
			await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
			await page.locator("main .state", { hasText: "Delivered" }).first().waitFor();
		},
		async keys(hands, day) {
			const { page } = hands;
			await broken(day);
			await hands.press("g", "e");
			await page.locator(".row-link").filter({ hasText: "Core banking" }).waitFor();
			await hands.press("j", "Enter");
			await page.getByRole("button", { name: "Resume" }).waitFor();
			await hands.tabTo(/^Resume$/);
			await hands.press("Enter");
			await focused(page, /^Cancel$/);
			await hands.tabTo(/^Resume$/);
			await hands.press("Enter");
			await page.locator(".title .badge", { hasText: "Active" }).waitFor();
			await hands.tabTo(/^Recover$/);
			await hands.press("Enter");
			await page.getByRole("button", { name: /^Recover \d/ }).waitFor();
			await hands.tabTo(/^Recover \d/);
			await hands.press("Enter");
			await page.getByText("will be sent, ten a second").waitFor();
		},
	});

	const made = async (page: Page) => {
		await page.waitForURL(/operation=createWebhook/);
		await page.getByRole("row").filter({ hasText: "Make endpoint" }).filter({ hasText: "Wanjiru Maina" }).waitFor();
	};

	task("15. who did what is found in the trail", at, {
		async clicks({ page, sound }) {
			await open(page, "Audit trail");
			await page.getByLabel("What", { exact: true }).fill("create webhook");
			await page.getByRole("button", { name: "Find", exact: true }).last().click();
			await made(page);
			await sound("audit");
		},
		async keys(hands) {
			await hands.press("g", "t");
			await hands.page.getByRole("table", { name: "Audit trail" }).waitFor();
			await hands.tabTo(/^What$/);
			await hands.type("create webhook");
			await hands.press("Enter");
			await made(hands.page);
		},
	});

	task("16. the look of the app is published", at, {
		expected: missing,
		async clicks({ page, sound }) {
			await open(page, "Brand");
			await page.getByRole("textbox", { name: "Primary colour", exact: true }).fill("#0f5132");
			await sound("brand");
			await page.getByRole("button", { name: "Publish" }).click();
			await page.getByText("Published. It shows within a minute.").waitFor();
		},
		async keys(hands) {
			await hands.press("g", "b");
			await hands.page.getByRole("textbox", { name: "Primary colour", exact: true }).waitFor();
			await hands.tabTo(/^Primary colour$/);
			await hands.press("Control+a");
			await hands.type("#123456");
			await hands.press("Enter");
			await hands.page.getByText("Published. It shows within a minute.").waitFor();
		},
	});
}
