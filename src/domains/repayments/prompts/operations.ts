// Asks borrowers on their own phones to repay: the provider shows them the sum, and they pay by their PIN.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { orStaleUnless } from "../../../db/guards";
import { byCreation, rowsOf } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { alone, apiKey, oneOf, user } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { Links, listReply, openPage, paging } from "../../../http/paging";
import { type Sending, sendAfter } from "../../../runtime/outbox";
import type { Prompted } from "../../../runtime/ports";
import { ApiError, badInput, invalidState, tooManyRequests } from "../../../shared/errors";
import { toNumber } from "../../../shared/money";
import { findConnection } from "../../connections/model/store";
import { replay } from "../../credit-accounts/book/book.policy";
import { dueOf } from "../../credit-accounts/book/installments.policy";
import { type BookRecords, bookOf, findBook, reachedAccount, recordsOf } from "../../credit-accounts/ledger.store";
import { todayOf } from "../../credit-accounts/postings/plan";
import { findAccount, lenderOf, ownerOf } from "../../credit-accounts/store";
import { accountPath } from "../../credit-accounts/wire";
import { lendingReader, lendingWorker } from "../../users/model/callers";
import { findUser } from "../../users/model/store";
import { stepDueAt } from "./lifecycle";
import { failPrompt } from "./plan";
import { askedFor, CURRENCY, LEAST, MOST, RANDOM_LETTERS, referenceOf, UNIT, waitBefore } from "./policy";
import { findNewest, findPromptOf, isNewest, markSent } from "./store";
import { type PromptRow, repaymentPrompts } from "./table";
import { NewPrompt, RepaymentPrompt, toPrompt } from "./wire";

const OPEN = { description: "A prompt of the account is open: wait for its end", reason: "PROMPT_OPEN" } as const;

export const promptRepayment = operation({
	id: "promptRepayment",
	method: "POST",
	path: "/v1/accounts/{accountId}/repayment-prompts",
	summary: "Ask the borrower on their phone to repay",
	description:
		"By the lender's connection to M-Pesa, to the borrower's own number. One prompt of an account is open at a time, with two minutes between them and at most ten in 24 hours. The payment is recorded as any other, and ends the prompt.",
	access: alone(oneOf(user, lendingWorker, apiKey("repayments:write"))),
	home: ({ path }) => path.accountId,
	request: { path: accountPath, body: NewPrompt },
	response: RepaymentPrompt,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: ["NO_CONNECTION", "NO_NUMBER", "NOTHING_DUE", "PROMPT_OPEN"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const accounts = reachedAccount(path.accountId, caller);
		const { borrower, connection, newest, book } = await db.read({
			borrower: first(findUser(db.orm, ownerOf(accounts))),
			connection: first(findConnection(db.orm, { organizationId: lenderOf(accounts), provider: "daraja" })),
			newest: findNewest(db.orm, accounts),
			book: findBook(db.orm, accounts, "BOOK", "WAIVED"),
		});
		const [account] = book.accounts;
		if (!account) throw new ApiError("NOT_FOUND");
		if (!connection?.hasPasskey)
			throw invalidState("The lender has no connection that can ask a phone to pay", { reason: "NO_CONNECTION" });
		const mobileNumber = borrower?.mobileNumber;
		if (!mobileNumber || !/^\+254\d{9}$/.test(mobileNumber))
			throw invalidState("The borrower has no number of M-Pesa", { reason: "NO_NUMBER" });
		if (account.status === "CLOSED" || account.currency !== CURRENCY)
			throw invalidState(`Only an open account in ${CURRENCY} can be repaid so`);
		const waitMs = waitBefore(
			newest.map(({ createdAt }) => createdAt),
			now,
		);
		const amount = amountOf(body.amount, recordsOf(account, book), now);
		if (newest.some(({ status }) => status === "PENDING" || status === "SENT")) throw new ApiError("INVALID_STATE", OPEN);
		if (waitMs > 0) throw tooManyRequests(waitMs / 1000);
		const prompt: PromptRow = {
			id: services.newId(),
			cause: services.requestId,
			organizationId: connection.organizationId,
			accountId: account.id,
			provider: connection.provider,
			shortCode: connection.shortCode,
			reference: referenceOf(services.home, crypto.getRandomValues(new Uint8Array(RANDOM_LETTERS))),
			amount,
			currency: account.currency,
			status: "PENDING",
			checkoutId: null,
			failureReason: null,
			transactionId: null,
			steps: 0,
			nextStepAt: stepDueAt(0, now),
			createdAt: now,
			endedAt: null,
		};
		const unchanged = orStaleUnless(isNewest(account.id, newest[0]?.id));
		const sent = sendAfter(services, prompting, { prompt, mobileNumber });
		return services.commit([unchanged, db.orm.insert(repaymentPrompts).values(prompt), sent], toPrompt(prompt), {
			unique: [
				[[repaymentPrompts.accountId], new ApiError("INVALID_STATE", OPEN)],
				[[repaymentPrompts.reference], "STALE"],
			],
		});
	},
});

/** Throws for what cannot be asked for. */
function amountOf(sent: number | undefined, records: BookRecords, now: number): number {
	if (sent === undefined) {
		const due = toNumber(dueOf(replay(bookOf(records), todayOf(records.account, now))));
		if (due === 0) throw invalidState("Nothing is due", { reason: "NOTHING_DUE" });
		return askedFor(due);
	}
	if (sent % UNIT !== 0) throw badInput("amount", `must be a multiple of ${UNIT}: no cents can be paid`, "NOT_ALLOWED");
	if (sent < LEAST || sent > MOST) throw badInput("amount", `must be ${LEAST} to ${MOST}, which can be paid at once`, "OUT_OF_RANGE");
	return sent;
}

export const getRepaymentPrompt = operation({
	id: "getRepaymentPrompt",
	method: "GET",
	path: "/v1/accounts/{accountId}/repayment-prompts/{promptId}",
	summary: "Get a prompt to repay and its outcome",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath.extend({ promptId: z.uuid().toLowerCase() }) },
	response: RepaymentPrompt,
	errors: ["NOT_FOUND"],
	async handle({ path: { accountId, promptId }, caller }, { db }) {
		const prompt = await db.read(first(findPromptOf(db.orm, promptId, reachedAccount(accountId, caller))));
		if (!prompt) throw new ApiError("NOT_FOUND");
		return toPrompt(prompt);
	},
});

export const listRepaymentPrompts = operation({
	id: "listRepaymentPrompts",
	method: "GET",
	path: "/v1/accounts/{accountId}/repayment-prompts",
	summary: "The prompts to repay an account, newest first",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: accountPath, query: z.object(paging) },
	response: z.object({ data: z.array(RepaymentPrompt), links: Links }),
	errors: ["NOT_FOUND"],
	async handle({ path: { accountId }, query, caller }, services) {
		const { db } = services;
		const list = await openPage(services, query, {
			list: "repayment-prompts",
			owner: accountId,
			filters: {},
			select: rowsOf(repaymentPrompts),
			key: byCreation(repaymentPrompts),
			where: eq(repaymentPrompts.accountId, accountId),
		});
		const { account, found } = await db.read({
			account: first(findAccount(db.orm, reachedAccount(accountId, caller))),
			found: list.statement,
		});
		if (!account) throw new ApiError("NOT_FOUND");
		return listReply(services, await list.page(found), toPrompt);
	},
});

/**
 * Sends a prompt, once: the provider would not recognize a repetition. The commit that made it comes before, so that what dies in between
 * leaves a prompt of which nothing is known, and none that is sent twice.
 */
const prompting: Sending<{ readonly prompt: PromptRow; readonly mobileNumber: string }, Prompted> = {
	what: "prompts",
	said: ({ outcome }) => outcome,
	send({ providers, realNow }, { prompt: { id, organizationId, amount, reference }, mobileNumber }) {
		return providers.collections.prompt({ id, organizationId, amount, reference, mobileNumber }, realNow);
	},
	outcome(services, { prompt }, answer) {
		switch (answer.outcome) {
			case "SENT":
				return [markSent(services.db.orm, prompt.id, answer.checkoutId)];
			case "NOT_SENT":
				return failPrompt(services, prompt, answer.reason);
			case "UNKNOWN":
				return [];
		}
	},
};
