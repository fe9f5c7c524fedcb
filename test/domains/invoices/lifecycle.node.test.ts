// The moves of an invoice and of its advance; every move that the tables do not name is refused.

import { describe, expect, it } from "vitest";
import {
	ADVANCE_STATUSES,
	ADVANCE_TRANSITIONS,
	advanceAfter,
	INVOICE_STATUSES,
	type InvoiceMove,
	statusAfter,
	statusesBefore,
	TRANSITIONS,
} from "../../../src/domains/invoices/lifecycle.ts";

const MOVES: readonly InvoiceMove[] = ["approve", "reject", "cancel", "finance", "fallDue", "repay", "comeBack"];

/** Repeats the table, so that a mistake in it fails the test. */
const ALLOWED = new Map([
	["PENDING approve", "APPROVED"],
	["PENDING reject", "REJECTED"],
	["PENDING cancel", "CANCELLED"],
	["APPROVED finance", "FINANCED"],
	["FINANCED fallDue", "OVERDUE"],
	["FINANCED repay", "PAID"],
	["OVERDUE repay", "PAID"],
	["FINANCED comeBack", "APPROVED"],
	["OVERDUE comeBack", "APPROVED"],
	["PAID comeBack", "APPROVED"],
]);

describe("an invoice", () => {
	it.each(INVOICE_STATUSES.flatMap((status) => MOVES.map((move) => [status, move] as const)))("that is %s: %s", (status, move) => {
		expect(statusAfter(status, move)).toBe(ALLOWED.get(`${status} ${move}`));
	});

	it("can reach every other status, and has no endless sequence of moves without an advance that comes back", () => {
		const reached = Object.values(TRANSITIONS).flatMap((moves) => Object.values(moves));
		expect(new Set(["PENDING", ...reached])).toEqual(new Set(INVOICE_STATUSES));
		for (const status of INVOICE_STATUSES) {
			const seen = new Set<string>();
			const walk = (from: (typeof INVOICE_STATUSES)[number]): void => {
				expect(seen.has(from)).toBe(false);
				seen.add(from);
				for (const move of MOVES.filter((one) => one !== "comeBack")) {
					const next = statusAfter(from, move);
					if (next && next !== "PAID") walk(next);
				}
			};
			walk(status);
		}
	});

	it("is repaid only once it is financed", () => {
		expect(statusesBefore("repay")).toEqual(["FINANCED", "OVERDUE"]);
		expect(statusesBefore("cancel")).toEqual(["PENDING"]);
	});
});

describe("an advance", () => {
	it("is paid out or fails, once, is paid out even after a failure, and comes back once it is paid out", () => {
		expect(
			ADVANCE_STATUSES.flatMap((status) =>
				(["payOut", "fail", "comeBack"] as const).map((move) => [status, move, advanceAfter(status, move)]),
			),
		).toEqual([
			["SUBMITTED", "payOut", "PAID_OUT"],
			["SUBMITTED", "fail", "FAILED"],
			["SUBMITTED", "comeBack", undefined],
			["PAID_OUT", "payOut", undefined],
			["PAID_OUT", "fail", undefined],
			["PAID_OUT", "comeBack", "RETURNED"],
			["RETURNED", "payOut", undefined],
			["RETURNED", "fail", undefined],
			["RETURNED", "comeBack", undefined],
			["FAILED", "payOut", "PAID_OUT"],
			["FAILED", "fail", undefined],
			["FAILED", "comeBack", undefined],
		]);
		expect(Object.keys(ADVANCE_TRANSITIONS)).toEqual(ADVANCE_STATUSES);
	});
});
