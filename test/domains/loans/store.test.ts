// A move of an application commits only from the state that was seen.

import { describe, expect, it } from "vitest";
import type { ApplicationMove, ApplicationStatus } from "../../../src/domains/loans/model/lifecycle";
import { moveApplication } from "../../../src/domains/loans/model/store";
import type { LoanApplicationRow } from "../../../src/domains/loans/model/table";

const move = (status: ApplicationStatus, moves: readonly ApplicationMove[]) => () =>
	moveApplication({ id: "a", status } as LoanApplicationRow, moves);

describe("a move of a loan application", () => {
	it("is built for the moves of the lifecycle, one or several in a row", () => {
		expect(move("APPROVED", ["submit"])).not.toThrow();
		expect(move("APPROVED", ["submit", "disburse"])).not.toThrow();
		expect(move("SUBMITTED", ["fail"])).not.toThrow();
	});

	it("is refused when the lifecycle does not have it", () => {
		expect(move("SUBMITTED", ["cancel"])).toThrow("a loan application cannot cancel from SUBMITTED");
		expect(move("APPROVED", ["disburse"])).toThrow("cannot disburse from APPROVED");
		expect(move("DISBURSED", ["submit", "disburse"])).toThrow("cannot submit, then disburse from DISBURSED");
	});
});
