// What people do at the console with a real provider, in `local`: how they come in, stay in, leave and join; and each way in which a
// provider fails them, with its own sentence and a button that goes on.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { OPERATORS, STAFF } from "./provider.ts";
import { blockWindows, isIn, LABELS, type LocalStage, opened, type Stage, signIn, signInThere, way } from "./stage.ts";

const claimsOf = (token: string): Record<string, unknown> => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

/** The claims of the token that the page sends next. */
async function sentBy(page: Page, act: () => Promise<unknown>): Promise<Record<string, unknown>> {
	const request = page.waitForRequest((one) => one.url().includes("/v1/") && one.headers().authorization !== undefined);
	await act();
	return claimsOf((await request).headers().authorization?.replace("Bearer ", "") ?? "");
}

/** Waits for the sentence, and signs in by the button next to it once the cause has gone. */
async function goesOnAfter(page: Page, sentence: string, person: string): Promise<void> {
	await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
	for (const client of [OPERATORS, STAFF] as const) assert.equal(await way(page, client).isDisabled(), false, "a button stays dead");
	await signInThere(await opened(page, () => page.getByRole("button", { name: "Try again" }).click()), person);
	await isIn(page);
}

export const LOCAL: Readonly<Record<string, (stage: LocalStage) => Promise<void>>> = {
	async "signs in with a code and PKCE, by the ID token"({ open, provider }) {
		const page = await open();
		const sent = await sentBy(page, () => signIn(page, OPERATORS, "grace"));
		assert.equal(sent.sub, "grace");
		assert.equal(sent.aud, OPERATORS);
		const asked = provider.asked.at(-1);
		assert.equal(asked?.get("code_challenge_method"), "S256");
		assert.equal(asked?.get("response_type"), "code");
		assert.equal(sent.nonce, asked?.get("nonce"));
		assert.equal(await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }).length), 0);
	},

	async "renews with a refresh token that is good for one use"({ open, provider }) {
		provider.tokensLast = 65;
		const before = provider.granted.get("refresh_token") ?? 0;
		const page = await open();
		await signIn(page, OPERATORS, "grace");
		for (let waited = 0; (provider.granted.get("refresh_token") ?? 0) < before + 2; waited += 200) {
			assert.ok(waited < 30_000, "the console has not renewed twice");
			await page.waitForTimeout(200);
		}
		provider.tokensLast = 3600;
		await page.getByRole("link", { name: "Approvals" }).click();
		await page.getByRole("heading", { name: "Approvals" }).waitFor();
		assert.equal(await page.getByRole("alert").count(), 0);
	},

	async "takes the tokens of a fresh key at once, and those of the one before"({ open, provider }) {
		const before = await open();
		await signIn(before, OPERATORS, "grace");
		provider.rotate();
		const after = await open();
		await signIn(after, OPERATORS, "olga");
		await after.getByText("olga").waitFor();
		await before.getByRole("link", { name: "Approvals" }).click();
		await before.getByRole("heading", { name: "Approvals" }).waitFor();
		assert.equal(await before.getByRole("alert").count(), 0);
	},

	async "says that the person cancelled"({ open, picture }) {
		const page = await open();
		const popup = await opened(page, () => way(page, OPERATORS).click());
		await popup.getByRole("link", { name: "Cancel" }).click();
		await page.getByText("did not let you in, or you have cancelled").waitFor();
		await picture(page, "cancelled");
		await goesOnAfter(page, "Operators did not let you in, or you have cancelled.", "grace");
	},

	async "says that the provider does not let the page call it"({ open, picture, provider, service }) {
		const page = await open();
		provider.allowsPages = false;
		try {
			await signInThere(await opened(page, () => way(page, OPERATORS).click()), "grace");
			await page.getByText("(CORS)").waitFor();
			await picture(page, "no-cors");
		} finally {
			provider.allowsPages = true;
		}
		await page.getByRole("alert").filter({ hasText: service.url }).waitFor();
		// The provider's own session goes on, so nobody is asked again.
		await page.getByRole("button", { name: "Try again" }).click();
		await isIn(page);
	},

	async "says that the provider does not answer"({ open, picture, provider }) {
		const page = await open();
		provider.state = "SILENT";
		try {
			await way(page, OPERATORS).click();
			await page.getByText("does not answer").waitFor();
			await picture(page, "no-answer");
		} finally {
			provider.state = "ANSWERS";
		}
		await goesOnAfter(page, "Operators does not answer. Try again in a moment.", "grace");
	},

	async "says that the window was closed while a provider does not answer"({ open, provider }) {
		const page = await open();
		provider.state = "HANGING";
		try {
			const popup = await opened(page, () => way(page, OPERATORS).click());
			await popup.close();
			await page.getByText("The window was closed").waitFor({ timeout: 3_000 });
		} finally {
			provider.state = "ANSWERS";
		}
		await goesOnAfter(page, "The window was closed before you were signed in.", "grace");
	},

	async "says that the window was closed, by hand or by its button"({ open, picture }) {
		const page = await open();
		const popup = await opened(page, () => way(page, OPERATORS).click());
		await popup.getByText("Who are you?").waitFor();
		assert.equal(await popup.evaluate("window.opener"), null);
		// Longer than a closed window takes to be noticed.
		await page.waitForTimeout(3_000);
		await page.getByText("in the window that has opened").waitFor();
		await picture(page, "window-open");
		await popup.close();
		await page.getByText("The window was closed").waitFor({ timeout: 3_000 });
		await picture(page, "window-closed");
		const again = await opened(page, () => page.getByRole("button", { name: "Try again" }).click());
		await again.getByText("Who are you?").waitFor();
		await page.getByRole("button", { name: "Cancel" }).click();
		await goesOnAfter(page, "The window was closed before you were signed in.", "grace");
	},

	async "goes on after the provider's own page of an error"({ open, picture }) {
		const page = await open();
		const popup = await opened(page, () => way(page, "console-unknown").click());
		await popup.getByText("invalid_client").first().waitFor();
		await picture(popup, "provider-error");
		await popup.close();
		await page.getByText("The window was closed").waitFor({ timeout: 3_000 });
		await signIn(page, OPERATORS, "grace");
	},

	async "says that the browser blocked the window"({ open, picture, hasBlocker }) {
		const page = await open();
		// Longer after any click than a browser lets a page open windows. To look at the page meanwhile counts as one.
		await way(page, OPERATORS).evaluate((button: { click(): void }) => void setTimeout(() => button.click(), 6_000));
		const unblock = hasBlocker ? null : await blockWindows(page);
		await page.waitForTimeout(7_000);
		await page.getByText("The browser did not open a window").waitFor();
		await unblock?.();
		await picture(page, "window-blocked");
		await goesOnAfter(page, "Allow pop-up windows of this page, and try again.", "grace");
	},

	async "signs in who goes on in a window that looks closed"({ open, picture, provider }) {
		const page = await open();
		provider.cutsOff = true;
		try {
			const popup = await opened(page, () => way(page, OPERATORS).click());
			await page.getByText("If it is still open, go on there").waitFor();
			await picture(page, "window-cut-off");
			await signInThere(popup, "grace");
			await isIn(page);
		} finally {
			provider.cutsOff = false;
		}
	},

	async "asks who it is after a sign-out, also in a page that was loaded anew"({ open, provider }) {
		const page = await open();
		await signIn(page, OPERATORS, "grace");
		await page.getByRole("button", { name: "Sign out" }).click();
		await way(page, OPERATORS).waitFor();
		await page.reload();
		await signIn(page, OPERATORS, "olga");
		assert.equal(provider.asked.at(-1)?.get("prompt"), "login");
		await page.getByText("olga").waitFor();
		await page.reload();
		await way(page, OPERATORS).click();
		await isIn(page);
		assert.equal(provider.asked.at(-1)?.get("prompt"), null);
	},

	async "lets invited staff join: first with a wrong account, then with their own"({ open, operator, picture, provider }) {
		const { id: organizationId } = await operator.createOrganization({ body: { name: "Umoja Savings", slug: "umoja" } });
		const email = "amina@umoja.example";
		await operator.createInvitation({ path: { organizationId }, body: { email, role: "organization-viewer" } });
		const [mail] = (await operator.listMessages({ query: { recipient: email } })).data;
		const page = await open(/https?:\/\/\S+/.exec(mail?.text ?? "")?.[0]);
		await page.getByText(`Sign in with the account of ${email}`).waitFor();
		await picture(page, "invited");
		for (const [person, sentence] of [
			["ben", "The invitation is for another mail address"],
			["una", "does not say that its mail address is proven"],
			["nomail", "The token names no mail address"],
		] as const) {
			const popup = await opened(page, () =>
				person === "ben" ? way(page, STAFF).click() : page.getByRole("button", { name: "Try again" }).click(),
			);
			assert.equal(await popup.getByLabel("Name").inputValue(), email, "the provider is told whom to expect");
			await signInThere(popup, person);
			await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
			await picture(page, `joining-as-${person}`);
		}
		const popup = await opened(page, () => page.getByRole("button", { name: "Try again" }).click());
		assert.equal(provider.asked.at(-1)?.get("prompt"), "login");
		await signInThere(popup, "amina");
		await page.getByRole("button", { name: "Accept the invitation" }).click();
		await page.getByRole("heading", { name: "Welcome to Umoja Savings" }).waitFor();
		await picture(page, "joined");
	},

	async "tells a member whom an invitation is for, and lets them change the account"({ open, operator, picture }) {
		const [organization] = (await operator.listOrganizations()).data;
		const organizationId = organization?.id ?? "";
		const email = "otieno@umoja.example";
		await operator.createInvitation({ path: { organizationId }, body: { email, role: "organization-viewer" } });
		const [mail] = (await operator.listMessages({ query: { recipient: email } })).data;
		const page = await open(/https?:\/\/\S+/.exec(mail?.text ?? "")?.[0]);
		await signIn(page, STAFF, "amina");
		await page.getByRole("button", { name: "Accept the invitation" }).click();
		await page.getByText(`The invitation is for ${email}, and you signed in with another one.`).waitFor();
		await picture(page, "joining-as-member");
		await page.getByRole("button", { name: "Sign in with another account" }).click();
		await signInThere(await opened(page, () => way(page, STAFF).click()), "otieno");
		await page.getByRole("button", { name: "Accept the invitation" }).click();
		await page.getByRole("heading", { name: "Welcome to Umoja Savings" }).waitFor();
	},
};

/** Outside `local`, where operators work in pairs and much wants a sign-in of the last hour. */
export const OUTSIDE: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
	async "asks for a recent sign-in where one is wanted, and keeps what was typed"({ open, picture, provider }) {
		const page = await open();
		provider.signedInAgo = 7_200;
		await signIn(page, OPERATORS, "grace");
		provider.signedInAgo = 0;
		await page.getByRole("link", { name: "Members" }).click();
		await page.getByRole("button", { name: "Invite" }).click();
		await page.getByLabel("Mail address").fill("njeri@umoja.example");
		await page.getByLabel("Role").selectOption("Developer");
		await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
		await page.getByRole("heading", { name: "Sign in once more" }).waitFor();
		await picture(page, "once-more");
		assert.equal(await page.getByLabel("Mail address").inputValue(), "njeri@umoja.example");
		const popup = await opened(page, () => page.getByRole("button", { name: `Sign in at ${LABELS[OPERATORS]}` }).click());
		// Although the provider has a session of this person: it is of two hours ago.
		await signInThere(popup, "grace");
		await page.getByText("Another operator must approve this").waitFor();
		assert.equal(provider.asked.at(-1)?.get("max_age"), "3600");
		assert.equal(await page.getByLabel("Mail address").inputValue(), "njeri@umoja.example");
		await picture(page, "once-more-done");
	},

	async "keeps the chosen organization in a sign-in whose window looked closed"({ open, provider }) {
		const page = await open();
		provider.signedInAgo = 7_200;
		await signIn(page, OPERATORS, "olga");
		provider.signedInAgo = 0;
		await page.getByLabel("Organization", { exact: true }).selectOption("Umoja Savings");
		await page.getByRole("link", { name: "Members" }).click();
		await page.getByRole("button", { name: "Invite" }).click();
		await page.getByLabel("Mail address").fill("kamau@umoja.example");
		await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
		provider.cutsOff = true;
		try {
			const popup = await opened(page, () => page.getByRole("button", { name: `Sign in at ${LABELS[OPERATORS]}` }).click());
			await page.getByText("If it is still open, go on there").waitFor();
			await signInThere(popup, "olga");
		} finally {
			provider.cutsOff = false;
		}
		await page.getByText("Another operator must approve this").waitFor();
		const chosen = page.getByLabel("Organization", { exact: true }).locator("option:checked");
		assert.equal(await chosen.textContent(), "Umoja Savings");
	},
};
