// In workerd, because only its SQLite counts the rows that a statement reads. After every change among hundreds of rows that look like
// those which it made, each step of the sweep reads what it reads after the same changes alone, and at most a portion more.
// `PRINT_BUDGETS=1 npx vitest run --project workers test/contract/sweep.workerd.test.ts --reporter=default` prints what each reads.

import { expect, it } from "vitest";
import { rememberOffset } from "../../src/runtime/clock";
import { forgetAll } from "../../src/shared/cache";
import { steps } from "../../src/wiring/cron";
import { alone } from "../support/databases";
import { grow } from "../support/growth";
import { runDueWork } from "../support/loans";
import { expectErrors, printMeasured } from "../support/log";
import { emptyStorage } from "../support/storage";
import { givenAllChanges } from "./all-changes";

/** Rows in all, and how many stand next to each of the small world. */
const CROWD = 200_000;
const COPIES = 100;

/** What a step may read more in a large world: a page of what it looks at. */
const PAGE = 60;
/** What it reads to ask whether there is anything to remove. */
const ASKED = 8;

/**
 * Of steps that have more to do in the large world: how many things a portion takes, and what each may read. Where a portion takes more than
 * the large world has, it takes these.
 */
const PORTIONS: { readonly [step: string]: readonly [things: number, rowsOfEach: number, things: string] } = {
	"end expired attempts": [COPIES, 31, "attempts, of a thousand at most"],
	"approvals.expire": [20, 8, "requests"],
	"loans.expire-offers": [20, 8, "offers"],
	"loans.cancel-retired-offers": [COPIES, 1, "retired products, all of which are looked at: products are few"],
	"repayments.purge": [COPIES, 8, "confirmations, of a thousand at most"],
	"portfolios.close": [100, 20, "accounts"],
	"ledgers.close": [1_000, 4, "entries of the closed days, each with its lines, which are read once"],
	"credit-bureau.make-files": [1_000, 5, "accounts that a portion looks at, with the books of fifty"],
	"imports.purge": [COPIES, 30, "lines, of a thousand at most"],
	"mobile-number-changes.fail-refused": [
		COPIES,
		3,
		"changes that wait for the custodian, all of which are looked at: they last for days at most",
	],
	"mobile-number-changes.expire": [20, 3, "changes"],
	"current-accounts.interest": [200, 120, "accounts"],
	"invoices.mark-overdue": [20, 8, "invoices"],
	"audit.seal": [20, 60, "streams"],
	"invitations.expire": [20, 8, "invitations"],
	"invitations.purge-sends": [COPIES, 20, "sends, of a thousand at most"],
	"messages.purge": [COPIES, 60, "messages, of a thousand at most"],
	"otp.purge": [1_000, 8, "codes"],
	"tend held deliveries": [COPIES, 80, "deliveries, of a thousand of each state at most"],
	"reread seals": [20, 70, "streams"],
	"start what is due": [COPIES, 60, "endpoints, of a window of the due deliveries"],
	"purge webhooks": [COPIES, 110, "events and deliveries, of a thousand of each at most"],
	"keep to quotas": [COPIES, 25, "organizations"],
};

/** What a portion of each step reads, one after the other. */
async function rowsByStep(): Promise<Map<string, number>> {
	const rows = new Map<string, number>();
	forgetAll();
	await runDueWork(async (services) => {
		for (const { name, run } of steps) {
			const before = services.db.meter.rowsRead;
			await run(services).catch((error) => services.log.error("a step failed", error, { step: name }));
			rows.set(name, services.db.meter.rowsRead - before);
		}
	});
	return rows;
}

it.skipIf(!alone)("each step of the sweep reads at most a portion more in a large world", { timeout: 600_000 }, async () => {
	expectErrors("a receipt of a payout is that of another one");
	await givenAllChanges();
	const small = await rowsByStep();
	await emptyStorage();
	forgetAll();
	rememberOffset(0);
	await givenAllChanges();
	const added = await grow(CROWD);
	const large = await rowsByStep();
	printMeasured(() => [...large].map(([name, rows]) => [name, small.get(name), rows].join("\t")).join("\n"));
	for (const [name, rows] of large) {
		const [things = 0, ofEach = 0, of = "rows of a page"] = PORTIONS[name] ?? [];
		expect.soft(rows, `${name}: ${of}`).toBeLessThanOrEqual(Math.max(things * ofEach + ASKED, (small.get(name) ?? 0) + PAGE));
	}
	expect([...large.keys()]).toEqual(steps.map(({ name }) => name));
	expect(Object.keys(PORTIONS).filter((name) => !large.has(name))).toEqual([]);
	expect(added).toBeLessThan(CROWD * 1.2);
});
