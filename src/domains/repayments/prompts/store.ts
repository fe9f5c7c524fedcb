// Builds the statements on repayment prompts.

import { and, desc, eq, lte, notInArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm, Statement, Write } from "../../../db/database";
import { guarded } from "../../../db/guards";
import { stepDueAt, stepNumbered } from "./lifecycle";
import { A_DAY } from "./policy";
import { type PromptRow, repaymentPrompts } from "./table";

const repaymentPrompt = alias(repaymentPrompts, "repayment_prompt");

export const findPrompt = (orm: Orm, id: string) => orm.select().from(repaymentPrompts).where(eq(repaymentPrompts.id, id));

/** The prompt, if it is of the account that the subquery selects. */
export const findPromptOf = (orm: Orm, id: string, account: SQL) =>
	orm
		.select()
		.from(repaymentPrompts)
		.where(and(eq(repaymentPrompts.id, id), sql`${repaymentPrompts.accountId} = ${account}`));

/** When the last prompts of the accounts were made, as many as there may be in a day. */
export const findNewest = (orm: Orm, accounts: SQL) =>
	orm
		.select({ id: repaymentPrompts.id, status: repaymentPrompts.status, createdAt: repaymentPrompts.createdAt })
		.from(repaymentPrompts)
		.where(sql`${repaymentPrompts.accountId} = ${accounts}`)
		.orderBy(desc(repaymentPrompts.createdAt), desc(repaymentPrompts.id))
		.limit(A_DAY);

/** As a condition of a commit: this is the newest prompt of the account. */
export const isNewest = (accountId: string, id: string | undefined): SQL =>
	sql`(select ${repaymentPrompt.id} from ${repaymentPrompts} ${repaymentPrompt} where ${repaymentPrompt.accountId} = ${accountId}
		order by ${repaymentPrompt.createdAt} desc, ${repaymentPrompt.id} desc limit 1) is ${id ?? null}`;

/** The organization's prompt of this reference. */
export const findPromptReferred = (orm: Orm, reference: string, organizationId: string) =>
	orm
		.select()
		.from(repaymentPrompts)
		.where(and(eq(repaymentPrompts.reference, reference), eq(repaymentPrompts.organizationId, organizationId)));

export const findDuePrompts = (orm: Orm, now: number, limit: number) =>
	orm
		.select()
		.from(repaymentPrompts)
		.where(and(sql`${repaymentPrompts.nextStepAt} is not null`, lte(repaymentPrompts.nextStepAt, now)))
		.orderBy(repaymentPrompts.nextStepAt)
		.limit(limit);

const hasNotEnded = notInArray(repaymentPrompts.status, ["SUCCEEDED", "FAILED"]);

/** Does the step that is due, or counts the question that follows the commit. Stale when another sweep does, or the prompt has ended. */
export const takeStep = (orm: Orm, { id, steps, createdAt }: PromptRow): Write =>
	guarded(
		orm
			.update(repaymentPrompts)
			.set({
				steps: steps + 1,
				nextStepAt: stepDueAt(steps + 1, createdAt),
				...(stepNumbered(steps) === "GIVE_UP" && { status: "UNKNOWN" as const }),
			})
			.where(and(eq(repaymentPrompts.id, id), eq(repaymentPrompts.steps, steps), hasNotEnded)),
	);

/** The provider has it. */
export const markSent = (orm: Orm, id: string, checkoutId: string): Statement =>
	orm
		.update(repaymentPrompts)
		.set({
			checkoutId,
			status: sql`case when ${repaymentPrompts.status} = 'PENDING' then 'SENT' else ${repaymentPrompts.status} end`,
		})
		.where(eq(repaymentPrompts.id, id));

/** As a condition of a commit: the prompt has not ended. */
export const isWaiting = (id: string): SQL =>
	sql`exists (select 1 from ${repaymentPrompts} ${repaymentPrompt} where ${repaymentPrompt.id} = ${id} and ${repaymentPrompt.status} not in ('SUCCEEDED', 'FAILED'))`;

export const endFailed = (orm: Orm, id: string, failureReason: string, now: number): Statement =>
	orm
		.update(repaymentPrompts)
		.set({ status: "FAILED", failureReason, nextStepAt: null, endedAt: now })
		.where(and(eq(repaymentPrompts.id, id), hasNotEnded));

/** As a condition of a commit: the prompt is not known to be paid, and no other is by this payment. */
export const isUnpaid = (id: string, transactionId: string): SQL =>
	sql`exists (select 1 from ${repaymentPrompts} ${repaymentPrompt} where ${repaymentPrompt.id} = ${id} and ${repaymentPrompt.status} <> 'SUCCEEDED')
		and not exists (select 1 from ${repaymentPrompts} ${repaymentPrompt} where ${repaymentPrompt.transactionId} = ${transactionId})`;

export const endPaid = (orm: Orm, id: string, transactionId: string, now: number, when: SQL): Statement =>
	orm
		.update(repaymentPrompts)
		.set({ status: "SUCCEEDED", transactionId, failureReason: null, nextStepAt: null, endedAt: now })
		.where(and(eq(repaymentPrompts.id, id), when));
