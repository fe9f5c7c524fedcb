// What a person may ask for: an operator saves what is held about them, and erases them, in two dialogs on their page.

import { text } from "node:stream/consumers";
import { beforeAll, expect, inject, it } from "vitest";
import type { Api } from "../../../client/src/index.ts";
import { userOf } from "../../../src/dev/own-service.ts";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { SLUG, signIn, to } from "./support.ts";
import { makeLending, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await makeLending(inject("baseUrl"), "Zawadi Chebet");
});

const NAME = "Wanjiru Plantagenet";

/** Somebody who has named themselves, and has no money here. */
async function givenPerson(): Promise<{ readonly id: string; readonly api: Api; readonly tag: string }> {
	const api = await userOf({ url: inject("baseUrl") }, `person-${crypto.randomUUID()}`, SLUG);
	const me = await api.getMe();
	if (me.kind !== "USER") throw new Error("not a user");
	await world.operator.admitUser({ path: { userId: me.id } });
	await api.updateMe({ body: { display_name: NAME } });
	const { tag } = await world.operator.getUser({ path: { userId: me.id } });
	return { id: me.id, api, tag };
}

it.each([DESK, PHONE])("lets an operator save what is held about a person, at $width px", (view) =>
	visit(
		"/console",
		view,
		async ({ page, faults }) => {
			const { id } = await givenPerson();
			await signIn(page, "Platform operator");
			await to(page, `/users/${id}`);
			await page.getByRole("button", { name: "Export" }).click();
			const dialog = page.getByRole("dialog", { name: `Save what is held about ${NAME}?` });
			await dialog.waitFor();
			expect(await faults()).toEqual([]);
			const [file] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Save" }).click()]);
			expect(file.suggestedFilename()).toBe(`${id}.ndjson`);
			const lines = (await text(await file.createReadStream())).trimEnd().split("\n");
			expect(lines.map((line) => JSON.parse(line))).toContainEqual({
				kind: "users",
				content: expect.objectContaining({ id, display_name: NAME }),
			});
			await dialog.waitFor({ state: "detached" });
			const { data } = await world.operator.listAudit({ query: { operation: "exportUser" } });
			expect(data.some(({ entity_id }) => entity_id === id)).toBe(true);
		},
		{ expected: MOVES },
	),
);

it("erases a person only once their tag was typed, and then nobody sees who it was", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			const { id, api, tag } = await givenPerson();
			await signIn(page, "Platform operator");
			await to(page, `/users/${id}`);
			await page.getByRole("button", { name: "Erase" }).click();
			const dialog = page.getByRole("dialog", { name: `Erase ${NAME}?` });
			const erase = dialog.getByRole("button", { name: "Erase" });
			await dialog.getByLabel("Their tag").fill("@somebody-else");
			expect(await erase.isDisabled()).toBe(true);
			await dialog.getByLabel("Their tag").fill(tag);
			expect(await faults()).toEqual([]);
			await erase.click();
			await dialog.waitFor({ state: "detached" });
			await expect.poll(() => page.locator("main").textContent()).not.toContain(NAME);
			expect(await world.operator.getErasure({ path: { userId: id } })).toMatchObject({ user_id: id, status: "RUNNING" });
			await expect(api.updateMe({ body: { display_name: NAME } })).rejects.toThrow();
		},
		{ expected: MOVES },
	));

it("says in the dialog why a person cannot be erased yet", () =>
	visit(
		"/console",
		DESK,
		async ({ page, faults }) => {
			const { tag, display_name } = await world.operator.getUser({ path: { userId: world.borrower.id } });
			await signIn(page, "Platform operator");
			await to(page, `/users/${world.borrower.id}`);
			await page.getByRole("button", { name: "Erase" }).click();
			const dialog = page.getByRole("dialog", { name: `Erase ${display_name}?` });
			await dialog.getByLabel("Their tag").fill(tag);
			await dialog.getByRole("button", { name: "Erase" }).click();
			await dialog.getByText("a loan account is open or overpaid").waitFor();
			expect(await faults()).toEqual([]);
			await dialog.getByRole("button", { name: "Cancel" }).click();
			expect(await world.operator.getUser({ path: { userId: world.borrower.id } })).toMatchObject({ display_name });
		},
		{ expected: /status of 409|^the layout shifts/ },
	));
