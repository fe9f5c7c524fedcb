// Freezes a current account, or releases it. A frozen one takes money, earns interest and spends nothing.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import { noticesTo, type Reachable } from "../../messages/notices.plan";
import { currentAccountFrozen, currentAccountUnfrozen } from "../events";
import { type AccountStatus, statusAfter } from "../lifecycle";
import type { CurrentAccountRow } from "../table";
import { moveAccount } from "./store";

type Freezing = {
	readonly by: "freeze" | "unfreeze";
	readonly reason: string;
	readonly owner: Reachable | undefined;
};

/** The status and the writes that lead to it; undefined where the account's status allows no such move. A release sends its owner a notice. */
export async function planFreezing(
	services: Services,
	account: CurrentAccountRow,
	{ by, reason, owner }: Freezing,
): Promise<{ readonly status: AccountStatus; readonly writes: readonly Write[] } | undefined> {
	const status = statusAfter(account.status, by);
	if (!status) return undefined;
	const event = by === "freeze" ? currentAccountFrozen : currentAccountUnfrozen;
	const data = { account_id: account.id, reason };
	const told = owner && by === "unfreeze" ? await noticesTo(services, owner, { key: "ACCOUNT_USABLE_AGAIN", values: {} }) : [];
	const { organizationId } = account;
	return { status, writes: [moveAccount(services, account, by), raise(services, event, { organizationId, data }), ...told] };
}
