// What is decided about an account, and who joins: nothing blind, and by clicks alone. In the world of `staff.test.ts`.

import { expect, inject, it } from "vitest";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { changed, focused, pressUntil, SLUG, settled, signIn, tabTo, to } from "./support.ts";
import { pay, person, type World } from "./world.ts";

/** Whether the choice shows only a part of what is chosen, next to the arrow. */
function isCut(select: HTMLElement | SVGElement): boolean {
	const { font, paddingLeft } = getComputedStyle(select);
	const pen = document.createElement("canvas").getContext("2d");
	if (!pen) throw new Error("nothing measures a text");
	pen.font = font;
	const chosen = (select as HTMLSelectElement).selectedOptions[0]?.text ?? "";
	return pen.measureText(chosen).width > select.clientWidth - 2 * Number.parseFloat(paddingLeft);
}

export function itsDecisions(world: () => World): void {
	it.each([PHONE, DESK])("proposes to waive the penalty alone, and says what is owed before and after, at $width px", (view) =>
		visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				const path = { accountId: world().account.id };
				const [first] = (await world().operator.listInstallments({ path })).data;
				type Rows = { data: { id: string; status: string; penalty: number; outstanding: number }[] };
				await page.route(
					/\/installments\?/,
					changed((body: Rows) => ({
						...body,
						data: body.data.map((row) => (row.id === first?.id ? { ...row, status: "OVERDUE", penalty: 22_208 } : row)),
					})),
				);
				type Explained = { lines: object[] };
				const penalty = {
					component: "PENALTY",
					installment_id: first?.id,
					amount: 22_208,
					rule: "PENALTY_CHARGED",
					inputs: { date: "2026-03-06", number: 1, base: 222_080, rate_basis_points: 1_000 },
					transaction_id: null,
				};
				await page.route(
					/\/explain$/,
					changed((body: Explained) => ({ ...body, lines: [...body.lines, penalty] })),
				);
				await signIn(page, "Owner of an organization");
				await to(page, `/accounts/${world().account.id}`);
				await page.getByRole("heading", { name: "Loan of Njeri Kariuki" }).waitFor();
				await page.getByRole("button", { name: "Waive" }).click();
				expect(await page.getByLabel("Amount, KES").inputValue()).toBe("222.08");
				expect(await page.getByRole("dialog").getByLabel("Installment").evaluate(isCut)).toBe(false);
				const row = page.getByRole("dialog").getByRole("row").filter({ hasText: "Penalty" });
				expect(await row.getByRole("cell").allTextContents()).toEqual(["Penalty", "222.08", "0.00"]);
				expect(await faults()).toEqual([]);
				await picture("console-waive");
				await page.getByLabel("Amount, KES").fill("9999999");
				expect(await page.getByRole("button", { name: "Ask for approval" }).isDisabled()).toBe(true);
				await page.getByLabel("Amount to waive").selectOption("penalty");
				await page.getByLabel("Reason").fill("Paid at the counter in time");
				if (view === PHONE) return;
				await page.getByRole("button", { name: "Ask for approval" }).click();
				await page.getByText("It waits among the").waitFor();
				await to(page, "/approvals");
				const card = page.getByRole("listitem").filter({ hasText: "Waive 222.08 KES" });
				await card.getByText("Njeri Kariuki").waitFor();
				await card.getByText("Paid at the counter in time").waitFor();
				const owed = async (name: string) =>
					Number(
						(
							await card
								.locator("dl > div", { has: page.getByText(name, { exact: true }) })
								.locator("dd")
								.innerText()
						).replace(/[^\d.]/g, ""),
					);
				expect((await owed("Before")) - (await owed("After"))).toBeCloseTo(222.08);
			},
			{ expected: MOVES },
		),
	);

	it("tells requests of one kind apart by whom they are about, and reads what a page names in one request for each kind", () =>
		visit(
			"/console",
			DESK,
			async ({ page, faults }) => {
				const { operator, organization, account } = world();
				for (const name of ["Wambui Kamau", "Otieno Okoth"]) {
					const { id } = await person(inject("baseUrl"), operator, name.toLowerCase().replace(" ", "."), name);
					const block = { approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: id, payload: { blocked: true } } as const;
					await operator.requestApproval({ organization: organization.id, body: { ...block, reason: "Two chargebacks" } });
				}
				const asked = new Set<string>();
				page.on("request", (request) => {
					const { pathname, search } = new URL(request.url());
					if (/^\/v1\/(accounts|approvals|platform\/users)\b/.test(pathname)) asked.add(pathname + search);
				});
				const paths = () => [...asked].map((one) => one.split("?")[0]).sort();
				const OF_EACH_KIND = ["/v1/accounts", "/v1/approvals", "/v1/platform/users"];
				await signIn(page, "Owner of an organization");
				await settled(page);
				asked.clear();
				await to(page, "/approvals");
				for (const name of ["Wambui Kamau", "Otieno Okoth"])
					await page.getByRole("button", { name: new RegExp(`^Approve: Block a user, ${name}`) }).waitFor();
				await settled(page);
				expect(paths()).toEqual(OF_EACH_KIND);
				expect(await faults()).toEqual([]);
				// What another page has just read is not asked for again.
				await page.goto("/console");
				await signIn(page, "Owner of an organization");
				await settled(page);
				asked.clear();
				await pay(operator, organization.id, { account_number: account.number }, 12_345, "SKRTYZJ0009");
				await to(page, "/audit");
				await page.getByText(`Record a payment of 123.45 KES on ${account.number} (Njeri Kariuki)`).waitFor();
				await page.getByText("Asked: block a user: Wambui Kamau").waitFor();
				await settled(page);
				expect(paths()).toEqual(OF_EACH_KIND);
			},
			{ expected: MOVES },
		));

	it("lets an invited colleague join by clicks", () =>
		visit(
			"/console",
			DESK,
			async ({ page, sound }) => {
				const [mail] = (await world().operator.listMessages({ query: { recipient: "achieng@example.com" } })).data;
				const link = /https?:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
				const { token } = await world().operator.createSandboxToken({
					body: {
						kind: "partner",
						subject: "achieng.odhiambo",
						organization: SLUG,
						claims: { email: "achieng@example.com", email_verified: true },
					},
				});
				await page.goto("about:blank");
				await page.goto(link);
				await page.getByText("You are invited to join an organization.").waitFor();
				await page.getByText("With a partner’s token").click();
				await page.getByLabel("Token").fill(token);
				await page.getByRole("button", { name: "Sign in" }).last().click();
				await page.getByRole("button", { name: "Accept the invitation" }).waitFor();
				await sound("console-join");
				await page.getByRole("button", { name: "Accept the invitation" }).click();
				await page.getByRole("heading", { name: "Welcome to Umoja Savings" }).waitFor();
				expect(page.url()).not.toContain("inv_");
				await page.getByRole("link", { name: "Begin" }).click();
				await page.getByRole("heading", { name: "Home" }).waitFor();
				await page.getByText(/payments have no account/).waitFor();
				await page.getByText(/approvals? waits? for a decision/).waitFor();
			},
			{ expected: MOVES },
		));

	it("finds a borrower by their name and an account by its number as it is said, by keyboard alone", () =>
		visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await signIn(page, "Owner of an organization");
				await pressUntil(page, ["Control+k"], page.locator("dialog input:focus"));
				await page.keyboard.type("kariuki");
				const hit = page.locator("dialog [role=option]", { hasText: "Njeri Kariuki" });
				await hit.waitFor();
				expect(await faults()).toEqual([]);
				await picture("console-search");
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: "Njeri Kariuki" }).waitFor();
				await pressUntil(page, ["Control+k"], page.locator("dialog input:focus"));
				const { number } = world().account;
				await page.keyboard.type(`${number.slice(0, 4)} ${number.slice(4)}`);
				await page.locator("dialog [role=option]", { hasText: number }).waitFor();
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: "Loan of Njeri Kariuki" }).waitFor();
			},
			{ expected: MOVES },
		));

	it("lets an approval be decided by keyboard alone, which names its object", () =>
		visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await signIn(page, "Owner of an organization");
				const title = "Write an account off";
				await pressUntil(page, ["g", "a"], page.getByRole("heading", { name: title, exact: true }));
				await page.getByText("No interest and no penalties are charged any more").waitFor();
				await page.getByText("An operator decides this.").waitFor();
				await tabTo(page, new RegExp(`^Approve: ${title}, account ${world().account.number}, Njeri Kariuki`));
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: `Approve: ${title}?` }).waitFor();
				await focused(page, /^Cancel$/);
				const told = await page.getByRole("dialog").textContent();
				for (const text of [
					world().account.number,
					"Njeri Kariuki",
					"KES owed, and nothing is charged on it",
					"The borrower has left the country",
				])
					expect(told).toContain(text);
				expect(await faults()).toEqual([]);
				await picture("console-approval");
				await page.keyboard.press("Tab");
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: title, exact: true }).waitFor({ state: "detached" });
				const done = page.getByRole("status").filter({ hasText: `Approved: ${title}` });
				await done.getByRole("link", { name: world().account.number }).waitFor();
				const account = await world().operator.getAccount({ path: { accountId: world().account.id } });
				expect(account.status).toBe("WRITTEN_OFF");
				// No installment is to come any more.
				await page.reload();
				await signIn(page, "Platform operator");
				await to(page, `/accounts/${world().account.id}`);
				await page.getByRole("button", { name: "Record a payment" }).waitFor();
				expect(await page.getByRole("button", { name: /^(Reschedule|Write off)$/ }).count()).toBe(0);
			},
			{ expected: MOVES },
		));
}
