// `npm run bench:pages -- [users …]`: how many rows the pages of lists read, and each step of the sweep, on data of 100 and of 100,000
// users from `npm run seed`, which is 10³ and 10⁶ rows. It prints two tables and asserts nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ask, type Caller, clientOf, operatorOf, startOwnService } from "../src/dev/own-service.ts";
import { seed } from "../src/dev/seed.ts";
import { databaseFile } from "../src/dev/seed-stories.ts";
import { repository, type Service } from "../src/dev/service.ts";
import { besideService } from "./beside.ts";

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(100, 100_000);

/** Rows read, by what reads them. */
type Figures = Record<string, number | string>;
const measured = { pages: new Map<string, Figures>(), steps: new Map<string, Figures>() };
const STEPS_WORKER = "steps";
const YEAR_MS = 366 * 86_400_000;
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

for (const users of sizes) {
	const statePath = mkdtempSync(path.join(tmpdir(), "pages-"));
	try {
		const rows = await seed({ users, seed: 1, statePath, tell });
		const size = `${rows.toLocaleString("en")} rows`;
		const { organization, borrower, webhook } = example(databaseFile(statePath));
		const service = await startWithSteps(statePath);
		try {
			tell("pages …");
			for (const [page, read] of Object.entries(await pagesOf(service, { organization, borrower, webhook }))) {
				measured.pages.set(page, { ...measured.pages.get(page), [size]: read });
			}
			for (const { step, idle, due } of await stepsOf(service)) {
				const row = { [`idle, ${size}`]: idle, [`per row written when due, ${size}`]: due };
				measured.steps.set(step, { ...measured.steps.get(step), ...row });
			}
		} finally {
			await service.stop();
		}
	} finally {
		rmSync(statePath, { recursive: true, force: true });
	}
}
console.log("Rows that a page of 20 reads");
console.table(Object.fromEntries(measured.pages));
console.log("Rows that a step of the sweep reads when nothing is due, and in its first portion when everything is");
console.table(Object.fromEntries(measured.steps));
process.exit(0);

/** The service, with a Worker beside it that runs single steps of its sweep. */
async function startWithSteps(statePath: string): Promise<Service> {
	const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
	const { bindings, d1Databases, queueProducers, compatibilityFlags } = unstable_getMiniflareWorkerOptions(
		path.join(repository, "wrangler.toml"),
	).workerOptions;
	return startOwnService(statePath, {
		beside: [{ ...besideService(STEPS_WORKER, statePath), bindings, d1Databases, queueProducers, compatibilityFlags }],
	});
}

type Ran = { readonly more: boolean; readonly rowsRead: number; readonly rowsWritten: number };

/** Rows read by each step, after all that is due has been done: when nothing is due, and when everything is. */
async function stepsOf({ inside }: Service): Promise<{ step: string; idle: number; due: string }[]> {
	const askSteps = async (method: string, query = ""): Promise<unknown> => {
		const response = await fetch(`${inside}/${query}`, { method, headers: { "MF-Route-Override": STEPS_WORKER } });
		if (!response.ok) throw new Error(`${query} answered ${response.status} ${await response.text()}`);
		return response.json();
	};
	const run = (step: string, laterMs = 0) => askSteps("POST", `?${new URLSearchParams({ step, later: String(laterMs) })}`) as Promise<Ran>;
	const steps = (await askSteps("GET")) as string[];
	for (const step of steps) {
		for (let portions = 1; (await run(step)).more; portions++) if (portions % 100 === 0) tell(`${step}: ${portions} portions done`);
	}
	const figures: { step: string; idle: number; due: string }[] = [];
	for (const step of steps) figures.push({ step, idle: (await run(step)).rowsRead, due: "" });
	for (const figure of figures) {
		const { rowsRead, rowsWritten } = await run(figure.step, YEAR_MS);
		figure.due = rowsWritten === 0 ? `nothing due, ${rowsRead} read` : `${(rowsRead / rowsWritten).toFixed(1)} (${rowsWritten} written)`;
	}
	return figures;
}

type Example = { organization: string; borrower: string; webhook: string };

/** Rows read by a page of 20, by what it lists. */
async function pagesOf(service: Service, { organization, borrower, webhook }: Example): Promise<Figures> {
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
		["/v1/financing/invoices", manager],
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
}

/** A borrower of the largest organization. */
function example(file: string): Example {
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
		return row as Example;
	} finally {
		database.close();
	}
}
