// What Daraja says when it is asked about a break. The code in the path shows that it was asked, and about what.

import * as z from "zod";
import { atCodedAddress, codedPath, noSuchAddress } from "../../http/callers/coded-address";
import { operation } from "../../http/operation";
import { judgePayout, judgeReceipt, resultIn } from "../../providers/daraja/answers";
import { isCodeOf } from "../../providers/daraja/callback-address";
import { ACCEPTED, Accepted } from "../../providers/daraja/callbacks";
import { ApiError } from "../../shared/errors";
import { learntOf } from "../repayments/recording/confirmations.procedure";
import { findAnswered, keepAnswer } from "./asking.store";
import { claimedOf } from "./lifecycle";

export const answerDarajaBreak = operation({
	id: "answerDarajaBreak",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/breaks/{id}/{code}",
	summary: "Say whether a transaction was made that is missing on a statement or on it twice: Daraja, at the address that it was given",
	description:
		"The code is good for the questions about one break. A result without a clear meaning changes nothing, and the service asks again.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath,
		body: z
			.looseObject({})
			.meta({ id: "DarajaBreakAnswer", examples: [{ Result: { ResultType: 0, ResultCode: 0, TransactionID: "SG632NMUAB" } }] }),
	},
	response: Accepted,
	async handle({ path: { id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, "break", id, code))) throw noSuchAddress();
		const { db } = services;
		const { row, statement, connection } = await db.read(findAnswered(db.orm, id));
		if (!row) throw new ApiError("NOT_FOUND");
		const result = resultIn(body);
		if (row.nextAttemptAt === null || row.receipt === null || !statement || !connection || !result) return ACCEPTED;
		const amount = claimedOf(row);
		const judge = amount < 0 ? judgePayout : judgeReceipt;
		const judged = judge(result, { receipt: row.receipt, amount: Math.abs(amount), shortCode: statement.number });
		if (judged === "UNKNOWN") return services.commit(learntOf(services, connection, result), ACCEPTED);
		return services.commit(keepAnswer(db.orm, row, judged === "MADE" ? "CONFIRMED" : "REFUTED"), ACCEPTED);
	},
});
