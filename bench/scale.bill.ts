// What a month costs, of measured rows and bytes: the table of docs/operations.md.

import {
	about,
	type Cost,
	DATABASE_BYTES,
	few,
	type Measured,
	PURGED_ROWS,
	QUEUE_OPERATIONS,
	type Row,
	SHORT_LIVED,
	table,
} from "./scale.tables.ts";

/** On Cloudflare's paid plan, in November 2026: what it includes, and dollars for each unit beyond that. */
const PLAN = 5;
const MILLION = 1e6;
const PRICES = {
	rowsWritten: { included: 50 * MILLION, each: 1 / MILLION },
	rowsRead: { included: 25_000 * MILLION, each: 0.001 / MILLION },
	gigabytes: { included: 5, each: 0.75 },
	requests: { included: 10 * MILLION, each: 0.3 / MILLION },
	cpuMs: { included: 30 * MILLION, each: 0.02 / MILLION },
	queueOperations: { included: MILLION, each: 0.4 / MILLION },
	objectRequests: { included: MILLION, each: 0.15 / MILLION },
	objectRowsWritten: { included: 50 * MILLION, each: 1 / MILLION },
	objectRowsRead: { included: 25_000 * MILLION, each: 0.001 / MILLION },
	objectGigabyteSeconds: { included: 400_000, each: 12.5 / MILLION },
	/** Lines of logs, and spans of traces. */
	lines: { included: 10 * MILLION, each: 0.6 / MILLION },
	points: { included: 10 * MILLION, each: 0.25 / MILLION },
	/** Files that are written to R2, and what they take there. */
	files: { included: MILLION, each: 4.5 / MILLION },
	filesGigabytes: { included: 10, each: 0.015 },
};
type Unit = keyof typeof PRICES;

const BORROWERS = [10_000, 100_000, 1_000_000] as const;
/** Rows of one borrower in a month, without the loan. */
const REPAYMENTS = 4;
const READS = 60;
const EXCHANGES = 4;
/** Calls with an `Idempotency-Key`: each is a session with an object. */
const KEYED = 2 + REPAYMENTS;
/** Of these, those whose answer no commit records: the object stores them. */
const STORED = 0.05;
/** The row, its index, the alarm, and its removal. */
const ROWS_OF_STORED = 4;
/** Looking for a stored answer. */
const ROWS_OF_CLAIM = 2;
/** So long an object works for a call, whose database may be far away, and for a sweep, most of which find nothing due. */
const CLAIM_S = 0.3;
const SWEEP_S = 1;
/** As Cloudflare counts each, however little it uses. */
const OBJECT_GB = 0.128;
/** Of one sweep's object: the cron's call and the alarm; the alarm is a row; the name of the database and the alarm are read. */
const OF_SWEEP = { requests: 2, written: 1, read: 2 };
/** Months after which the disk is looked at. */
const MONTHS = 12;
const SWEEPS = 43_800;
/** No database is fuller. */
const FULL = DATABASE_BYTES / 2;
/** Of what the rows take in a database: `npm run restore -- --drill`. */
const COMPRESSED = 0.12;
/** Copies of all rows within 35 days. */
const COPIES = 5;

const NOTHING: Cost = { trips: 0, read: 0, written: 0, ms: 0 };

/** What a borrower writes and reads in a month. */
function ofBorrower({ costs, attempts, processor, deliveriesPerLoan, deliveriesPerRepayment }: Measured) {
	const of = (name: string): Cost => costs.get(name) ?? NOTHING;
	const [attempt = NOTHING] = attempts.values();
	const calls: readonly (readonly [Cost, number])[] = [
		[of("exchange of a known user"), EXCHANGES],
		[of("loan application"), 1],
		[of("acceptance and disbursement"), 1],
		[of("repayment"), REPAYMENTS],
		[of("one application"), READS],
	];
	const deliveries = deliveriesPerLoan + REPAYMENTS * deliveriesPerRepayment;
	const all: readonly (readonly [Cost, number])[] = [...calls, [attempt, deliveries]];
	const sum = (field: "written" | "read" | "trips") => all.reduce((total, [cost, times]) => total + cost[field] * times, 0);
	const requests = calls.reduce((total, [, times]) => total + times, 0);
	// The measured loan has two exchanges and two reads in it.
	const { loan, repayment, read, exchange } = processor;
	const cpuMs = loan + REPAYMENTS * repayment + (READS - 2) * read + (EXCHANGES - 2) * exchange;
	return { deliveries, requests, cpuMs, written: sum("written") + PURGED_ROWS * deliveries, read: sum("read"), trips: sum("trips") };
}

const bytesFor = ({ bytes, borrowers }: Measured, chosen: (table: string) => boolean): number =>
	[...bytes].reduce((sum, [name, size]) => (chosen(name) ? sum + size : sum), 0) / borrowers;

/** @param backedUp the same with a backup */
export function bill({ measured, backedUp }: { measured: Measured; backedUp: Measured }): string {
	const each = ofBorrower(measured);
	// Noted when they change, and forgotten when they are in a file.
	const noted = 2 * Math.max(0, ofBorrower(backedUp).written - each.written);
	const isEvent = (name: string) => /^webhook_(events|deliveries|receipts|attempts)$/.test(name);
	const forGood = bytesFor(measured, (name) => !isEvent(name) && !SHORT_LIVED.includes(name)) * (1 + REPAYMENTS / 4);
	const forAMonth = bytesFor(measured, isEvent) * (each.deliveries / measured.deliveriesPerLoan);
	const lines = each.requests + 2 * each.deliveries;
	const points = each.requests + each.deliveries;
	const spans = each.requests + each.trips + 3 * each.deliveries;
	const columns = BORROWERS.map((borrowers) => {
		const bytes = borrowers * (MONTHS * forGood + forAMonth);
		const databases = Math.max(1, Math.ceil(bytes / FULL));
		const price = (unit: Unit, amount: number): number => Math.max(0, amount - PRICES[unit].included) * PRICES[unit].each;
		const sweeps = databases * SWEEPS;
		const amounts = {
			written: borrowers * each.written,
			noted: borrowers * noted,
			read: borrowers * each.read,
			lines: borrowers * lines,
			points: borrowers * points + sweeps,
			spans: borrowers * spans,
			cpuMs: borrowers * each.cpuMs + sweeps * measured.processor.sweep,
			objectRequests: borrowers * KEYED + sweeps * OF_SWEEP.requests,
			objectWritten: borrowers * KEYED * STORED * ROWS_OF_STORED + sweeps * OF_SWEEP.written,
			objectRead: borrowers * KEYED * ROWS_OF_CLAIM + sweeps * OF_SWEEP.read,
			objectGigabyteSeconds: OBJECT_GB * (borrowers * KEYED * CLAIM_S + sweeps * SWEEP_S),
		};
		const written = price("rowsWritten", amounts.written);
		const dollars = {
			plan: PLAN,
			written,
			storage: price("gigabytes", bytes / 1e9),
			read: price("rowsRead", amounts.read),
			requests: price("requests", borrowers * (each.requests + each.deliveries) + sweeps) + price("cpuMs", amounts.cpuMs),
			queues: price("queueOperations", borrowers * each.deliveries * QUEUE_OPERATIONS),
			objects:
				price("objectRequests", amounts.objectRequests) +
				price("objectRowsWritten", amounts.objectWritten) +
				price("objectRowsRead", amounts.objectRead) +
				price("objectGigabyteSeconds", amounts.objectGigabyteSeconds),
			logs: price("lines", amounts.lines),
			metrics: price("points", amounts.points),
		};
		const together = Object.values(dollars).reduce((sum, one) => sum + one, 0);
		const files = price("files", sweeps) + price("filesGigabytes", (bytes * COMPRESSED * COPIES) / 1e9);
		const backup = price("rowsWritten", amounts.written + amounts.noted) - written + files;
		const traces = price("lines", amounts.lines + amounts.spans) - dollars.logs;
		return { databases, bytes, amounts, dollars, together, backup, traces };
	});
	const money = (value: number): string => (value < 0.5 ? "0" : `$${Math.round(value).toLocaleString("en")}`);
	const row = (name: string, of: (column: (typeof columns)[number]) => string): Row => [name, ...columns.map(of)];
	const counted = (value: number): string => `${about(value / MILLION)} million`;
	const text = table(
		["Active borrowers", ...BORROWERS.map((number) => number.toLocaleString("en"))],
		[
			row("Plan", ({ dollars }) => money(dollars.plan)),
			row("D1 rows written", ({ dollars, amounts }) => `${money(dollars.written)} (${counted(amounts.written)})`),
			row("D1 storage after a year", ({ dollars, bytes }) => `${money(dollars.storage)} (${about(bytes / 1e9)} GB)`),
			row("D1 rows read", ({ dollars, amounts }) => `${money(dollars.read)} (${counted(amounts.read)})`),
			row("Requests and CPU time", ({ dollars, amounts }) => `${money(dollars.requests)} (${counted(amounts.cpuMs)} ms)`),
			row("Queues", ({ dollars }) => money(dollars.queues)),
			row("Durable Objects", ({ dollars, amounts }) => `${money(dollars.objects)} (${counted(amounts.objectRequests)} requests)`),
			row(
				"… their rows and time, in that",
				({ amounts }) =>
					`${counted(amounts.objectRead)} read, ${counted(amounts.objectWritten)} written, ${about(amounts.objectGigabyteSeconds)} GB-s`,
			),
			row("Logs", ({ dollars, amounts }) => `${money(dollars.logs)} (${counted(amounts.lines)} lines)`),
			row("Metrics", ({ dollars, amounts }) => `${money(dollars.metrics)} (${counted(amounts.points)} points)`),
			row("Traces, which are off", () => "0"),
			row("**Together**", ({ together }) => `**${money(together)}**`),
			row("In addition, with `BACKUP`", ({ backup, amounts }) => `${money(backup)} (${counted(amounts.noted)} rows)`),
			row("In addition, with traces on", ({ traces, amounts }) => `${money(traces)} (${counted(amounts.spans)} spans)`),
			row("Databases, none over half full", ({ databases }) => String(databases)),
		],
	);
	return `Each borrower takes one loan a month with its ${few(measured.deliveriesPerLoan)} deliveries, makes ${REPAYMENTS} repayments with ${few(measured.deliveriesPerRepayment)} each,
and opens the app for ${READS} reads: ${few(each.requests + each.deliveries)} requests of Workers, ${Math.round(each.written)} rows written, ${lines.toFixed(0)} lines of the log and ${points.toFixed(0)} points.
A borrower takes ${Math.round(each.cpuMs)} ms of the runtime's processor: ${few(measured.processor.loan)} for the loan with its deliveries, ${few(measured.processor.repayment)} for a repayment with its own, ${few(measured.processor.read)} for a read
and ${few(measured.processor.exchange)} for an exchange; a sweep takes ${few(measured.processor.sweep)}. Here D1 and the queues run in the same process, so Cloudflare counts less.
The disk is after a year: ${(forGood / 1000).toFixed(0)} kB a month for good, of which half are assumed for repayments, and ${(forAMonth / 1000).toFixed(0)} kB that the sweep removes.

${text}`;
}
