// The bundle of `wrangler deploy`, made again only when its inputs have changed.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CannotStart } from "./cannot-start.ts";

interface BundledModule {
	readonly type: "ESModule" | "CompiledWasm" | "Text" | "Data";
	readonly path: string;
}

const moduleTypes: Readonly<Record<string, BundledModule["type"]>> = {
	".js": "ESModule",
	".wasm": "CompiledWasm",
	".txt": "Text",
	".html": "Text",
	".sql": "Text",
	".bin": "Data",
};

/** A digest of the bundle's inputs (sizes and times), which changes with any edit, checkout or install. */
function bundleInputs(directory: string): string {
	const sources = readdirSync(path.join(directory, "src"), { recursive: true, encoding: "utf8" }).sort();
	const files = [...sources.map((name) => path.join("src", name)), "wrangler.toml", "package-lock.json", "tsconfig.json"];
	const facts = files.map((name) => {
		const stat = statSync(path.join(directory, name), { throwIfNoEntry: false });
		return `${name} ${stat?.isFile() ? `${stat.size} ${stat.mtimeMs}` : ""}`;
	});
	return createHash("sha256").update(facts.join("\n")).digest("hex");
}

/** The file that Node runs as the installed `wrangler`. */
export const wranglerCommand = (): string => path.join(path.dirname(fileURLToPath(import.meta.resolve("wrangler"))), "../bin/wrangler.js");

/** Bundles as a deployment does, unless nothing has changed. Returns the modules, the main one first. */
export async function bundle(directory: string, outdir: string): Promise<BundledModule[]> {
	const inputs = bundleInputs(directory);
	const inputsPath = path.join(outdir, "inputs");
	const known = existsSync(inputsPath) ? readFileSync(inputsPath, "utf8") : undefined;
	if (known !== inputs) {
		rmSync(outdir, { recursive: true, force: true });
		mkdirSync(outdir, { recursive: true });
		try {
			await promisify(execFile)(process.execPath, [wranglerCommand(), "deploy", "--dry-run", "--outdir", outdir], {
				cwd: directory,
				env: { ...process.env, CI: "1", NO_COLOR: "1" },
			});
		} catch (error) {
			const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
			throw new CannotStart(`The Worker cannot be bundled:\n${said || error}`);
		}
		writeFileSync(inputsPath, inputs);
	}
	const mainPath = path.join(outdir, "worker.js");
	return readdirSync(outdir)
		.map((name) => path.join(outdir, name))
		.sort((a, b) => Number(b === mainPath) - Number(a === mainPath))
		.flatMap((file) => {
			const type = moduleTypes[path.extname(file)];
			return type ? [{ type, path: file }] : [];
		});
}
