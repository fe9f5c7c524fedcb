// Operators give up returning the money of a reversed payment: it is settled with the payer otherwise.

import * as z from "zod";
import { first } from "../../../db/reads";
import { held, operator } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError, wrongState } from "../../../shared/errors";
import { giveUp } from "./plan";
import { findReturn } from "./store";
import { MoneyReturn, toMoneyReturn } from "./wire";

export const giveUpReturn = operation({
	id: "giveUpReturn",
	method: "POST",
	path: "/v1/repayments/{id}/return/give-up",
	summary: "Give up returning the money of a reversed payment",
	description:
		"The service stops sending the request. The provider may still act on earlier requests: then the return becomes RETURNED. `POST /v1/platform/work/RETURN/{id}/retry` sends it again.",
	access: held(operator),
	home: ({ path }) => path.id,
	request: {
		path: z.object({ id: z.uuid().toLowerCase() }),
		body: z.strictObject({ reason: z.string().trim().min(1).max(255) }).meta({ examples: [{ reason: "paid back in cash" }] }),
	},
	response: MoneyReturn,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { id }, body: { reason } }, services) {
		const { db, now } = services;
		const row = await db.read(first(findReturn(db.orm, id)));
		if (!row) throw new ApiError("NOT_FOUND");
		if (row.status === "RETURNED" || row.status === "GIVEN_UP") {
			throw wrongState("The return", row.status, ["PENDING", "TAKEN", "FAILED"]);
		}
		const ended = { ...row, status: "GIVEN_UP", givenUpReason: reason, nextAttemptAt: null, endedAt: now } as const;
		return services.commit(giveUp(services, row, reason), toMoneyReturn(ended));
	},
});
