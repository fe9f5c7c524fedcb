// A provider's transaction pays out one disbursement or transfer, in all databases. A report of success reserves it in the directory;
// whether it has paid is told only by the row of the disbursement or transfer, which may be in another database.

import { and, eq } from "drizzle-orm";
import { StaleWrite, type Write } from "../../db/database";
import { findName, NAME_TAKEN } from "../../db/names";
import { names } from "../../db/names.table";
import { DIRECTORY_HOME } from "../../db/places";
import { violates } from "../../db/unique";
import type { CommitOptions, Committed, Elsewhere, HandlerServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { disbursements } from "../disbursements/table";
import { transfers } from "./table";

const KIND = "PAYOUT_TRANSACTION";

/** `id`: of the disbursement or transfer. `transaction`: null when it has failed. */
type Result = { readonly id: string; readonly transaction: string | null };

/**
 * Commits the result of a disbursement or transfer. The same report may be committed again after a crash; `DUPLICATE_CONFLICT` when
 * the transaction is that of another one.
 */
export async function commitResult<T>(
	services: HandlerServices,
	{ id, transaction }: Result,
	writes: readonly Write[],
	answer: T,
	unique: CommitOptions["unique"] = [],
): Promise<Committed<T>> {
	if (transaction === null) return services.commit(writes, answer, { unique });
	try {
		return await services.commit(writes, answer, { reserve: { names: [{ kind: KIND, value: transaction, id }] }, unique });
	} catch (error) {
		if (!violates(error, NAME_TAKEN)) throw error;
		if (!(await freeUnpaid(services, transaction))) throw new ApiError("DUPLICATE_CONFLICT");
		throw new StaleWrite("the transaction can be reserved again", { cause: error });
	}
}

/**
 * Frees a transaction that was reserved for a payout which then ended without it: the process ended, or another report came first,
 * between the two commits. A payout that has not ended keeps it, because its report may be on its way. Returns whether it is free.
 */
async function freeUnpaid(services: Elsewhere, transaction: string): Promise<boolean> {
	const { directory } = services.databases;
	const [[name]] = await directory.read(findName(directory.orm, KIND, transaction));
	if (!name) return true;
	const { db } = services.at(name.id);
	const [[disbursement], [transfer]] = await db.read(
		db.orm
			.select({ status: disbursements.status, transaction: disbursements.mobileMoneyTransactionId })
			.from(disbursements)
			.where(eq(disbursements.id, name.id)),
		db.orm.select({ status: transfers.status, transaction: transfers.providerReference }).from(transfers).where(eq(transfers.id, name.id)),
	);
	const holder = disbursement ?? transfer;
	if (!holder || !ENDED.has(holder.status) || holder.transaction === transaction) return false;
	await services
		.at(DIRECTORY_HOME)
		.commitRegardless([directory.orm.delete(names).where(and(eq(names.kind, KIND), eq(names.value, transaction), eq(names.id, name.id)))]);
	return true;
}

/** Nothing leads out of these states, so a payout that has ended can never take the transaction any more. */
const ENDED: ReadonlySet<string> = new Set(["SUCCEEDED", "COMPLETED", "FAILED"]);
