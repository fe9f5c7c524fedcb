// The console of a service of its own: the first minute of a newcomer, whose clock moves; an issuer; a phone; and the picture of the README.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../../client/src/index.ts";
import { startOwnService } from "../../../src/dev/own-service.ts";
import type { Service } from "../../../src/dev/service.ts";
import { DESK, MOVES, PHONE, visit } from "../visit.ts";
import { pressUntil, tour } from "./support.ts";

const statePath = mkdtempSync(path.join(tmpdir(), "console-"));
let service: Service;
let at = "";

/**
 * Stands for an identity provider: everybody is let in at once, and gets the sandbox's token of an operator. It sends people back to its
 * own registered address alone, for every address that is asked for.
 */
const exchanged: URLSearchParams[] = [];
let madeFor: (nonce: string) => string = (nonce) => nonce;
let asked = "";
let prompted: string | null = null;
let demanded: Record<string, string | null> = {};
/** The sign-in page waits for its person, and says nothing. */
let waits = false;
const issuer = createServer(async (request, response) => {
	const url = new URL(request.url ?? "", "http://issuer");
	const own = ownOf(issuer);
	const headers = { "access-control-allow-origin": at, "content-type": "application/json" };
	if (url.pathname === "/authorize") {
		asked = url.searchParams.get("nonce") ?? "";
		prompted = url.searchParams.get("prompt");
		demanded = { max_age: url.searchParams.get("max_age"), acr_values: url.searchParams.get("acr_values") };
		if (waits) return void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Who are you?</h1>");
		const to = new URL(`${at}/console/signed-in/${own.slice(7).replace(":", "-")}`);
		to.search = `?${new URLSearchParams({ code: "the-code", state: url.searchParams.get("state") ?? "" })}`;
		response.writeHead(302, { location: to.href }).end();
		return;
	}
	if (url.pathname === "/token") {
		let form = "";
		for await (const chunk of request) form += chunk;
		exchanged.push(new URLSearchParams(form));
		const { token } = await createClient({ baseUrl: at }).createSandboxToken({ body: { kind: "operator", subject: "grace.wafula" } });
		const claims = Buffer.from(JSON.stringify({ iss: own, sub: "grace.wafula", nonce: madeFor(asked) })).toString("base64url");
		const tokens = { access_token: token, id_token: `e30.${claims}.x`, token_type: "Bearer", expires_in: 900 };
		response.writeHead(200, headers).end(JSON.stringify(tokens));
		return;
	}
	response
		.writeHead(200, headers)
		.end(JSON.stringify({ issuer: own, authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token` }));
});

/** Stands for a lender's identity provider that forwards an operator's browser to the operators' one, to be handed that one's code. */
const forwarding = createServer((request, response) => {
	const url = new URL(request.url ?? "", "http://issuer");
	const own = ownOf(forwarding);
	if (url.pathname === "/authorize") return void response.writeHead(302, { location: `${ownOf(issuer)}/authorize${url.search}` }).end();
	handedOut ||= url.pathname === "/token";
	const found = { issuer: own, authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token` };
	response.writeHead(200, { "access-control-allow-origin": at, "content-type": "application/json" }).end(JSON.stringify(found));
});
let handedOut = false;
const ownOf = (server: typeof issuer): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** What the page loads from elsewhere when it signs in at an issuer. */
const LOADS = { expected: /foreign request: http:\/\/127\.0\.0\.1:\d+\/(?:\.well-known|token)/ };

beforeAll(async () => {
	for (const server of [issuer, forwarding]) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const entry = { client_id: "console", kind: "operator", token: "access_token" };
	const sign_in = [
		{ ...entry, label: "Umoja’s work account", issuer: ownOf(issuer) },
		{ ...entry, label: "A lender’s work account", issuer: ownOf(forwarding) },
	];
	service = await startOwnService(statePath, { receiver: true, variables: { CONSOLE_SIGN_IN: JSON.stringify(sign_in) } });
	at = service.url;
});
afterAll(async () => {
	await service?.stop();
	issuer.close();
	forwarding.close();
	rmSync(statePath, { recursive: true, force: true });
});

it(
	"shows a disbursed loan and its verified webhook after three clicks, then due installments, then retries",
	() =>
		visit(
			"/console",
			DESK,
			async ({ page, faults, picture }) => {
				await page.getByRole("button", { name: "Platform operator" }).click();
				await page.getByRole("link", { name: "Sandbox" }).click();
				await page.getByRole("button", { name: "Start a loan" }).click();
				await page.getByText("its signature is valid").waitFor();
				await page.getByRole("cell", { name: "loan.disbursed" }).waitFor();
				await picture("console-sandbox");
				expect(await faults()).toEqual([]);
				await page.getByRole("button", { name: "+ 30 days" }).click();
				await page.getByRole("cell", { name: "credit_account.installment_due" }).first().waitFor();
				await page.getByRole("button", { name: "Fails with 503" }).click();
				await page.getByRole("button", { name: "Fails with 503", pressed: true }).waitFor();
				await page.getByRole("button", { name: "+ 7 days" }).click();
				await page.getByRole("cell", { name: "503" }).first().waitFor();
				await page.getByRole("link", { name: "Deliveries" }).click();
				await page.getByText("Retrying").first().waitFor();
				await page.locator(".row-link").first().click();
				await page.getByText("The endpoint responded with 503").waitFor();
				// It was registered after the first page had listed none.
				await page.getByRole("link", { name: "Local receiver" }).waitFor();
				await picture("console-delivery-retrying");
				await pressUntil(page, ["g", "h"], page.getByRole("heading", { name: "Home" }));
				await page.locator(".row-link").first().waitFor();
				await picture("console-platform-home");
			},
			{ at, expected: MOVES },
		),
	120_000,
);

it.each([PHONE, DESK])(
	"the sandbox and the pages of operators and borrowers have no fault at $width px, by day and by night",
	(view) =>
		visit(
			"/console",
			view,
			async ({ page, sound }) => {
				await tour(page, "Platform operator", ["", "/sandbox"], (path) => sound(`console-operator${path.replace("/", "-")}`));
				await tour(page, "Borrower", [""], () => sound("console-borrower"));
			},
			{ at },
		),
	90_000,
);

it("signs in at an issuer with a code and PKCE, in a window that closes", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			const opened = page.context().waitForEvent("page");
			await page.getByRole("button", { name: "Umoja’s work account" }).click();
			const popup = await opened;
			await page.getByText("grace.wafula").waitFor();
			const [form] = exchanged;
			expect(form?.get("grant_type")).toBe("authorization_code");
			expect(form?.get("code_verifier")).toMatch(/^[\w-]{43}$/);
			await expect.poll(() => popup.isClosed() || !popup.url().includes("code="), { timeout: 10_000 }).toBe(true);
			expect(page.url()).not.toContain("code");
			expect(prompted).toBe(null);
			await page.getByRole("button", { name: "Sign out" }).click();
			await page.getByRole("button", { name: "Umoja’s work account" }).click();
			await page.getByText("grace.wafula").waitFor();
			// Else the issuer's own session would sign the same person in again.
			expect(prompted).toBe("login");
		},
		{ at, ...LOADS },
	));

it("asks for a sign-in as recent and as strong as a call demands, and then makes the call", () =>
	visit(
		"/console",
		DESK,
		async ({ page, picture }) => {
			await page.getByRole("button", { name: "Umoja’s work account" }).click();
			await page.getByRole("link", { name: "Organizations" }).click();
			await page.getByRole("button", { name: "Make an organization" }).first().click();
			await page.getByLabel("Name", { exact: true }).fill("Pwani Credit");
			let refusals = 0;
			const challenge = 'Bearer error="insufficient_user_authentication", max_age="3600", acr_values="mfa hwk"';
			await page.route(/\/v1\/platform\/organizations$/, (route) =>
				route.request().method() === "POST" && refusals++ === 0
					? route.fulfill({
							status: 401,
							headers: { "content-type": "application/json", "www-authenticate": challenge },
							body: JSON.stringify({ code: "UNAUTHORISED", description: "The sign-in behind the token is too old" }),
						})
					: route.continue(),
			);
			await page.getByRole("button", { name: "Make it" }).click();
			await page.getByRole("heading", { name: "Sign in once more" }).waitFor();
			await picture("console-sign-in-once-more");
			await page.getByRole("button", { name: "Sign in at Umoja’s work account" }).click();
			await page.getByRole("cell", { name: "Pwani Credit" }).first().waitFor();
			expect(demanded).toEqual({ max_age: "3600", acr_values: "mfa hwk" });
			expect(refusals).toBe(2);
		},
		{ at, expected: new RegExp(`${LOADS.expected.source}|status of 401`) },
	));

it("says that the window was closed, and lets the person try again", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			waits = true;
			const opened = page.context().waitForEvent("page");
			await page.getByRole("button", { name: "Umoja’s work account" }).click();
			const popup = await opened;
			await popup.getByText("Who are you?").waitFor();
			await popup.close();
			await page.getByText("The window was closed before you were signed in").waitFor({ timeout: 5_000 });
			waits = false;
			await page.getByRole("button", { name: "Umoja’s work account" }).click();
			await page.getByText("grace.wafula").waitFor();
		},
		{ at, ...LOADS },
	));

it("hands no code to an issuer that forwards to another one", () =>
	visit(
		"/console",
		DESK,
		async ({ page }) => {
			await page.getByRole("button", { name: "A lender’s work account" }).click();
			await page.getByText("Another issuer has answered").waitFor();
			expect(handedOut).toBe(false);
		},
		{ at, ...LOADS },
	));

it("takes no ID token of another sign-in", async () => {
	madeFor = () => "another";
	await visit(
		"/console",
		DESK,
		async ({ page }) => {
			await page.getByRole("button", { name: "Umoja’s work account" }).click();
			await page.getByText("The issuer's token is of another sign-in").waitFor();
		},
		{ at, ...LOADS },
	);
});

it("signs in with a phone and a code", () =>
	visit(
		"/console",
		PHONE,
		async ({ page }) => {
			await page.getByLabel("Mobile number").fill("+254 712 345 678");
			await page.getByRole("button", { name: "Send code" }).click();
			await page.getByLabel("Code").waitFor();
			const { token } = await createClient({ baseUrl: at }).createSandboxToken({ body: { kind: "operator", subject: "reader" } });
			const [message] = (await createClient({ baseUrl: at, token }).listMessages()).data;
			await page.getByLabel("Code").fill(message?.otp_code ?? "");
			await page.getByRole("button", { name: "Sign in" }).first().click();
			await page.getByText("You are on the waiting list").waitFor();
		},
		{ at },
	));
