// The transactions by which the money of payouts came back: each brings back one payout, in all databases.

import { isOneOf } from "../../db/columns";
import type { Reservation } from "../../db/names";
import type { Services } from "../../runtime/services";
import { visibleKey } from "../../shared/visible-key";
import { type DisbursementRow, disbursements } from "./model/table";

type Payer = Pick<DisbursementRow, "organizationId">;

const nameOf = ({ organizationId }: Payer, key: string) => `${organizationId ?? "operators"} ${key}`;

/** The name that the directory reserves for the payout that the transaction brings back. */
export const returnNamed = (payout: Payer & { readonly id: string }, transaction: string): Reservation => ({
	kind: "PAYOUT_RETURN",
	value: nameOf(payout, visibleKey(transaction)),
	id: payout.id,
});

/** Those of the transactions that have brought back the payout that they are reserved for. `there`: where that is. */
export async function heldByReturned<N extends Reservation>({ db }: Services, reserved: readonly N[]): Promise<readonly N[]> {
	const { id, organizationId, returnTransaction } = disbursements;
	const ids = reserved.map((name) => name.id);
	const rows = await db.read(db.orm.select({ id, organizationId, key: returnTransaction }).from(disbursements).where(isOneOf(id, ids)));
	return reserved.filter((name) => rows.some((row) => row.id === name.id && row.key !== null && nameOf(row, row.key) === name.value));
}
