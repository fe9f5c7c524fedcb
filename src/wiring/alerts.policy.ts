// What is looked at each minute, and from where on it is an alert. Nothing is imported, because `npm run alerts` runs this file too.

export type AlertLevel = "NONE" | "LOOK" | "WAKE";
type Row = Readonly<Record<string, unknown>>;
export type Finding = { readonly level: AlertLevel; readonly found: string };

export type AlertContext = {
	/** The databases that the sweep visits. */
	readonly databases: readonly string[];
	/** How full the database is that was asked. */
	readonly storagePercent: number;
	/** The most, in minor units, that may lie with nobody. */
	readonly unmatchedMost?: number | undefined;
};

export type Alert = {
	readonly name: string;
	/** Points of the whole service, or rows of one database. */
	readonly from: "METRICS" | "DATABASE";
	/** `{dataset}` stands for the points; absent where every answer to another query says enough. */
	readonly query?: string;
	judge(rows: readonly Row[], context: AlertContext): Finding;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below so few answers, attempts or requests a share says nothing. */
const FEW = 20;
const FEW_FAILURES = 5;

const number = (value: unknown): number => (value === null || value === undefined ? 0 : Number(value));
const sum = (rows: readonly Row[], column: string): number => rows.reduce((total, row) => total + number(row[column]), 0);
const most = (rows: readonly Row[], column: string): number => Math.max(0, ...rows.map((row) => number(row[column])));
const NOTHING: Finding = { level: "NONE", found: "" };

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const leveled = (found: string, look: boolean, wake: boolean): Finding =>
	look || wake ? { level: wake ? "WAKE" : "LOOK", found } : NOTHING;
/** By the age of the oldest, in seconds. */
const aged = (what: string, seconds: number, look: number, wake = Number.POSITIVE_INFINITY): Finding =>
	leveled(`${what} for ${Math.floor(seconds / MINUTE)} minutes`, seconds >= look, seconds >= wake);

const COUNTED = "_sample_interval * double1";
const within = (minutes: number): string => `timestamp > NOW() - INTERVAL '${minutes}' MINUTE`;
const countIf = (condition: string): string => `SUM(IF(${condition}, ${COUNTED}, 0))`;

const waiting = (table: string, statuses: string): string =>
	`SELECT (unixepoch() * 1000 - min(created_at)) / 1000 AS seconds FROM ${table} WHERE ${statuses}`;

export const ALERTS: readonly Alert[] = [
	{
		name: "5xx",
		from: "METRICS",
		query: `SELECT SUM(${COUNTED}) AS answers, ${countIf("blob3 >= '500'")} AS failed, ${countIf(within(5))} AS answers_now,
	${countIf(`${within(5)} AND blob3 >= '500'`)} AS failed_now
FROM {dataset} WHERE blob1 = 'request' AND ${within(15)}`,
		judge(rows) {
			const [answers, failed, now, failedNow] = ["answers", "failed", "answers_now", "failed_now"].map((name) => sum(rows, name)) as [
				number,
				number,
				number,
				number,
			];
			const found = `${failed} of ${answers} answers of 15 minutes were 5xx, ${failedNow} of ${now} of the last 5`;
			return leveled(found, failed >= FEW_FAILURES && failed > 0.005 * answers, failedNow >= FEW_FAILURES && failedNow > 0.05 * now);
		},
	},
	{
		name: "slow",
		from: "METRICS",
		query: `SELECT blob2 AS operation, ${countIf(within(15))} AS calls, SUM(IF(${within(15)}, _sample_interval * double2, 0)) AS ms,
	SUM(${COUNTED}) AS calls_before, SUM(_sample_interval * double2) AS ms_before
FROM {dataset} WHERE blob1 = 'request' AND timestamp > NOW() - INTERVAL '7' DAY GROUP BY operation`,
		judge(rows) {
			const slow = rows.filter(({ calls, ms, calls_before, ms_before }) => {
				const [mean, before] = [number(ms) / number(calls), number(ms_before) / number(calls_before)];
				return number(calls) >= FEW && number(calls_before) >= 10 * FEW && mean > 2 * before;
			});
			return leveled(`twice as slow as last week: ${slow.map(({ operation }) => operation).join(", ")}`, slow.length > 0, false);
		},
	},
	{
		name: "sweep",
		from: "METRICS",
		query: `SELECT blob2 AS database, toUnixTimestamp(NOW()) - toUnixTimestamp(MAX(timestamp)) AS seconds,
	MIN(IF(${within(15)}, double5, 1000)) AS kinds_left, ${countIf(within(15))} AS sweeps
FROM {dataset} WHERE blob1 = 'sweep' AND ${within(60)} GROUP BY database`,
		judge(rows, { databases }) {
			const secondsOf = (name: string) => number(rows.find(({ database }) => database === name)?.seconds ?? HOUR);
			const oldest = databases.reduce((one, other) => (secondsOf(other) > secondsOf(one) ? other : one), databases[0] ?? "");
			const age = aged(`${oldest} was not swept`, secondsOf(oldest), 3 * MINUTE, 10 * MINUTE);
			if (age.level !== "NONE") return age;
			const behind = rows.filter(({ kinds_left, sweeps }) => number(sweeps) >= 10 && number(kinds_left) > 0);
			return leveled(`work is left over for 15 minutes in ${behind.map(({ database }) => database).join(", ")}`, behind.length > 0, false);
		},
	},
	{
		name: "attempts",
		from: "METRICS",
		query: `SELECT blob2 AS outcome, SUM(${COUNTED}) AS attempts FROM {dataset} WHERE blob1 = 'attempts' AND ${within(15)} GROUP BY outcome`,
		judge(rows) {
			const all = sum(rows, "attempts");
			const [delivered, interrupted] = ["DELIVERED", "INTERRUPTED"].map((name) =>
				sum(
					rows.filter(({ outcome }) => outcome === name),
					"attempts",
				),
			) as [number, number];
			const found = `${all - delivered} of ${all} attempts of 15 minutes failed, ${interrupted} were interrupted`;
			return leveled(found, all >= FEW && all - delivered > all / 2, interrupted >= FEW_FAILURES && interrupted > 0.01 * all);
		},
	},
	{
		name: "expired claims",
		from: "METRICS",
		query: `SELECT ${countIf("blob1 = 'expiredClaims'")} AS claims, ${countIf("blob1 = 'attempts'")} AS attempts
FROM {dataset} WHERE (blob1 = 'expiredClaims' OR blob1 = 'attempts') AND ${within(60)}`,
		judge(rows) {
			const [claims, attempts] = [sum(rows, "claims"), sum(rows, "attempts")];
			return leveled(
				`${claims} claims expired in an hour of ${attempts} attempts`,
				claims > 0,
				claims >= FEW_FAILURES && claims > 0.01 * attempts,
			);
		},
	},
	{
		name: "dead letters",
		from: "METRICS",
		query: `SELECT SUM(${COUNTED}) AS messages FROM {dataset} WHERE blob1 = 'deadLetters' AND ${within(60)}`,
		judge(rows) {
			const messages = sum(rows, "messages");
			return leveled(`${messages} messages ended as dead letters in an hour`, messages > 0, messages > 100);
		},
	},
	{
		name: "providers",
		from: "METRICS",
		query: `SELECT blob2 AS what, SUM(${COUNTED}) AS requests, ${countIf("blob3 = 'UNKNOWN' OR blob3 = 'NOT_SENT'")} AS unanswered
FROM {dataset} WHERE blob1 = 'provider' AND ${within(15)} GROUP BY what`,
		judge(rows) {
			const failing = rows.filter(
				({ requests, unanswered }) => number(unanswered) >= FEW_FAILURES && number(unanswered) > number(requests) / 2,
			);
			return leveled(`half of the requests fail for 15 minutes: ${failing.map(({ what }) => what).join(", ")}`, failing.length > 0, false);
		},
	},
	{
		name: "refusals",
		from: "METRICS",
		query: `SELECT ${countIf(within(15))} AS refused, SUM(${COUNTED}) AS refused_before
FROM {dataset} WHERE blob1 = 'request' AND (blob3 = '401' OR blob3 = '429') AND timestamp > NOW() - INTERVAL '1' DAY`,
		judge(rows) {
			const refused = sum(rows, "refused");
			const usual = (sum(rows, "refused_before") - refused) / (DAY / (15 * MINUTE) - 1);
			return leveled(
				`${refused} calls of 15 minutes were refused by their credentials or limits; usual are ${Math.round(usual)}`,
				refused >= 100 && refused > 10 * usual,
				false,
			);
		},
	},
	{
		name: "late deliveries",
		from: "DATABASE",
		query: `WITH RECURSIVE waiting(webhook) AS (
	SELECT min(webhook_id) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
	UNION ALL SELECT (SELECT min(d.webhook_id) FROM webhook_deliveries d WHERE d.webhook_id > waiting.webhook AND d.next_attempt_at IS NOT NULL) FROM waiting WHERE waiting.webhook IS NOT NULL)
SELECT max((SELECT (unixepoch() * 1000 - d.next_attempt_at) / 1000 FROM webhook_deliveries d
	WHERE d.webhook_id = waiting.webhook AND d.next_attempt_at <= unixepoch() * 1000 AND d.claimed_until IS NULL ORDER BY d.next_attempt_at LIMIT 1)) AS seconds
FROM waiting`,
		judge: (rows) => aged("a delivery has been due", most(rows, "seconds"), 5 * MINUTE, 30 * MINUTE),
	},
	{
		name: "outbox",
		from: "DATABASE",
		query:
			"SELECT (unixepoch() * 1000 - min(next_attempt_at)) / 1000 AS seconds FROM messages WHERE status = 'PENDING' AND next_attempt_at <= unixepoch() * 1000",
		judge: (rows) => aged("a message to a person has been due", most(rows, "seconds"), 5 * MINUTE, 15 * MINUTE),
	},
	{
		name: "instructions",
		from: "DATABASE",
		query: `${waiting("disbursements", "status NOT IN ('SUCCEEDED', 'FAILED', 'RETURNED')")}
UNION ALL ${waiting("custodian_instructions", "status = 'PENDING'")}`,
		judge: (rows) => aged("an instruction to a provider has waited", most(rows, "seconds"), 15 * MINUTE, HOUR),
	},
	{
		name: "unmatched payments",
		from: "DATABASE",
		query: `SELECT currency, sum(amount) AS amount, (unixepoch() * 1000 - min(created_at)) / 1000 AS seconds
FROM payments WHERE status = 'UNMATCHED' GROUP BY currency`,
		judge(rows, { unmatchedMost }) {
			const old = aged("a payment has been unmatched", most(rows, "seconds"), DAY);
			const above = rows.find(({ amount }) => unmatchedMost !== undefined && number(amount) > unmatchedMost);
			return above ? { level: "WAKE", found: `unmatched payments sum up to ${above.amount} ${above.currency} in minor units` } : old;
		},
	},
	{
		name: "storage",
		from: "DATABASE",
		judge: (_, { storagePercent }) =>
			leveled(`the database is full by ${percent(storagePercent / 100)}`, storagePercent >= 50, storagePercent >= 85),
	},
	{
		name: "backup",
		from: "DATABASE",
		query:
			"SELECT (unixepoch() * 1000 - written_at) / 1000 AS seconds FROM backup_heads WHERE id = 1 AND EXISTS (SELECT 1 FROM changed_rows)",
		judge: (rows) => aged("what has changed was not backed up", most(rows, "seconds"), 3 * MINUTE, 10 * MINUTE),
	},
];
