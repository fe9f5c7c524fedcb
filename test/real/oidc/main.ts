// The console of the built service with a real OpenID provider, in Chromium. Prints what was played, and keeps pictures of it.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loopbackCertificate } from "../../../src/dev/certificate.ts";
import { readCommandLine } from "../../../src/dev/command-line.ts";
import { operatorOf } from "../../../src/dev/own-service.ts";
import type { Service } from "../../../src/dev/service.ts";
import { chromiumPath } from "../../browser/chromium.ts";
import type { Stage } from "./stage.ts";

const usage = `npm run test:real -- oidc [words]

Plays the console's sign-in with oidc-provider, in CHROMIUM or Debian's: all scenes, or those whose name has the words.
`;
const words = readCommandLine(usage, { options: {}, allowPositionals: true }).positionals.join(" ");

/** Why nothing can be played here; undefined where it can. */
function missing(): string | undefined {
	try {
		chromiumPath();
	} catch (error) {
		return (error as Error).message;
	}
	if (existsSync(path.join(import.meta.dirname, "node_modules/oidc-provider"))) return undefined;
	const { status } = spawnSync("npm", ["ci", "--prefix", import.meta.dirname, "--no-audit", "--no-fund"], { stdio: "inherit" });
	return status === 0 ? undefined : "its packages could not be installed: npm ci --prefix test/real/oidc";
}

const reason = missing();
if (reason === undefined) await play();
else console.log(`oidc: not run, because ${reason}`);

async function play(): Promise<void> {
	// What they import is installed by now.
	const { openProvider, OPERATORS, STAFF } = await import("./provider.ts");
	const { launch, pictures, serve, stageOf } = await import("./stage.ts");
	const { LOCAL, OUTSIDE } = await import("./scenes.ts");
	const mail = (name: string, domain: string, email_verified = true) => ({
		name,
		email: `${name.toLowerCase()}@${domain}`,
		email_verified,
	});
	const people = {
		grace: mail("Grace", "operators.example"),
		olga: mail("Olga", "operators.example"),
		amina: mail("Amina", "umoja.example"),
		otieno: mail("Otieno", "umoja.example"),
		ben: mail("Ben", "elsewhere.example"),
		una: mail("Amina", "umoja.example", false),
		nomail: { name: "Nobody" },
	};
	const statePath = mkdtempSync(path.join(tmpdir(), "openid-"));
	const browser = await launch(chromiumPath());
	const rows: { scene: string; played: string; seconds: number }[] = [];
	let service: Service | undefined;
	const playAll = async <Where extends Stage>(stage: Where, scenes: Readonly<Record<string, (stage: Where) => Promise<void>>>) => {
		for (const [scene, run] of Object.entries(scenes).filter(([name]) => name.includes(words))) {
			const began = performance.now();
			const failed = await run(stage).then(
				() => undefined,
				(error: unknown) => error,
			);
			if (failed) {
				console.error(`${scene}:\n`, failed);
				// What all its windows show.
				const pages = browser.contexts().flatMap((context) => context.pages());
				for (const [index, page] of pages.entries()) await stage.picture(page, `failed-${rows.length}-${index}`).catch(() => {});
			}
			await Promise.all(browser.contexts().map((context) => context.close()));
			rows.push({ scene, played: failed ? "no" : "yes", seconds: Math.round((performance.now() - began) / 1000) });
		}
	};
	try {
		const provider = await openProvider(people);
		const { issuer } = provider;
		const trusted = { issuer, jwks_uri: `${issuer}/jwks` };
		service = await serve(provider, statePath, () => ({
			RATE_LIMITS: "off",
			TRUSTED_ISSUERS: JSON.stringify([
				{ ...trusted, kind: "operator", audience: OPERATORS },
				{ ...trusted, kind: "identity", audience: STAFF },
			]),
		}));
		const operator = await operatorOf(service, "real");
		await playAll({ ...stageOf(browser, provider, service), operator }, LOCAL);
		await operator.createOrganization({ body: { name: "Pwani Credit", slug: "pwani" } });
		await service.stop();
		await provider.close();

		const secure = await openProvider(people, loopbackCertificate());
		service = await serve(secure, statePath, (url) => ({
			ENVIRONMENT: "sandbox",
			BASE_URL: url,
			RATE_LIMITS: "on",
			WEBHOOK_ALLOWED_NETWORKS: "",
			TRUSTED_ISSUERS: JSON.stringify([{ issuer: secure.issuer, kind: "operator", audience: OPERATORS, jwks: { keys: secure.keys() } }]),
		}));
		await playAll(stageOf(browser, secure, service), OUTSIDE);
		await secure.close();
	} finally {
		await browser.close();
		await service?.stop();
		rmSync(statePath, { recursive: true, force: true });
	}
	console.table(rows);
	console.log(`Pictures: ${pictures}`);
	process.exitCode = rows.every(({ played }) => played === "yes") ? 0 : 1;
}
