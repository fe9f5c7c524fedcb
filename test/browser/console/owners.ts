// Each list names who looks after what waits in it, and what nobody looks after is taken there. In the world of `day.test.ts`.

import { expect, it } from "vitest";
import { userOf } from "../../../src/dev/own-service.ts";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import type { DayWorld } from "./day-world.ts";
import { open } from "./hands.ts";
import { SLUG, settled, signIn, to } from "./support.ts";
import { pay } from "./world.ts";

export function itsOwners(world: () => DayWorld): void {
	it.each([DESK, PHONE])("what waits is taken in its own list, and names who took it, at $width px", { timeout: 120_000 }, async (view) => {
		const { at, operator, owner, organizationId, borrowers } = world();
		const receipt = `OWN${view.width}`;
		await pay(operator, organizationId, { account_number: `nobody ${view.width}` }, 90_000, receipt);
		const waiting = await (await userOf({ url: at }, `waits.${view.width}`, SLUG)).getMe();
		if (waiting.kind !== "USER") throw new Error("not a user");
		const block = { approval_type: "BLOCK_CHANGE", entity_type: "USER", payload: { blocked: true } } as const;
		const borrower = borrowers[view === DESK ? 6 : 7];
		await operator.requestApproval({ organization: organizationId, body: { ...block, entity_id: borrower?.userId ?? "" } });
		await visit(
			"/console",
			view,
			async ({ page, faults, picture }) => {
				await signIn(page);
				await open(page, "Payments");
				const payment = page.getByRole("row").filter({ hasText: receipt });
				if (view === DESK) {
					const asked: string[] = [];
					page.on("request", (request) => void asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
					await to(page, "/users?status=WAITING_LIST");
					const row = page.getByRole("row").filter({ hasText: waiting.tag });
					await row.getByRole("button", { name: `Take ${waiting.tag}` }).click();
					await row.getByRole("cell", { name: "you", exact: true }).waitFor();
					await to(page, "/payments");
					await payment.getByRole("button", { name: `Take ${receipt}` }).waitFor();
					await settled(page);
					asked.length = 0;
					await payment.getByRole("button", { name: `Take ${receipt}` }).click();
					await payment.getByRole("cell", { name: "you", exact: true }).waitFor();
					expect(asked.filter((line) => line === "GET /v1/collections/owners")).toHaveLength(1);
				} else {
					const { data } = await owner.listOwnedWork({ query: { kind: "PAYMENT", owner: "NONE" } });
					const me = await owner.getMe();
					for (const { id } of data)
						await owner.assignWork({ path: { subjectId: id }, body: { kind: "PAYMENT", owner_id: me.kind === "USER" ? me.id : null } });
					await page.reload();
					await signIn(page);
					await to(page, "/payments");
					await payment.getByText("Looked after by you").waitFor();
				}
				await settled(page);
				expect(await faults()).toEqual([]);
				await picture("day-owners");
				await to(page, "/approvals");
				const card = page.getByRole("listitem").filter({ hasText: borrower?.name ?? "" });
				await card.getByRole("button", { name: "Take Block a user" }).click();
				await card.locator("dl > div", { hasText: "Looked after by" }).getByText("you", { exact: true }).waitFor();
				await settled(page);
				expect(await faults()).toEqual([]);
			},
			{ at, expected: MOVES },
		);
	});

	it("a payment for which the payer wrote a name is offered that borrower's loan at once", { timeout: 120_000 }, async () => {
		const { at, operator, organizationId } = world();
		await pay(operator, organizationId, { account_number: "Chebet" }, 45_000, "BYNAME1");
		await visit(
			"/console",
			DESK,
			async ({ page }) => {
				await signIn(page);
				await open(page, "Payments");
				await page.getByRole("button", { name: "Match BYNAME1" }).click();
				await page.getByRole("radio", { name: /Chebet Kiptoo/ }).waitFor();
				await page.getByRole("button", { name: /^Post 450\.00 KES to/ }).click();
				await page.getByText("450.00 KES (BYNAME1) is posted").waitFor();
			},
			{ at, expected: MOVES },
		);
	});

	it("a borrower is found on the page Users by their number as they say it, and by their name", { timeout: 120_000 }, () =>
		visit(
			"/console",
			DESK,
			async ({ page }) => {
				await signIn(page);
				await open(page, "Users");
				const field = page.getByLabel("Name, mobile number, @tag or account number");
				for (const said of ["0712 000 101", "akinyi", world().borrowers[1]?.number ?? ""]) {
					await field.fill(said);
					await page.getByRole("button", { name: "Find", exact: true }).last().click();
					await page.getByText(`Found by ${said}.`).waitFor();
					await page.locator(".row-link").filter({ hasText: "Akinyi Atieno" }).waitFor();
					expect(await page.locator("tbody tr").count()).toBe(1);
				}
				await field.fill("0799 999 999");
				await page.getByRole("button", { name: "Find", exact: true }).last().click();
				await page.getByText("Nobody is found by this").waitFor();
				await settled(page);
			},
			{ at: world().at, expected: MOVES },
		),
	);
}
