// `npm run migrations <name>`: adds the migration that the tables and triggers need.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { misused, readCommandLine } from "./command-line.ts";
import { writeMigration } from "./schema.ts";
import { repository } from "./service.ts";

const usage = `npm run migrations <name> -- [options]

  --with <file>    statements of your own, for example to fill a new column; they follow the changes of the tables
  --onto <commit>  begins from the migrations of that commit: to make yours anew, or after those of a branch that you merge
`;

const { values, positionals } = readCommandLine(usage, {
	allowPositionals: true,
	options: { with: { type: "string" }, onto: { type: "string" } },
});
const [name, another] = positionals;
if (name === undefined || another !== undefined || !/^[a-z][a-z0-9_]*$/.test(name))
	misused(usage, "Name the migration in small letters, digits and underscores: npm run migrations add_purpose_to_loans");

const statements = values.with === undefined ? "" : readFileSync(values.with, "utf8");
if (values.onto !== undefined) {
	const files = ["migrations", "src/db/schema-versions.ts"];
	execFileSync("git", ["restore", "--source", values.onto, "--staged", "--worktree", "--", ...files], {
		cwd: repository,
		stdio: "inherit",
	});
	execFileSync("git", ["clean", "-fdq", "--", "migrations"], { cwd: repository, stdio: "inherit" });
}
try {
	const file = writeMigration(repository, name, { statements, stdio: "inherit" });
	process.stdout.write(file ? `Wrote migrations/${file}\n` : "The tables need no migration.\n");
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
}
