// The variables of backups and alerts.

import * as z from "zod";
import { amount } from "./variables";

const url = z.url({ protocol: /^https?$/ }).optional();
const secret = z.string().min(1).optional();

export const OperatingVariables = {
	ALERT_URL: url,
	HEARTBEAT_URL: url,
	ALERT_UNMATCHED_ABOVE: amount.optional(),
	BACKUP_URL: url,
	BACKUP_ACCESS_KEY_ID: secret,
	BACKUP_SECRET_ACCESS_KEY: secret,
	METRICS_URL: url,
	METRICS_TOKEN: secret,
	METRICS_DATASET: z.string().regex(/^\w+$/, "must be the name of a dataset").optional(),
};

/** HTTPS is demanded of these. */
export const OPERATING_URLS = ["ALERT_URL", "HEARTBEAT_URL", "METRICS_URL", "BACKUP_URL"] as const;

const TOGETHER = [
	["METRICS_URL", "METRICS_TOKEN", "METRICS_DATASET"],
	["BACKUP_URL", "BACKUP_ACCESS_KEY_ID", "BACKUP_SECRET_ACCESS_KEY"],
] as const;

type Vars = { readonly [name in (typeof TOGETHER)[number][number]]?: string | undefined };

/** What is wrong: the variable, and what it must be. */
export const faultsOfOperating = (vars: Vars): [name: string, fault: string][] =>
	TOGETHER.flatMap(([first, ...others]) =>
		others.flatMap((name): [string, string][] =>
			(vars[first] === undefined) === (vars[name] === undefined) ? [] : [[name, `must be set together with ${first}`]],
		),
	);
