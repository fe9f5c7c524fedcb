// Every move of every lifecycle, tried from every status: what the table does not list is refused.

import { describe, expect, it } from "vitest";
import * as activation from "../../../src/domains/current-accounts/activations/lifecycle";
import * as closure from "../../../src/domains/current-accounts/closures/lifecycle";
import * as account from "../../../src/domains/current-accounts/lifecycle";

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every possible move, as `status --move--> status`. */
function movesOf(table: Table, after: (status: never, move: never) => string | undefined): string[] {
	const moves = [...new Set(Object.values(table).flatMap((row) => Object.keys(row)))];
	return Object.keys(table).flatMap((status) =>
		moves.flatMap((move) => {
			const to = after(status as never, move as never);
			return to === undefined ? [] : [`${status} --${move}--> ${to}`];
		}),
	);
}

describe("lifecycles", () => {
	it("of an account", () => {
		expect(movesOf(account.TRANSITIONS, account.statusAfter)).toEqual([
			"PENDING --activate--> ACTIVE",
			"ACTIVE --close--> CLOSING",
			"ACTIVE --freeze--> FROZEN",
			"FROZEN --unfreeze--> ACTIVE",
			"CLOSING --keep--> ACTIVE",
			"CLOSING --end--> CLOSED",
		]);
	});

	it("of its onboarding", () => {
		expect(movesOf(account.WALLET_TRANSITIONS, account.walletStatusAfter)).toEqual([
			"SUBMITTED --approve--> ACCOUNT_OPENED",
			"SUBMITTED --reject--> REJECTED",
			"REJECTED --resubmit--> SUBMITTED",
		]);
	});

	it("of an activation", () => {
		expect(movesOf(activation.TRANSITIONS, (status, move) => activation.statusAfter({ status, completedAt: null }, move))).toEqual([
			"AWAITING_OTP --confirm--> OTP_CONFIRMED",
			"AWAITING_OTP --cancel--> CANCELLED",
			"AWAITING_OTP --expire--> EXPIRED",
			"OTP_CONFIRMED --approve--> OTP_CONFIRMED",
			"OTP_CONFIRMED --reject--> REJECTED",
		]);
	});

	it("of a completed activation: none", () => {
		expect(movesOf(activation.TRANSITIONS, (status, move) => activation.statusAfter({ status, completedAt: 1 }, move))).toEqual([]);
	});

	it("of a closure", () => {
		expect(movesOf(closure.TRANSITIONS, closure.statusAfter)).toEqual([
			"AWAITING_OTP --confirm--> OTP_CONFIRMED",
			"AWAITING_OTP --cancel--> CANCELLED",
			"AWAITING_OTP --expire--> EXPIRED",
			"OTP_CONFIRMED --approve--> COMPLETED",
			"OTP_CONFIRMED --reject--> REJECTED",
		]);
	});
});

describe("an activation or closure that waits for a code", () => {
	it("expires at its expiry instant, and only while it waits", () => {
		for (const { statusAt } of [activation, closure]) {
			expect(statusAt({ status: "AWAITING_OTP", expiresAt: 1_000 }, 999)).toBe("AWAITING_OTP");
			expect(statusAt({ status: "AWAITING_OTP", expiresAt: 1_000 }, 1_000)).toBe("EXPIRED");
			expect(statusAt({ status: "OTP_CONFIRMED", expiresAt: 1_000 }, 2_000)).toBe("OTP_CONFIRMED");
		}
	});
});

describe("onboarding", () => {
	it.each(account.ACCOUNT_STATES.flatMap((status) => account.WALLET_STATES.map((wallet) => [status, wallet] as const)))(
		"of an account that is %s and %s: activatable only if it is pending and the custodian has opened it",
		(status, wallet) => {
			expect(account.isActivatable(status, wallet)).toBe(status === "PENDING" && wallet === "ACCOUNT_OPENED");
			const expected = wallet === "REJECTED" ? "REJECTED" : status === "PENDING" ? "PENDING" : "ACTIVE";
			expect(account.onboardingStatusOf(status, wallet)).toBe(expected);
		},
	);
});
