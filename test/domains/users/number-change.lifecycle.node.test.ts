// The moves of a number change; every move that the table does not name is refused.

import { describe, expect, it } from "vitest";
import {
	CHANGE_STATES,
	type ChangeMove,
	statusAfter,
	statusAt,
	TRANSITIONS,
} from "../../../src/domains/users/model/number-change.lifecycle";

const MOVES: readonly ChangeMove[] = ["authorize", "complete", "cancel", "expire", "fail"];
const ALLOWED = [
	"INITIALIZING authorize AUTHORIZED",
	"INITIALIZING cancel CANCELLED",
	"INITIALIZING expire EXPIRED",
	"AUTHORIZED complete COMPLETED",
	"AUTHORIZED cancel CANCELLED",
	"AUTHORIZED expire EXPIRED",
	"AUTHORIZED fail FAILED",
];

describe("the transition table of mobile-number changes", () => {
	it("has the statuses of the wire", () => {
		expect(Object.keys(TRANSITIONS)).toEqual(["INITIALIZING", "AUTHORIZED", "COMPLETED", "EXPIRED", "CANCELLED", "FAILED"]);
	});

	it.each(CHANGE_STATES.flatMap((status) => MOVES.map((move) => [status, move] as const)))("%s, %s", (status, move) => {
		const expected = ALLOWED.find((line) => line.startsWith(`${status} ${move} `))?.split(" ")[2];
		expect(statusAfter(status, move)).toBe(expected);
	});

	it.each(CHANGE_STATES)("%s expires on time, or never", (status) => {
		expect(statusAt({ status, expiresAt: 10 }, 9)).toBe(status);
		expect(statusAt({ status, expiresAt: 10 }, 10)).toBe(status === "INITIALIZING" || status === "AUTHORIZED" ? "EXPIRED" : status);
	});
});
