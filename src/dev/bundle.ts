// The bundle that is deployed, run by `npm start` and measured: the Worker's file, chunks that run when they are first imported, and the
// API reference as assets.
// wrangler's own bundle is one file, in which each module that loads later becomes a function that nothing can be left out of.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CannotStart } from "./cannot-start.ts";
import { chunksOf } from "./chunks.ts";

interface BundledModule {
	readonly type: "ESModule";
	readonly path: string;
}

/** A digest of the bundle's inputs (sizes and times), which changes with any edit, checkout or install. */
function bundleInputs(directory: string): string {
	const sources = readdirSync(path.join(directory, "src"), { recursive: true, encoding: "utf8" }).sort();
	const files = [...sources.map((name) => path.join("src", name)), "package.json", "package-lock.json", "tsconfig.json"];
	const facts = files.map((name) => {
		const stat = statSync(path.join(directory, name), { throwIfNoEntry: false });
		return `${name} ${stat?.isFile() ? `${stat.size} ${stat.mtimeMs}` : ""}`;
	});
	return createHash("sha256").update(facts.join("\n")).digest("hex").slice(0, 16);
}

/** The file that Node runs as the installed `wrangler`. */
export const wranglerCommand = (): string => path.join(path.dirname(fileURLToPath(import.meta.resolve("wrangler"))), "../bin/wrangler.js");

/** Where the API reference is in a bundle. */
export const assetsIn = (outdir: string): string => path.join(outdir, "assets");

/** Apart from the assets, because wrangler takes every HTML file beside the Worker for one of its modules. */
export const codeIn = (outdir: string): string => path.join(outdir, "code");

/** What deploys the bundle in this directory. The rule of wrangler.toml finds its chunks. */
export const deployCommand = (outdir: string): string[] => [
	"deploy",
	path.join(codeIn(outdir), "worker.js"),
	"--no-bundle",
	"--assets",
	assetsIn(outdir),
];

/**
 * Bundles the checkout, unless nothing has changed. Returns the directory of the bundle, which stays for an hour after it was last
 * asked for. Throws `CannotStart`.
 */
export async function bundle(directory: string): Promise<string> {
	const bundles = path.join(directory, ".wrangler/bundles");
	const outdir = path.join(bundles, bundleInputs(directory));
	if (!existsSync(outdir)) {
		const unfinished = `${outdir}.${crypto.randomUUID()}`;
		try {
			await bundleAfresh(directory, unfinished);
		} catch (error) {
			rmSync(unfinished, { recursive: true, force: true });
			throw new CannotStart(`The Worker cannot be bundled:\n${error instanceof Error ? error.message : error}`);
		}
		try {
			renameSync(unfinished, outdir);
		} catch (error) {
			// Another one was first.
			if (!existsSync(outdir)) throw error;
			rmSync(unfinished, { recursive: true, force: true });
		}
	}
	const now = new Date();
	utimesSync(outdir, now, now);
	removeUnused(bundles, now.getTime() - UNUSED_MS);
	return outdir;
}

const UNUSED_MS = 3_600_000;

/** Removes bundles that were last asked for before then, and what a process left unfinished. */
function removeUnused(bundles: string, before: number): void {
	for (const name of readdirSync(bundles)) {
		const used = statSync(path.join(bundles, name), { throwIfNoEntry: false });
		if (used && used.mtimeMs < before) rmSync(path.join(bundles, name), { recursive: true, force: true });
	}
}

/** Bundles into the directory. Returns how many bytes of code are kept of each module, before they are minified. */
export async function bundleAfresh(directory: string, outdir: string): Promise<ReadonlyMap<string, number>> {
	const [{ rolldown }, { readsApiReference, writeApiReference }] = await Promise.all([import("rolldown"), import("./api-reference.ts")]);
	rmSync(outdir, { recursive: true, force: true });
	mkdirSync(assetsIn(outdir), { recursive: true });
	await writeApiReference(directory, assetsIn(outdir));
	const entry = path.join(directory, "src/worker.ts");
	const building = await rolldown({
		input: entry,
		plugins: [readsApiReference],
		experimental: { nativeMagicString: true },
		cwd: directory,
		platform: "browser",
		external: /^(cloudflare|node):/,
		resolve: { conditionNames: ["workerd", "worker", "browser"] },
		transform: { target: "es2024", define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' } },
		// An import that cannot be resolved is only a warning otherwise.
		onLog(level, { message }) {
			if (level === "warn") throw new Error(message);
		},
		preserveEntrySignatures: "allow-extension",
	});
	try {
		let chunks: ReadonlyMap<string, string> | undefined;
		const { output } = await building.write({
			dir: codeIn(outdir),
			entryFileNames: "worker.js",
			chunkFileNames: "chunks/[name].js",
			sourcemap: true,
			minify: true,
			comments: false,
			codeSplitting: {
				// `chunksOf` places them.
				includeDependenciesRecursively: false,
				groups: [
					{
						debugName: "chunks",
						name(id, graph) {
							chunks ??= chunksOf({
								entry,
								importsOf: (module) => graph.getModuleInfo(module)?.importedIds ?? [],
								lazyImportsOf: (module) => graph.getModuleInfo(module)?.dynamicallyImportedIds ?? [],
							});
							return chunks.get(id) ?? null;
						},
					},
				],
			},
		});
		const modules = output.flatMap((file) => (file.type === "chunk" ? Object.entries(file.modules) : []));
		return new Map(modules.map(([id, { renderedLength }]) => [path.relative(directory, id), renderedLength]));
	} finally {
		await building.close();
	}
}

/** The assets of the bundle in this directory, by the path of their URL. */
export function readAssets(outdir: string): ReadonlyMap<string, Buffer<ArrayBuffer>> {
	const files = readdirSync(assetsIn(outdir), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	return new Map(
		files.map(({ parentPath, name }) => {
			const file = path.join(parentPath, name);
			return [`/${path.relative(assetsIn(outdir), file)}`, readFileSync(file)];
		}),
	);
}

/** How many bytes of code the bundle in this directory has. */
export const codeBytes = (outdir: string): number => modulesIn(outdir).reduce((sum, { path: file }) => sum + statSync(file).size, 0);

/** The modules of the bundle in this directory, the main one first. */
export function modulesIn(outdir: string): BundledModule[] {
	const code = codeIn(outdir);
	const chunks = readdirSync(code, { recursive: true, encoding: "utf8" }).filter((name) => name !== "worker.js");
	return ["worker.js", ...chunks].filter((name) => name.endsWith(".js")).map((name) => ({ type: "ESModule", path: path.join(code, name) }));
}
