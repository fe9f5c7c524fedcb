// A lender's daily work by clicks and keys alone: payments, dates, connections, products, tables. In the world of `staff.test.ts`.

import { expect, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { fillMpesa, focused, ownerOf, savedBy, signIn, tabTo, to } from "./support.ts";
import type { World } from "./world.ts";

/** An organization without a connection has none to be read. */
const expected = new RegExp(`status of 404|${MOVES.source}`);

export function itsDesk(world: () => World): void {
	it.each([PHONE, DESK])("records a payment by keyboard alone, and saves what was paid as a table, at $width px", (view) =>
		visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				const receipt = `BANK-${Date.now()}`;
				await signIn(page, "Owner of an organization");
				await to(page, `/accounts/${world().account.id}?tab=transactions`);
				await page.getByRole("button", { name: "Record a payment" }).waitFor();
				await tabTo(page, /^Record a payment$/);
				await page.keyboard.press("Enter");
				await page.getByRole("dialog").getByLabel("Amount, KES").waitFor();
				expect(await faults()).toEqual([]);
				await picture("console-record-payment");
				for (const [label, text] of [
					["Amount, KES", "1500.50"],
					["Receipt or reference", receipt],
					["Bank", "KCB"],
				] as const) {
					await page.getByLabel(label, { exact: true }).focus();
					await page.keyboard.type(text);
				}
				await page.keyboard.press("Enter");
				await page.getByText("1,500.50 KES is posted.").waitFor();
				await focused(page, "Record a payment");
				await page.getByText(receipt).waitFor();
				const [head = "", ...lines] = await savedBy(page, () => page.getByRole("button", { name: "Save as CSV" }).click());
				const amount = head.split(",").indexOf("transaction.amount.value");
				expect(lines.find((line) => line.includes(receipt))?.split(",")[amount]).toBe("1500.50");
				expect(await faults()).toEqual([]);
			},
			{ expected },
		),
	);

	it("shows what becomes of the installments before they are rescheduled", () =>
		visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				const account = { accountId: world().account.id };
				const dates = async () => (await world().operator.listInstallments({ path: account })).data.map(({ due_date }) => due_date);
				const before = await dates();
				await signIn(page, "Platform operator");
				await to(page, `/accounts/${account.accountId}`);
				await page.getByRole("button", { name: "Reschedule" }).click();
				const dialog = page.getByRole("dialog");
				await dialog.getByLabel("What").selectOption("EXTEND");
				await dialog.getByLabel("Installments").fill("2");
				await dialog.getByLabel("Reason").fill("The harvest is late");
				// Two more, which were not there before.
				await dialog.getByRole("row").filter({ hasText: "–" }).nth(1).waitFor();
				expect(await faults()).toEqual([]);
				await picture("console-reschedule");
				expect(await dates()).toEqual(before);
				await page.keyboard.press("Escape");
				await focused(page, "Reschedule");
			},
			{ expected },
		));

	it("connects M-Pesa step by step, and says what its check is waiting for", () =>
		visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await signIn(page, "Owner of an organization");
				await to(page, "/connections");
				await page.getByRole("button", { name: "Connect M-Pesa" }).click();
				const dialog = page.getByRole("dialog");
				await fillMpesa(dialog);
				expect(await faults()).toEqual([]);
				await picture("console-connect");
				await dialog.getByRole("button", { name: "Connect", exact: true }).click();
				await page.getByText("Shortcode 600997, sandbox").waitFor();
				await page.getByRole("button", { name: "Check M-Pesa" }).click();
				await page.getByText(/Credentials: /).waitFor();
				expect(await page.content()).not.toContain("c2VjcmV0");
				expect(await faults()).toEqual([]);
				await picture("console-connections");
				await page.getByRole("button", { name: "Disconnect M-Pesa" }).click();
				await page.getByRole("button", { name: "Disconnect", exact: true }).click();
				await page.getByRole("button", { name: "Connect M-Pesa" }).waitFor();
			},
			{ expected },
		));

	it.each([PHONE, DESK])("makes a product next to what a loan of it costs, at $width px", (view) =>
		visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				const name = `Harvest ${view.width}`;
				await signIn(page, "Owner of an organization");
				await to(page, "/products");
				await page.getByRole("link", { name: "New product" }).click();
				await page.getByLabel("Name", { exact: true }).fill(name);
				await page.getByLabel("Length", { exact: true }).fill("90");
				const table = page.getByRole("table");
				await table.getByRole("row").nth(4).waitFor();
				await page.getByLabel("Fee on what is drawn, %").fill("2");
				await page.getByLabel("The fee is income").selectOption("OVER_LIFE");
				const total = () => table.locator("tfoot td").last().textContent();
				const before = await total();
				await page.getByLabel("Interest, %").fill("7.5");
				await expect.poll(total).not.toBe(before);
				expect(await faults()).toEqual([]);
				await picture("console-new-product");
				const shown = await total();
				await page.getByRole("button", { name: "Make the product" }).click();
				await page.getByRole("heading", { name }).waitFor();
				const made = (await world().operator.listLoanProducts({ query: { organization_id: world().organization.id } })).data;
				const product = made.find((one) => one.name === name);
				expect(product?.access_fee_recognition).toBe("OVER_LIFE");
				const quote = await world().operator.quoteLoan({
					body: { loan_product_id: product?.id ?? "", loan_amount: product?.max_loan_amount ?? 0 },
				});
				expect(Number(shown?.replaceAll(",", "")) * 100).toBe(quote.total_due);
			},
			{ expected },
		),
	);

	it("asks before a key that nobody has copied is closed, and says in the audit trail who made it and what was decided", () =>
		visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await signIn(page, "Owner of an organization");
				await to(page, "/keys");
				await page.getByRole("button", { name: "Make a key" }).click();
				await page.getByLabel("Name", { exact: true }).fill("Collections");
				await page.getByLabel("Record payments").check();
				await page.getByRole("button", { name: "Make the key" }).click();
				await page.getByRole("heading", { name: "Collections is made" }).waitFor();
				await page.keyboard.press("Escape");
				await page.getByText("You have not copied it.").waitFor();
				expect(await faults()).toEqual([]);
				await page.getByRole("button", { name: "Close without a copy" }).click();
				const { id } = await world()
					.operator.requestApproval({
						organization: world().organization.id,
						body: { approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: world().borrower.id, payload: { blocked: true } },
					})
					.catch(async () => {
						const { data } = await world().operator.listApprovals({ query: { status: "PENDING", entity_id: world().borrower.id } });
						return data.find(({ approval_type }) => approval_type === "BLOCK_CHANGE") ?? { id: "" };
					});
				await (await ownerOf()).owner.decideApproval({ path: { id }, body: { decision: "REJECTED" } });
				await to(page, "/audit");
				await page.getByText("Rejected: block a user: Njeri Kariuki").first().waitFor();
				await page.getByLabel("What", { exact: true }).fill("make api key");
				await page.getByRole("button", { name: "Find", exact: true }).click();
				await page.getByRole("row").filter({ hasText: "Make API key" }).first().waitFor();
				expect(await page.getByRole("row").filter({ hasText: "Rejected" }).count()).toBe(0);
				expect(await faults()).toEqual([]);
				await picture("console-audit-found");
			},
			{ expected },
		));
}
