// The arithmetic of docs/scale.md: from measured rows and bytes to limits and prices.

export type Cost = { readonly trips: number; readonly read: number; readonly written: number; readonly ms: number };
export type Bytes = ReadonlyMap<string, number>;

/** `loan`: a first loan, `repayment`: one, both with their deliveries. `sweep`: one of which nothing is due. */
export type Processor = Readonly<Record<"loan" | "repayment" | "read" | "exchange" | "sweep", number>>;

export type Measured = {
	readonly borrowers: number;
	readonly deliveriesPerLoan: number;
	readonly deliveriesPerRepayment: number;
	/** By operation. */
	readonly costs: ReadonlyMap<string, Cost>;
	/** One attempt of a delivery, without the request that raised its event, by what was raised. */
	readonly attempts: ReadonlyMap<string, Cost>;
	/** Ms of the runtime's processor, with what D1 and the queues take of it here. */
	readonly processor: Processor;
	/** What all borrowers added, by table with its indexes. */
	readonly bytes: Bytes;
};

/** In dollars, on Cloudflare's paid plan beyond what it includes, as published in November 2026. */
export const PRICES = {
	millionRowsRead: 0.001,
	millionRowsWritten: 1,
	gigabyteMonth: 0.75,
	millionRequests: 0.3,
	millionQueueOperations: 0.4,
};

/** D1's limit for one database, which cannot be raised. */
export const DATABASE_BYTES = 10e9;
/** The default of `RETENTION_DAYS`. */
export const EVENT_DAYS = 30;
const DAY_S = 86_400;
/** Kept for days at most, so they do not add up. */
export const SHORT_LIVED = ["idempotency_records", "rate_windows", "spent_tokens", "refresh_tokens", "otp_challenges", "messages"];
/** Written, read and deleted once each. */
export const QUEUE_OPERATIONS = 3;
/** What the purge writes to remove an event and its delivery. */
export const PURGED_ROWS = 2;

export type Row = readonly (string | number)[];

export const table = (head: readonly string[], rows: readonly Row[]): string =>
	[head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

export const few = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 2 : 1));
/** Two leading digits: more would promise what page sizes do not keep. */
export const about = (value: number): string => Number(value.toPrecision(2)).toLocaleString("en");
const dollars = (value: number): string => value.toFixed(2);
const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

const rowsPrice = ({ read, written }: Cost): number => read * PRICES.millionRowsRead + written * PRICES.millionRowsWritten;

/** @param deployed within the bounds of a deployment, of which only the attempts are printed */
export function tables({ unbounded, deployed: measured }: { unbounded: Measured; deployed: Measured }): string {
	const { borrowers, costs, attempts, deliveriesPerLoan } = measured;
	const [attempt = { trips: 0, read: 0, written: 0, ms: 0 }] = attempts.values();
	const of = (chosen: (table: string) => boolean): number =>
		[...measured.bytes].reduce((sum, [name, bytes]) => (chosen(name) ? sum + bytes : sum), 0) / borrowers;
	const isEvent = (name: string) => /^webhook_(events|deliveries|receipts|attempts)$/.test(name);
	const isShortLived = (name: string) => SHORT_LIVED.includes(name);
	const eventBytes = of(isEvent);
	const shortBytes = of(isShortLived);
	const keptBytes = of((name) => !isEvent(name) && !isShortLived(name));
	const deliveredBytes = eventBytes / deliveriesPerLoan;

	// What an attempt costs in addition to its rows: its message, at worst a consumer run of its own, and the purge.
	const queue = QUEUE_OPERATIONS * PRICES.millionQueueOperations + PRICES.millionRequests;
	const attemptPrice = rowsPrice(attempt) + queue + PURGED_ROWS * PRICES.millionRowsWritten;
	const price = (cost: Cost) => rowsPrice(cost) + PRICES.millionRequests;
	const journey = [
		"first exchange of a new user",
		"admission by an operator",
		"exchange of a known user",
		"loan application",
		"acceptance and disbursement",
		"profile",
		"one application",
	].flatMap((name) => costs.get(name) ?? []);
	const loanPrice = journey.reduce((sum, cost) => sum + price(cost), 0) + deliveriesPerLoan * attemptPrice;
	const loanRows = journey.reduce((sum, { written }) => sum + written, 0) + deliveriesPerLoan * attempt.written;
	const loanTrips = journey.reduce((sum, { trips }) => sum + trips, 0) + deliveriesPerLoan * attempt.trips;
	const loanMs = journey.reduce((sum, { ms }) => sum + ms, 0) + deliveriesPerLoan * attempt.ms;

	const figures = ({ trips, read, written, ms }: Cost): Row => [few(trips), few(read), few(written), few(ms)];
	const operations = table(
		["Operation", "trips", "rows read", "rows written", "ms", "$ per million"],
		[
			...[...costs].map(([name, cost]): Row => [name, ...figures(cost), dollars(price(cost))]),
			["attempt of one of its deliveries", ...figures(attempt), dollars(attemptPrice)],
			[`**a first loan, with ${few(deliveriesPerLoan)} deliveries**`, few(loanTrips), "", few(loanRows), few(loanMs), dollars(loanPrice)],
		],
	);

	const ofAttempts = table(
		["One attempt, of", "profile", "trips", "rows read", "rows written", "ms"],
		[...attempts].flatMap(([name, cost]): Row[] => {
			const here = unbounded.attempts.get(name);
			return [...(here ? [[name, "unbounded", ...figures(here)]] : []), [name, "deployed", ...figures(cost)]];
		}),
	);

	const disk = table(
		["What a first loan leaves", "kB", "kept"],
		[
			["user, application, account and the rest", kilobytes(keptBytes), "for good"],
			[`${few(deliveriesPerLoan)} delivered events, ${kilobytes(deliveredBytes)} kB each`, kilobytes(eventBytes), `${EVENT_DAYS} days`],
			["tokens, idempotency records and the like", kilobytes(shortBytes), "days"],
		],
	);

	const eventsPerSecond = DATABASE_BYTES / deliveredBytes / (EVENT_DAYS * DAY_S);
	const loansPerDay = DATABASE_BYTES / (eventBytes + keptBytes) / EVENT_DAYS;
	const perDatabase = (count: number): Row => [
		count,
		about((count * DATABASE_BYTES) / deliveredBytes),
		about(count * eventsPerSecond),
		about((count * DATABASE_BYTES) / (eventBytes + keptBytes)),
		about(count * loansPerDay),
		dollars((count * DATABASE_BYTES * PRICES.gigabyteMonth) / 1e9),
	];
	const capacity = table(
		[
			"databases with homes",
			"delivered events held",
			"events per second, kept up",
			"first loans held",
			`first loans a day, for ${EVENT_DAYS} days`,
			"$ a month when full",
		],
		[1, 2, 4, 8, 63].map(perDatabase),
	);

	const busy = (loansPerDay / DAY_S / 1000) * loanMs;
	return `Measured with ${borrowers} borrowers, one webhook that gets every event, on the bundled Worker, within the bounds of a deployment; attempts in
both profiles.

${operations}

${ofAttempts}

${disk}

${capacity}

A database that fills its disk in ${EVENT_DAYS} days takes ${about(loansPerDay)} first loans a day, with their deliveries. At the times above its one
writer is then busy for ${few(100 * busy)} % of the time: ${busy < 0.5 ? "the disk is full long before the writer is busy" : "the writer is the limit, not the disk"}.`;
}
