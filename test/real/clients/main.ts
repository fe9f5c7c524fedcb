// `npm run test:real`: clients that openapi-generator makes of the served document compile in Java, Kotlin, Go and Python, and each plays a
// journey against the built service: sign in, offer, a refusal as data, apply, an account, an endpoint, test deliveries over two pages, and a
// delivery that the service has sent, parsed by the client's own models.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readCommandLine } from "../../../src/dev/command-line.ts";
import { servedDocument } from "../../../src/dev/document-made.ts";
import { operatorOf, startOwnService } from "../../../src/dev/own-service.ts";
import { repository, type Service } from "../../../src/dev/service.ts";
import { serve } from "../../../src/dev/stand-ins/serve.ts";
import { loanProduct } from "../../../tools/loan-product.ts";

const usage = `npm run test:real -- [languages]

Makes clients of the served document, compiles them and plays a journey with each: ${"java, kotlin, go, python"}. What is not on this machine
is named and left out. Needs the registries of Maven, Go and Python once.
`;

const GENERATOR = "org.openapitools:openapi-generator-cli:7.25.0";
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0";
const here = import.meta.dirname;
const out = path.join(here, "out");

type Command = readonly [program: string, ...options: string[]];
type Language = {
	/** The programs that it needs. */
	readonly tools: readonly string[];
	/** The options of the generator, as docs/guides/clients.md gives them. */
	readonly generator: readonly string[];
	/** Where in its folder the client is made; what lies in the folder beside this file is put around it. */
	readonly client: string;
	/** What counts as a file of the client, and as a model of it. */
	readonly files: string;
	readonly models: string;
	/** In the folder. The last one plays the journey. */
	readonly compile: readonly Command[];
	readonly journey: Command;
};

const PACKAGES = ["--api-package", "fas.api", "--model-package", "fas.model", "--invoker-package", "fas"];
const MAVEN: Command = ["mvn", "-q", "-B", "compile", `${COPY}:build-classpath`, "-Dmdep.outputFile=classpath"];
const RUN_JVM = (main: string): Command => ["sh", "-c", `java -cp target/classes:$(cat classpath) ${main}`];

const LANGUAGES: Readonly<Record<string, Language>> = {
	java: {
		tools: ["java", "mvn"],
		generator: ["-g", "java", "--library", "native", ...PACKAGES, "--additional-properties", "containerDefaultToNull=true"],
		client: "client",
		files: "client/src/main/java/**/*.java",
		models: "client/src/main/java/fas/model/*.java",
		compile: [MAVEN],
		journey: RUN_JVM("Journey"),
	},
	kotlin: {
		tools: ["java", "mvn"],
		generator: [
			...["-g", "kotlin", "--library", "jvm-okhttp4", "--package-name", "fas"],
			...["--additional-properties", "serializationLibrary=kotlinx_serialization,generateOneOfAnyOfWrappers=true"],
			...["--type-mappings", "object=JsonElement,AnyType=JsonElement"],
			...["--import-mappings", "JsonElement=kotlinx.serialization.json.JsonElement"],
		],
		client: "client",
		files: "client/src/main/kotlin/**/*.kt",
		models: "client/src/main/kotlin/fas/models/*.kt",
		compile: [MAVEN],
		journey: RUN_JVM("JourneyKt"),
	},
	go: {
		tools: ["java", "mvn", "go"],
		generator: ["-g", "go", "--package-name", "fas", "--git-user-id", "example.com", "--git-repo-id", "fas"],
		client: "fas",
		files: "fas/*.go",
		models: "fas/model_*.go",
		compile: [["go", "vet", "."]],
		journey: ["go", "run", "."],
	},
	python: {
		tools: ["java", "mvn", "python3"],
		generator: ["-g", "python", "--package-name", "fas"],
		client: "client",
		files: "client/fas/**/*.py",
		models: "client/fas/models/*.py",
		compile: [
			["python3", "-m", "venv", "venv"],
			["venv/bin/pip", "install", "-q", "-r", "requirements.txt"],
			["venv/bin/python", "-c", "import sys; sys.path.insert(0, 'client'); import fas, fas.models, fas.api"],
		],
		journey: ["venv/bin/python", "journey.py"],
	},
};

type Ended = { readonly status: number | null; readonly said: string; readonly seconds: number };

/** Not `spawnSync`: the service answers in this process. */
async function run([program, ...options]: Command, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
	const began = performance.now();
	const child = spawn(program, options, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
	const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
	return { status, said, seconds: Math.round((performance.now() - began) / 1000) };
}

const isHere = (program: string) => spawnSync("which", [program]).status === 0;

/** Something that the document does not name is named after its place; only the goal of none is good enough. */
const UNNAMED = /Inline|OneOf|AnyOf|AllOf/;

type World = { readonly service: Service; readonly environment: Readonly<Record<string, string>> };

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
	return { service, environment: { SERVICE: service.url, RECEIVER: receiver, ORGANIZATION: id } };
}

type Row = { readonly generates: string; readonly compiles: string; readonly journey: string; readonly [column: string]: string | number };

async function tried(name: string, language: Language, file: string, { environment }: World): Promise<Row> {
	const folder = path.join(out, name);
	mkdirSync(folder, { recursive: true });
	const jar = path.join(out, "tools", `${GENERATOR.split(":").slice(1).join("-")}.jar`);
	const target = path.join(folder, language.client);
	const generated = await run(["java", "-jar", jar, "generate", "-i", file, "-o", target, ...language.generator], folder);
	const sources = globSync(language.files, { cwd: folder });
	const facts = {
		warnings: generated.said.match(/\bWARN\b/g)?.length ?? 0,
		unnamed: globSync(language.models, { cwd: folder }).filter((model) => UNNAMED.test(path.basename(model))).length,
		files: sources.length,
		lines: sources.reduce((sum, source) => sum + readFileSync(path.join(folder, source), "utf8").split("\n").length, 0),
	};
	const say = (part: string, { said }: Ended) => console.error(`${name} ${part}:\n${said.slice(-6000)}`);
	if (generated.status !== 0) {
		say("is not generated", generated);
		return { generates: "no", compiles: "-", journey: "-", ...facts };
	}
	cpSync(path.join(here, name), folder, { recursive: true });
	let seconds = 0;
	for (const command of language.compile) {
		const compiled = await run(command, folder);
		seconds += compiled.seconds;
		if (compiled.status === 0) continue;
		say("does not compile", compiled);
		return { generates: "yes", compiles: "no", journey: "-", ...facts };
	}
	const journey = await run(language.journey, folder, environment);
	if (journey.status !== 0) say("does not get to the end of its journey", journey);
	return { generates: "yes", compiles: `yes, ${seconds} s`, journey: journey.status === 0 ? "yes" : "no", ...facts };
}

const { positionals } = readCommandLine(usage, { options: {}, allowPositionals: true });
const chosen = positionals.length > 0 ? positionals : Object.keys(LANGUAGES);
const rows: { [name: string]: Row } = {};
const skipped: string[] = [];
rmSync(out, { recursive: true, force: true });
mkdirSync(path.join(out, "tools"), { recursive: true });
const file = path.join(out, "openapi.json");
writeFileSync(file, await servedDocument(repository));
let made: World | undefined;
for (const name of chosen) {
	const language = LANGUAGES[name];
	if (!language) throw new Error(`there is no language ${name}: ${Object.keys(LANGUAGES).join(", ")}`);
	const missing = language.tools.filter((tool) => !isHere(tool));
	if (missing.length > 0) {
		skipped.push(`${name}: not run, because ${missing.join(" and ")} is not on this machine`);
		continue;
	}
	if (!made) {
		const fetched = await run(["mvn", "-q", "-B", `${COPY}:copy`, `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${out}/tools`], out);
		if (fetched.status !== 0) throw new Error(`the generator was not fetched:\n${fetched.said}`);
		made = await world();
	}
	rows[name] = await tried(name, language, file, made);
}
console.table(rows);
for (const line of skipped) console.log(line);
await made?.service.stop();
if (made) rmSync(made.service.statePath, { recursive: true, force: true });
const failed = Object.entries(rows).filter(([, { journey }]) => journey !== "yes");
process.exitCode = failed.length > 0 ? 1 : 0;
