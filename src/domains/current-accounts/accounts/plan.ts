// Makes current accounts.

import type { Services } from "../../../runtime/services";
import { localDate } from "../../../shared/time";
import { newAccountNumber } from "../../credit-accounts/store";
import type { UserRow } from "../../users/model/table";
import { paydayAfter } from "../ledger/interest.policy";
import type { CurrentAccountRow } from "../table";

/** A new account of the user, submitted to the custodian. */
export function newCurrentAccount(
	services: Services,
	user: Pick<UserRow, "id" | "homeOrganizationId">,
	externalProvider: string,
): CurrentAccountRow {
	const { config, now, home } = services;
	const { currency, time_zone: timeZone } = config.CURRENT_ACCOUNTS;
	const day = localDate(now, timeZone);
	return {
		id: services.newId(),
		accountNumber: newAccountNumber(home),
		userId: user.id,
		organizationId: user.homeOrganizationId,
		currency,
		timeZone,
		status: "PENDING",
		walletOnboardingStatus: "SUBMITTED",
		rejectionReasons: [],
		round: 1,
		externalProvider,
		externalAccountId: null,
		externalAccountNumber: null,
		position: 0,
		balance: 0,
		held: 0,
		day,
		outTotal: 0,
		uncoded: 0,
		uncodedToday: 0,
		uncodedNew: 0,
		frozenFor: null,
		interestDueOn: paydayAfter(day),
		createdAt: now,
		updatedAt: now,
	};
}
