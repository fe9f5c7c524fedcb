// `npm run oracle`: compares many random books and their journals with the oracle, on both time axes; tries the cap on charges in default, that no money is
// made or lost, that payments may arrive in any order, and that portfolios close the same days early and late.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { readCommandLine, readNumber } from "../../../../src/dev/command-line.ts";

const usage = `npm run oracle -- [options]

  --books <number>  how many random books (default 10000)
  --seed <number>   which ones (default: a fresh seed, printed)
`;

const { values } = readCommandLine(usage, { options: { books: { type: "string", default: "10000" }, seed: { type: "string" } } });
const books = readNumber(usage, values.books, 1, 10_000_000);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber(usage, values.seed, 0, 2 ** 31);

process.stdout.write(`${books} books of seed ${seed}\n`);
const folder = "test/domains/credit-accounts/book";
const names = ["oracle", "oracle-journal", "in-duplum", "arrival", "properties", "../../portfolio/closes"];
const files = names.map((name) => path.join(folder, `${name}.node.test.ts`));
const { status } = spawnSync("npx", ["vitest", "run", "--project", "node", ...files], {
	stdio: "inherit",
	env: { ...process.env, BOOKS: String(books), SEED: String(seed) },
});
process.exitCode = status ?? 1;
