// Decides on an order to transfer: whether it is refused, and whether it needs a one-time password.

import { type ApiError, type InvalidInput, invalidState, type Reason, refusedInput } from "../../shared/errors";
import { cautionOver, type Recovery, recovering, recoveryUntil, type Session, tooNew } from "../current-accounts/caution.policy";
import { localDayOf } from "../current-accounts/ledger/interest.policy";
import {
	type CodeLimits,
	codeLimitsOf,
	type Funds,
	isWithinLimits,
	type Limits,
	needsCode,
	type SpendingFault,
	transferFault,
	type Uncoded,
} from "../current-accounts/ledger/limits.policy";
import { notActive } from "../current-accounts/lifecycle";

type Wallet = Funds & Uncoded & { readonly createdAt: number; readonly timeZone: string };

export type OrderFacts<W extends Wallet> = {
	/** The payer's open current account. */
	readonly wallet: W | undefined;
	/** `confirmedAt`: when a one-time password confirmed the payee's account; null for a new account. */
	readonly payee: {
		readonly payeeIsBlocked: number;
		readonly confirmedAt: number | null;
		readonly holderChangedAt: number | null;
	};
	/** The payer's number has changed so recently that transfers are limited. */
	readonly numberChanged: boolean;
	readonly recovery: Recovery | undefined;
	/** The amount fits into what the users of the session's issuer may still pay today without a one-time password. */
	readonly fitsIssuer: boolean;
};

/** `withoutCode`: the most that may be ordered without a one-time password, which the commit demands again. */
export type OrderLimits = Limits & { readonly withoutCode: CodeLimits };

type Now = {
	readonly config: {
		readonly CURRENT_ACCOUNTS: { readonly limits: Limits; readonly currency: string };
		readonly TRANSFER_OTP_ABOVE: number;
		readonly NEW_PAYEE_OTP_ABOVE: number;
		readonly CAUTION_HOURS: number;
		readonly RECOVERY_WAIT: number;
	};
	readonly now: number;
	readonly realNow: number;
};

type JudgedOrder<W> =
	| { readonly refusal: ApiError | InvalidInput }
	| { readonly refusal?: undefined; readonly wallet: W; readonly limits: OrderLimits; readonly needsCode: boolean };

/** The reasons with which an order is refused. */
export const ORDER_REASONS = [
	"AMOUNT_TOO_LOW",
	"AMOUNT_TOO_HIGH",
	"CAUTION",
	"DAILY_LIMIT",
	"INSUFFICIENT_FUNDS",
	"PAYEE_BLOCKED",
] as const satisfies readonly Reason[];

const FAULTS: Record<Exclude<SpendingFault, "NOT_ACTIVE">, string> = {
	INSUFFICIENT_FUNDS: "The available balance is too low",
	DAILY_LIMIT: "The daily transfer limit is reached",
};

export function judgeOrder<W extends Wallet>(facts: OrderFacts<W>, amount: number, session: Session, services: Now): JudgedOrder<W> {
	const { wallet, payee, recovery } = facts;
	const { now, config } = services;
	const isNewPayee = payee.confirmedAt === null;
	const recoveryEnds = recoveryUntil(recovery, services);
	if (recoveryEnds !== undefined && recovery?.completedAt === null) return { refusal: recovering(recoveryEnds) };
	const cautionEnds = wallet && cautionOver(wallet, session, services);
	const limits = limitsBy(facts.numberChanged || recoveryEnds !== undefined || cautionEnds !== undefined, config);
	if (!isWithinLimits(amount, limits)) {
		const { minimumTransferAmount: least, maximumTransferAmount: most } = limits;
		const [reason, bound] = amount < least ? (["AMOUNT_TOO_LOW", least] as const) : (["AMOUNT_TOO_HIGH", most] as const);
		const because = { reason, sum: { amount: bound, currency: config.CURRENT_ACCOUNTS.currency } };
		return { refusal: refusedInput("amount", `must be ${least} to ${most}`, "OUT_OF_RANGE", because) };
	}
	if (payee.payeeIsBlocked !== 0) return { refusal: invalidState("The payee is blocked", { reason: "PAYEE_BLOCKED" }) };
	if (cautionEnds !== undefined && isNewPayee) return { refusal: tooNew(cautionEnds) };
	if (recoveryEnds !== undefined && isNewPayee) return { refusal: recovering(recoveryEnds) };
	const today = wallet && localDayOf(wallet, now);
	const fault = today ? transferFault(wallet, amount, limits, today) : "NOT_ACTIVE";
	if (!today || fault === "NOT_ACTIVE") return { refusal: notActive(wallet) };
	if (fault) return { refusal: invalidState(FAULTS[fault], { reason: fault }) };
	const isOverLimits = needsCode(wallet, { amount, toNewPayee: isNewPayee }, limits.withoutCode, today);
	return { wallet, limits, needsCode: payee.holderChangedAt !== null || isOverLimits || !facts.fitsIssuer };
}

/**
 * For a day after a change of the mobile number, after a recovery, and while a session is new, every transfer needs a code, and the
 * transfers of a day together stay within the amount that otherwise needs none.
 */
function limitsBy(cautious: boolean, config: Now["config"]): OrderLimits {
	const { limits } = config.CURRENT_ACCOUNTS;
	if (!cautious) return { ...limits, withoutCode: codeLimitsOf(config) };
	const withoutCode = codeLimitsOf({ TRANSFER_OTP_ABOVE: 0, NEW_PAYEE_OTP_ABOVE: 0 });
	return { ...limits, withoutCode, dailyTransferLimit: Math.min(limits.dailyTransferLimit, config.TRANSFER_OTP_ABOVE) };
}
