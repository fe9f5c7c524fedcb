// The pages of the reference: complete, without a link that leads nowhere, and with samples that compile.

import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { workerModule } from "../../src/dev/worker-module.ts";
import { ranked } from "../../src/reference/browser/ranking.ts";
import { ERRORS } from "../../src/shared/errors.ts";

type Documents = {
	wholeDocument(baseUrl: string, environment: string): Promise<Document>;
	pagesOf(baseUrl: string, environment: string): Promise<Record<string, string>>;
};
type Document = {
	paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
	webhooks: object;
	components: { schemas: object };
};

let pages: Record<string, string>;
let deployed: Record<string, string>;
let production: Record<string, string>;
let document: Document;

beforeAll(async () => {
	const { pagesOf, wholeDocument } = await workerModule<Documents>(process.cwd(), "src/wiring/documents.ts");
	pages = await pagesOf("https://api.example.com", "local");
	deployed = await pagesOf("https://api.example.com", "sandbox");
	production = await pagesOf("https://api.example.com", "production");
	document = await wholeDocument("https://api.example.com", "local");
});

const html = () => Object.entries(pages).filter(([name]) => name.endsWith(".html"));
/** The address below the service: `docs/index.html` is at `/docs`. */
const addressOf = (name: string) => `/${name.replace(/\/index\.html$|\.html$/, "")}`;
const idsIn = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);

it("describe each operation, event, model and code once", () => {
	const times = Map.groupBy(
		html().flatMap(([, text]) => idsIn(text)),
		(id) => id,
	);
	const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
	const models = Object.keys(document.components.schemas).map((name) => `model-${name}`);
	const anchors = [...operations, ...Object.keys(document.webhooks), ...models, ...Object.keys(ERRORS)];
	expect(anchors.length).toBeGreaterThan(400);
	expect(anchors.filter((anchor) => times.get(anchor)?.length !== 1)).toEqual([]);
	expect(html().filter(([, text]) => new Set(idsIn(text)).size < idsIn(text).length)).toEqual([]);
});

it("ask for tokens of a test issuer alone in the guides of a deployed sandbox, and try nothing there", () => {
	const textIn = (of: Record<string, string>) =>
		Object.entries(of)
			.filter(([name]) => name.startsWith("docs/guides/"))
			.map(([, text]) =>
				text
					.replaceAll(/<[^>]+>/g, "")
					.replaceAll("&quot;", '"')
					.replaceAll("\\", ""),
			)
			.join();
	const kindsIn = (text: string) => [...text.matchAll(/"kind":"(operator|partner|identity|phone)",("issuer":"\$ISSUER")?/g)];
	const asked = kindsIn(textIn(deployed)).map(([, kind, issuer]) => [kind, issuer !== undefined]);
	expect(asked.length).toBeGreaterThan(4);
	expect(asked.filter(([kind, isTest]) => kind !== "partner" || !isTest)).toEqual([]);
	expect(kindsIn(textIn(pages)).some(([, kind]) => kind === "operator")).toBe(true);
	expect(Object.values(deployed).some((text) => text.includes('class="try"'))).toBe(false);
});

it("lead nowhere that is not", () => {
	const known = new Map(html().map(([name, text]) => [addressOf(name), new Set(idsIn(text))]));
	const files = new Set(["/openapi.json", "/docs/reference.js", ...Object.keys(pages).map((name) => `/${name}`)]);
	const lost = html().flatMap(([name, text]) =>
		[...text.matchAll(/ (?:href|src)="([^"]+)"/g)]
			.map(([, link = ""]) => link)
			.filter((link) => !link.startsWith("data:"))
			.filter((link) => {
				const { pathname, hash, origin } = new URL(link, `https://service.invalid${addressOf(name)}`);
				const anchors = known.get(pathname);
				return origin !== "https://service.invalid" || (anchors ? hash !== "" && !anchors.has(hash.slice(1)) : !files.has(pathname));
			})
			.map((link) => `${name}: ${link}`),
	);
	expect(lost).toEqual([]);
});

it("the pages have no operation that the environment lacks, and no trial where there is no sandbox", () => {
	expect(pages).toHaveProperty(["docs/sandbox.html"]);
	expect(pages["docs/loans.html"]).toContain('class="try"');
	expect(production).not.toHaveProperty(["docs/sandbox.html"]);
	expect(production["docs/loans.html"]).not.toContain('class="try"');
	expect(production["docs/index.html"]).not.toContain("/v1/sandbox");
	expect(production["docs/search.json"]).not.toContain("createSandboxToken");
});

/** As people ask, with the page that is among the first three. */
const QUESTIONS = [
	["pagination", "guides/paging-and-bookmarks"],
	["how do I paginate a list", "guides/paging-and-bookmarks"],
	["STK push", "repayments#promptRepayment"],
	["webhook secret", "guides/receiving-webhooks#rotate-a-secret"],
	["where is my webhook's signing key", "guides/receiving-webhooks#rotate-a-secret"],
	["login", "guides/sign-your-users-in"],
	["which language", "organizations#getOrganizationTexts"],
	["gdpr", "users#getErasure"],
	["paybill", "guides/an-app-in-one-evening#show-what-is-owed"],
	["INVALID_STATE", "errors#INVALID_STATE"],
	["rate limit", "guides/going-live#rate-limits"],
	["what are the rate limits", "guides/going-live#rate-limits"],
	["kotlin", "guides/clients#kotlin"],
	["postman", "guides/clients"],
	["allowlist", "guides/receiving-webhooks#verify-a-signature"],
	["who may waive", "credit-accounts#settleAccount"],
	["how long is a code valid", "guides/an-app-in-one-evening#ask-for-the-code"],
	["offline", "guides/an-app-in-one-evening#without-a-network"],
	["push notifications", "messages#registerDevice"],
] as const;

/** As a newcomer asks, with the place that the first result leads to, and with words of the answer there. */
const NEWCOMER = [
	["rotate a webhook secret", "guides/receiving-webhooks#rotate-a-secret", /Create a second key/],
	["409 INVALID_STATE", "errors#INVALID_STATE", /Read the resource/],
	["which role may waive", "guides/organizations-roles-keys#waive-or-write-off-a-loan", /lending admins have this permission/],
	["sign in by phone", "guides/an-app-in-one-evening", /Ask for the number[\s\S]*Ask for the code[\s\S]*Sign in, and stay signed in/],
	["how do I page", "guides/paging-and-bookmarks#page-through-a-list", /links\.next/],
	["repay from an app", "guides/an-app-in-one-evening#repay-as-the-user-would", /accepts the payment prompt/],
	["export for the ledger", "ledger", /text\/csv/],
	["write somebody off", "guides/organizations-roles-keys#waive-or-write-off-a-loan", /WRITE_OFF/],
	["rate limits", "guides/going-live#rate-limits", /a user may send 300 requests, an API key or an operator 1,200/],
	[
		"how long is a code valid, how many tries",
		"guides/an-app-in-one-evening#ask-for-the-code",
		/valid for five minutes, and the user has five tries/,
	],
] as const;

describe("the search", () => {
	type Entry = readonly [kind: string, title: string, path: string, about: string, words: string];

	it("leads to what exists", () => {
		const index = JSON.parse(pages["docs/search.json"] ?? "") as Entry[];
		const known = new Map(html().map(([name, text]) => [addressOf(name), new Set(idsIn(text))]));
		const lost = index.filter(([, , target]) => {
			const [page = "", anchor] = target.split("#");
			const anchors = known.get(`/docs/${page}`);
			return !anchors || (anchor !== undefined && !anchors.has(anchor));
		});
		expect(index.length).toBeGreaterThan(400);
		expect(lost).toEqual([]);
	});

	it.each(NEWCOMER)("answers a newcomer's %s by its first result", (question, target, answer) => {
		const index = JSON.parse(pages["docs/search.json"] ?? "") as Entry[];
		expect(ranked(index, question)[0]?.[2]).toBe(target);
		const [page = "", anchor] = target.split("#");
		const text = pages[`docs/${page}.html`] ?? "";
		const begin = anchor === undefined ? 0 : text.indexOf(` id="${anchor}"`);
		const end = anchor === undefined || page === "errors" ? -1 : text.indexOf("<h2", begin + 1);
		expect(text.slice(begin, end < 0 ? undefined : end)).toMatch(answer);
	});

	it.each(QUESTIONS)("understands %s", (question, page) => {
		const index = JSON.parse(pages["docs/search.json"] ?? "") as Entry[];
		expect(
			ranked(index, question)
				.slice(0, 3)
				.map(([, , target]) => target),
		).toContain(page);
	});
});

describe("the samples", () => {
	it("of the client compile", { tags: ["thorough"] }, () => {
		const samples = html().flatMap(([, text]) =>
			[...text.matchAll(/<pre><code class="ts">((?:const|await) [^<]*)<\/code>/g)].map(([, sample = ""]) => sample),
		);
		expect(samples.length).toBeGreaterThan(180);
		const read = (text: string) =>
			text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
		const directory = path.resolve("node_modules/.cache", `samples-${process.pid}`);
		mkdirSync(directory, { recursive: true });
		try {
			const calls = samples.map((sample) => `async () => {\n${read(sample)}\n};\n`).join("");
			writeFileSync(
				path.join(directory, "samples.ts"),
				`import type { Api } from ${JSON.stringify(path.resolve("client/src/index.ts"))};\ndeclare const api: Api;\n${calls}`,
			);
			const compilerOptions = { incremental: false, tsBuildInfoFile: null, noUnusedLocals: false };
			const project = path.join(directory, "tsconfig.json");
			writeFileSync(
				project,
				JSON.stringify({ extends: path.resolve("tsconfig.json"), compilerOptions, include: [], files: ["samples.ts"] }),
			);
			const { stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--project", project], { encoding: "utf8" });
			expect(stdout).toBe("");
		} finally {
			rmSync(directory, { recursive: true, force: true });
		}
	});

	it("of curl name the address, the credentials and the recorded body", () => {
		expect(pages["docs/loans.html"]).toContain(
			"curl https://api.example.com/v1/accounts/loan/applications/partner/01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e20/apply \\\n  -H &quot;Authorization: Bearer $TOKEN&quot; \\\n  -H &quot;Idempotency-Key: $(uuidgen)&quot; \\\n  -H &#39;Content-Type: application/json&#39; \\\n  -d &#39;{",
		);
	});
});
