// The client as others install it: packed, compiled strictly by their compilers, and its README's examples run in Node against a service.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Api, createClient, webhookDigest } from "../../client/src/index.ts";
import { repository, type Service, startService } from "../../src/dev/service.ts";
import { loanProduct } from "../../tools/loan-product.ts";

const directory = mkdtempSync(path.join(tmpdir(), "client-"));
const readme = readFileSync(path.join(repository, "client/README.md"), "utf8");
/** The README's examples, by the files that they are in. */
const examples = new Map(
	[...readme.matchAll(/(?:^`(\w+\.ts)`\n\n)?^```ts\n([\s\S]*?)^```$/gm)].map(([, name = "index.ts", code = ""]) => [name, code]),
);
let service: Service;

/** In every program that only has JavaScript's own types. */
const bare = `import { createClient, isApiError, type Webhook } from "@financial-account-service/client";

const api = createClient({ baseUrl: "https://api.example.com" });
const page = await api.listTransfers();
const status: "AWAITING_OTP" | "PENDING" | "COMPLETED" | "FAILED" | undefined = page.data[0]?.status;
const given = await api.applyForLoan({ path: { application_id: "a" }, body: { loan_amount: 5 } }).answer();
if (given.status === 202) given.body.approval_type;
else given.body.loan_amount;
for await (const text of api.listPortfolioTransactions({ as: "text/csv" })) text.length;
// @ts-expect-error the path is missing
void api.applyForLoan({ body: { loan_amount: 5 } });
// @ts-expect-error a member that nobody reads
void api.applyForLoan({ path: { application_id: "a" }, body: { loan_amount: 5, product_id: "p" } });
export function codeOf(error: unknown, webhook: Webhook): string {
	// @ts-expect-error no code of this operation
	if (isApiError(error, "getMe") && error.code === "APPLICATION_EXPIRED") return "";
	// @ts-expect-error of another event
	if (webhook.event_type === "loan.disbursed") return webhook.data.invoice_id;
	return status ?? "";
}
`;

const run = (command: string, args: readonly string[], cwd: string): string => execFileSync(command, args, { cwd, encoding: "utf8" });
const project = (name: string, files: readonly string[], options: object) =>
	writeFileSync(
		path.join(directory, name),
		JSON.stringify({
			compilerOptions: {
				target: "es2022",
				module: "nodenext",
				strict: true,
				exactOptionalPropertyTypes: true,
				noUncheckedIndexedAccess: true,
				noEmit: true,
				...options,
			},
			files,
		}),
	);

beforeAll(async () => {
	service = await startService({ port: 0, statePath: path.join(directory, "state"), onLog() {} });
	run("npm", ["pack", "--silent", "--pack-destination", directory], path.join(repository, "client"));
	const tarball = readdirSync(directory).find((name) => name.endsWith(".tgz")) ?? "";
	writeFileSync(path.join(directory, "package.json"), JSON.stringify({ type: "module", private: true }));
	run("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", `./${tarball}`], directory);
	for (const [name, code] of examples) writeFileSync(path.join(directory, name), code.replaceAll("https://api.example.com", service.url));
	writeFileSync(path.join(directory, "bare.ts"), bare);
	project("tsconfig.bare.json", ["bare.ts"], { lib: ["es2022"], types: [] });
	const typeRoots = [path.join(repository, "node_modules/@types")];
	project("tsconfig.json", [...examples.keys()], { lib: ["es2022", "dom"], types: ["node"], typeRoots, skipLibCheck: true });
});

afterAll(async () => {
	vi.unstubAllEnvs();
	await service?.stop();
	rmSync(directory, { recursive: true, force: true });
});

const compile = (compiler: string, file: string) =>
	run(process.execPath, [path.join(repository, "node_modules", compiler, "bin/tsc"), "--project", file], directory);

it.each(["typescript", "typescript-5"])("its declarations compile strictly under %s, without any platform's", (compiler) => {
	compile(compiler, "tsconfig.bare.json");
});

it("its declarations are found by a compiler that knows no exports of packages", () => {
	const api = 'createClient({ baseUrl: "https://api.example.com" })';
	writeFileSync(
		path.join(directory, "old.ts"),
		`import { createClient } from "@financial-account-service/client";\nexport const tag: Promise<string | null> = ${api}.getMe().then((me) => ("tag" in me ? me.tag : null));\n`,
	);
	project("tsconfig.node10.json", ["old.ts"], { lib: ["es2022"], types: [], module: "commonjs", moduleResolution: "node10" });
	compile("typescript-5", "tsconfig.node10.json");
});

it("its README's examples compile", () => {
	compile("typescript", "tsconfig.json");
});

it("the client is at most 6.5 kB compressed, with the verification of webhooks", async () => {
	const sizeOf = async (code: string): Promise<number> => {
		const entry = path.join(directory, "entry.js");
		writeFileSync(entry, code);
		const built = (await build({
			root: directory,
			configFile: false,
			logLevel: "error",
			build: { write: false, target: "es2022", modulePreload: false, rolldownOptions: { input: entry, preserveEntrySignatures: "strict" } },
		})) as Rolldown.RolldownOutput;
		return gzipSync(built.output[0].code, { level: 9 }).length / 1024;
	};
	const app = await sizeOf('export { createClient, HeldError, isApiError } from "@financial-account-service/client";');
	const whole = await sizeOf('export * from "@financial-account-service/client";');
	console.info(`client: ${app.toFixed(2)} kB in an app, ${whole.toFixed(2)} kB whole`);
	expect(whole).toBeLessThanOrEqual(6.5);
});

describe("the README's example of", () => {
	type Example = Record<string, (...input: never[]) => unknown>;
	const load = async (name: string): Promise<Example> => import(/* @vite-ignore */ pathToFileURL(path.join(directory, name)).href);
	const run = <T>(example: Example, name: string, ...input: unknown[]): T => (example[name] as (...input: unknown[]) => T)(...input);
	let operator: Api;
	let organization: string;
	let user: { id: string; refresh_token: string; access_token: string };

	beforeAll(async () => {
		const signedOut = createClient({ baseUrl: service.url });
		const { token } = await signedOut.createSandboxToken({ body: { kind: "operator", subject: "root" } });
		vi.stubEnv("OPERATOR_TOKEN", token);
		operator = createClient({ baseUrl: service.url, token });
		({ id: organization } = await operator.createOrganization({ body: { name: "Acme", slug: "acme" } }));
		await operator.createLoanProduct({ body: loanProduct(organization) });
		const number = { mobile_country_code: "254", mobile_number: "722000001" };
		const { id } = await signedOut.startPhoneVerification({ body: { ...number, organization: "acme" } });
		const { data: messages } = await operator.listMessages({ query: { recipient: "+254722000001" } });
		const otp_code = messages[0]?.otp_code ?? "";
		const { phone_verification_token } = await signedOut.confirmPhoneVerification({ path: { id }, body: { otp_code } });
		const { access_token: custom_token } = await signedOut.exchangePhoneToken({ body: { phone_verification_token } });
		const session = await signedOut.signIn({ body: { custom_token } });
		vi.stubEnv("ACCESS_TOKEN", session.access_token);
		const me = await createClient({ baseUrl: service.url, token: session.access_token }).getMe();
		if (!("tag" in me)) throw new Error("not a user");
		user = { ...session, id: me.id };
		await operator.admitUser({ path: { userId: me.id } });
		await operator.addMember({ path: { organizationId: organization }, body: { user_id: me.id, role: "organization-owner" } });
	});

	it("an app borrows, with the session that it renews", async () => {
		const app = await load("app.ts");
		const kept = [user.refresh_token];
		const keychain = { read: async () => kept.at(-1), write: async (token: string) => kept.push(token) };
		const api = run<Api>(app, "clientOf", keychain);
		expect(await run(app, "borrow", api, 50_000)).toBe("Your loan is DISBURSED.");
		expect(await run(app, "borrow", api, 1)).toMatch(/loan_amount/);
		expect(kept).toHaveLength(2);
	});

	it("a partner's server records a payment once", async () => {
		const scopes = ["repayments:write" as const];
		const { key } = await operator.createApiKey({ path: { organizationId: organization }, body: { name: "Payments", scopes } });
		vi.stubEnv("API_KEY", key);
		const { data } = await operator.listAccounts({ query: { user_id: user.id } });
		const payment = { id: "MPESA1", account: data[0]?.id ?? "", amount: 60_000, at: new Date() };
		const partner = await load("partner.ts");
		const overpaid = await run<Promise<number>>(partner, "record", payment);
		expect(await run(partner, "record", payment)).toBe(overpaid);
	});

	it("an organization's staff registers an endpoint and reads what happened", async () => {
		const staff = await load("staff.ts");
		vi.stubEnv("WEBHOOK_SECRET", await run<Promise<string>>(staff, "register", "http://127.0.0.1:9"));
		expect(process.env.WEBHOOK_SECRET).toMatch(/^whsec_/);
		const lines: string[] = [];
		for await (const line of run<AsyncIterable<string>>(staff, "history", new AbortController().signal)) lines.push(line);
		expect(lines.some((line) => line.endsWith(" loan.disbursed"))).toBe(true);
	});

	it("an operator sets a limit", async () => {
		expect(await run(await load("operator.ts"), "setLimit", user.id, 200_000)).toBeUndefined();
	});

	it("a receiver accepts what is signed, and nothing else", async () => {
		const receiver = await load("receiver.ts");
		const t = String(Math.floor(Date.now() / 1000));
		const v1 = await webhookDigest(process.env.WEBHOOK_SECRET ?? "", t, "{}");
		const statusOf = async (body: string) => {
			const headers = { "X-Service-Signature": `t=${t},v1=${v1}` };
			const request = new Request("https://receiver.example", { method: "POST", headers, body });
			return (await run<Promise<Response>>(receiver, "receive", request)).status;
		};
		expect([await statusOf("{}"), await statusOf("[]")]).toEqual([204, 401]);
	});

	it("a first call lists transfers", async () => {
		await load("index.ts");
	});
});

it("the client has the version of the service, and nothing in its package but what it needs", () => {
	const installed = path.join(directory, "node_modules/@financial-account-service/client");
	const versionIn = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
	expect(versionIn(path.join(installed, "package.json"))).toBe(versionIn(path.join(repository, "package.json")));
	expect(readdirSync(installed).toSorted()).toEqual(["README.md", "dist", "package.json"]);
});
