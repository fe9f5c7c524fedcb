// What people must look at: how much of each kind waits, what it is, and doing it again.

import * as z from "zod";
import { first } from "../../db/reads";
import { alone, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError, invalidState } from "../../shared/errors";
import { AWAITED, WORK_KINDS } from "./kinds.policy";
import { retryOf } from "./retry.plan";
import { countWork, findWork, SOURCES, waitsSince } from "./store";
import { Attention, type Counted, toAttention, toWorkItem, WorkItem, type WorkRow } from "./wire";

export const getAttention = operation({
	id: "getAttention",
	method: "GET",
	path: "/v1/platform/attention",
	summary: "How much work of each kind waits for people, and since when",
	description:
		"Payouts, transfers, returns of money, instructions to the custodian and what the authorization provider is told usually end by themselves; they count after ten minutes.",
	access: operator,
	home: "everywhere",
	request: {},
	response: z.object({ data: z.array(Attention) }),
	async handle(_, services) {
		const counted = await Promise.all(
			services.everywhere().map(({ db, now }) => db.read(WORK_KINDS.map((kind) => countWork(db.orm, kind, now)))),
		);
		const of = (index: number) => counted.flatMap((answer) => (answer[index] ?? []) as Counted[]);
		return { data: WORK_KINDS.map((kind, index) => toAttention(kind, of(index))) };
	},
});

export const listWork = operation({
	id: "listWork",
	method: "GET",
	path: "/v1/platform/work",
	summary: "Work of a kind that waits for people, oldest first",
	access: operator,
	home: "everywhere",
	request: { query: z.object({ ...paging, kind: z.enum(WORK_KINDS).meta({ title: "WorkKindInput" }) }) },
	response: z.object({ data: z.array(WorkItem), links: Links }),
	async handle({ query: { kind, ...window } }, services) {
		const { id, since, where, select } = SOURCES[kind];
		const page = await readPage(services, window, {
			list: "work",
			owner: "operators",
			filters: { kind },
			everywhere: true,
			select,
			key: { at: since, id, of: (row: WorkRow) => [row.since, row.id], order: "oldest" },
			where,
			range: { until: waitsSince(kind, services.now) + 1 },
		});
		return listReply(services, page, (row) => toWorkItem(kind, row));
	},
});

export const retryWork = operation({
	id: "retryWork",
	method: "POST",
	path: "/v1/platform/work/{kind}/{id}/retry",
	summary: "Do a piece of work again now that is scheduled for later",
	description:
		"Under the same reference, so that what was done already is not done twice. Instructions to the disburser, the payout provider and the custodian that these have not taken; payouts by a connection, about which the provider is asked; returns of money that have not ended, what the authorization provider refused, the days of a portfolio with a fault, and dead letters; other kinds wait for somebody: 409.",
	access: alone(operator),
	home: ({ path }) => path.id,
	request: { path: z.object({ kind: z.enum(WORK_KINDS), id: z.uuid().toLowerCase() }) },
	response: WorkItem,
	status: 202,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { kind, id } }, services) {
		const { db, now } = services;
		const row = await db.read(first(findWork(kind, id, now)));
		if (!row) throw new ApiError("NOT_FOUND");
		const writes = retryOf(services, kind, row);
		if (writes.length === 0) throw invalidState(AWAITED[kind]);
		return services.commit(writes, toWorkItem(kind, { ...row, nextAttemptAt: now }));
	},
});
