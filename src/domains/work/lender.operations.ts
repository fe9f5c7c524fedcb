// What waits for a lender's people now.

import { member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { addDays, localDate, toTimestamp } from "../../shared/time";
import { isPaused } from "../connections/model/lifecycle";
import {
	countApprovals,
	countBreaks,
	countDue,
	countOverdue,
	countPayouts,
	countUnmatched,
	countUntied,
	countWaitingUsers,
	findConnected,
} from "./lender.store";
import { LenderAttention, toAmounts, toCount, toLowFloat, toOverdue, toWaiting } from "./lender.wire";

export const getLenderAttention = operation({
	id: "getLenderAttention",
	method: "GET",
	path: "/v1/attention",
	summary: "Count the open work of the acting organization by kind, with the amounts due and overdue",
	description: "Days are those of Africa/Nairobi.",
	access: member("org:lending:read"),
	// Requests for approval and payments may be in any database.
	home: "everywhere",
	request: {},
	response: LenderAttention,
	async handle({ caller: { organizationId } }, services) {
		const { now } = services;
		const today = localDate(now);
		const over = [addDays(today, -30), addDays(today, -60), addDays(today, -90)] as const;
		const found = await Promise.all(
			services.everywhere().map(({ db }) =>
				db.read({
					due: countDue(db.orm, organizationId, today),
					overdue: countOverdue(db.orm, organizationId, today, over),
					payments: countUnmatched(db.orm, organizationId),
					users: countWaitingUsers(db.orm, organizationId),
					payouts: countPayouts(db.orm, organizationId, now),
					approvals: countApprovals(db.orm, organizationId, now),
					breaks: countBreaks(db.orm, organizationId),
					untied: countUntied(db.orm, organizationId),
					connections: findConnected(db.orm, organizationId),
				}),
			),
		);
		const connected = found.flatMap(({ connections }) => connections);
		const paused = connected.filter((connection) => isPaused(connection, now));
		return {
			today,
			due_today: toCount(found.flatMap(({ due }) => due)),
			overdue: toOverdue(found.flatMap(({ overdue }) => overdue)),
			unmatched_payments: toWaiting(found.flatMap(({ payments }) => payments)),
			waiting_users: toWaiting(found.flatMap(({ users }) => users)),
			payouts: toWaiting(found.flatMap(({ payouts }) => payouts)),
			approvals: toWaiting(found.flatMap(({ approvals }) => approvals)),
			statement_breaks: {
				...toWaiting(found.flatMap(({ breaks }) => breaks)),
				amounts: toAmounts(found.flatMap(({ breaks }) => breaks)),
				untied_days: toCount(found.flatMap(({ untied }) => untied)).count,
			},
			paused_connections: paused.map(({ provider, pausedReason, pausedUntil }) => ({
				provider,
				reason: pausedReason,
				until: pausedUntil === null ? null : toTimestamp(pausedUntil),
			})),
			low_floats: connected.flatMap(({ provider, payouts, lowFloat }) =>
				lowFloat === null || !payouts ? [] : [toLowFloat(provider, lowFloat)],
			),
		};
	},
});
