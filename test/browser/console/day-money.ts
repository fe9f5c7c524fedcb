// The lender's day: payments, the provider of mobile money, and the books. In the world of `day.test.ts`.

import { expect } from "vitest";
import { keysToLoan, openLoan } from "./day-borrowers.ts";
import { type DayWorld, SAID } from "./day-world.ts";
import { type Day, open, task } from "./hands.ts";
import { fillMpesa, savedBy, settled } from "./support.ts";
import { pay } from "./world.ts";

/** The last day of the month before the last closed day's, or this one. */
const monthEnd = (closed: string): string => {
	const first = new Date(`${closed.slice(0, 8)}01T00:00:00Z`);
	return new Date(first.getTime() - 86_400_000).toISOString().slice(0, 10);
};

export function itsMoney(world: () => DayWorld): void {
	const at = () => world().at;
	const missing = /status of 404/;
	const disconnect = () =>
		world()
			.owner.deleteDarajaConnection({ path: { organizationId: world().organizationId } })
			.catch(() => {});

	/** Two digits of the number are in each other's place. */
	const misdirected = async ({ round, view }: Pick<Day, "round" | "view">) => {
		const { number } = world().borrowers[0] ?? { number: "" };
		const at = [...number].findIndex((digit, index) => index > 3 && digit !== number[index + 1]);
		const account_number = `${number.slice(0, at)}${number[at + 1]}${number[at]}${number.slice(at + 2)}`;
		const receipt = `SLIP${view.width}${round}`;
		await pay(world().operator, world().organizationId, { account_number }, 100_000, receipt);
		return receipt;
	};

	task("3. a payment with a wrong reference finds its loan", at, {
		async clicks({ page, sound, ...day }) {
			const receipt = await misdirected(day);
			await open(page, "Payments");
			await page.getByRole("button", { name: `Match ${receipt}` }).click();
			await page.getByLabel(/^Account number, @tag/).fill(SAID);
			await page.getByRole("dialog").getByRole("button", { name: "Find", exact: true }).click();
			await page.getByRole("radio", { name: /Baraka Mwangi/ }).check();
			await sound("match");
			await page.getByRole("button", { name: /^Post 1,000\.00 KES/ }).click();
			await page.getByText(`1,000.00 KES (${receipt}) is posted`).waitFor();
		},
		async keys(hands, day) {
			const receipt = await misdirected(day);
			await hands.press("g", "p");
			await hands.page.getByRole("button", { name: `Match ${receipt}` }).waitFor();
			await hands.tabTo(new RegExp(`^Match ${receipt}`));
			await hands.press("Enter");
			await hands.page.getByText("No loan in KES is found by this").waitFor();
			await hands.press("Control+a");
			await hands.type(SAID.replaceAll(" ", ""));
			await hands.press("Enter");
			await hands.page.getByRole("button", { name: /^Post 1,000/ }).waitFor();
			await hands.tabTo(/^Post 1,000/);
			await hands.press("Enter");
			await hands.page.getByText(`(${receipt}) is posted`).waitFor();
		},
	});

	task("7. cash from the counter is recorded", at, {
		async clicks({ page, sound, view }) {
			await openLoan(page, "Baraka Mwangi");
			await page.getByRole("button", { name: "Record a payment" }).click();
			const dialog = page.getByRole("dialog");
			await dialog.getByLabel("Paid by").selectOption("AGENT_CASH");
			await dialog.getByLabel("Amount, KES").fill("1,500");
			await dialog.getByLabel("Receipt or reference").fill(`Till ${view.width}`);
			await sound("cash");
			await dialog.getByRole("button", { name: "Record it" }).click();
			await page.getByText("1,500.00 KES is posted.").waitFor();
		},
		async keys(hands, { view }) {
			await keysToLoan(hands, "Baraka Mwangi");
			await hands.tabTo(/^Record a payment$/);
			await hands.press("Enter");
			await hands.page.getByRole("dialog").getByLabel("Paid by").waitFor();
			await hands.type("C");
			await hands.press("Tab");
			await hands.type("500");
			await hands.press("Tab");
			await hands.type(`T${view.width}`);
			await hands.press("Enter");
			await hands.page.getByText("500.00 KES is posted.").waitFor();
		},
	});

	task("8. M-Pesa is connected and checked", at, {
		expected: missing,
		async clicks({ page, sound }) {
			await disconnect();
			await open(page, "Connections");
			await page.getByRole("button", { name: "Connect M-Pesa" }).click();
			const dialog = page.getByRole("dialog");
			await fillMpesa(dialog);
			await sound("connect");
			await dialog.getByRole("button", { name: "Connect", exact: true }).click();
			await page.getByText("Shortcode 600997, sandbox").waitFor();
			await page.getByRole("button", { name: "Check M-Pesa" }).click();
			await page.getByText(/Credentials: /).waitFor();
		},
		async keys(hands) {
			await disconnect();
			await hands.press("g", "n");
			await hands.page.getByRole("button", { name: "Connect M-Pesa" }).waitFor();
			await hands.tabTo(/^Connect M-Pesa$/);
			await hands.press("Enter");
			await hands.page.getByRole("dialog").getByLabel("Environment").waitFor();
			await hands.type("S");
			await hands.press("Tab");
			await hands.type("600997");
			for (const copied of ["key", "secret", "", "testapi", "c2VjcmV0"]) {
				await hands.press("Tab");
				if (copied) await hands.paste(copied);
			}
			await hands.press("Enter");
			await hands.page.getByText("Shortcode 600997, sandbox").waitFor();
			await hands.tabTo(/^Check M-Pesa$/);
			await hands.press("Enter");
			await hands.page.getByText(/Credentials: /).waitFor();
			await disconnect();
		},
	});

	task("10. the month is closed: what was owed at its end, and what moved it", at, {
		async clicks({ page, sound }) {
			const end = monthEnd(world().closed);
			await open(page, "Ledger");
			await page.getByLabel("Closed day").fill(end);
			await page.getByText(/^At the end of/).waitFor();
			const sum = page.getByRole("table", { name: "Trial balance in KES" }).locator("tfoot");
			const [debit, credit] = await sum.locator("td.right").allTextContents();
			expect([debit, Number(credit?.replaceAll(",", ""))]).toEqual([credit, expect.any(Number)]);
			await sound("trial-balance");
			await open(page, "Portfolio");
			await page
				.getByText(/^What moved it/)
				.first()
				.click();
			await page.getByRole("row").filter({ hasText: "Repaid" }).first().waitFor();
			await sound("portfolio");
		},
		async keys(hands) {
			const end = monthEnd(world().closed);
			const [year, month, day] = end.split("-") as [string, string, string];
			await hands.press("g", "q");
			await hands.page.getByRole("table", { name: "Trial balance in KES" }).waitFor();
			await hands.tabTo(/^Closed day$/);
			await hands.type(`${month}${day}${year}`);
			await hands.page.waitForURL(new RegExp(`on=${end}`));
			await hands.page.getByText(/^At the end of/).waitFor();
		},
	});

	task("11. the books are exported for the general ledger", at, {
		async clicks({ page }) {
			await open(page, "Ledger");
			const journal = page.getByRole("region", { name: "Journal" });
			const lines = await savedBy(page, () => journal.getByRole("button", { name: "Save as CSV" }).click());
			const head = (lines[0] ?? "").split(",");
			const sum = (column: string) =>
				lines.slice(1).reduce((total, line) => total + Math.round(Number(line.split(",")[head.indexOf(column)]) * 100), 0);
			expect(lines.length).toBeGreaterThan(20);
			expect(sum("debit")).toBe(sum("credit"));
			expect(sum("debit")).toBeGreaterThan(0);
		},
		async keys(hands) {
			await hands.press("g", "q");
			await hands.page.getByRole("table", { name: "Trial balance in KES" }).waitFor();
			await settled(hands.page);
			// From the last row that leads somewhere.
			await hands.press("k");
			const lines = await savedBy(hands.page, async () => {
				await hands.tabTo(/^Save as CSV$/);
				await hands.press("Enter");
			});
			expect(lines[0]).toContain("debit");
		},
	});
}
