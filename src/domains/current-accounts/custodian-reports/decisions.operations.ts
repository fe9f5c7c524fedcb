// The custodian's decisions. Each is final and takes effect once: the same decision again changes nothing.

import * as z from "zod";
import type { Write } from "../../../db/database";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { held, oneOf, operator, signedBy } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import type { Elsewhere, Services } from "../../../runtime/services";
import { ApiError, invalidState, wrongState } from "../../../shared/errors";
import { withoutAddresses } from "../../../shared/named-persons";
import { toTimestamp } from "../../../shared/time";
import { notifyUser } from "../../messages/notices.plan";
import { moveAccount, moveOnboarding } from "../accounts/store";
import { statusAfter as activationStatusAfter } from "../activations/lifecycle";
import { activate } from "../activations/plan";
import { moveActivation } from "../activations/store";
import type { ActivationRow } from "../activations/table";
import { statusAfter as closureStatusAfter } from "../closures/lifecycle";
import { demandEmpty } from "../closures/procedure";
import { moveClosure } from "../closures/store";
import type { ClosureRow } from "../closures/table";
import { markSubjectTaken } from "../custodian/store";
import { currentAccountClosed, currentAccountClosureRejected, currentAccountOnboardingRejected } from "../events";
import { findAccrued, isEmpty } from "../ledger/store";
import { statusAfter as accountStatusAfter, walletStatusAfter } from "../lifecycle";
import type { CurrentAccountRow } from "../table";
import { NO_REASON, SUBJECTS, VERDICTS, type Verdict } from "./lifecycle";
import { findDecision, findSubject } from "./store";
import { custodianDecisions, type DecisionRow } from "./table";

const text = (max: number) => z.string().trim().min(1).max(max);

const Decision = z.object({
	decision_id: text(255),
	subject: z.enum(SUBJECTS),
	subject_id: z.uuid().toLowerCase().meta({ description: "The account for ONBOARDING, else the closure or activation" }),
	decision: z.enum(VERDICTS),
	rejection_reason: text(255).overwrite(withoutAddresses).nullish(),
	external_account_id: text(255).nullish().meta({ description: "The custodian's own id of an account that it has opened" }),
	external_account_number: text(64).nullish(),
});

type Body = z.output<typeof Decision>;

export const decide = operation({
	id: "decide",
	method: "POST",
	path: "/v1/integrations/custodian/decisions",
	summary: "Report a decision about an onboarding, an activation or a closure: the custodian, signed with CUSTODIAN_SECRET, or an operator",
	description: "The same decision again answers 200 and changes nothing.",
	access: held(oneOf(operator, signedBy("CUSTODIAN_SECRET"))),
	home: ({ body }) => body.subject_id,
	request: { body: Decision },
	response: z.object({ decision_id: z.string(), subject: z.enum(SUBJECTS), subject_id: z.uuid(), decision: z.enum(VERDICTS) }),
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT", "INVALID_STATE", "ACCOUNT_HAS_NON_ZERO_BALANCE"],
	async handle({ body }, services) {
		const { db, now } = services;
		const { decision_id, subject, subject_id, decision } = body;
		const answer = { decision_id, subject, subject_id, decision };
		const { known, account, activation, closure } = await db.read({
			known: first(findDecision(db.orm, decision_id)),
			...findSubject(db.orm, subject_id),
		});
		const row: DecisionRow = {
			id: decision_id,
			subject,
			subjectId: subject_id,
			decision,
			rejectionReason: decision === "REJECTED" ? (body.rejection_reason ?? NO_REASON) : null,
			createdAt: now,
		};
		if (known) {
			if (!isSame(known, row)) throw new ApiError("DUPLICATE_CONFLICT");
			return answer;
		}
		if (!account) throw new ApiError("NOT_FOUND", { description: "There is no such current account" });
		const writes = await effectOf(services, row, body, { account, activation, closure });
		return services.commit([db.orm.insert(custodianDecisions).values(row), markSubjectTaken(db.orm, subject_id), ...writes], answer, {
			unique: [[[custodianDecisions.id], "STALE"]],
		});
	},
});

const isSame = (known: DecisionRow, row: DecisionRow): boolean =>
	known.subject === row.subject &&
	known.subjectId === row.subjectId &&
	known.decision === row.decision &&
	known.rejectionReason === row.rejectionReason;

type Subject = { account: CurrentAccountRow; activation: ActivationRow | undefined; closure: ClosureRow | undefined };

const noSuch = (subject: string) => new ApiError("NOT_FOUND", { description: `There is no such ${subject} of the account` });

/** What the decision changes; nothing when the same was decided before under another id. Throws when it comes too late or too early. */
async function effectOf(services: Elsewhere, row: DecisionRow, body: Body, { account, activation, closure }: Subject): Promise<Write[]> {
	switch (row.subject) {
		case "ONBOARDING":
			if (account.id !== row.subjectId) throw noSuch("account");
			return decideOnboarding(services, row, body, account);
		case "ACTIVATION":
			if (!activation) throw noSuch("activation");
			return decideActivation(services, row, account, activation);
		case "CLOSURE":
			if (!closure) throw noSuch("closure");
			return decideClosure(services, row, account, closure);
	}
}

/** Throws unless the subject was decided like this before. */
function demandSame(before: Verdict | undefined, now: Verdict): Write[] {
	if (before !== now) throw invalidState(before ? `It was decided before, as ${before}` : "It does not wait for a decision");
	return [];
}

async function decideOnboarding(
	services: Services,
	{ decision, rejectionReason }: DecisionRow,
	body: Body,
	account: CurrentAccountRow,
): Promise<Write[]> {
	const move = decision === "APPROVED" ? "approve" : "reject";
	if (account.status === "CLOSED" || !walletStatusAfter(account.walletOnboardingStatus, move)) {
		return demandSame(account.walletOnboardingStatus === "ACCOUNT_OPENED" ? "APPROVED" : "REJECTED", decision);
	}
	if (move === "approve") {
		const { external_account_id: externalAccountId = null, external_account_number: externalAccountNumber = null } = body;
		return [moveOnboarding(services, account, move, { externalAccountId, externalAccountNumber })];
	}
	const reasons = [rejectionReason ?? NO_REASON];
	return [
		moveOnboarding(services, account, move, { rejectionReasons: reasons }),
		raise(services, currentAccountOnboardingRejected, {
			organizationId: account.organizationId,
			data: { account_id: account.id, reasons },
		}),
		...(await notifyUser(services, account.userId, "ACCOUNT", { key: "ACCOUNT_NOT_OPENED", values: {} })),
	];
}

function decideActivation(
	services: Services,
	{ decision, rejectionReason }: DecisionRow,
	account: CurrentAccountRow,
	activation: ActivationRow,
): Write[] {
	const { db, now } = services;
	const move = decision === "APPROVED" ? "approve" : "reject";
	if (!activationStatusAfter(activation, move)) {
		const before = activation.status === "REJECTED" ? "REJECTED" : activation.status === "OTP_CONFIRMED" ? "APPROVED" : undefined;
		return demandSame(before, decision);
	}
	const { write } = moveActivation(db.orm, activation, [move], { completedAt: now, rejectionReason });
	return move === "approve" ? [write, ...activate(services, account, activation.id)] : [write];
}

async function decideClosure(
	services: Elsewhere,
	{ decision, rejectionReason }: DecisionRow,
	account: CurrentAccountRow,
	closure: ClosureRow,
): Promise<Write[]> {
	const { db, now } = services;
	const move = decision === "APPROVED" ? "approve" : "reject";
	if (!closureStatusAfter(closure.status, move)) {
		const before = closure.status === "COMPLETED" ? "APPROVED" : closure.status === "REJECTED" ? "REJECTED" : undefined;
		return demandSame(before, decision);
	}
	const accountMove = move === "approve" ? "end" : "keep";
	if (!accountStatusAfter(account.status, accountMove)) throw wrongState("The account", account.status, ["CLOSING"]);
	const about = { organizationId: account.organizationId, entityId: closure.id };
	const data = { account_id: account.id, closure_id: closure.id };
	const { write } = moveClosure(db.orm, closure, move, { completedAt: now, rejectionReason });
	if (move === "reject") {
		return [
			write,
			moveAccount(services, account, accountMove),
			raise(services, currentAccountClosureRejected, { ...about, data: { ...data, rejection_reason: rejectionReason ?? NO_REASON } }),
			...(await notifyUser(services, account.userId, "ACCOUNT", { key: "ACCOUNT_NOT_CLOSED", values: {} })),
		];
	}
	const earned = await db.read(first(findAccrued(services, account)));
	await demandEmpty(services, account, earned?.accrued ?? 0);
	return [
		write,
		moveAccount(services, account, accountMove, { only: isEmpty(services, account) }),
		raise(services, currentAccountClosed, { ...about, data: { ...data, completed_at: toTimestamp(now) } }),
	];
}
