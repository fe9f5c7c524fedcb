// A provider's transaction pays out at most one disbursement or transfer, in all databases together: a report of success reserves it in the
// directory. Only the row of the disbursement or transfer, which may be in another database, shows whether it has paid.

import { and, eq } from "drizzle-orm";
import { isOneOf } from "../../db/columns";
import { StaleWrite, type Write } from "../../db/database";
import { findName, NAME_TAKEN, type Reservation } from "../../db/names";
import { names } from "../../db/names.table";
import { DIRECTORY_HOME } from "../../db/places";
import { first } from "../../db/reads";
import { violates } from "../../db/unique";
import type { CommitOptions, Committed, Elsewhere, HandlerServices, JobServices, Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { visibleKey } from "../../shared/visible-key";
import { disbursements } from "../disbursements/model/table";
import { transfers } from "./table";

const KIND = "PAYOUT_TRANSACTION";

/** `id`: of the disbursement or transfer. `transaction`: null when it has failed. */
type Result = { readonly id: string; readonly transaction: string | null };

/**
 * Commits the result of a disbursement or transfer. The same report may be committed again after a crash; it throws
 * `DUPLICATE_CONFLICT` when the transaction belongs to another disbursement or transfer.
 */
export const commitResult = <T>(
	services: HandlerServices,
	result: Result,
	writes: readonly Write[],
	answer: T,
	unique: NonNullable<CommitOptions["unique"]> = [],
): Promise<Committed<T>> => reserving(services, result, (reserve) => services.commit(writes, answer, { ...reserve, unique }));

/** The same for a result that a job asked the provider for. */
export const commitAnswered = (
	services: JobServices,
	result: Result,
	writes: readonly Write[],
	unique: NonNullable<CommitOptions["unique"]> = [],
): Promise<unknown> => reserving(services, result, (reserve) => services.commit(writes, { ...reserve, unique }));

async function reserving<C>(
	services: Elsewhere,
	{ id, transaction }: Result,
	commit: (reserve: Pick<CommitOptions, "reserve">) => Promise<C>,
): Promise<C> {
	if (transaction === null) return commit({});
	try {
		return await commit({ reserve: { names: [{ kind: KIND, value: visibleKey(transaction), id }] } });
	} catch (error) {
		if (!violates(error, NAME_TAKEN)) throw error;
		if (!(await freeUnpaid(services, transaction))) throw new ApiError("DUPLICATE_CONFLICT");
		throw new StaleWrite("the transaction can be reserved again", { cause: error });
	}
}

/**
 * Frees a transaction that was reserved for a payout which then ended without it, because between the two commits the process ended or
 * another report came first. A payout that is open keeps its transaction, as its report may be on its way. Returns whether it is free.
 */
async function freeUnpaid(services: Elsewhere, transaction: string): Promise<boolean> {
	const { directory } = services.databases;
	const key = visibleKey(transaction);
	const name = await directory.read(first(findName(directory.orm, KIND, key)));
	if (!name) return true;
	const { db } = services.at(name.id);
	const { disbursement, transfer } = await db.read({
		disbursement: first(
			db.orm
				.select({ status: disbursements.status, transaction: disbursements.mobileMoneyTransactionId })
				.from(disbursements)
				.where(eq(disbursements.id, name.id)),
		),
		transfer: first(
			db.orm
				.select({ status: transfers.status, transaction: transfers.providerReference })
				.from(transfers)
				.where(eq(transfers.id, name.id)),
		),
	});
	const holder = disbursement ?? transfer;
	if (!holder || !ENDED.has(holder.status) || (holder.transaction !== null && visibleKey(holder.transaction) === key)) return false;
	await services
		.at(DIRECTORY_HOME)
		.commitRegardless([directory.orm.delete(names).where(and(eq(names.kind, KIND), eq(names.value, key), eq(names.id, name.id)))]);
	return true;
}

/** In these statuses a payout takes no new transaction, except if it had failed and was paid after all: then it reserves one again. */
const ENDED: ReadonlySet<string> = new Set(["SUCCEEDED", "COMPLETED", "FAILED", "RETURNED"]);

/** The reserved transactions that have paid. `services` are those of the database that has their disbursements and transfers. */
export async function heldByPayouts<N extends Reservation>({ db }: Services, reserved: readonly N[]): Promise<readonly N[]> {
	const ids = reserved.map(({ id }) => id);
	const { paidOut, transferred } = await db.read({
		paidOut: db.orm
			.select({ id: disbursements.id, transaction: disbursements.mobileMoneyTransactionId })
			.from(disbursements)
			.where(isOneOf(disbursements.id, ids)),
		transferred: db.orm
			.select({ id: transfers.id, transaction: transfers.providerReference })
			.from(transfers)
			.where(isOneOf(transfers.id, ids)),
	});
	const made = [...paidOut, ...transferred];
	return reserved.filter(({ id, value }) =>
		made.some((payout) => payout.id === id && payout.transaction !== null && visibleKey(payout.transaction) === value),
	);
}
