// Designs that look right and are not. The simulation must catch each: otherwise it would not notice the mistake in the service either.

import { and, eq, lte } from "drizzle-orm";
import { StaleWrite } from "../../src/db/database";
import { first } from "../../src/db/reads";
import { findAccountById } from "../../src/domains/current-accounts/accounts/store";
import { fail } from "../../src/domains/transfers/plan";
import { transfers } from "../../src/domains/transfers/table";
import type { JobServices } from "../../src/runtime/services";
import { MINUTE_MS } from "../../src/shared/time";
import type { Sabotage } from "./database";
import type { Design } from "./history";

/** Replaces a part of the statements that have it; `part` matches names without their quotes. */
const replacing =
	(part: RegExp, replacement: string): Sabotage =>
	(sql) => {
		const plain = sql.replaceAll(/"(\w+)"/g, "$1");
		return part.test(plain) ? plain.replace(part, replacement) : sql;
	};

/** Leaves a condition in the text, so that its parameters stay bound, and makes it always true. */
const without = (condition: RegExp): Sabotage => replacing(condition, "($& or 1)");

/** Gives the payer the money back when a transfer has had no answer for a while. */
async function releaseOld(services: JobServices): Promise<void> {
	for (const here of services.everywhere()) {
		const { db, now } = here;
		const old = and(eq(transfers.status, "PENDING"), lte(transfers.createdAt, now - 5 * MINUTE_MS));
		const rows = await db.read(db.orm.select().from(transfers).where(old));
		for (const row of rows) {
			const account = await db.read(first(findAccountById(db.orm, row.accountId)));
			if (!account) continue;
			try {
				await here.commit(fail(here, row, account, "TIMEOUT").writes);
			} catch (error) {
				if (!(error instanceof StaleWrite)) throw error;
			}
		}
	}
}

/** Forgets the interest that has accrued, where an account must be empty. */
const withoutAccrued = replacing(
	/\(current_account\.balance \* cast\(\? as integer\) - current_account\.weighted\) \/ cast\(\? as integer\)(?= < 1| as )/,
	"min(0, $&)",
);

const DAILY_LIMIT = /case when current_account\.day = \? then current_account\.out_total else 0 end \+ n\.counted <= cast\(\? as integer\)/;

/** Each design with the law that it breaks, and the seed from which on to look for that: the first that showed it. */
export const BROKEN_DESIGNS: Readonly<Record<string, Design & { readonly breaks: RegExp; readonly from: number }>> = {
	"releases held money after a time": {
		meddling: releaseOld,
		from: 3,
		breaks: /is FAILED and (?:brought|its fate)|knows better|the accounts hold/,
	},
	"checks the daily limit before the commit": { sabotage: without(DAILY_LIMIT), from: 40, breaks: /exceeds its daily limit/ },
	"lets a clock behind a payday post": {
		sabotage: without(/current_account\.interest_due_on <= \?(?=\s+and current_account\.held)/),
		from: 7,
		breaks: /was paid the interest/,
	},
	"closes an account over accrued interest": { sabotage: withoutAccrued, from: 2, breaks: /was closed over accrued interest/ },
};
