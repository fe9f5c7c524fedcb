// What Daraja reports of prompts to repay. The code in the path shows that it was asked for, and about what; a payment is recorded like a
// confirmed and verified one, so that its confirmation is the same payment.

import * as z from "zod";
import { first } from "../../../db/reads";
import { atCodedAddress, codedPath, noSuchAddress } from "../../../http/callers/coded-address";
import { operation } from "../../../http/operation";
import { isCodeOf } from "../../../providers/daraja/callback-address";
import { ACCEPTED, Accepted } from "../../../providers/daraja/callbacks";
import { type PromptEnd, promptEndIn } from "../../../providers/daraja/prompt-answers";
import { Committed, type HandlerServices } from "../../../runtime/services";
import { shortAmountText } from "../../../shared/currency";
import { ApiError } from "../../../shared/errors";
import { visibleKey } from "../../../shared/visible-key";
import { failPrompt, settlePrompt } from "../prompts/plan";
import { findPrompt } from "../prompts/store";
import type { PromptRow } from "../prompts/table";
import { findReceived } from "../store";
import { hintOf } from "./confirmations.procedure";
import { keep } from "./confirmations.store";
import { isRecordedOtherwise, recordConfirmation } from "./daraja.procedure";

export const reportDarajaPrompt = operation({
	id: "reportDarajaPrompt",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/prompts/{id}/{code}",
	summary: "Report whether the payer of a prompt has paid: Daraja, at the address that it was given",
	description:
		"The code is valid for one prompt. A payment of its amount is recorded even after a report of failure. Another amount, or a result code without a meaning, changes nothing.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath,
		body: z.looseObject({}).meta({ id: "DarajaPromptResult", examples: [{ Body: { stkCallback: { ResultCode: 1032 } } }] }),
	},
	response: Accepted,
	async handle({ path: { id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, "prompt", id, code))) throw noSuchAddress();
		const { db, log } = services;
		const prompt = await db.read(first(findPrompt(db.orm, id)));
		if (!prompt) throw new ApiError("NOT_FOUND");
		const end = promptEndIn(body);
		switch (end.outcome) {
			case "PAID":
				if (end.amount === prompt.amount) return recordPaid(services, prompt, end);
				log.error("the payer of a prompt has paid another amount", undefined, { prompt_id: id });
				return ACCEPTED;
			case "FAILED":
				return services.commit(failPrompt(services, prompt, end.reason), ACCEPTED);
			case "NOTHING":
				return ACCEPTED;
		}
	},
});

async function recordPaid(services: HandlerServices, prompt: PromptRow, { receipt, at }: Extract<PromptEnd, { outcome: "PAID" }>) {
	const { organizationId, amount, reference, shortCode } = prompt;
	const body = {
		TransID: receipt,
		TransTime: at,
		TransAmount: shortAmountText(amount, "KES"),
		BillRefNumber: reference,
		BusinessShortCode: shortCode,
	};
	const received = { organizationId, body, amount: { value: amount, isExact: true }, verified: {}, prompt } as const;
	const answer = await recordConfirmation(services, received).catch((error: unknown) => {
		if (isRecordedOtherwise(error)) return ACCEPTED;
		throw error;
	});
	if (answer instanceof Committed) return answer;
	const { db, log } = services;
	const payment = await db.read(first(findReceived(db.orm, organizationId, visibleKey(receipt))));
	const settled = payment ? settlePrompt(services, prompt, payment) : [];
	if (settled.length > 0) return services.commit(settled, ACCEPTED);
	log.error("the receipt of a prompt is that of another payment", undefined, { prompt_id: prompt.id });
	// The money has come, and the books have other facts of it: people see that.
	const hint = await hintOf(services, { organizationId, body, amount }, { attempts: 0, nextAttemptAt: services.now });
	return services.commit([keep({ ...hint, status: "VERIFIED", contradictedAt: services.now })], ACCEPTED);
}
