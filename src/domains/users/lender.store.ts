// Finds users as those who work for the lender name them: by tag, by mobile number or by the number of an account.

import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import { SharedSelect } from "../../db/keyset";
import type { NameKind } from "../../db/names.table";
import { reachOfStaff, type Staff } from "../../db/reach";
import { first } from "../../db/reads";
import { isAccountNumber } from "../credit-accounts/account-number.policy";
import { findAccountOfProduct } from "../credit-accounts/store";
import { creditAccounts } from "../credit-accounts/table";
import { currentAccounts } from "../current-accounts/table";
import { findProduct, productFor } from "../loan-products/model/store";
import { creditProfiles } from "../loan-products/model/table";
import { identityLinks, users } from "./model/table";

const creditAccount = alias(creditAccounts, "credit_account");
const eachAccount = alias(currentAccounts, "account");

const { id, status, tag, blockedAt, homeOrganizationId, createdAt, lastSeenAt, displayName, mobileNumber } = users;

/** Without mail addresses. */
export const selectUsers = new SharedSelect((orm) =>
	orm.select({ id, status, tag, blockedAt, homeOrganizationId, createdAt, lastSeenAt, displayName, mobileNumber }).from(users).$dynamic(),
);

/** What a text names users by. */
export type Wanted = { readonly kind: NameKind & ("TAG" | "PHONE"); readonly value: string } | { readonly kind: "ACCOUNT" };

/** Undefined for what names nobody. */
export function wantedBy(text: string): Wanted | undefined {
	if (text.startsWith("@")) return { kind: "TAG", value: text.toLowerCase() };
	if (/^\+[1-9]\d{6,14}$/.test(text)) return { kind: "PHONE", value: text };
	return isAccountNumber(text) ? { kind: "ACCOUNT" } : undefined;
}

/** The user whom the directory names; it only reserves the name, so the user's own row decides. */
export const isNamed = ({ kind, value }: Exclude<Wanted, { kind: "ACCOUNT" }>, userId: string | SQL): SQL =>
	sql`${users.id} = ${userId} and ${kind === "TAG" ? users.tag : users.mobileNumber} = ${value}`;

/** The owner of the account of this number, of either kind. */
export const isOwnerOf = (number: string): SQL =>
	sql`${users.id} in (
		select ${creditAccount.userId} from ${creditAccounts} ${creditAccount} where ${creditAccount.accountNumber} = ${number}
		union all select ${eachAccount.userId} from ${currentAccounts} ${eachAccount} where ${eachAccount.accountNumber} = ${number})`;

export const findUserWithin = (orm: Orm, userId: string, caller: Staff) =>
	orm
		.select()
		.from(users)
		.where(and(eq(users.id, userId), reachOfStaff(caller, users.homeOrganizationId)));

/** What operators see in addition: the user's identities, and what their limit follows from on the product that they are offered. */
export function findDetails(orm: Orm, userId: string) {
	const product = productFor(userId, undefined);
	return {
		identities: orm.select().from(identityLinks).where(eq(identityLinks.userId, userId)),
		profile: first(orm.select().from(creditProfiles).where(eq(creditProfiles.userId, userId))),
		product: first(findProduct(orm, product)),
		account: first(findAccountOfProduct(orm, userId, product)),
	};
}
