// Makes the rows of the accounts that a user adds to a payee.

import type { Services } from "../../runtime/services";
import { badInput } from "../../shared/errors";
import { type LinkedUser, wantedFor } from "./linked-user.store";
import type { PayeeAccountRow, PayeeRow } from "./table";
import { beginLookup } from "./verification.plan";
import { identifierOf, type PayeeAccountInput } from "./wire";

/** The number or tag by which a user of the service may have the account; undefined for types without one. */
function handleOf(account: PayeeAccountInput) {
	if (account.type === "SEND_MONEY") return { kind: "PHONE", handle: account.mobile_number } as const;
	return account.type === "INTERNAL" ? ({ kind: "TAG", handle: account.user_tag } as const) : undefined;
}

export const wantedOf = (services: Services, accounts: readonly PayeeAccountInput[]) =>
	wantedFor(
		services,
		accounts.flatMap((account) => handleOf(account) ?? []),
	);

/** Throws bad input for an unknown tag, the user's own tag, and an account that is named twice. */
export function newAccounts(
	services: Services,
	{ id: payeeId, userId }: PayeeRow,
	accounts: readonly PayeeAccountInput[],
	linked: readonly LinkedUser[],
): PayeeAccountRow[] {
	const { now, newId, providers } = services;
	const rows = accounts.map((account, index): PayeeAccountRow => {
		const handle = handleOf(account)?.handle;
		const found = linked.find((each) => each.handle === handle);
		// The user's own number is not linked: it is a way to pay out to themselves.
		const owner = found?.userId === userId ? undefined : found;
		if (account.type === "INTERNAL" && !owner)
			throw badInput(`accounts[${index}].user_tag`, "is not the tag of another user", "NOT_ALLOWED");
		const facts = {
			type: account.type,
			identifier: account.type === "INTERNAL" ? (owner?.userId ?? "") : identifierOf(account),
			accountHolderName: account.account_holder_name ?? null,
		};
		return {
			...facts,
			...beginLookup(providers.nameLookup, facts, now),
			id: newId(),
			payeeId,
			userId,
			linkedUserId: owner?.userId ?? null,
			linkedUserTag: owner?.tag ?? null,
			transactionCount: 0,
			lastUsedAt: null,
			holderChangedAt: null,
			confirmedAt: null,
			createdAt: now,
		};
	});
	for (const [index, row] of rows.entries()) {
		const first = rows.findIndex(({ type, identifier }) => type === row.type && identifier === row.identifier);
		if (first < index) throw badInput(`accounts[${index}]`, "is named twice", "DUPLICATE");
	}
	return rows;
}
