// Closes a current account: its owner asks, confirms by a code, and the custodian decides. Money may arrive at any moment, so every
// step demands within its commit that the account is empty.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { orStaleUnless } from "../../../db/guards";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { user } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { sendAfter } from "../../../runtime/outbox";
import type { Services } from "../../../runtime/services";
import { list } from "../../../shared/bounded";
import { ApiError, invalidState, wrongState } from "../../../shared/errors";
import { channelOf, destinationOf, resendCode } from "../../otp/plan";
import { askCode, carryOut, codeCaps, tryCode } from "../../otp/procedure";
import { consumeChallenge, findChallengeOf } from "../../otp/store";
import { OtpConfirmation, RESEND_REASONS, SEND_REASONS, TRY_REASONS } from "../../otp/wire";
import { homeOfUser, lendingReader, ofUser, userNamed } from "../../users/model/callers";
import { findUser } from "../../users/model/store";
import { findAccountById, findOpenAccount, moveAccount, servesLoan } from "../accounts/store";
import { orderInstruction } from "../custodian/plan";
import { custodianOutbox } from "../custodian/procedure";
import { currentAccountClosureOtpConfirmed, currentAccountClosureStarted } from "../events";
import { findAccrued, isEmpty } from "../ledger/store";
import { statusAfter as accountStatusAfter, NO_OPEN_ACCOUNT } from "../lifecycle";
import { CLOSURE_REASONS, CLOSURE_VALIDITY_MS, isOpen, statusAt } from "./lifecycle";
import { demandEmpty } from "./procedure";
import { findClosure, findLatestClosure, findReachedClosure, moveClosure } from "./store";
import { type ClosureRow, closures } from "./table";
import { Closure, toClosure } from "./wire";

const PURPOSE = "CLOSURE";
const PATH = "/v1/user/accounts/current/close";

const bindingOf = ({ id, userId }: Pick<ClosureRow, "id" | "userId">) => ({ purpose: PURPOSE, subject: userId, resource: id });
const eventData = ({ id, accountId, reasons }: ClosureRow) => ({ account_id: accountId, closure_id: id, reasons: [...reasons] });

const NO_ACCOUNT = new ApiError("NOT_FOUND", { description: NO_OPEN_ACCOUNT });

export const startClosure = operation({
	id: "startClosure",
	method: "POST",
	path: PATH,
	summary: "Start to close the caller's current account",
	description: "Sends a code. The account must be empty; accrued interest that alone is left is paid out at once and must be withdrawn.",
	access: user,
	request: {
		body: z.object({
			reasons: list(z.enum(CLOSURE_REASONS), { min: 1, max: 5 })
				.refine((reasons) => new Set(reasons).size === reasons.length, "must not repeat")
				.meta({ uniqueItems: true }),
			comment: z.string().trim().max(500).optional(),
		}),
	},
	response: Closure,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "CLOSURE_IN_PROGRESS", "ACCOUNT_HAS_NON_ZERO_BALANCE"],
	reasons: SEND_REASONS,
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const { userId } = caller;
		const { owner, account, latest } = await db.read({
			owner: first(findUser(db.orm, userId)),
			account: first(findOpenAccount(userId)),
			latest: first(findLatestClosure(db.orm, userId)),
		});
		if (!owner || !account) throw NO_ACCOUNT;
		const open = latest && latest.accountId === account.id && isOpen(latest) ? latest : undefined;
		if (open && statusAt(open, now) !== "EXPIRED") throw new ApiError("CLOSURE_IN_PROGRESS");
		if (!accountStatusAfter(account.status, "close")) throw wrongState("The account", account.status, ["ACTIVE"]);
		const destination = destinationOf(owner);
		const { earned, loan } = await db.read({
			earned: first(findAccrued(services, account)),
			loan: first(servesLoan(db.orm, account.id)),
		});
		await demandEmpty(services, account, earned?.accrued ?? 0);
		if (loan) throw new ApiError("INVALID_STATE", { description: "A loan is repaid from the account" });
		const id = services.newId();
		const { challenge, writes, reserve } = await askCode(services, bindingOf({ id, userId }), destination);
		const row: ClosureRow = {
			id,
			accountId: account.id,
			userId,
			initiatedBy: "USER",
			reasons: body.reasons,
			comment: body.comment ?? null,
			status: "AWAITING_OTP",
			challengeId: challenge.id,
			rejectionReason: null,
			createdAt: now,
			expiresAt: now + CLOSURE_VALIDITY_MS,
			otpConfirmedAt: null,
			completedAt: null,
		};
		const about = { organizationId: account.organizationId, entityId: id };
		return services.commit(
			[
				...(open ? [moveClosure(db.orm, open, "expire").write] : []),
				db.orm.insert(closures).values(row),
				...writes,
				raise(services, currentAccountClosureStarted, { ...about, data: eventData(row) }),
			],
			toClosure(row, now),
			{ reserve, unique: [[[closures.accountId], "CLOSURE_IN_PROGRESS"]] },
		);
	},
});

export const getClosure = operation({
	id: "getClosure",
	method: "GET",
	path: PATH,
	summary: "The user's most recent closure, in any state",
	access: lendingReader,
	home: homeOfUser,
	request: { query: z.object(ofUser) },
	response: Closure,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ query, caller }, { db, now }) {
		const closure = await db.read(first(findReachedClosure(db.orm, userNamed(caller, query.user_id), caller)));
		if (!closure) throw new ApiError("NOT_FOUND", { description: "No closure was ever started" });
		return toClosure(closure, now);
	},
});

const NONE_WAITS = new ApiError("NOT_FOUND", { description: "No closure waits for its one-time password: start one" });

async function findWaiting({ db, now }: Services, userId: string): Promise<ClosureRow> {
	const latest = await db.read(first(findLatestClosure(db.orm, userId)));
	return requireWaiting(latest, now);
}

/** The closure, if it waits for its code. Throws NOT_FOUND when none is in progress, INVALID_STATE when it is confirmed already. */
function requireWaiting(closure: ClosureRow | undefined, now: number): ClosureRow {
	const status = closure && statusAt(closure, now);
	if (status === "OTP_CONFIRMED") throw invalidState("The closure is confirmed, and waits for the custodian");
	if (!closure || status !== "AWAITING_OTP") throw NONE_WAITS;
	return closure;
}

export const resendClosureCode = operation({
	id: "resendClosureCode",
	method: "POST",
	path: `${PATH}/otp/resend`,
	summary: "Send a new code for the closure in progress",
	description: "The code before it is no longer valid. Tries that are used up stay used up.",
	access: user,
	request: {},
	response: Closure,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: RESEND_REASONS,
	async handle({ caller }, services) {
		const { db, now } = services;
		const latest = findLatestClosure(db.orm, caller.userId);
		const { found, challenge } = await db.read({
			found: first(latest),
			challenge: first(findChallengeOf(db.orm, latest)),
		});
		const closure = requireWaiting(found, now);
		if (!challenge) throw NONE_WAITS;
		const caps = await codeCaps(services, challenge.recipient);
		const { writes, reserve } = await resendCode(services, challenge, channelOf(challenge), caps);
		const waiting = sql`exists (select 1 from ${closures} where ${closures.id} = ${closure.id} and ${closures.status} = 'AWAITING_OTP')`;
		return services.commit([orStaleUnless(waiting), ...writes], toClosure(closure, now), { reserve });
	},
});

export const cancelClosure = operation({
	id: "cancelClosure",
	method: "POST",
	path: `${PATH}/cancel`,
	summary: "Cancel the closure that waits for its code",
	access: user,
	request: {},
	response: Closure,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ caller }, services) {
		const closure = await findWaiting(services, caller.userId);
		const { moved, write } = moveClosure(services.db.orm, closure, "cancel");
		return services.commit([write], toClosure(moved, services.now));
	},
});

export const confirmClosure = operation({
	id: "confirmClosure",
	method: "POST",
	path: `${PATH}/otp/confirm`,
	summary: "Confirm the closure in progress with the one-time password",
	description:
		"From then on the account spends nothing, and waits for the custodian's decision. Money that has arrived meanwhile must be withdrawn first; the same code is valid then.",
	access: user,
	request: { body: OtpConfirmation },
	response: Closure,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE", "ACCOUNT_HAS_NON_ZERO_BALANCE"],
	reasons: TRY_REASONS,
	async handle({ body, caller }, services) {
		const seen = await findWaiting(services, caller.userId);
		const challenge = await tryCode(services, seen.challengeId, bindingOf(seen), body.otp_code);
		return carryOut(services, challenge, async () => {
			const { db, now, providers } = services;
			const { closure, account } = await db.read({
				closure: first(findClosure(db.orm, seen.id)),
				account: first(findAccountById(db.orm, seen.accountId)),
			});
			if (!closure || !account) throw NONE_WAITS;
			if (statusAt(closure, now) !== "AWAITING_OTP") throw wrongState("The closure", statusAt(closure, now), ["AWAITING_OTP"]);
			if (!accountStatusAfter(account.status, "close")) throw wrongState("The account", account.status, ["ACTIVE"]);
			const earned = await db.read(first(findAccrued(services, account)));
			await demandEmpty(services, account, earned?.accrued ?? 0);
			const { custodian } = providers;
			if (!custodian) throw new ApiError("SERVICE_UNAVAILABLE");
			const { moved, write } = moveClosure(db.orm, closure, "confirm", { otpConfirmedAt: now });
			const about = { organizationId: account.organizationId, entityId: closure.id };
			const facts = { account_id: account.id, closure_id: closure.id, reasons: closure.reasons };
			const order = custodian.kind === "remote" ? orderInstruction(services, { kind: "CLOSE", subjectId: closure.id, facts }) : undefined;
			return services.commit(
				[
					consumeChallenge(db.orm, challenge, now),
					write,
					moveAccount(services, account, "close", { only: isEmpty(services, account) }),
					raise(services, currentAccountClosureOtpConfirmed, { ...about, data: eventData(moved) }),
					...(order ? [order.write, sendAfter(services, custodianOutbox, order.instruction)] : []),
				],
				toClosure(moved, now),
			);
		});
	},
});
