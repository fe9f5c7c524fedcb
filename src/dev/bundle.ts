// The build that is deployed, run by `npm start` and measured: `vite build` into a directory that is named after its inputs.

import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CannotStart } from "./cannot-start.ts";
import { digestOf, keepUsed } from "./inputs.ts";

/** The Workers of a build by their folders: the core, and what the world calls. */
export type BuiltWorker = "worker" | "edge";

/** The configuration of a Worker in a build, by default of the core. */
export const configIn = (outdir: string, worker: BuiltWorker = "worker"): string => path.join(outdir, worker, "wrangler.json");

/** The modules of a Worker as Miniflare takes them, the entry first. */
export function modulesOf(outdir: string, worker: BuiltWorker = "worker") {
	const modulesRoot = path.join(outdir, worker);
	const others = readdirSync(modulesRoot, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js") && name !== ENTRY);
	return { modulesRoot, modules: [ENTRY, ...others].map((name) => ({ type: "ESModule", path: path.join(modulesRoot, name) })) };
}

const ENTRY = "index.js";

/** The assets of a build, by the path of their URL. */
export function assetsOf(outdir: string): ReadonlyMap<string, Buffer<ArrayBuffer>> {
	const client = path.join(outdir, "client");
	const files = readdirSync(client, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = files.map(({ parentPath, name }) => path.join(parentPath, name));
	return new Map(paths.map((file) => [`/${path.relative(client, file)}`, readFileSync(file)]));
}

/**
 * Builds the checkout, unless nothing has changed. Returns the directory of the build, which stays for an hour after it was last
 * asked for. Throws `CannotStart`.
 */
export async function bundle(directory: string): Promise<string> {
	const bundles = path.join(directory, ".wrangler/bundles");
	const outdir = path.join(bundles, digestOf(directory));
	if (!existsSync(outdir)) {
		// As deep as it will be, because the configuration names the migrations by a relative path.
		const unfinished = `${outdir}.${crypto.randomUUID()}`;
		try {
			await build(directory, unfinished);
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
	keepUsed(outdir);
	return outdir;
}

/** Puts the build of the checkout into this directory too; it is made only if something has changed. Throws `CannotStart`. */
export async function bundleInto(directory: string, outdir: string): Promise<void> {
	const made = await bundle(directory);
	rmSync(outdir, { recursive: true, force: true });
	cpSync(made, outdir, { recursive: true });
	for (const worker of ["worker", "edge"] as const) {
		const [from, to] = [configIn(made, worker), configIn(outdir, worker)];
		const config = JSON.parse(readFileSync(from, "utf8")) as { d1_databases?: { migrations_dir?: string }[] };
		for (const database of config.d1_databases ?? []) {
			if (database.migrations_dir === undefined) continue;
			database.migrations_dir = path.relative(path.dirname(to), path.resolve(path.dirname(from), database.migrations_dir));
		}
		writeFileSync(to, JSON.stringify(config));
	}
}

/** `vite build` into the directory. */
export async function build(directory: string, outdir: string): Promise<void> {
	const { createBuilder } = await import("vite");
	// Vite goes by this variable, and test runners set it: what they start shall be what is deployed.
	const before = process.env.NODE_ENV;
	process.env.NODE_ENV = "production";
	try {
		const builder = await createBuilder({
			root: directory,
			configFile: path.join(directory, "vite.config.ts"),
			configLoader: "native",
			logLevel: "error",
			build: { outDir: outdir, emptyOutDir: true },
		});
		await builder.buildApp();
	} finally {
		if (before === undefined) delete process.env.NODE_ENV;
		else process.env.NODE_ENV = before;
	}
	// Cloudflare's plugin names this build to every later command of wrangler, which would take its configuration for the checkout's.
	rmSync(path.join(directory, ".wrangler/deploy"), { recursive: true, force: true });
}
