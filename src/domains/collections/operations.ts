// Follow-ups on late loans: notes, promises to pay and reminders.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import { ApiError, badInput, invalidState, wrongState } from "../../shared/errors";
import { addDays, localDate, startOfDay } from "../../shared/time";
import { readView } from "../credit-accounts/account-view.plan";
import { findViews, theAccount } from "../credit-accounts/ledger.store";
import { toCreditAccount } from "../credit-accounts/wire";
import { notifyUser } from "../messages/notices.plan";
import { actorOf } from "../users/model/callers";
import { PROMISE_STATUSES } from "./lifecycle";
import { findCustomer, findFollowUp, findLoan, findOwner, withdraw, withdrawOpen } from "./store";
import { type FollowUpRow, followUps } from "./table";
import { FollowUp, FollowUpBody, toFollowUp } from "./wire";

const reader = member("org:lending:read");
const writer = alone(member("org:lending:write"));
const id = z.uuid().toLowerCase();

/** Promises are about the days to come. */
const LONGEST_DAYS = 90;

type Body = z.output<typeof FollowUpBody>;

/** Of each type other members are needed, and none that another type has. */
function refuseMisfits({ type, account_id, user_id, body, amount, day }: Body): void {
	const demand = (name: string, value: unknown, isNeeded: boolean) => {
		if (isNeeded && value === undefined) throw badInput(`body.${name}`, `is required for a ${type}`, "REQUIRED");
		if (!isNeeded && value !== undefined) throw badInput(`body.${name}`, `is not for a ${type}`, "NOT_ALLOWED");
	};
	demand("body", body, type === "NOTE");
	demand("amount", amount, type === "PROMISE");
	demand("day", day, type === "PROMISE");
	demand("account_id", account_id, type !== "NOTE" || user_id === undefined);
	if (type !== "NOTE") demand("user_id", user_id, false);
}

export const recordFollowUp = operation({
	id: "recordFollowUp",
	method: "POST",
	path: "/v1/collections/follow-ups",
	summary: "Note something on a borrower or a loan, record a promise to pay, or remind the borrower",
	description:
		"A promise replaces the open one. It is KEPT if as much was paid from then on until the end of its day, or nothing is owed any more. A reminder is a message of what is owed, at most one a day for each loan.",
	access: writer,
	request: { body: FollowUpBody },
	response: FollowUp,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: ["NOTHING_DUE"],
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const { organizationId } = caller;
		const { account_id, user_id } = body;
		const { loan, customer, views } = await db.read({
			loan: first(findLoan(db.orm, organizationId, account_id ?? "")),
			customer: first(findCustomer(db.orm, organizationId, user_id ?? "")),
			views: findViews(db.orm, theAccount(body.type === "REMINDER" ? (account_id ?? "") : "")),
		});
		refuseMisfits(body);
		const userId = account_id === undefined ? customer?.id : loan?.userId;
		if (userId === undefined)
			throw new ApiError("NOT_FOUND", { description: account_id === undefined ? "There is no such user" : "There is no such account" });
		const row: FollowUpRow = {
			...{ id: services.newId(), organizationId, userId, accountId: account_id ?? null, type: body.type, body: body.body ?? null },
			...{ amount: null, currency: null, day: null, status: null, position: null, checkAt: null },
			...{ author: actorOf(caller), createdAt: now },
		};
		const write = (full: FollowUpRow) => db.orm.insert(followUps).values(full);
		if (body.type === "NOTE" || !loan) return services.commit([write(row)], toFollowUp(row));
		if (loan.status === "CLOSED") throw wrongState("The account", loan.status, ["ACTIVE", "IN_ARREARS", "DEFAULTED"]);
		const { timeZone } = loan.terms;
		const today = localDate(now, timeZone);
		if (body.type === "PROMISE") {
			const { amount = 0, day = today } = body;
			if (day < today || day > addDays(today, LONGEST_DAYS))
				throw badInput("body.day", `must be from ${today} to ${addDays(today, LONGEST_DAYS)}`, "OUT_OF_RANGE");
			const checkAt = startOfDay(addDays(day, 1), timeZone);
			const promise = { ...row, amount, currency: loan.currency, day, status: "OPEN" as const, position: loan.lastPosition, checkAt };
			return services.commit([withdrawOpen(db.orm, loan.id), write(promise)], toFollowUp(promise));
		}
		const view = readView(views, now, {});
		if (!view) throw new ApiError("NOT_FOUND");
		const { balance, currency } = toCreditAccount(view);
		const { earliestDue } = loan;
		if (earliestDue === null || earliestDue > today) throw invalidState("Nothing is due on this loan yet", { reason: "NOTHING_DUE" });
		const reminder = { ...row, day: today };
		const values = { day: earliestDue, sum: { amount: balance.total_outstanding, currency } };
		const told = await notifyUser(services, userId, "ACCOUNT", { key: "PAYMENT_DUE", values });
		return services.commit([write(reminder), ...told], toFollowUp(reminder), {
			unique: [[[followUps.accountId, followUps.day], invalidState("The borrower was reminded of this loan today")]],
		});
	},
});

export const listFollowUps = operation({
	id: "listFollowUps",
	method: "GET",
	path: "/v1/collections/follow-ups",
	summary: "Notes, promises and reminders of a loan or a borrower, or promises by their status, newest first",
	access: reader,
	request: {
		query: z.object({
			account_id: id.optional(),
			user_id: id.optional(),
			status: z.enum(PROMISE_STATUSES).optional(),
			...paging,
		}),
	},
	response: z.object({
		data: z.array(FollowUp),
		owner_id: z.uuid().nullable().meta({ description: "The member who looks after the loan or the borrower" }),
		links: Links,
	}),
	async handle({ caller: { organizationId }, query }, services) {
		const { account_id, user_id, status } = query;
		const [of, another] = [account_id, user_id, status].filter((value) => value !== undefined);
		if (of === undefined || another !== undefined)
			throw badInput("query.account_id", "or user_id or status is required, one of them", "REQUIRED");
		/** Each is found along an index of its own. */
		const chosen = () => {
			if (account_id !== undefined) return eq(followUps.accountId, account_id);
			return user_id === undefined ? undefined : eq(followUps.userId, user_id);
		};
		const ofOne = chosen();
		const page = await openPage(services, query, {
			list: "follow-ups",
			owner: organizationId,
			filters: { account_id, user_id, status },
			select: rowsOf(followUps),
			key: byCreation(followUps),
			where: ofOne
				? and(ofOne, sql`+${followUps.organizationId} = ${organizationId}`)
				: and(eq(followUps.organizationId, organizationId), eq(followUps.status, status ?? "OPEN")),
		});
		const { rows, owner } = await services.db.read({
			rows: page.statement,
			owner: first(findOwner(services.db.orm, organizationId, account_id ?? user_id ?? "")),
		});
		return listReply(services, await page.page(rows), toFollowUp, { owner_id: owner?.ownerId ?? null });
	},
});

export const withdrawPromise = operation({
	id: "withdrawPromise",
	method: "POST",
	path: "/v1/collections/follow-ups/{followUpId}/withdraw",
	summary: "Withdraw a promise to pay whose day has not ended",
	access: writer,
	request: { path: z.object({ followUpId: id }) },
	response: FollowUp,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, caller: { organizationId } }, services) {
		const { db } = services;
		const row = await db.read(first(findFollowUp(db.orm, organizationId, path.followUpId)));
		if (!row) throw new ApiError("NOT_FOUND");
		if (row.status !== "OPEN") throw wrongState("The follow-up", row.status ?? row.type, ["OPEN"]);
		return services.commit([withdraw(db.orm, row)], toFollowUp({ ...row, status: "WITHDRAWN" }));
	},
});
