// The moves of a loan application; every move that the table does not name is refused.

import { describe, expect, it } from "vitest";
import {
	type Application,
	type ApplicationMove,
	type ApplicationStatus,
	apply,
	cancel,
	isOpen,
	statusAfter,
	statusAt,
	TRANSITIONS,
} from "../../../src/domains/loans/model/lifecycle";

const NOW = Date.UTC(2025, 5, 1);
const OFFER: Application = {
	status: "APPROVED",
	expiresAt: NOW + 1,
	range: { minLoanAmount: 1_000, maxLoanAmount: 10_000 },
	amountStep: 500,
};
const STATUSES: readonly ApplicationStatus[] = [
	"PENDING",
	"APPROVED",
	"REJECTED",
	"SUBMITTED",
	"DISBURSED",
	"FAILED",
	"EXPIRED",
	"CANCELLED",
];
const MOVES: readonly ApplicationMove[] = ["approve", "reject", "submit", "disburse", "fail", "expire", "cancel"];
const ALLOWED = [
	"PENDING approve APPROVED",
	"PENDING reject REJECTED",
	"PENDING expire EXPIRED",
	"PENDING cancel CANCELLED",
	"APPROVED submit SUBMITTED",
	"APPROVED expire EXPIRED",
	"APPROVED cancel CANCELLED",
	"SUBMITTED disburse DISBURSED",
	"SUBMITTED fail FAILED",
	"FAILED disburse DISBURSED",
];

describe("the transition table", () => {
	it("has every status and no other", () => {
		expect(Object.keys(TRANSITIONS).sort()).toEqual([...STATUSES].sort());
	});

	it.each(STATUSES.flatMap((status) => MOVES.map((move) => [status, move] as const)))("%s, %s", (status, move) => {
		const expected = ALLOWED.find((line) => line.startsWith(`${status} ${move} `))?.split(" ")[2];
		expect(statusAfter(status, move)).toBe(expected);
	});

	it("reaches every status from a new application", () => {
		const reached = new Set<ApplicationStatus>(["PENDING"]);
		for (const status of reached) {
			for (const move of MOVES) {
				const next = statusAfter(status, move);
				if (next) reached.add(next);
			}
		}
		expect([...reached].sort()).toEqual([...STATUSES].sort());
	});
});

describe("statusAt", () => {
	it.each(STATUSES)("%s at the instant of expiry", (status) => {
		const expected = status === "PENDING" || status === "APPROVED" ? "EXPIRED" : status;
		expect(statusAt({ status, expiresAt: NOW }, NOW)).toBe(expected);
		expect(statusAt({ status, expiresAt: NOW + 1 }, NOW)).toBe(status);
	});

	it.each(STATUSES)("%s is open only while it can be cancelled and has not expired", (status) => {
		expect(isOpen({ status, expiresAt: NOW + 1 }, NOW)).toBe(status === "PENDING" || status === "APPROVED");
		expect(isOpen({ status, expiresAt: NOW }, NOW)).toBe(false);
	});
});

describe("apply", () => {
	it.each([1_000, 5_500, 10_000])("submits %d of an open offer", (amount) => {
		expect(apply(OFFER, amount, NOW)).toEqual({ accepted: true, status: "SUBMITTED", loanAmount: amount });
	});

	it.each([
		[999, "AMOUNT_OUT_OF_RANGE"],
		[10_001, "AMOUNT_OUT_OF_RANGE"],
		[0, "AMOUNT_OUT_OF_RANGE"],
		[5_250, "AMOUNT_NOT_A_STEP"],
	])("rejects %d: %s", (amount, reason) => {
		expect(apply(OFFER, amount, NOW)).toEqual({ accepted: false, reason });
	});

	it.each(STATUSES.filter((status) => status !== "APPROVED"))("rejects an application that is %s, for any amount", (status) => {
		const reason = status === "EXPIRED" ? "APPLICATION_EXPIRED" : "INVALID_STATE";
		expect(apply({ ...OFFER, status }, 5_500, NOW)).toEqual({ accepted: false, reason });
		expect(apply({ ...OFFER, status }, 1, NOW)).toEqual({ accepted: false, reason });
	});

	it("is too late at the instant of expiry, but not a millisecond before", () => {
		expect(apply({ ...OFFER, expiresAt: NOW }, 5_500, NOW)).toEqual({ accepted: false, reason: "APPLICATION_EXPIRED" });
		expect(apply({ ...OFFER, expiresAt: NOW + 1 }, 5_500, NOW).accepted).toBe(true);
	});
});

describe("cancel", () => {
	it.each(STATUSES)("%s", (status) => {
		const reason = status === "EXPIRED" ? "APPLICATION_EXPIRED" : "INVALID_STATE";
		expect(cancel({ ...OFFER, status }, NOW)).toEqual(
			status === "PENDING" || status === "APPROVED" ? { accepted: true, status: "CANCELLED" } : { accepted: false, reason },
		);
	});

	it("rejects the cancellation of an expired offer", () => {
		expect(cancel({ ...OFFER, expiresAt: NOW }, NOW)).toEqual({ accepted: false, reason: "APPLICATION_EXPIRED" });
	});
});
