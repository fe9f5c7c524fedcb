// Finds the borrowers of old accounts among the users, by the number or the identity that names them; those who are not found are made
// with their account. Two reads, however many there are.

import { and, eq } from "drizzle-orm";
import { isOneOf } from "../../db/columns";
import type { Orm, Write } from "../../db/database";
import { formsOf, type Reservation } from "../../db/names";
import { type NameKind, names } from "../../db/names.table";
import type { Services } from "../../runtime/services";
import type { Digest } from "../../shared/keyring";
import { creditAccounts } from "../credit-accounts/table";
import { identityName } from "../users/model/identity.cache";
import { provision } from "../users/model/plan";
import { phoneName } from "../users/model/store";
import { identityLinks, type UserRow, users } from "../users/model/table";
import type { Fault } from "./fault.policy";
import type { AccountLine } from "./lines.wire";
import type { ImportRow } from "./table";

export type Borrower = {
	readonly userId: string;
	/** Who was a user before the import; undefined for one who is made with their account. */
	readonly known: UserRow | undefined;
	readonly writes: readonly Write[];
	readonly names: readonly Reservation[];
};

/** How the directory names a borrower, and whom it knows by these names. */
type Named = {
	readonly line: AccountLine;
	readonly phone: Name | undefined;
	readonly identity: Name | undefined;
};
type Name = { readonly value: Digest; readonly id: string | undefined };

const findNames = (orm: Orm, kind: NameKind, values: readonly (Digest | undefined)[]) =>
	orm
		.select({ value: names.value, id: names.id })
		.from(names)
		.where(
			and(
				eq(names.kind, kind),
				isOneOf(
					names.value,
					values.flatMap((value) => (value === undefined ? [] : formsOf(value))),
				),
			),
		);

async function readNames(services: Services, lines: readonly AccountLine[]): Promise<Named[]> {
	const { directory } = services.databases;
	const phones = await Promise.all(
		lines.map(({ borrower: { mobile_number } }) => (mobile_number === undefined ? undefined : phoneName(services, mobile_number))),
	);
	const identities = await Promise.all(
		lines.map(({ borrower: { identity } }) => identity && identityName(services, identity.issuer, identity.subject)),
	);
	const { byPhone, byIdentity } = await directory.read({
		byPhone: findNames(directory.orm, "PHONE", phones),
		byIdentity: findNames(directory.orm, "IDENTITY", identities),
	});
	const named = (value: Digest | undefined, found: readonly { value: string; id: string }[]): Name | undefined =>
		value === undefined ? undefined : { value, id: found.find((name) => formsOf(value).includes(name.value))?.id };
	return lines.map((line, index) => ({ line, phone: named(phones[index], byPhone), identity: named(identities[index], byIdentity) }));
}

/** `services`: in the import's home, where the borrowers' accounts will be. In the order of the lines. */
export async function findBorrowers(services: Services, of: ImportRow, lines: readonly AccountLine[]): Promise<(Borrower | Fault)[]> {
	const { db } = services;
	const named = await readNames(services, lines);
	const ids = named.flatMap(({ phone, identity }) => [phone?.id ?? [], identity?.id ?? []].flat());
	const { known, accounts } = await db.read({
		known: db.orm.select().from(users).where(isOneOf(users.id, ids)),
		accounts: db.orm
			.select({ userId: creditAccounts.userId, productId: creditAccounts.loanProductId })
			.from(creditAccounts)
			.where(isOneOf(creditAccounts.userId, ids)),
	});
	const found = named.map(async (each): Promise<Borrower | Fault> => {
		const id = each.phone?.id ?? each.identity?.id;
		const user = known.find((row) => row.id === id);
		const fault = faultOf(services, of, each, user);
		if (fault) return { code: "BORROWER", description: fault };
		if (accounts.some(({ userId, productId }) => userId === id && productId === each.line.loan_product_id)) {
			return { code: "ACCOUNT_EXISTS", description: "The borrower has an account of this product: its loans are cycles of one account" };
		}
		return borrowerOf(services, of, each, user);
	});
	return Promise.all(found);
}

/** The holder of the identity would have the user's money: two operators link it, and the user gets a message. */
const UNLINKED = "The borrower is a user already, to whom the identity is not linked: link it first, or leave it out";

function faultOf(services: Services, of: ImportRow, { line, phone, identity }: Named, user: UserRow | undefined): string | undefined {
	const { mobile_number } = line.borrower;
	const id = phone?.id ?? identity?.id;
	if (identity?.id !== undefined && identity.id !== id) return "The number and the identity belong to two users";
	// A name without its user is left of a first sign-in that was interrupted: the user is made under its id.
	if (id !== undefined && services.at(id).db !== services.db) return "The borrower is at home elsewhere";
	if (user && user.homeOrganizationId !== of.organizationId) return "The borrower is at home with another organization, or with none";
	if (user && line.borrower.identity && identity?.id === undefined) return UNLINKED;
	// A number that is changing hands names its next holder too.
	return user && mobile_number !== undefined && user.mobileNumber !== mobile_number ? "The borrower has another number here" : undefined;
}

async function borrowerOf(
	services: Services,
	of: ImportRow,
	{ line, phone, identity }: Named,
	user: UserRow | undefined,
): Promise<Borrower> {
	const { mobile_number, identity: link } = line.borrower;
	const userId = user?.id ?? phone?.id ?? identity?.id ?? services.at(of.organizationId).newId();
	const there = services.at(userId);
	const newcomer = { source: "IMPORT" as const, admitted: true, homeOrganizationId: of.organizationId };
	const made = user
		? undefined
		: await provision(there, userId, { ...newcomer, ...(mobile_number !== undefined && { mobileNumber: mobile_number }) });
	const isNewLink = link !== undefined && identity !== undefined && identity.id === undefined;
	return {
		userId,
		known: user,
		writes: [
			...(made?.writes ?? []),
			...(isNewLink ? [there.db.orm.insert(identityLinks).values({ ...link, userId, createdAt: there.now })] : []),
		],
		names: [
			...(phone ? [{ kind: "PHONE", value: phone.value, id: userId } as const] : []),
			...(identity ? [{ kind: "IDENTITY", value: identity.value, id: userId } as const] : []),
			...(made?.names ?? []),
		],
	};
}
