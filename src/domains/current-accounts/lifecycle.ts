// The lifecycle of a current account: its statuses and the moves between them. The status alone decides what may be posted.

import { type ApiError, invalidState, wrongState } from "../../shared/errors";

export const TRANSITIONS = {
	PENDING: { activate: "ACTIVE" },
	ACTIVE: { close: "CLOSING", freeze: "FROZEN" },
	// Takes credits and spends nothing.
	FROZEN: { unfreeze: "ACTIVE" },
	CLOSING: { keep: "ACTIVE", end: "CLOSED" },
	CLOSED: {},
} as const satisfies Record<string, Record<string, string>>;

export type AccountStatus = keyof typeof TRANSITIONS;
export type AccountMove = "activate" | "close" | "keep" | "end" | "freeze" | "unfreeze";

export const ACCOUNT_STATES = Object.keys(TRANSITIONS) as [AccountStatus, ...AccountStatus[]];

/** The status that a move leads to, or undefined when the table has no such move. */
export function statusAfter(status: AccountStatus, move: AccountMove): AccountStatus | undefined {
	const moves: Partial<Record<AccountMove, AccountStatus>> = TRANSITIONS[status];
	return moves[move];
}

/** Statuses in which money may come in, and in which the custodian may report that some has left. */
export const RECEIVING_STATES = ["ACTIVE", "FROZEN", "CLOSING"] as const satisfies readonly AccountStatus[];
/** The statuses in which the owner may spend. */
export const SPENDING_STATES = ["ACTIVE"] as const satisfies readonly AccountStatus[];
export const maySpend = (status: AccountStatus): boolean => SPENDING_STATES.some((spending) => spending === status);
/** Statuses in which held money may be settled or released, and interest is paid. */
export const OPEN_STATES = ["PENDING", "ACTIVE", "FROZEN", "CLOSING"] as const satisfies readonly AccountStatus[];

/** How far the custodian has come with opening the account. */
export const WALLET_TRANSITIONS = {
	SUBMITTED: { approve: "ACCOUNT_OPENED", reject: "REJECTED" },
	REJECTED: { resubmit: "SUBMITTED" },
	ACCOUNT_OPENED: {},
} as const satisfies Record<string, Record<string, string>>;

export type WalletStatus = keyof typeof WALLET_TRANSITIONS;
export type WalletMove = "approve" | "reject" | "resubmit";

export const WALLET_STATES = Object.keys(WALLET_TRANSITIONS) as [WalletStatus, ...WalletStatus[]];

export function walletStatusAfter(status: WalletStatus, move: WalletMove): WalletStatus | undefined {
	const moves: Partial<Record<WalletMove, WalletStatus>> = WALLET_TRANSITIONS[status];
	return moves[move];
}

export const ONBOARDING_STATES = ["PENDING", "ACTIVE", "REJECTED"] as const;

/** Onboarding ends with the activation: until then it is pending, unless the custodian rejects it. */
export function onboardingStatusOf(status: AccountStatus, wallet: WalletStatus): (typeof ONBOARDING_STATES)[number] {
	if (wallet === "REJECTED") return "REJECTED";
	return status === "PENDING" ? "PENDING" : "ACTIVE";
}

/** Whether the owner may start an activation. */
export const isActivatable = (status: AccountStatus, wallet: WalletStatus): boolean => status === "PENDING" && wallet === "ACCOUNT_OPENED";

export const NO_OPEN_ACCOUNT = "There is no open current account: open one first";

/** The refusal of a payment from an account that there is not, or from which nothing may be spent. */
export const notActive = (account: { readonly status: AccountStatus } | undefined): ApiError =>
	account ? wrongState("The current account", account.status, SPENDING_STATES) : invalidState(NO_OPEN_ACCOUNT);
