// `npm run bench -- client [directory]`: the client beside those that other generators make of the same document: the seconds that making it
// takes, the kB of a program that makes three calls, the errors that strict compilers find in it, and the characters that an editor shows of a
// call. The directory has the others installed: openapi-typescript, openapi-fetch and @hey-api/openapi-ts.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import ts from "typescript-5";
import { build, type Rolldown } from "vite";
import { repository } from "../src/dev/service.ts";
import { workerModule } from "../src/dev/worker-module.ts";

type Entrant = { readonly name: string; readonly make: readonly string[]; readonly program: string };
type Documents = { documentOf(name: "openapi.json", baseUrl: string, env: { ENVIRONMENT: "local" }): Promise<string> };

const elsewhere = process.argv[2] && path.resolve(process.argv[2]);
const directory = path.join(elsewhere ?? path.join(repository, "node_modules/.cache"), "bench-client");
mkdirSync(directory, { recursive: true });
const { documentOf } = await workerModule<Documents>(repository, "src/wiring/documents.ts");
writeFileSync(path.join(directory, "openapi.json"), await documentOf("openapi.json", "http://localhost", { ENVIRONMENT: "local" }));

const APPLY = '{ path: { application_id: "a" }, body: { loan_amount: 50_000 } }';
const installed = (file: string): string => path.join(elsewhere ?? "", "node_modules", file);
const entrants: readonly Entrant[] = [
	{
		name: "client",
		make: [path.join(repository, "src/dev/client.ts"), "--check"],
		program: `import { createClient } from ${JSON.stringify(path.join(repository, "client/src/index.ts"))};
const api = createClient({ baseUrl: "https://service.example" });
export const loan = await api.applyForLoan(${APPLY});
export const transfers = await api.listTransfers();
export const me = await api.getMe();
`,
	},
	...(elsewhere === undefined
		? []
		: [
				{
					name: "openapi-typescript",
					make: [installed("openapi-typescript/bin/cli.js"), "openapi.json", "-o", "schema.ts"],
					program: `import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";
const { GET, POST: applyForLoan } = createClient<paths>({ baseUrl: "https://service.example" });
export const { data: loan } = await applyForLoan("/v1/accounts/loan/applications/partner/{application_id}/apply", { params: { path: { application_id: "a" } }, body: { loan_amount: 50_000 } });
export const { data: transfers } = await GET("/v1/user/transfers");
export const { data: me } = await GET("/v1/me");
`,
				},
				{
					name: "hey-api",
					make: [installed("@hey-api/openapi-ts/bin/run.js"), "-i", "openapi.json", "-o", "hey-api", "-c", "@hey-api/client-fetch"],
					program: `import { applyForLoan, getMe, listTransfers } from "./hey-api/sdk.gen.js";
export const { data: loan } = await applyForLoan(${APPLY});
export const { data: transfers } = await listTransfers();
export const { data: me } = await getMe();
`,
				},
			]),
];

const OPTIONS: ts.CompilerOptions = {
	target: ts.ScriptTarget.ES2022,
	module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
	lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
	types: [],
	allowImportingTsExtensions: true,
	noEmit: true,
	strict: true,
	exactOptionalPropertyTypes: true,
	noUncheckedIndexedAccess: true,
};

/** What an editor shows of the first call, without its comment. */
function shownAt(file: string): string {
	const host: ts.LanguageServiceHost = {
		...ts.sys,
		useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
		getScriptFileNames: () => [file],
		getScriptVersion: () => "1",
		getScriptSnapshot: (name) => {
			const text = ts.sys.readFile(name);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => directory,
		getCompilationSettings: () => OPTIONS,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	};
	const place = readFileSync(file, "utf8").search(/applyForLoan\(/);
	return ts.displayPartsToString(ts.createLanguageService(host).getQuickInfoAtPosition(file, place)?.displayParts);
}

function errorsOf(compiler: string, file: string): number {
	const { allowImportingTsExtensions, noEmit, strict, exactOptionalPropertyTypes, noUncheckedIndexedAccess } = OPTIONS;
	const flags = { allowImportingTsExtensions, noEmit, strict, exactOptionalPropertyTypes, noUncheckedIndexedAccess };
	const named = { target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"], types: [] };
	const project = path.join(directory, "tsconfig.json");
	writeFileSync(project, JSON.stringify({ compilerOptions: { ...flags, ...named }, files: [file] }));
	const { stdout } = spawnSync(process.execPath, [path.join(repository, "node_modules", compiler, "bin/tsc"), "--project", project], {
		encoding: "utf8",
	});
	return stdout.match(/error TS/g)?.length ?? 0;
}

async function kBOf(input: string): Promise<number> {
	const built = await build({
		root: directory,
		configFile: false,
		logLevel: "error",
		build: { write: false, target: "es2022", modulePreload: false, rolldownOptions: { input, preserveEntrySignatures: "strict" } },
	});
	return gzipSync((built as Rolldown.RolldownOutput).output[0].code, { level: 9 }).length / 1024;
}

for (const { name, make, program } of entrants) {
	const began = performance.now();
	const { status, stderr } = spawnSync(process.execPath, make, { cwd: directory, encoding: "utf8" });
	if (status !== 0) throw new Error(`${name} was not made: ${stderr}`);
	const seconds = (performance.now() - began) / 1000;
	const file = path.join(directory, `${name}.program.ts`);
	writeFileSync(file, program);
	const errors = ["typescript-5", "typescript"].map((compiler) => errorsOf(compiler, file));
	const shown = shownAt(file);
	console.log(
		`${name}: made in ${seconds.toFixed(1)} s, ${(await kBOf(file)).toFixed(1)} kB, errors under TypeScript 5.9 and 7: ${errors.join(" and ")}, ${shown.length} characters shown of a call`,
	);
}
rmSync(directory, { recursive: true, force: true });
