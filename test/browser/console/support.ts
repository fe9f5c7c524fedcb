// What the tests of the console share: signing in, and an organization with endpoints in every state.

import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator, Page, Route } from "playwright-core";
import { inject } from "vitest";
import { type Api, createClient } from "../../../client/src/index.ts";
import { operatorOf, signsIn } from "../../../src/dev/own-service.ts";
import { type Receiver, startReceiver } from "../../../src/dev/receiver.ts";

export type Who = "Platform operator" | "Owner of an organization" | "Borrower";

/** One click on the page of the sign-in. */
export async function signIn(page: Page, who: Who = "Owner of an organization"): Promise<void> {
	await page.getByRole("button", { name: who }).click();
	await page.locator(".shell main h1").waitFor();
}

/** All that the page shows first has been read. */
export async function settled(page: Page): Promise<void> {
	await page.locator(".shell main h1").waitFor();
	await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
}

/** Another page, without reloading the document. */
export async function to(page: Page, path: string): Promise<void> {
	await page.evaluate((address) => {
		history.pushState(null, "", `/console${address}`);
		dispatchEvent(new PopStateEvent("popstate"));
	}, path);
}

/** Signs in, and loads pages one after the other: another tab keeps the session meanwhile. At its end both are signed out. */
export async function tour(page: Page, who: Who, paths: readonly string[], then: (path: string) => Promise<void>): Promise<void> {
	const keeper = await page.context().newPage();
	await keeper.goto("/console");
	await signIn(keeper, who);
	// What is in the background draws once a second.
	await page.bringToFront();
	for (const path of paths) {
		await page.goto(`/console${path}`);
		await settled(page);
		await then(path);
	}
	await keeper.locator("button", { hasText: "Sign out" }).evaluate((button: HTMLElement) => button.click());
	await page.getByText("Start at once").waitFor();
	await keeper.close();
}

/** Presses Tab until the focus is on what is called so, as somebody without a pointer does. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
	await page.getByRole("button", { name }).or(page.getByRole("link", { name })).first().waitFor();
	for (let pressed = 0; pressed < 120; pressed++) {
		await page.keyboard.press("Tab");
		const found = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
		if (name.test(found?.trim() ?? "")) return;
	}
	throw new Error(`Tab does not lead to ${name}`);
}

/** Waits until what has the focus says so. */
export const focused = (page: Page, text: string | RegExp): Promise<void> => page.locator(":focus").filter({ hasText: text }).waitFor();

/** Presses the keys until what they lead to is there: as people do, again where the page did not listen yet. */
export async function pressUntil(page: Page, keys: readonly string[], there: Locator): Promise<void> {
	for (let tried = 0; tried < 5; tried++) {
		for (const key of keys) await page.keyboard.press(key);
		const isThere = await there.waitFor({ timeout: 3_000 }).then(
			() => true,
			() => false,
		);
		if (isThere) return;
	}
	throw new Error(`${keys.join(" ")} does not lead there`);
}

/** The text of the file that this saves. */
export async function fileSavedBy(page: Page, save: () => Promise<unknown>): Promise<string> {
	const [saved] = await Promise.all([page.waitForEvent("download"), save()]);
	const file = path.join(mkdtempSync(path.join(tmpdir(), "saved-")), "file");
	await saved.saveAs(file);
	return readFile(file, "utf8");
}

/** The same, as lines. */
export const savedBy = async (page: Page, save: () => Promise<unknown>): Promise<string[]> =>
	(await fileSavedBy(page, save)).replace("\ufeff", "").trimEnd().split("\r\n");

/** In the dialog that connects M-Pesa: credentials that the sandbox takes. */
export async function fillMpesa(dialog: Locator): Promise<void> {
	await dialog.getByLabel("Environment").selectOption("sandbox");
	for (const [label, text] of [
		["Shortcode", "600997"],
		["Consumer key", "key"],
		["Consumer secret", "secret"],
		["Initiator's name", "testapi"],
		["Security credential", "c2VjcmV0"],
	] as const) {
		await dialog.getByLabel(label, { exact: true }).fill(text);
	}
}

/** Answers with what the service says, changed. */
export const changed =
	<Body>(change: (body: Body) => unknown) =>
	async (route: Route): Promise<void> => {
		// Not what has not changed: that has no body to change.
		const { "if-none-match": _, ...headers } = route.request().headers();
		const response = await route.fetch({ headers });
		await route.fulfill({ response, json: change((await response.json()) as Body) });
	};

export const HOSTILE = '<img src="x" onerror="document.title=\'ran\'">';

export interface Story {
	readonly organizationId: string;
	readonly owner: Api;
	/** Took everything. */
	readonly good: string;
	/** Answered 410, and is suspended. */
	readonly gone: string;
	readonly goneReceiver: Receiver;
	/** Of the good one. */
	readonly deliveryId: string;
	readonly eventId: string;
	/** Of the other. */
	readonly failedId: string;
	end(): Promise<void>;
}

const COLOURS = ["#0f5132", "#123456", "#654321"];

/** Something happens in the organization: an event. */
export const happen = (owner: Api, organizationId: string, colour: string) =>
	owner.putBrand({ path: { organizationId }, body: { primary_color: colour, secondary_color: "#f2b705" } });

/** The organization of the first look. */
export const SLUG = "umoja-savings";

/** The owner of the first look, so that one click shows what is theirs. Two files may make them at once. */
export async function ownerOf(baseUrl = inject("baseUrl")): Promise<{ readonly owner: Api; readonly organizationId: string }> {
	const operator = await operatorOf({ url: baseUrl }, "amina.otieno");
	await operator.createOrganization({ body: { name: "Umoja Savings", slug: SLUG } }).catch(() => {});
	// A file's tests may take longer than a token lasts.
	const token = signsIn(baseUrl, "wanjiru.maina", SLUG);
	const me = await createClient({ baseUrl, token }).getMe();
	if (me.kind !== "USER" || !me.home_organization) throw new Error("the owner has no home");
	const { id: organizationId } = me.home_organization;
	await operator.admitUser({ path: { userId: me.id } }).catch(() => {});
	await operator.addMember({ path: { organizationId }, body: { user_id: me.id, role: "organization-owner" } }).catch(() => {});
	return { owner: createClient({ baseUrl, token, organization: organizationId }), organizationId };
}

/** By the names of its endpoints, of which each file has its own. */
export async function tellStory(names: { readonly good: string; readonly gone: string }): Promise<Story> {
	const { owner, organizationId } = await ownerOf();
	const [receiver, goneReceiver] = await Promise.all([
		startReceiver({ responseBody: `{"said":"${HOSTILE.replaceAll('"', "'")}"}` }),
		startReceiver({ failures: 1, failStatus: 410, responseBody: HOSTILE }),
	]);
	const register = async (name: string, description: string, { url, behaviour }: Receiver): Promise<string> => {
		const { id, signing_keys } = await owner.createWebhook({
			body: { name, description, url: `${url}/hooks`, events: ["branding.updated"] },
		});
		behaviour.secrets = [signing_keys[0]?.secret ?? ""];
		return id;
	};
	const good = await register(names.good, HOSTILE, receiver);
	const gone = await register(names.gone, "Collections", goneReceiver);
	for (const colour of COLOURS) await happen(owner, organizationId, colour);
	/** The latest that was delivered, or of which an attempt has failed. */
	const latest = async (webhook_id: string, delivered: boolean) => {
		for (;;) {
			const { data } = await owner.listDeliveries({ query: { webhook_id } });
			for (const { id, status } of data.filter((one) => (one.status === "DELIVERED") === delivered)) {
				const found = await owner.getDelivery({ path: { id } });
				const failed = found.attempt_log.some(({ outcome }) => outcome !== null && outcome !== "DELIVERED");
				if (status === "DELIVERED" || failed) return found;
			}
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	};
	const [delivery, failed] = await Promise.all([latest(good, true), latest(gone, false)]);
	return {
		organizationId,
		owner,
		good,
		gone,
		goneReceiver,
		deliveryId: delivery.id,
		eventId: delivery.event_id,
		failedId: failed.id,
		end: async () => {
			await Promise.all([owner.deleteWebhook({ path: { webhook_id: good } }), owner.deleteWebhook({ path: { webhook_id: gone } })]);
			await Promise.all([receiver.close(), goneReceiver.close()]);
		},
	};
}
