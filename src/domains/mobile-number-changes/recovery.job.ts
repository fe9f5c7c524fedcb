// Carries recoveries of lost numbers out: a notice each day while they wait, then the steps of a change, as a right code would take them.

import { first } from "../../db/reads";
import { eachUnlessStale } from "../../db/stale";
import type { JobServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { MINUTE_MS } from "../../shared/time";
import { findOpenAccount } from "../current-accounts/accounts/store";
import { endAllSessions } from "../tokens/sessions/plan";
import { FAILURES } from "../users/model/number-change.lifecycle";
import type { ChangeRow } from "../users/model/number-change.table";
import { findUser } from "../users/model/store";
import { completedWrites, reserve } from "./completion.procedure";
import { finishChange, instructCustodian, noticesOfEnd } from "./job";
import { abandon, commitAtProvider, move } from "./plan";
import { nextNotice, recoveryNotices, release } from "./recovery.plan";
import { findCommitOf, findDueRecoveries, putOff, setProvider } from "./store";

const BATCH = 20;

/** Works on one portion of the recoveries that are due. Returns whether more may be waiting. */
export async function workOnRecoveries(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const due = await db.read(findDueRecoveries(db.orm, now, BATCH));
	await eachUnlessStale(due, (row) =>
		row.notBefore !== null && row.notBefore > now ? remind(services, row, row.notBefore) : attempt(services, row),
	);
	return due.length === BATCH;
}

async function remind(services: JobServices, row: ChangeRow, notBefore: number): Promise<void> {
	const { db, now } = services;
	const owner = await db.read(first(findUser(db.orm, row.userId)));
	const told = owner ? await recoveryNotices(services, owner, notBefore) : [];
	await services.commit([putOff(db.orm, row, nextNotice(now, notBefore)), ...told]);
}

/** Put off first, so that a recovery that cannot be completed yet holds up no others. */
async function attempt(services: JobServices, row: ChangeRow): Promise<void> {
	await services.commit([putOff(services.db.orm, row, services.now + MINUTE_MS)]);
	try {
		await complete(services, row);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		services.log.info("a recovery of a number waits", { change_id: row.id, code: error.code });
	}
}

async function complete(services: JobServices, change: ChangeRow): Promise<void> {
	const { db, now, providers } = services;
	const { told, owner, account } = await db.read({
		told: first(findCommitOf(db.orm, change.id)),
		owner: first(findUser(db.orm, change.userId)),
		account: first(findOpenAccount(change.userId)),
	});
	if (!owner) throw new Error("the user of a recovery is missing");
	if (!providers.custodian || (change.provider === "ORDERED" && told?.status !== "TAKEN")) throw new ApiError("SERVICE_UNAVAILABLE");
	if (!(await reserve(services, change))) {
		const ended = abandon(services, change, "fail", { failureReason: FAILURES.inUse });
		await services.commit([...ended.writes, ...(await noticesOfEnd(services, change))]);
		if (ended.instruction) await instructCustodian(services, ended.instruction);
		return;
	}
	const ordered = change.provider === "NONE" ? commitAtProvider(services, change) : { provider: change.provider, writes: [] };
	if (ordered.instruction) {
		await services.commit([setProvider(db.orm, change, ordered.provider), ...ordered.writes]);
		await instructCustodian(services, ordered.instruction);
		return;
	}
	const { row, write } = move(db.orm, change, "complete", { completedAt: now, provider: ordered.provider });
	await services.commit([
		write,
		...(await completedWrites(services, row, owner)),
		// Sessions that began with the old number while the recovery waited.
		...endAllSessions(db.orm, owner.id, services.realNow),
		...release(services, account, row),
	]);
	await finishChange(services, row);
}
