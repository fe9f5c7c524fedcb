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
/** By docs/performance.md. */
const CPU_MS = 257;
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
function ofBorrower({ costs, attempts, deliveriesPerLoan, deliveriesPerRepayment }: Measured) {
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
	return { deliveries, requests, written: sum("written") + PURGED_ROWS * deliveries, read: sum("read"), trips: sum("trips") };
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
		};
		const written = price("rowsWritten", amounts.written);
		const dollars = {
			plan: PLAN,
			written,
			storage: price("gigabytes", bytes / 1e9),
			read: price("rowsRead", amounts.read),
			requests: price("requests", borrowers * (each.requests + each.deliveries) + sweeps) + price("cpuMs", borrowers * CPU_MS),
			queues:
				price("queueOperations", borrowers * each.deliveries * QUEUE_OPERATIONS) + price("objectRequests", borrowers * (2 + REPAYMENTS)),
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
			row("Requests and CPU time", ({ dollars }) => money(dollars.requests)),
			row("Queues, Durable Objects", ({ dollars }) => money(dollars.queues)),
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
The disk is after a year: ${(forGood / 1000).toFixed(0)} kB a month for good, of which half are assumed for repayments, and ${(forAMonth / 1000).toFixed(0)} kB that the sweep removes.

${text}`;
}
