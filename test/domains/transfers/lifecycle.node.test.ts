// The moves of a transfer; every move that the table does not name is refused.

import { describe, expect, it } from "vitest";
import { statusAfter, statusesBefore, TRANSFER_STATES, TRANSITIONS, type TransferMove } from "../../../src/domains/transfers/lifecycle";

const MOVES: readonly TransferMove[] = ["confirm", "complete", "fail"];
const ALLOWED = [
	"AWAITING_OTP confirm PENDING",
	"AWAITING_OTP complete COMPLETED",
	"AWAITING_OTP fail FAILED",
	"PENDING complete COMPLETED",
	"PENDING fail FAILED",
];

describe("the transition table of transfers", () => {
	it("has the statuses of the wire", () => {
		expect(Object.keys(TRANSITIONS)).toEqual(["AWAITING_OTP", "PENDING", "COMPLETED", "FAILED"]);
	});

	it.each(TRANSFER_STATES.flatMap((status) => MOVES.map((move) => [status, move] as const)))("%s, %s", (status, move) => {
		const expected = ALLOWED.find((line) => line.startsWith(`${status} ${move} `))?.split(" ")[2];
		expect(statusAfter(status, move)).toBe(expected);
		expect(statusesBefore(move).includes(status)).toBe(expected !== undefined);
	});

	it("has no move out of a finished status", () => {
		for (const move of MOVES) for (const status of ["COMPLETED", "FAILED"] as const) expect(statusAfter(status, move)).toBeUndefined();
	});
});
