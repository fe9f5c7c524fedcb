// The outbox without a database: order, bounds, claims, and what a fault leaves behind at each step.

import { describe, expect, it } from "vitest";
import { StaleWrite, type Write } from "../../src/db/database";
import { MOST_CONNECTIONS } from "../../src/runtime/connections";
import { attempt, type Outbox, sendAfter, sendDue, sendTogether } from "../../src/runtime/outbox";
import type { Measured } from "../../src/runtime/ports";
import type { JobServices } from "../../src/runtime/services";
import { DAY_MS, HOUR_MS } from "../../src/shared/time";

type Row = { readonly id: string; readonly createdAt: number; readonly attempts: number; readonly nextAttemptAt: number };
type Answer = "TAKEN" | "UNKNOWN";
/** What a write does to the rows; each write of these tests is one. */
type Change = () => void;

const NOW = 100 * DAY_MS;

/** An outbox over rows in memory. `answers`: what the provider says of each, UNKNOWN where nothing is said, a throw where it throws. */
function outboxOf(rows: Row[], answers: Readonly<Record<string, Answer | Error>> = {}) {
	const table = new Map(rows.map((row) => [row.id, row]));
	const taken = new Set<string>();
	const sent: string[] = [];
	const logged: string[] = [];
	const measured: Measured[] = [];
	const later: ((job: JobServices) => Promise<unknown>)[] = [];
	/** Happens in place of the commit of this number, counted from one. */
	const faults = new Map<number, () => void>();
	let commits = 0;
	const services = {
		now: NOW,
		log: { info() {}, error: (message: string, _: unknown, about: object) => logged.push(`${message} ${JSON.stringify(about)}`) },
		async commit(writes: readonly Write[]) {
			if (writes.length === 0) return;
			faults.get(++commits)?.();
			for (const write of writes) (write as unknown as Change)();
		},
		providers: { metrics: { record: (point: Measured) => measured.push(point) } },
		afterwards: (work: (job: JobServices) => Promise<unknown>) => later.push(work),
	} as unknown as JobServices;
	const change = (of: Change) => of as unknown as Write;
	const outbox: Outbox<Row, Row, Answer> = {
		what: "orders",
		said: (answer) => answer,
		due: async (_, most) =>
			[...table.values()]
				.filter(({ id, nextAttemptAt }) => !taken.has(id) && nextAttemptAt <= NOW)
				.sort((one, other) => one.nextAttemptAt - other.nextAttemptAt)
				.slice(0, most),
		claim: (_, { id, attempts }) =>
			change(() => {
				const row = table.get(id);
				if (row?.attempts !== attempts || taken.has(id)) throw new StaleWrite("stale");
				table.set(id, { ...row, attempts: attempts + 1, nextAttemptAt: NOW + HOUR_MS });
			}),
		async send(_, { id }) {
			sent.push(id);
			const answer = answers[id] ?? "UNKNOWN";
			if (answer instanceof Error) throw answer;
			return answer;
		},
		outcome: (_, { id }, answer) => (answer === "TAKEN" ? [change(() => void taken.add(id))] : []),
	};
	return { outbox, services, table, taken, sent, logged, measured, later, faults };
}

const row = (id: string, of: Partial<Row> = {}): Row => ({
	id,
	createdAt: NOW - HOUR_MS,
	attempts: 1,
	nextAttemptAt: NOW - HOUR_MS,
	...of,
});

describe("a portion", () => {
	it("is what has been due for longest, as many as there are connections, and says whether more may be waiting", async () => {
		const rows = Array.from({ length: MOST_CONNECTIONS + 2 }, (_, nth) => row(`order ${nth}`, { nextAttemptAt: NOW - nth }));
		const { outbox, services, sent } = outboxOf(rows);
		expect(await sendDue(outbox)(services)).toBe(true);
		expect(sent).toEqual(["order 5", "order 4", "order 3", "order 2"]);
		expect(await sendDue(outbox)(services)).toBe(false);
		expect(sent.slice(MOST_CONNECTIONS)).toEqual(["order 1", "order 0"]);
		expect(await sendDue(outbox)(services)).toBe(false);
		expect(sent).toHaveLength(MOST_CONNECTIONS + 2);
	});

	it("leaves alone what is not due yet, and what was taken", async () => {
		const { outbox, services, sent, table } = outboxOf([row("due"), row("later", { nextAttemptAt: NOW + 1 })], { due: "TAKEN" });
		await sendDue(outbox)(services);
		table.set("due", row("due"));
		await sendDue(outbox)(services);
		expect(sent).toEqual(["due"]);
	});

	it("sends the others when one of them throws, and fails with what it threw", async () => {
		const broken = new Error("the adapter is broken");
		const { outbox, services, sent, taken } = outboxOf([row("one"), row("two"), row("three")], {
			one: broken,
			two: "TAKEN",
			three: "TAKEN",
		});
		await expect(sendDue(outbox)(services)).rejects.toBe(broken);
		expect(sent).toEqual(["one", "two", "three"]);
		expect([...taken]).toEqual(["two", "three"]);
	});
});

describe("an attempt", () => {
	it("is counted and put off before anything is sent", async () => {
		const { outbox, services, table } = outboxOf([row("order")]);
		const send = outbox.send;
		outbox.send = (services, order) => {
			expect(table.get("order")).toMatchObject({ attempts: 2, nextAttemptAt: NOW + HOUR_MS });
			return send(services, order);
		};
		await sendDue(outbox)(services);
		expect.assertions(1);
	});

	it("is made by one of two sweeps that have read the same row", async () => {
		const { outbox, services, sent } = outboxOf([row("order")]);
		const due = await outbox.due(services, MOST_CONNECTIONS);
		outbox.due = async () => due;
		await Promise.all([sendDue(outbox)(services), sendDue(outbox)(services)]);
		expect(sent).toEqual(["order"]);
	});

	it("sends nothing when the database fails at its claim, and is still due", async () => {
		const { outbox, services, sent, table, faults } = outboxOf([row("order")]);
		const down = new Error("the database is down");
		faults.set(1, () => {
			throw down;
		});
		await expect(sendDue(outbox)(services)).rejects.toBe(down);
		expect([sent, table.get("order")]).toEqual([[], row("order")]);
	});

	it("is made again after the delay when the process dies between claim and request", async () => {
		const { outbox, services, sent, table } = outboxOf([row("order")]);
		await services.commit([outbox.claim(services, row("order"))]);
		expect(await outbox.due(services, MOST_CONNECTIONS)).toEqual([]);
		table.set("order", { ...row("order"), attempts: 2, nextAttemptAt: NOW });
		await sendDue(outbox)(services);
		expect(sent).toEqual(["order"]);
	});

	it("is made again after the delay when the answer is not stored", async () => {
		const { outbox, services, sent, taken, table, faults } = outboxOf([row("order")], { order: "TAKEN" });
		const down = new Error("the database is down");
		faults.set(2, () => {
			throw down;
		});
		await expect(sendDue(outbox)(services)).rejects.toBe(down);
		expect([sent, [...taken]]).toEqual([["order"], []]);
		table.set("order", { ...row("order"), attempts: 2, nextAttemptAt: NOW });
		await sendDue(outbox)(services);
		expect([sent, [...taken]]).toEqual([["order", "order"], ["order"]]);
	});

	it("stores nothing when the order has ended otherwise before its answer", async () => {
		const { outbox, services, taken, faults } = outboxOf([row("order")], { order: "TAKEN" });
		faults.set(2, () => {
			throw new StaleWrite("stale");
		});
		expect(await sendDue(outbox)(services)).toBe(false);
		expect([...taken]).toEqual([]);
	});

	it("that follows an order's commit is made once that has landed, and its answer is stored", async () => {
		const { outbox, services, sent, taken, later } = outboxOf([], { order: "TAKEN" });
		const { statements, committed } = sendAfter(services, outbox, row("order"));
		expect([statements, later]).toEqual([[], []]);
		committed?.([]);
		expect(sent).toEqual([]);
		for (const work of later) await work(services);
		expect([sent, [...taken]]).toEqual([["order"], ["order"]]);
	});

	it("returns what was answered", async () => {
		const { outbox, services } = outboxOf([], { order: "TAKEN" });
		expect(await attempt(services, outbox, row("order"))).toBe("TAKEN");
	});
});

describe("the metrics", () => {
	it("count each answer of a provider, by what was asked", async () => {
		const { outbox, services, measured } = outboxOf([row("one"), row("two"), row("broken")], { one: "TAKEN", broken: new Error("broken") });
		await expect(sendDue(outbox)(services)).rejects.toThrow("broken");
		await sendTogether(services, outbox, [row("three")]);
		const point = { kind: "provider", what: "orders", count: 1 };
		expect(measured).toEqual([
			{ ...point, outcome: "TAKEN" },
			{ ...point, outcome: "UNKNOWN" },
			{ ...point, outcome: "UNKNOWN" },
		]);
	});
});

describe("an order that is open for more than a day", () => {
	const old = row("old", { createdAt: NOW - DAY_MS });

	it("is logged with each attempt, where its outbox says how", async () => {
		const { outbox, services, logged } = outboxOf([old, row("new")]);
		await sendDue({ ...outbox, late: ({ id }) => ["an order is late", { id }] })(services);
		expect(logged).toEqual(['an order is late {"id":"old"}']);
	});

	it("is not logged where its outbox does not say how", async () => {
		const { outbox, services, logged } = outboxOf([old]);
		await sendDue({ ...outbox, late: () => undefined })(services);
		await sendDue(outbox)(services);
		expect(logged).toEqual([]);
	});
});

describe("an order that time has decided", () => {
	const ending = (end: () => Promise<unknown>) => {
		const world = outboxOf([row("over"), row("open")]);
		return { ...world, outbox: { ...world.outbox, over: (_: JobServices, { id }: Row) => (id === "over" ? end : undefined) } };
	};

	it("is ended in place of an attempt", async () => {
		let ended = 0;
		const { outbox, services, sent, table } = ending(async () => ended++);
		await sendDue(outbox)(services);
		expect([ended, sent, table.get("over")]).toEqual([1, ["open"], row("over")]);
	});

	it("is left as it is when it has ended otherwise meanwhile", async () => {
		const { outbox, services, sent } = ending(async () => {
			throw new StaleWrite("stale");
		});
		expect(await sendDue(outbox)(services)).toBe(false);
		expect(sent).toEqual(["open"]);
	});
});

describe("orders that are claimed together", () => {
	it("have their answers stored in one commit", async () => {
		const { outbox, services, sent, taken, faults } = outboxOf([], { one: "TAKEN", three: "TAKEN" });
		faults.set(2, () => {
			throw new Error("there is a second commit");
		});
		await sendTogether(services, outbox, [row("one"), row("two"), row("three")]);
		expect([sent, [...taken]]).toEqual([
			["one", "two", "three"],
			["one", "three"],
		]);
	});

	it("have none of their answers stored when one of them throws, so that all are sent again", async () => {
		const broken = new Error("the adapter is broken");
		const { outbox, services, taken } = outboxOf([], { one: "TAKEN", two: broken });
		await expect(sendTogether(services, outbox, [row("one"), row("two")])).rejects.toBe(broken);
		expect([...taken]).toEqual([]);
	});
});
