// What a deployment does outside of this process.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AuthorizationCheck, checkAuthorization } from "./authorization-check.ts";
import { variablesOfWrangler } from "./deployment.ts";

export type Ran = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** The files of a build by which wrangler deploys each of its Workers. */
export type Built = { readonly core: string; readonly edge: string };

export interface Edge {
	/** Runs wrangler. Its output is shown, unless another program reads it. */
	wrangler(command: readonly string[], output: "SHOWN" | "ASKED"): Ran;
	/** Builds for the environment, and says where the configurations of the two Workers are. */
	build(env: string): Promise<Built>;
	/** Whether the authorization provider that the variables name has what the service asks for. */
	authorization(variables: Readonly<Record<string, unknown>>): Promise<AuthorizationCheck>;
	readonly fetch: typeof fetch;
	sleep(ms: number): Promise<void>;
	say(line: string): void;
}

/** @param wrangler what Node runs as wrangler */
export function edgeOf(directory: string, wrangler: readonly string[]): Edge {
	// The build sets it otherwise.
	const { WRANGLER_LOG } = process.env;
	return {
		wrangler(command, output) {
			const { status, stdout, stderr, error } = spawnSync(process.execPath, [...wrangler, ...command], {
				cwd: directory,
				encoding: "utf8",
				// It logs what it is asked for.
				env: { ...variablesOfWrangler(process.env), WRANGLER_LOG: output === "ASKED" ? "log" : WRANGLER_LOG },
				stdio: output === "SHOWN" ? "inherit" : ["ignore", "pipe", "pipe"],
			});
			if (error) throw error;
			return { status: status ?? 1, stdout: stdout ?? "", stderr: stderr ?? "" };
		},
		async build(env) {
			// Cloudflare's plugin builds for the environment of this name.
			process.env.CLOUDFLARE_ENV = env;
			const { build, configIn } = await import("./bundle.ts");
			const outdir = path.join(directory, "dist");
			await build(directory, outdir);
			return { core: configIn(outdir), edge: configIn(outdir, "edge") };
		},
		authorization: (variables) => checkAuthorization(directory, variables),
		fetch,
		sleep: (ms) => sleep(ms),
		say: (line) => void process.stdout.write(`${line}\n`),
	};
}
