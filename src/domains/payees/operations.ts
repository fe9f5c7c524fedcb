// A user's saved payees: lists, creates, reads, changes, blocks and deletes them.

import { type Column, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { bare } from "../../db/columns";
import { byCreation } from "../../db/keyset";
import { first } from "../../db/reads";
import { etagOf, requireMatch } from "../../http/answers/etag";
import { user } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { Links, listReply, openPage, paging } from "../../http/paging";
import type { HandlerServices } from "../../runtime/services";
import { list } from "../../shared/bounded";
import { ApiError } from "../../shared/errors";
import { all, atLeastOneOf, has, hasText, when } from "../../shared/schema-rules";
import { lookUpSoon } from "./job";
import { linkedUsers } from "./linked-user.procedure";
import { findLinkedHere } from "./linked-user.store";
import { newAccounts, wantedOf } from "./new-account.plan";
import { countUse, removePayee } from "./plan";
import { MAX_ACCOUNTS, MAX_PAYEES } from "./policy";
import { changePayee, countPayees, findPayee, findQuota, orTooManyPayees } from "./store";
import { type PayeeRow, payeeAccounts, payees } from "./table";
import { BlockDetails, BlockReasons, Label, Payee, PayeeAccountInput, toPayee } from "./wire";

const payeeAccount = alias(payeeAccounts, "payee_account");

const path = z.object({ payeeId: z.uuid().toLowerCase() });
const flag = z.enum(["true", "false"]).transform((text) => text === "true");

export const listPayees = operation({
	id: "listPayees",
	method: "GET",
	path: "/v1/user/payees",
	summary: "The user's payees, newest first",
	access: user,
	request: {
		query: z.object({
			...paging,
			q: z.string().trim().min(1).max(60).optional().meta({ description: "Part of a label, a name or a number" }),
			is_favorite: flag.optional(),
			is_blocked: flag.optional(),
		}),
	},
	response: z.object({ data: z.array(Payee), links: Links }),
	badInput: "BAD_REQUEST",
	async handle({ query: { q, is_favorite, is_blocked, ...page }, caller }, services) {
		const { db } = services;
		const { statement, page: pageOf } = await openPage(services, page, {
			list: "payees",
			owner: caller.userId,
			filters: { q, is_favorite, is_blocked },
			select: (orm) => orm.select().from(payees).$dynamic(),
			key: byCreation(payees),
			where: sql`${payees.userId} = ${caller.userId}
				${is_favorite === undefined ? sql`` : sql`and ${payees.isFavorite} = ${is_favorite}`}
				${is_blocked === undefined ? sql`` : sql`and ${payees.isBlocked} = ${is_blocked}`}
				${q === undefined ? sql`` : sql`and ${matches(q)}`}`,
		});
		const { rows, accounts } = await db.read({
			rows: statement,
			accounts: db.orm
				.select()
				.from(payeeAccounts)
				.where(sql`${payeeAccounts.payeeId} in (select ${bare(payees.id)} from (${statement.getSQL()}))`),
		});
		return listReply(services, await pageOf(rows), (row) => toPayee(row, accounts));
	},
});

/** Whether the text is part of the payee's label, or of a name or number of its accounts. */
const matches = (text: string) => {
	const within = (column: Column) => sql`instr(lower(coalesce(${column}, '')), lower(${text})) > 0`;
	return sql`(${within(payees.label)} or exists (select 1 from ${payeeAccounts} ${payeeAccount} where ${payeeAccount.payeeId} = ${payees.id}
		and (${within(payeeAccount.accountHolderName)} or ${within(payeeAccount.resolvedName)} or ${within(payeeAccount.linkedUserTag)}
			or (${payeeAccount.type} <> 'INTERNAL' and ${within(payeeAccount.identifier)}))))`;
};

export const createPayee = operation({
	id: "createPayee",
	method: "POST",
	path: "/v1/user/payees",
	summary: "Save a payee with its accounts",
	description: "At most 500 payees with 20 accounts each. A day at most 20 new payees and 30 look-ups; each added account counts as one.",
	access: user,
	request: {
		body: z
			.object({ label: Label.default(null), accounts: list(PayeeAccountInput, { max: MAX_ACCOUNTS }).default([]) })
			.refine(({ label, accounts }) => label !== null || accounts.length > 0, { path: ["label"], error: "is required without an account" })
			.meta(when(all(has("accounts"), { properties: { accounts: { minItems: 1 } } }), {}, hasText("label"))),
	},
	response: Payee,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["INVALID_STATE"],
	async handle({ body, caller: { userId } }, services) {
		const { db, now } = services;
		const wanted = await wantedOf(services, body.accounts);
		const { count, used, here } = await db.read({
			count: first(countPayees(db.orm, userId)),
			used: first(findQuota(db.orm, userId, now)),
			here: findLinkedHere(db.orm, wanted),
		});
		if ((count?.count ?? 0) >= MAX_PAYEES) throw new ApiError("INVALID_STATE", { description: `You have ${MAX_PAYEES} payees already` });
		const quota = countUse(services, userId, used, { payees: 1, lookups: body.accounts.length });
		const row: PayeeRow = {
			id: services.newId(),
			userId,
			label: body.label,
			isFavorite: false,
			isBlocked: false,
			blockReasons: [],
			blockDetails: null,
			version: 1,
			createdAt: now,
			updatedAt: now,
		};
		const accounts = newAccounts(services, row, body.accounts, await linkedUsers(services, wanted, here));
		return services.commit(
			[
				...quota,
				db.orm.insert(payees).values(row),
				orTooManyPayees(userId),
				...accounts.map((account) => db.orm.insert(payeeAccounts).values(account)),
				lookUpSoon(services, row.id),
			],
			toPayee(row, accounts),
		);
	},
});

export const getPayee = operation({
	id: "getPayee",
	method: "GET",
	path: "/v1/user/payees/{payeeId}",
	summary: "A payee",
	access: user,
	request: { path },
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, { db }) {
		const { payee: row, accounts } = await db.read(findPayee(db.orm, path.payeeId, caller.userId));
		if (!row) throw new ApiError("NOT_FOUND");
		return toPayee(row, accounts);
	},
});

export const updatePayee = operation({
	id: "updatePayee",
	method: "PATCH",
	path: "/v1/user/payees/{payeeId}",
	summary: "Change a payee's label and whether it is a favorite",
	access: user,
	request: {
		path,
		body: z
			.object({ label: Label.optional().meta({ description: "null clears it" }), is_favorite: z.boolean().optional() })
			.refine(({ label, is_favorite }) => label !== undefined || is_favorite !== undefined, {
				path: ["label"],
				error: "is required without is_favorite",
			})
			.meta(atLeastOneOf("label", "is_favorite")),
	},
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "PRECONDITION_FAILED"],
	async handle({ path, body, caller, ifMatch }, services) {
		return change(
			services,
			{ id: path.payeeId, userId: caller.userId, ifMatch },
			(seen) => ({
				...(body.label !== undefined && body.label !== seen.label && { label: body.label }),
				...(body.is_favorite !== undefined && body.is_favorite !== seen.isFavorite && { isFavorite: body.is_favorite }),
			}),
			async (payee) => new Reply(payee, { headers: { ETag: await etagOf(JSON.stringify(Payee.parse(payee))) } }),
		);
	},
});

export const blockPayee = operation({
	id: "blockPayee",
	method: "POST",
	path: "/v1/user/payees/{payeeId}/block",
	summary: "Block a payee: no transfers to it, and none from the users whose numbers or tags it has",
	description: "Blocking again adds the reasons.",
	access: user,
	request: { path, body: z.object({ reasons: BlockReasons, details: BlockDetails.nullish() }) },
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, body, caller }, services) {
		return change(services, { id: path.payeeId, userId: caller.userId }, (seen) => ({
			isBlocked: true,
			blockReasons: [...new Set([...seen.blockReasons, ...body.reasons])],
			...(body.details != null && { blockDetails: body.details }),
		}));
	},
});

export const unblockPayee = operation({
	id: "unblockPayee",
	method: "POST",
	path: "/v1/user/payees/{payeeId}/unblock",
	summary: "Unblock a payee",
	access: user,
	request: { path },
	response: Payee,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		return change(services, { id: path.payeeId, userId: caller.userId }, (seen) =>
			seen.isBlocked ? { isBlocked: false, blockReasons: [], blockDetails: null } : {},
		);
	},
});

type Named = { id: string; userId: string; ifMatch?: string | undefined };
type PayeeBody = ReturnType<typeof toPayee>;

/** Commits a change of a payee. Commits nothing if the payee already is as asked. */
async function change(
	services: HandlerServices,
	{ id, userId, ifMatch }: Named,
	changed: (seen: PayeeRow) => Parameters<typeof changePayee>[3],
	reply: (payee: PayeeBody) => Promise<PayeeBody | Reply<PayeeBody>> = async (payee) => payee,
) {
	const { db } = services;
	const { payee: seen, accounts } = await db.read(findPayee(db.orm, id, userId));
	if (!seen) throw new ApiError("NOT_FOUND");
	await requireMatch(ifMatch, Payee.parse(toPayee(seen, accounts)));
	const columns = changed(seen) ?? {};
	if (Object.keys(columns).length === 0) return reply(toPayee(seen, accounts));
	const { payee, write } = changePayee(services, seen, accounts, columns);
	return services.commit([write], await reply(toPayee(payee, accounts)));
}

export const deletePayee = operation({
	id: "deletePayee",
	method: "DELETE",
	path: "/v1/user/payees/{payeeId}",
	summary: "Delete a payee",
	description: "Transfers that are under way continue.",
	access: user,
	request: { path },
	response: null,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db } = services;
		const { payee: seen } = await db.read(findPayee(db.orm, path.payeeId, caller.userId));
		if (!seen) throw new ApiError("NOT_FOUND");
		return services.commit(removePayee(services, seen), undefined);
	},
});
