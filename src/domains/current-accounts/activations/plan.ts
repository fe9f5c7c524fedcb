// Plans what the end of an activation does to its account.

import type { Effect } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { moveAccount } from "../accounts/store";
import { currentAccountActivated } from "../events";
import type { CurrentAccountRow } from "../table";

/** The account becomes ACTIVE. */
export const activate = (services: Services, account: CurrentAccountRow, activationId: string): Effect[] => [
	moveAccount(services, account, "activate"),
	raise(services, currentAccountActivated, {
		organizationId: account.organizationId,
		entityId: account.id,
		data: { account_id: account.id, activation_id: activationId },
	}),
];
