// Requests to providers that must arrive although processes die and providers fail. A row of a table is the order. Each attempt is claimed
// by a commit of its own, which counts it and sets when the next one is due, before anything leaves: so a crash only delays the request,
// and of two sweeps one sends it. Another commit stores the answer. Where the answer is lost, the next attempt follows when it is due.

import { type Effect, effect, type Write } from "../db/database";
import { unlessStale } from "../db/stale";
import { DAY_MS } from "../shared/time";
import { MOST_CONNECTIONS } from "./connections";
import { listed } from "./log";
import type { JobServices, Services } from "./services";

/** How an order is sent, and what its answer means. */
export type Sending<Order, Answer> = {
	/** What is sent, in the metrics. */
	readonly what: string;
	/** What was answered, in the metrics: a word of the code, and none of the provider's. */
	said(answer: Answer): string;
	/** Makes one attempt, which is claimed already. */
	send(services: JobServices, order: Order): Promise<Answer>;
	/** The writes that store the answer; none where the next attempt decides. */
	outcome(services: JobServices, order: Order, answer: Answer): readonly Write[] | Promise<readonly Write[]>;
};

type Log = readonly [message: string, about: Readonly<Record<string, string>>];

/** How orders of a table are sent until they end. */
export type Orders<Row extends Order, Order, Answer> = Sending<Order, Answer> & {
	/** What ends an order by time, in place of an attempt; undefined where nothing does. */
	over?(services: JobServices, row: Row): (() => Promise<unknown>) | undefined;
	/** Counts the attempt, and sets when the next one is due. Stale when another sweep has claimed it, or the order has ended. */
	claim(services: JobServices, row: Row): Write;
	/** What is logged with each attempt of an order that is open for more than a day: it usually needs somebody. */
	late?(row: Row): Log | undefined;
};

export type Outbox<Row extends Order, Order, Answer> = Orders<Row, Order, Answer> & {
	/** The orders that are due, the longest due first, so many at most. */
	due(services: JobServices, most: number): Promise<readonly Row[]>;
};

/** Rows that say since when they are open, and by whose request. */
type Dated = { readonly createdAt: number; readonly cause?: string | null };

/** Makes one attempt, which is claimed already, and stores its answer unless the order has ended otherwise meanwhile. */
export async function attempt<Order, Answer>(
	services: JobServices,
	sending: Sending<Order, Answer>,
	order: Order,
	cause: string | null | undefined = services.requestId,
): Promise<Answer> {
	const answer = await sendOne(services, sending, order, cause);
	await unlessStale(async () => services.commit(await sending.outcome(services, order, answer)));
	return answer;
}

async function sendOne<Order, Answer>(
	services: JobServices,
	{ what, said, send }: Sending<Order, Answer>,
	order: Order,
	cause: string | null | undefined,
): Promise<Answer> {
	const answer = await send(services, order);
	const outcome = said(answer);
	services.providers.metrics?.record({ kind: "provider", what, outcome, count: 1 });
	services.log.info("provider attempt", { what, outcome, causes: listed([cause]) });
	return answer;
}

/** Claims the next attempt of an order and makes it, unless another sweep does. */
export async function sendAgain<Row extends Order & Dated, Order, Answer>(
	services: JobServices,
	orders: Orders<Row, Order, Answer>,
	row: Row,
): Promise<void> {
	const late = row.createdAt <= services.now - DAY_MS ? orders.late?.(row) : undefined;
	if (late) services.log.error(late[0], undefined, late[1]);
	const end = orders.over?.(services, row);
	if (end) await unlessStale(end);
	else if (await unlessStale(() => services.commit([orders.claim(services, row)]))) await attempt(services, orders, row, row.cause);
}

/** The work on a portion of what is due, as many side by side as there are connections. The result is whether more may be waiting. */
export async function portion<Row>(due: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<boolean> {
	const ended = await Promise.allSettled(due.map(work));
	// A message that fails keeps nobody else's from being sent, and is logged as the failure of the step.
	for (const one of ended) if (one.status === "rejected") throw one.reason;
	return due.length >= MOST_CONNECTIONS;
}

/** Sends a portion of the orders that are due. The result is whether more may be waiting. */
export const sendDue =
	<Row extends Order & Dated, Order, Answer>(outbox: Outbox<Row, Order, Answer>) =>
	async (services: JobServices): Promise<boolean> =>
		portion(await outbox.due(services, MOST_CONNECTIONS), (row) => sendAgain(services, outbox, row));

/** Makes an attempt of each of the orders that one statement has claimed, side by side, and stores their answers in one commit. */
export async function sendTogether<Order, Answer>(
	services: JobServices,
	sending: Sending<Order, Answer>,
	claimed: readonly (Order & { readonly cause?: string | null })[],
): Promise<void> {
	const writes = await Promise.all(
		claimed.map(async (order) => sending.outcome(services, order, await sendOne(services, sending, order, order.cause))),
	);
	await services.commit(writes.flat());
}

/** Belongs to a commit: work that follows it, and for which no answer waits. */
export const afterCommit = (services: Services, work: (job: JobServices) => Promise<unknown>): Effect =>
	effect([], () => services.afterwards(work));

/** Belongs to the commit that orders, which counts the first attempt. */
export const sendAfter = <Order>(services: Services, sending: Sending<Order, unknown>, order: Order): Effect =>
	afterCommit(services, (job) => attempt(job, sending, order));
