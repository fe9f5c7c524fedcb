// Users as those who work for the lender find them: an organization's own customers, for operators all.

import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { isOneOf } from "../../db/columns";
import { byCreation } from "../../db/keyset";
import { findName, idOfName } from "../../db/names";
import { actingFor, reachOfStaff } from "../../db/reach";
import { first } from "../../db/reads";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { idsOf } from "../../shared/bounded";
import { ApiError } from "../../shared/errors";
import { homeOfAccountNumber, isAccountNumber } from "../credit-accounts/account-number.policy";
import { limitOf, limitRulesOf } from "../loan-products/model/limits.policy";
import { IS_NO_COLLEAGUE } from "../organizations/members/store";
import { findDetails, findUserWithin, isNamed, isOwnerOf, selectUsers, wantedBy } from "./lender.store";
import { type Staff, staffReader } from "./model/callers";
import { phoneName } from "./model/store";
import { USER_STATES, type UserRow, users } from "./model/table";
import { PlatformUser, toPlatformUser } from "./model/wire";

const access = staffReader("users:read");

export const listUsers = operation({
	id: "listUsers",
	method: "GET",
	path: "/v1/platform/users",
	summary: "Users, newest first: an organization's own customers, for operators all",
	access,
	home: ({ query: { q, organization_id }, caller }) =>
		q !== undefined && isAccountNumber(q) ? homeOfAccountNumber(q) : (actingFor(caller) ?? organization_id),
	request: {
		query: z.object({
			...paging,
			status: z
				.enum(USER_STATES)
				.optional()
				.meta({ description: "WAITING_LIST: but for members of their home organization, who wait for nobody" }),
			organization_id: z.uuid().toLowerCase().optional().meta({ description: "The users' home organization" }),
			q: z.string().min(1).max(64).optional().meta({
				description: "Only the user with this @tag, mobile number in E.164 form or number of an account, each as a whole",
			}),
			ids: idsOf("users")
				.optional()
				.meta({ description: "Only these users; may be repeated, a hundred times. Other filters are not applied" }),
		}),
	},
	response: z.object({ data: z.array(PlatformUser), links: Links }),
	async handle({ query: { status, organization_id, q, ids, ...page }, caller }, services) {
		const own = actingFor(caller);
		const shown = (row: ShownRow) => toPlatformUser(row, numberFor(caller, row));
		if (ids) return listReply(services, { rows: await withIds(services, ids, caller), next: null, prev: null }, shown);
		const homes = [own, organization_id].flatMap((id) => (id === undefined ? [] : [id]));
		if (q !== undefined) {
			const found = await named(services, q);
			const { db } = found?.there ?? services;
			// The plus keeps the search at the user who is named: many share a home and a state, whose indexes SQLite would take.
			const matching = [
				...homes.map((id) => sql`+${users.homeOrganizationId} = ${id}`),
				status === undefined ? undefined : sql`+${users.status} = ${status}`,
			];
			const rows = found
				? await db.read(
						db.orm
							.select()
							.from(users)
							.where(and(found.where, ...matching)),
					)
				: [];
			return listReply(services, { rows, next: null, prev: null }, shown);
		}
		const found = await readPage(services, page, {
			list: "users",
			owner: own ?? "platform",
			filters: { status, organization_id },
			everywhere: own === undefined && organization_id === undefined,
			select: selectUsers,
			key: byCreation(users),
			where: and(
				...homes.map((id) => eq(users.homeOrganizationId, id)),
				status === undefined ? undefined : eq(users.status, status),
				status === "WAITING_LIST" ? IS_NO_COLLEAGUE : undefined,
			),
		});
		return listReply(services, found, shown);
	},
});

type ShownRow = Parameters<typeof toPlatformUser>[0] & Pick<UserRow, "mobileNumber">;

/** People must distinguish borrowers; programs have the ids. */
const numberFor = (caller: Staff, { mobileNumber }: Pick<UserRow, "mobileNumber">) => (caller.kind === "key" ? {} : { mobileNumber });

/** Those of the users whom the caller reaches, each in their home. */
async function withIds(services: Services, ids: readonly string[], caller: Staff): Promise<UserRow[]> {
	const databases = Map.groupBy(ids, (userId) => services.at(userId).db);
	const found = await Promise.all(
		[...databases].map(([db, there]) =>
			db.read(
				db.orm
					.select()
					.from(users)
					.where(and(isOneOf(users.id, there), reachOfStaff(caller, sql`+${users.homeOrganizationId}`))),
			),
		),
	);
	return found.flat();
}

/** Where the user is whom the text names, and the condition that finds them; undefined if it can name nobody. */
async function named(services: Services, text: string): Promise<{ there: Services; where: SQL } | undefined> {
	const wanted = wantedBy(text);
	if (!wanted || wanted.kind === "ACCOUNT") return wanted && { there: services, where: isOwnerOf(text) };
	const { alone, directory } = services.databases;
	const name = wanted.kind === "PHONE" ? await phoneName(services, wanted.value) : wanted.value;
	// If the directory is the only database, its name is a part of the one read.
	if (alone) return { there: services, where: isNamed(wanted, idOfName(wanted.kind, name)) };
	const reserved = await directory.read(first(findName(directory.orm, wanted.kind, name)));
	return reserved && { there: services.at(reserved.id), where: isNamed(wanted, reserved.id) };
}

export const getUser = operation({
	id: "getUser",
	method: "GET",
	path: "/v1/platform/users/{userId}",
	summary: "A user",
	description: "Operators also see the user's identities and their credit limit.",
	access,
	home: ({ path }) => path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }) },
	response: PlatformUser,
	errors: ["NOT_FOUND"],
	handle: ({ path: { userId }, caller }, services) => (caller.kind === "operator" ? ofOperator : ofOrganization)(services, userId, caller),
});

async function ofOrganization({ db }: Services, userId: string, caller: Staff) {
	const row = await db.read(first(findUserWithin(db.orm, userId, caller)));
	if (!row) throw new ApiError("NOT_FOUND");
	return toPlatformUser(row, numberFor(caller, row));
}

async function ofOperator({ db }: Services, userId: string, caller: Staff) {
	const { row, identities, profile, product, account } = await db.read({
		row: first(findUserWithin(db.orm, userId, caller)),
		...findDetails(db.orm, userId),
	});
	if (!row) throw new ApiError("NOT_FOUND");
	const limitOverride = profile?.limitOverride ?? null;
	const facts = { limitOverride, loansRepaidOnTime: account?.loansRepaidOnTime ?? 0 };
	const effective = product ? limitOf(limitRulesOf(product), facts) : limitOverride;
	const creditLimit = { override: limitOverride, effective, currency: product?.currency ?? null };
	return toPlatformUser(row, { mobileNumber: row.mobileNumber, details: { identities, creditLimit } });
}
