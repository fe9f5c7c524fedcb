// The writes that end a repayment prompt, with its event.

import { and, type SQL } from "drizzle-orm";
import type { Write } from "../../../db/database";
import { ALWAYS } from "../../../db/prebuilt";
import { raise } from "../../../events/raise";
import type { Services } from "../../../runtime/services";
import type { PaymentRow } from "../table";
import { promptFailed, promptSucceeded } from "./events";
import { endFailed, endPaid, isUnpaid, isWaiting } from "./store";
import type { PromptRow } from "./table";

const about = ({ id, accountId, reference, amount, currency }: PromptRow) => ({
	prompt_id: id,
	account_id: accountId,
	reference,
	amount,
	currency,
});

/** Ends the prompt as failed, unless it has ended. */
export function failPrompt(services: Services, prompt: PromptRow, failureReason: string): Write[] {
	const { id, organizationId } = prompt;
	const data = { ...about(prompt), failure_reason: failureReason };
	return [
		raise(services, promptFailed, { organizationId, entityId: id, data, when: isWaiting(id) }),
		endFailed(services.db.orm, id, failureReason, services.now),
	];
}

/**
 * Ends the prompt by its payment, after every earlier report; nothing for another payment that names it.
 * @param when only if this holds at that moment
 */
export function settlePrompt(services: Services, prompt: PromptRow, payment: PaymentRow, when: SQL = ALWAYS): Write[] {
	const { id, organizationId, accountId, amount } = prompt;
	if (payment.status === "UNMATCHED" || payment.accountId !== accountId || payment.amount !== amount) return [];
	const isNews = and(isUnpaid(id, payment.id), when) ?? when;
	const data = { ...about(prompt), transaction_id: payment.id };
	return [
		raise(services, promptSucceeded, { organizationId, entityId: id, data, when: isNews }),
		endPaid(services.db.orm, id, payment.id, services.now, isNews),
	];
}
