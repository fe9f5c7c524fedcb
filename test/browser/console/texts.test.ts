// The pages on which a lender says how its app looks and how it words the messages to its customers.

import { expect, it } from "vitest";
import { LOCALES } from "../../../src/shared/locale.ts";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { settled, signIn, to } from "./support.ts";

const REFUSED = new RegExp(`status of 400|${MOVES.source}`);

it.each([PHONE, DESK])(
	"shows at $width px how an own text reads, says what it lacks, and keeps it in its language",
	(view) =>
		visit(
			"/console",
			view,
			async ({ page, sound }) => {
				await signIn(page);
				await to(page, "/texts?locale=sw");
				await settled(page);
				const code = page.getByLabel("A one-time password");
				const row = page.locator(".text").filter({ has: code });
				await row.getByText("Umoja").or(row.getByText("012345")).first().waitFor();
				await code.fill("Karibu!");
				await row.getByText("must have {code}").waitFor();
				// A name as long as any, which no line can break.
				const long = "Chama".repeat(80);
				await code.fill(`${long} {code} {minutes}`);
				await row.getByText(`${long} 012345 5`).waitFor();
				expect(await page.getByLabel("Language", { exact: true }).isDisabled()).toBe(true);
				await page.getByRole("button", { name: "Save" }).click();
				await page.getByText("Saved.").waitFor();
				await sound(`console-texts-${view.width}`);
				for (const locale of LOCALES) {
					await page.getByLabel("Language", { exact: true }).selectOption(locale);
					await settled(page);
					await page.locator(`.text textarea[lang=${locale}]`).first().waitFor();
					expect(await page.getByLabel("A one-time password").inputValue()).toBe(locale === "sw" ? `${long} {code} {minutes}` : "");
					await sound(`console-texts-${locale}`);
				}
			},
			{ expected: REFUSED },
		),
	180_000,
);

it("publishes a look without losing the name, the support and the terms of the brand", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			await signIn(page);
			const publish = async () => {
				await page.getByRole("button", { name: "Publish" }).click();
				await page.getByText("Published.").waitFor();
			};
			await to(page, "/brand");
			await settled(page);
			const wanted = [
				["Name that users see", "Umoja"],
				["Support by mail", "help@umoja.example"],
				["Support by phone, as +254…", "+254712000100"],
				["Terms, HTTPS address", "https://umoja.example/terms"],
				["Privacy, HTTPS address", "https://umoja.example/privacy"],
			] as const;
			for (const [label, value] of wanted) await page.getByLabel(label).fill(value);
			await publish();
			await to(page, "/members");
			await settled(page);
			await to(page, "/brand");
			await settled(page);
			await page.getByLabel("Font family").fill("Georgia");
			await publish();
			await to(page, "/members");
			await settled(page);
			await to(page, "/brand");
			await settled(page);
			for (const [label, value] of wanted) expect(await page.getByLabel(label).inputValue()).toBe(value);
		},
		{ expected: new RegExp(`status of 404|${MOVES.source}`) },
	));
