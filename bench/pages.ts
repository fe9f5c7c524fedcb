// `npm run bench:pages -- [users …]`: how many rows the pages of lists read, on data of 100 and of 100,000 users from `npm run
// seed`, which is 10³ and 10⁶ rows. It prints one table and asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ask, type Caller, clientOf, operatorOf, startOwnService } from "../src/dev/own-service.ts";
import { seed } from "../src/dev/seed.ts";
import { databaseFile } from "../src/dev/seed-stories.ts";

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(100, 100_000);

type Figures = Record<string, number>;
const measured = new Map<string, Record<string, number>>();

for (const users of sizes) {
	const statePath = mkdtempSync(path.join(tmpdir(), "pages-"));
	try {
		const rows = await seed({ users, seed: 1, statePath, tell: (line) => void process.stdout.write(`${line}\n`) });
		for (const [page, read] of Object.entries(await pagesOf(statePath))) {
			measured.set(page, { ...measured.get(page), [`${rows.toLocaleString("en")} rows`]: read });
		}
	} finally {
		rmSync(statePath, { recursive: true, force: true });
	}
}
console.table(Object.fromEntries(measured));
process.exit(0);

/** Rows read by a page of 20, by what it lists. */
async function pagesOf(statePath: string): Promise<Figures> {
	const { organization, borrower, webhook } = example(databaseFile(statePath));
	const service = await startOwnService(statePath, { onLog: () => {} });
	try {
		const operator = await operatorOf(clientOf(service));
		const manager = { ...operator, organization };
		const pages: [string, Caller][] = [
			["/v1/platform/users", operator],
			[`/v1/platform/users?organization_id=${organization}&status=ACTIVE`, operator],
			["/v1/accounts/loan/applications", operator],
			["/v1/accounts/loan/applications?status=DISBURSED", operator],
			[`/v1/accounts/loan/applications?organization_id=${organization}&status=CANCELLED`, operator],
			[`/v1/accounts/loan/applications?user_id=${borrower}`, operator],
			["/v1/webhooks/events", manager],
			["/v1/webhooks/events?type=loan.disbursed", manager],
			["/v1/webhooks/deliveries", manager],
			[`/v1/webhooks/deliveries?webhook_id=${webhook}&status=DELIVERED`, manager],
			["/v1/audit", operator],
			["/v1/platform/organizations", operator],
			["/v1/platform/unmatched-payments", operator],
		];
		const figures: Figures = {};
		for (const [pathname, by] of pages) {
			const label = pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…");
			const { timing } = await ask(service.url, "GET", pathname, by);
			figures[label] = Number(/read=(\d+)/.exec(timing)?.[1]);
		}
		return figures;
	} finally {
		await service.stop();
	}
}

/** A borrower of the largest organization. */
function example(file: string): { organization: string; borrower: string; webhook: string } {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const row = database
			.prepare(`
				select a.organization_id as organization, a.user_id as borrower, w.id as webhook
				from credit_accounts a join webhook_endpoints w on w.organization_id = a.organization_id
				where a.status = 'ACTIVE' and a.organization_id = (
					select home_organization_id from users group by home_organization_id order by count(*) desc limit 1)
				limit 1`)
			.get();
		if (!row) throw new Error("there is no borrower");
		return row as ReturnType<typeof example>;
	} finally {
		database.close();
	}
}
