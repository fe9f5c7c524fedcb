// What Daraja reports of returns of money. The code in the path shows that it was asked for, and about what. A report that the money was
// given back counts after every earlier report; a report that it was not, only while nobody knows better.

import * as z from "zod";
import type { Write } from "../../../db/database";
import { first } from "../../../db/reads";
import { atCodedAddress, codedPath, noSuchAddress } from "../../../http/callers/coded-address";
import { operation } from "../../../http/operation";
import { type DarajaResult, pauseAfterQuestion, resultIn } from "../../../providers/daraja/answers";
import { isCodeOf } from "../../../providers/daraja/callback-address";
import { ACCEPTED, Accepted } from "../../../providers/daraja/callbacks";
import { returnEndIn } from "../../../providers/daraja/return-answers";
import type { Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { pause } from "../../connections/model/plan";
import { isBeingOrdered } from "./lifecycle";
import { failReturn, settleReturn } from "./plan";
import { findReturn, keepContradiction } from "./store";
import type { ReturnRow } from "./table";

export const reportDarajaReturn = operation({
	id: "reportDarajaReturn",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/returns/{id}/{code}",
	summary: "Report whether the money of a reversed payment was given back: Daraja, at the address that it was given",
	description:
		"The code is good for one return. A result that contradicts an earlier result is kept in addition to it. A result without a clear meaning changes nothing, and the service asks Daraja.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath,
		body: z
			.looseObject({})
			.meta({ id: "DarajaReturnResult", examples: [{ Result: { ResultType: 0, ResultCode: "R000001", TransactionID: "SG732NMUAC" } }] }),
	},
	response: Accepted,
	async handle({ path: { id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, "return", id, code))) throw noSuchAddress();
		const { db } = services;
		const row = await db.read(first(findReturn(db.orm, id)));
		if (!row) throw new ApiError("NOT_FOUND");
		// A notice that the request waited too long is none.
		const result = resultIn(body);
		const writes = result ? heard(services, row, result) : [];
		return writes.length === 0 ? ACCEPTED : services.commit(writes, ACCEPTED);
	},
});

/** What a result changes. */
function heard(services: Services, row: ReturnRow, result: DarajaResult): Write[] {
	const end = returnEndIn(result, row);
	switch (end.outcome) {
		case "RETURNED": {
			const { transactionId } = row;
			if (row.status !== "RETURNED") {
				const kept = isBeingOrdered(row.status) ? [] : contradicted(services, row, row.failureReason ?? row.status);
				return [...kept, ...settleReturn(services, row, end.transaction)];
			}
			// The return that says it was given back before is not the return that did it.
			const isOther = end.transaction !== null && transactionId !== null && end.transaction !== transactionId;
			return isOther ? contradicted(services, row, end.transaction) : [];
		}
		case "FAILED": {
			if (row.status === "RETURNED") return contradicted(services, row, end.reason);
			const reason = pauseAfterQuestion(result);
			const { organizationId, provider } = row;
			const paused = reason ? pause(services, { organizationId, provider }, reason) : [];
			return isBeingOrdered(row.status) ? [...paused, ...failReturn(services, row, end.reason)] : paused;
		}
		case "OTHERWISE":
			return contradicted(services, row, end.says);
		case "NOTHING":
			return [];
	}
}

function contradicted({ db, log }: Services, { id, status }: ReturnRow, what: string): Write[] {
	log.error("a result of a return contradicts what is known of it", undefined, { payment_id: id, status });
	return [keepContradiction(db.orm, id, what)];
}
