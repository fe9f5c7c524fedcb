// `npm run test:real -- clients`: clients that generators make of the served document in ten languages. Those of openapi-generator for Java, Kotlin, Go
// and Python compile and play a journey against the built service: sign in, offer, a refusal as data, apply, an account, an endpoint, test
// deliveries over two pages, and a delivery that the service has sent, parsed by the client's own models. The others are compiled, or read.
// The client in Kotlin also plays the app of the guide "An app in one evening", over a network that loses the first answer to each of its calls.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "../../../client/src/index.ts";
import { readCommandLine } from "../../../src/dev/command-line.ts";
import { servedDocument } from "../../../src/dev/document-made.ts";
import { operatorOf, startOwnService } from "../../../src/dev/own-service.ts";
import { repository, type Service } from "../../../src/dev/service.ts";
import { serve } from "../../../src/dev/stand-ins/serve.ts";
import { loanProduct } from "../../../tools/loan-product.ts";
import { openProxy } from "../../client/evening/proxy.ts";
import { type Command, LANGUAGES, type Language } from "./languages.ts";

const usage = `npm run test:real -- clients [names]

Makes clients of the served document, compiles them and plays a journey with each: ${Object.keys(LANGUAGES).join(", ")}.
What is not on this machine is named and left out. Needs the registries of Maven, Go, Rust and Python once, and npm ci --prefix test/generators.
`;

const GENERATOR = "org.openapitools:openapi-generator-cli:7.25.0";
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy";
const here = import.meta.dirname;
const out = path.join(here, "out");
const file = path.join(out, "openapi.json");
const jar = path.join(out, "tools", `${GENERATOR.split(":").slice(1).join("-")}.jar`);

type Ended = { readonly status: number | null; readonly said: string; readonly seconds: number };

/** Not `spawnSync`: the service answers in this process. */
async function run([program, ...options]: Command, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
	const began = performance.now();
	const given = options.map((option) => (option === "FILE" ? file : option === "JAR" ? jar : option));
	// The Node of the project, on every machine.
	const child = spawn(program === "node" ? process.execPath : program, given, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
	const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
	return { status, said, seconds: Math.round((performance.now() - began) / 1000) };
}

const isHere = (program: string) => spawnSync("which", [program]).status === 0;

/** What it needs and this machine has not. */
function missingFor({ tools, generate }: Language): string[] {
	const packages = path.resolve(here, "../../generators/node_modules");
	const isPackaged = generate.some((command) => command.some((part) => part.includes("generators/node_modules")));
	return [...tools.filter((tool) => !isHere(tool)), ...(isPackaged && !existsSync(packages) ? ["test/generators/node_modules"] : [])];
}

/** Something that the document does not name is named after its place; only the goal of none is good enough. */
const UNNAMED = /Inline|OneOf|AnyOf|AllOf/;

type World = {
	readonly service: Service;
	/** Of a journey: an operator's token ends sooner than a slow machine compiles. */
	environment(): Promise<Readonly<Record<string, string>>>;
	end(): Promise<void>;
};

/** The service with an organization and a product, and a receiver that gives back at a path what it was last sent there. */
async function world(): Promise<World> {
	const service = await startOwnService(mkdtempSync(path.join(tmpdir(), "clients-")));
	const operator = await operatorOf(service, "clients");
	const { id } = await operator.createOrganization({ body: { name: "Clients", slug: "clients" } });
	await operator.createLoanProduct({ body: loanProduct(id) });
	const received = new Map<string, string>();
	const receiver = await serve({
		async handle(request) {
			const { pathname } = new URL(request.url);
			if (request.method === "POST") received.set(pathname, await request.text());
			const body = received.get(pathname);
			return new Response(body ?? "", { status: body === undefined ? 404 : 200 });
		},
		async deliver() {},
	});
	const network = await openProxy({
		service: async () => service.url,
		befalls: (_, times) => (times === 0 ? "answer lost" : undefined),
	});
	return {
		service,
		async environment() {
			const anyone = createClient({ baseUrl: service.url });
			const { token } = await anyone.createSandboxToken({ body: { kind: "operator", subject: "clients" } });
			return { SERVICE: service.url, NETWORK: network.url, OPERATOR: token, RECEIVER: receiver, ORGANIZATION: id };
		},
		async end() {
			await network.close();
			await service.stop();
			rmSync(service.statePath, { recursive: true, force: true });
		},
	};
}

type Row = {
	readonly generates: string;
	readonly compiles: string;
	readonly journey: string;
	readonly evening: string;
	/** Whether an amount beyond 32 bits and a value that a later version answers arrive. */
	readonly values: string;
	readonly [column: string]: string | number;
};

const NOTHING = { generates: "no", compiles: "-", journey: "-", evening: "-", values: "-" };

async function tried(name: string, language: Language, { environment }: Pick<World, "environment">): Promise<Row> {
	const folder = path.join(out, name);
	mkdirSync(folder, { recursive: true });
	if (existsSync(path.join(here, name))) cpSync(path.join(here, name), folder, { recursive: true });
	/** The first command that fails, and how long all took. */
	const all = async (commands: readonly Command[], part: string, env = {}): Promise<{ failed: boolean; said: string; seconds: number }> => {
		let [seconds, said] = [0, ""];
		for (const command of commands) {
			const ended = await run(command, folder, env);
			seconds += ended.seconds;
			said += ended.said;
			if (ended.status === 0) continue;
			console.error(`${name} ${part}:\n${ended.said.slice(-6000)}`);
			return { failed: true, said, seconds };
		}
		return { failed: false, said, seconds };
	};
	const generated = await all(language.generate, "is not generated");
	const sources = globSync(language.files, { cwd: folder });
	const facts = {
		warnings: generated.said.match(/\b(?:WARN|WARNING)\b/gi)?.length ?? 0,
		unnamed: globSync(language.models, { cwd: folder }).filter((model) => UNNAMED.test(path.basename(model))).length,
		files: sources.length,
		lines: sources.reduce((sum, source) => sum + readFileSync(path.join(folder, source), "utf8").split("\n").length, 0),
	};
	if (generated.failed) return { ...NOTHING, ...facts };
	const { read } = language;
	if (read) {
		const faults = read.filter(
			([source, type]) => !existsSync(path.join(folder, source)) || !type.test(readFileSync(path.join(folder, source), "utf8")),
		);
		for (const [source, type] of faults) console.error(`${name}: ${source} has no ${type}`);
		return { ...NOTHING, generates: "yes", values: faults.length === 0 ? "read: yes" : "read: no", ...facts };
	}
	const compiled = await all(language.compile ?? [], "does not compile");
	if (compiled.failed) return { ...NOTHING, generates: "yes", compiles: "no", ...facts };
	const tells = (ended: { failed: boolean }) => (ended.failed ? "no" : "yes");
	const journey = language.journey && (await all([language.journey], "does not get to the end of its journey", await environment()));
	const evening = language.evening && (await all([language.evening], "does not get to the end of the evening", await environment()));
	const values = language.values ? await all([language.values], "does not hold the values") : journey;
	return {
		generates: "yes",
		compiles: `yes, ${compiled.seconds} s`,
		journey: journey ? tells(journey) : "-",
		evening: evening ? tells(evening) : "-",
		values: values ? tells(values) : "-",
		...facts,
	};
}

const { positionals } = readCommandLine(usage, { options: {}, allowPositionals: true });
const chosen = positionals.length > 0 ? positionals : Object.keys(LANGUAGES);
const rows: { [name: string]: Row } = {};
const skipped: string[] = [];
for (const name of chosen) rmSync(path.join(out, name), { recursive: true, force: true });
mkdirSync(path.join(out, "tools"), { recursive: true });
writeFileSync(file, await servedDocument(repository));
let made: World | undefined;
for (const name of chosen) {
	const language = LANGUAGES[name];
	if (!language) throw new Error(`there is no ${name}: ${Object.keys(LANGUAGES).join(", ")}`);
	const missing = missingFor(language);
	if (missing.length > 0) {
		skipped.push(`${name}: not run, because ${missing.join(" and ")} is not on this machine`);
		continue;
	}
	if (!existsSync(jar) && language.tools.includes("mvn")) {
		const fetched = await run(["mvn", "-q", "-B", COPY, `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${out}/tools`], out);
		if (fetched.status !== 0) throw new Error(`the generator was not fetched:\n${fetched.said}`);
	}
	made ??= await world();
	rows[name] = await tried(name, language, made);
}
console.table(rows);
for (const line of skipped) console.log(line);
await made?.end();
const failed = Object.values(rows).filter(({ values, evening }) => !values.endsWith("yes") || evening === "no");
process.exitCode = failed.length > 0 ? 1 : 0;
