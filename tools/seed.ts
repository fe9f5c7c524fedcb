// `npm run seed`: fills the local data with organizations, users, loans, payments, current accounts, invoices, events, deliveries and
// audit rows. The same seed makes the same users.

import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CannotStart, reportOf } from "../src/dev/cannot-start.ts";
import { claim, nameOf } from "../src/dev/claim.ts";
import { readCommandLine, readNumber } from "../src/dev/command-line.ts";
import { databaseFile, recordedShards } from "../src/dev/databases.ts";
import { operatorOf, startOwnService } from "../src/dev/own-service.ts";
import { randomBy } from "../src/dev/random.ts";
import { defaultStatePath } from "../src/dev/service.ts";
import { copyStories } from "./seed/copies.ts";
import { makeOrganization, type Organization, playStories } from "./seed/stories.ts";

const ORGANIZATIONS = 20;
const MAX_NUMBER = 9_999_999;

export type Seed = {
	readonly users: number;
	readonly seed: number;
	readonly statePath: string;
	readonly tell: (line: string) => void;
	/** The organizations to create; by default twenty whose names are new. */
	readonly slugs?: readonly string[];
};

/** Fills the data. Returns how many rows it has written. Throws `CannotStart`. */
export async function seed({ users, seed, statePath, tell, slugs = newSlugs() }: Seed): Promise<number> {
	if (recordedShards(statePath) > 0) throw new CannotStart("This data lies in several databases, and a seed fills only one.");
	tell("Creating one user of each kind on a separate service …");
	const { organization: from, stories } = await playStories();
	const random = randomBy(seed);
	tell(`Creating ${slugs.length} organizations …`);
	const organizations = await makeOrganizations(statePath, slugs);
	const claimed = claim(statePath);
	if ("holder" in claimed) throw new CannotStart(`This data is already ${nameOf(claimed.holder)}. Stop it first.`);
	const database = new DatabaseSync(databaseFile(statePath));
	try {
		// A crash may damage the database. That costs only the seed, which can be made again.
		database.exec("pragma synchronous = off; pragma cache_size = -200000");
		const began = Date.now();
		let told = began;
		const progress = (done: number, rows: number): void => {
			if (Date.now() - told < 1_000 && done < users) return;
			told = Date.now();
			const seconds = Math.round((told - began) / 1_000);
			tell(
				`${String(Math.floor((100 * done) / users)).padStart(3)} %  ${done.toLocaleString("en")} users  ${rows.toLocaleString("en")} rows  ${seconds} s`,
			);
		};
		return copyStories(database, { users, from, organizations, stories, random, progress });
	} finally {
		database.close();
		claimed.release();
	}
}

function newSlugs(): string[] {
	const run = Date.now().toString(36);
	return Array.from({ length: ORGANIZATIONS }, (_, index) => `seed-${run}-${index}`);
}

async function makeOrganizations(statePath: string, slugs: readonly string[]): Promise<Organization[]> {
	const service = await startOwnService(statePath, { onLog: () => {} });
	try {
		const operator = await operatorOf(service);
		const made: Organization[] = [];
		for (const slug of slugs) {
			const organization = await makeOrganization(operator, slug, "https://127.0.0.1:9/");
			// Nobody listens there.
			await operator.updateWebhook({
				path: { webhook_id: organization.webhook },
				organization: organization.id,
				body: { status: "SUSPENDED" },
			});
			made.push(organization);
		}
		return made;
	} finally {
		await service.stop();
	}
}

const usage = `npm run seed -- [options]

  --users <number>    how many users to create, each with loans, payments and more (default 1000)
  --seed <number>     makes the same users again (default 1)
  --persist-to <dir>  directory of the data (default .wrangler/state)
`;

function readOptions(): { users: number; seed: number; statePath: string } {
	const { values } = readCommandLine(usage, {
		options: {
			users: { type: "string", default: "1000" },
			seed: { type: "string", default: "1" },
			"persist-to": { type: "string" },
		},
	});
	return {
		users: readNumber(usage, values.users, 1, MAX_NUMBER),
		seed: readNumber(usage, values.seed, 1, MAX_NUMBER),
		statePath: path.resolve(values["persist-to"] ?? defaultStatePath),
	};
}

if (import.meta.main) {
	try {
		const rows = await seed({ ...readOptions(), tell: (line) => void process.stdout.write(`${line}\n`) });
		process.stdout.write(
			`Wrote ${rows.toLocaleString("en")} rows. The service seals the rows of the audit trail in the first minutes after its start.\n`,
		);
		process.exit(0);
	} catch (error) {
		process.stderr.write(`${reportOf(error)}\n`);
		process.exit(1);
	}
}
