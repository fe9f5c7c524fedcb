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

/** Stands for an identity provider: everybody is let in at once, and gets the sandbox's token of an operator. */
const exchanged: URLSearchParams[] = [];
const issuer = createServer(async (request, response) => {
	const url = new URL(request.url ?? "", "http://issuer");
	const own = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
	const headers = { "access-control-allow-origin": at, "content-type": "application/json" };
	if (url.pathname === "/authorize") {
		const to = new URL(url.searchParams.get("redirect_uri") ?? "");
		to.search = `?${new URLSearchParams({ code: "the-code", state: url.searchParams.get("state") ?? "" })}`;
		response.writeHead(302, { location: to.href }).end();
		return;
	}
	if (url.pathname === "/token") {
		let form = "";
		for await (const chunk of request) form += chunk;
		exchanged.push(new URLSearchParams(form));
		const { token } = await createClient({ baseUrl: at }).createSandboxToken({ body: { kind: "operator", subject: "grace.wafula" } });
		response.writeHead(200, headers).end(JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 900 }));
		return;
	}
	response
		.writeHead(200, headers)
		.end(JSON.stringify({ issuer: own, authorization_endpoint: `${own}/authorize`, token_endpoint: `${own}/token` }));
});

beforeAll(async () => {
	await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
	const own = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
	const sign_in = [{ label: "Umoja’s work account", issuer: own, client_id: "console", kind: "operator" }];
	service = await startOwnService(statePath, { receiver: true, variables: { CONSOLE_SIGN_IN: JSON.stringify(sign_in) } });
	at = service.url;
});
afterAll(async () => {
	await service?.stop();
	issuer.close();
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
		},
		{ at, expected: /foreign request: http:\/\/127\.0\.0\.1:\d+\/(?:\.well-known|token)/ },
	));

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
