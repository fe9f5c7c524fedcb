// How long what a law demands to be kept of a person is kept after its end, by kind of data, as operators write it in RETENTION_PERIODS.

import * as z from "zod";

/** Seven years, with the leap days that they may have. */
const DAYS = 2557;
const LAW = "Proceeds of Crime and Anti-Money Laundering Act (Kenya), section 46: seven years";

const Period = z.strictObject({ days: z.int().min(0).max(36_500).default(DAYS), law: z.string().min(1).max(200).default(LAW) });

export const RetentionPeriods = z
	.strictObject({ loans: Period.prefault({}), current_accounts: Period.prefault({}) })
	.transform(({ loans, current_accounts }) => ({ LOANS: loans, CURRENT_ACCOUNTS: current_accounts }));
