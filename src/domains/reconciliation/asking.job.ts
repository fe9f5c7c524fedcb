// Asks providers about breaks: whether a transaction was made. M-Pesa answers later, at an address of its own; MTN MoMo answers at once.

import { type Outbox, sendDue } from "../../runtime/outbox";
import type { Inquired } from "../../runtime/ports";
import { DAY_MS } from "../../shared/time";
import { visibleKey } from "../../shared/visible-key";
import { askAgain, findDueQuestions, keepAnswer } from "./asking.store";
import { claimedOf } from "./lifecycle";
import type { BreakRow } from "./table";

/** The provider keeps no answer back for so long. */
const LAPSE_MS = 3 * DAY_MS;

/** What is asked, of which the first attempt belongs to the commit that asks. */
export const questions: Outbox<BreakRow, BreakRow, Inquired> = {
	what: "questions about breaks",
	said: (answer) => (typeof answer === "string" ? answer : answer.status),
	async due({ db, now }, most) {
		const due = await db.read(findDueQuestions(db.orm, now, most));
		return due;
	},
	over({ db, now, commit }, row) {
		return (row.askedAt ?? 0) <= now - LAPSE_MS ? () => commit(keepAnswer(db.orm, row, "NONE")) : undefined;
	},
	claim: ({ db, now }, row) => askAgain(db.orm, row, now),
	async send({ providers: { collections, disburser }, realNow }, row) {
		const { id, organizationId, receipt, askedProvider: provider, recordedId, currency } = row;
		if (provider === "daraja") {
			return receipt === null ? "UNKNOWN" : collections.inquire({ id, organizationId, transactionId: receipt, about: "break" }, realNow);
		}
		if (provider === null || recordedId === null || disburser?.kind !== "remote") return "UNKNOWN";
		const payout = { reference: recordedId, organizationId, provider, amount: Math.abs(claimedOf(row)), currency };
		return disburser.inquire({ ...payout, mobileNumber: null, body: "" }, realNow);
	},
	outcome({ db }, row, answer) {
		if (typeof answer === "string") return [];
		const isMade = answer.status === "SUCCEEDED" && visibleKey(answer.transaction) === row.receipt;
		return keepAnswer(db.orm, row, isMade ? "CONFIRMED" : "REFUTED");
	},
};

/** Asks a portion of those questions again that are due. Whether more may be waiting. */
export const askProviders = sendDue(questions);
