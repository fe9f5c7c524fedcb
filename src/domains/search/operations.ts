// One search for everything that people name over the telephone: a number, a name, a tag, an account, a receipt, an invoice, an address.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { findName, idOfName, type NameValue } from "../../db/names";
import type { NameKind } from "../../db/names.table";
import { first } from "../../db/reads";
import { member, type OperatorCaller, type OrganizationCaller, oneOf, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { rolePermits } from "../../shared/permissions";
import { findMember } from "../organizations/members/store";
import { phoneName } from "../users/model/store";
import { type Readings, readingsOf } from "./readings.policy";
import { findByEmail, findByName, findCreditAccount, findCurrentAccount, findInvoices, findNamed, findPayments, MOST } from "./store";
import { Found, type ShownUser, toFoundUser } from "./wire";

export const search = operation({
	id: "search",
	method: "GET",
	path: "/v1/search",
	summary: "Users, accounts, payments and invoices by what people name them: at most five of each",
	description:
		"`q` is a mobile number as people write it, the beginning of a first or last name, an @tag, an account's number, a receipt, the number of an invoice, or a mail address. Members find what is their organization's, operators what is anybody's.",
	access: oneOf<OrganizationCaller, OperatorCaller>(member("org:lending:read"), operator),
	home: "everywhere",
	request: { query: z.object({ q: z.string().trim().min(2).max(64) }) },
	response: Found,
	async handle({ query: { q }, caller }, services) {
		const own = caller.kind === "member" ? caller.organizationId : undefined;
		const readings = readingsOf(q);
		const named = await idsOf(services, readings);
		const places = own === undefined ? services.everywhere() : [services.at(own)];
		const found = await Promise.all(places.map(({ db }) => db.read(readsOf(db.orm, { readings, named, own, caller }))));
		const users = new Map<string, ShownUser>();
		for (const { byName, byLastName, byEmail, byId } of found)
			for (const user of [...byId, ...byEmail, ...byName, ...byLastName]) users.set(user.id, user);
		const credit = found.flatMap(({ credit }) => credit.map((row) => ({ ...row, type: "CREDIT" as const })));
		const current = found.flatMap(({ current }) => current.map((row) => ({ ...row, type: "CURRENT" as const })));
		const seesInvoices =
			caller.kind === "operator" || found.some(({ self }) => self && rolePermits(self.role, "org:financing.merchants:read"));
		return {
			users: [...users.values()].slice(0, MOST).map(toFoundUser),
			accounts: [...credit, ...current].slice(0, MOST).map(({ id, number, type, userId, organizationId }) => ({
				...{ id, account_number: number, type, user_id: userId, organization_id: organizationId },
			})),
			payments: found
				.flatMap(({ payments }) => payments)
				.slice(0, MOST)
				.map(({ id, receipt, status, accountId, amount, currency, organizationId }) => ({
					...{ id, mobile_money_transaction_id: receipt, status, account_id: accountId, organization_id: organizationId },
					amount: { value: amount, currency },
				})),
			invoices: (seesInvoices ? found.flatMap(({ invoices }) => invoices) : [])
				.slice(0, MOST)
				.map(({ id, number, status, amount, currency, organizationId }) => ({
					...{ id, invoice_number: number, status, organization_id: organizationId },
					amount: { value: amount, currency },
				})),
		};
	},
});

/** The users whom the directory names so, as a list of ids or of subqueries: a single database needs no trip for them. */
async function idsOf(services: Services, { tag, mobileNumbers }: Readings) {
	const wanted: { readonly kind: NameKind; readonly value: NameValue }[] = [
		...(tag === undefined ? [] : [{ kind: "TAG" as const, value: tag }]),
		...(await Promise.all(mobileNumbers.map(async (number) => ({ kind: "PHONE" as const, value: await phoneName(services, number) })))),
	];
	const { alone, directory } = services.databases;
	if (wanted.length === 0) return undefined;
	if (alone) {
		return sql.join(
			wanted.map(({ kind, value }) => idOfName(kind, value)),
			sql`, `,
		);
	}
	const found = await Promise.all(wanted.map(({ kind, value }) => directory.read(first(findName(directory.orm, kind, value)))));
	const ids = found.flatMap((name) => (name ? [name.id] : []));
	return sql`select value from json_each(${JSON.stringify(ids)})`;
}

type Asked = {
	readonly readings: Readings;
	readonly named: Awaited<ReturnType<typeof idsOf>>;
	readonly own: string | undefined;
	readonly caller: OrganizationCaller | OperatorCaller;
};

const NOBODY = sql`select null`;

/** Statements for what the text cannot be find nothing, along the same indexes. */
function readsOf(orm: Services["db"]["orm"], { readings, named, own, caller }: Asked) {
	const { tag, mobileNumbers, accountNumber, email, name, reference } = readings;
	return {
		byId: findNamed(orm, named ?? NOBODY, { numbers: mobileNumbers, tags: tag === undefined ? [] : [tag] }, own),
		byEmail: findByEmail(orm, email ?? "", own),
		byName: findByName(orm, "foldedName", name ?? "\u{10ffff}", own),
		byLastName: findByName(orm, "foldedLastName", name ?? "\u{10ffff}", own),
		credit: findCreditAccount(orm, accountNumber ?? "", own),
		current: findCurrentAccount(orm, accountNumber ?? "", own),
		payments: findPayments(orm, reference ?? "", own),
		invoices: findInvoices(orm, reference ?? "", own),
		self: first(findMember(orm, own ?? "", caller.kind === "member" ? caller.userId : "")),
	};
}
