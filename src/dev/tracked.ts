// Which files git has although .gitignore names them, such as the log of a tool.

import { execFileSync } from "node:child_process";

export const trackedThoughIgnored = (checkout: string): string[] =>
	execFileSync("git", ["ls-files", "--cached", "--ignored", "--exclude-standard"], { cwd: checkout, encoding: "utf8" })
		.split("\n")
		.filter((name) => name !== "");
