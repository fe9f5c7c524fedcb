// What Daraja's answers and results mean. The codes are those of Safaricom's portal. Not documented anywhere, so unverified but in
// production: how long references are remembered, the answer to a query about a reference that M-Pesa does not know (2033 here), that
// statuses other than Completed are spelt Cancelled, Declined and Expired, and that 500.002.1001 is answered during maintenance too (the
// page about balances lists the maintenance under 00.002.1001). Of balances: that the fourth part is what is available (in the portal's
// sample it is the same as the third), and which status an unknown consumer key or secret gets from the token's address.

import { describe, expect, it } from "vitest";
import {
	type Answer,
	balanceAskedBy,
	balancesIn,
	centsIn,
	endBy,
	endFound,
	instantIn,
	judgeReceipt,
	meaningOf,
	pauseAfter,
	pauseAfterQuestion,
	restsFromAsking,
	resultIn,
} from "../../../src/providers/daraja/answers";

const answer = (status: number, body: unknown): Answer => ({ kind: "ANSWER", status, body });
const fault = (status: number, errorCode: string, errorMessage = "") => answer(status, { requestId: "1", errorCode, errorMessage });

describe("an answer to a payment", () => {
	it.each<[string, Answer, unknown]>([
		["is taken", answer(200, { ResponseCode: "0" }), { outcome: "TAKEN" }],
		["is taken, with a number", answer(200, { ResponseCode: 0 }), { outcome: "TAKEN" }],
		["was taken before", fault(500, "500.002.1001", "Duplicate OriginatorConversationID."), { outcome: "TAKEN" }],
		["may be maintenance", fault(500, "500.002.1001", "Service is currently under maintenance."), { outcome: "UNKNOWN" }],
		["found no token", { kind: "NO_TOKEN", isRefused: true }, { outcome: "NOT_SENT" }],
		["has a token that is refused", fault(404, "404.001.03"), { outcome: "NOT_SENT" }],
		["has a token that is refused elsewhere", fault(401, "401.002.01"), { outcome: "NOT_SENT" }],
		[
			"is of an app without the product",
			fault(401, "401.001.01", "Invalid API call as no apiproduct match found"),
			{ outcome: "NOT_SENT", pause: { reason: "PRODUCT_NOT_ALLOWED" } },
		],
		[
			"is of such an app, told by the gateway",
			answer(401, { fault: { faultstring: "Invalid API call as no apiproduct match found" } }),
			{ outcome: "NOT_SENT", pause: { reason: "PRODUCT_NOT_ALLOWED" } },
		],
		["is refused", fault(400, "400.002.02", "Bad Request - Invalid PartyB"), { outcome: "REFUSED", reason: "REFUSED_BY_PROVIDER" }],
		["is silence", { kind: "NONE" }, { outcome: "UNKNOWN" }],
		["is a page", answer(503, undefined), { outcome: "UNKNOWN" }],
		["is spike arrest", fault(500, "500.003.02", "Spike Arrest Violation"), { outcome: "UNKNOWN" }],
		["is another bad request", fault(400, "400.003.02"), { outcome: "UNKNOWN" }],
		["is a response code that nobody knows", answer(200, { ResponseCode: "1" }), { outcome: "UNKNOWN" }],
	])("%s", (_, given, meaning) => expect(meaningOf(given)).toEqual(meaning));
});

const result = (code: string | number, parameters?: unknown, more: object = {}) =>
	resultIn({ Result: { ResultType: 0, ResultCode: code, TransactionID: "SG632NMUAB", ResultParameters: parameters, ...more } });
const paid = (value: unknown) => ({ ResultParameter: [{ Key: "TransactionAmount", Value: value }, { Key: "Empty" }] });

describe("the result of a payment", () => {
	const ends = (given: ReturnType<typeof result>) => given && endBy(given, 30_000);

	it("ends it with a receipt and the amount, in any of its forms", () => {
		const succeeded = { status: "SUCCEEDED", transaction: "SG632NMUAB", at: undefined };
		for (const value of [300, "300", "300.00", 300.0]) expect(ends(result(0, paid(value)))).toEqual(succeeded);
		expect(ends(result("0", { ResultParameter: { Key: "TransactionAmount", Value: "300" } }, { ResultType: "0" }))).toEqual(succeeded);
	});

	it("fails it by the closed list of codes alone, and pauses for those about the lender's account", () => {
		const listed = ["2", "3", "4", "8", "2040", "SFC_IC0003", "1", "11", "21", "2001", "2006", "2028", "8006"];
		for (const code of listed) expect(ends(result(code)), code).toMatchObject({ status: "FAILED" });
		for (const code of ["17", "26", "1037", "2033", "9999", "", "-1", "SFC_IC0001"])
			expect(ends(result(code)), code).toEqual({ status: "ASK" });
		const paused = listed.filter((code) => pauseAfter(result(code) as never) !== undefined);
		expect(paused).toEqual(["1", "11", "21", "2001", "2006", "2028", "8006"]);
		expect(pauseAfter(result(1) as never)).toEqual({ reason: "INSUFFICIENT_FUNDS", forMs: 900_000 });
	});

	it("concludes nothing from an answer that is partial, has another amount or no receipt", () => {
		expect(ends(result(0, paid(300), { ResultType: 1 }))).toEqual({ status: "ASK" });
		expect(ends(result(0, paid(301)))).toEqual({ status: "ASK" });
		expect(ends(result(0, paid("300 KES")))).toEqual({ status: "ASK" });
		expect(ends(result(0, paid(300), { TransactionID: "" }))).toEqual({ status: "ASK" });
		for (const body of [{}, { Result: null }, { requestId: "1" }, [], "0"]) expect(resultIn(body)).toBeUndefined();
	});

	it("has East African times", () => {
		expect(instantIn("06.07.2024 22:48:52")).toBe(Date.parse("2024-07-06T19:48:52Z"));
		expect(instantIn("20180223054112")).toBe(Date.parse("2018-02-23T02:41:12Z"));
		for (const none of ["31.02.2024 22:48:52", "yesterday", "", undefined]) expect(instantIn(none)).toBeUndefined();
		expect(["1.5", "1.50", "1", "1.505", "-1", "1,000"].map(centsIn)).toEqual([150, 150, 100, undefined, undefined, undefined]);
	});
});

describe("what a query finds", () => {
	const found = (status: string, amount = "300", code: string | number = 0) =>
		endFound(
			result(code, {
				ResultParameter: [
					{ Key: "TransactionStatus", Value: status },
					{ Key: "Amount", Value: amount },
					{ Key: "ReceiptNo", Value: "MBN31H462N" },
				],
			}) as never,
			30_000,
		);

	it("ends a payment that was completed or given up, and says nothing else", () => {
		expect(found("Completed")).toEqual({ status: "SUCCEEDED", transaction: "MBN31H462N", at: undefined });
		for (const status of ["Cancelled", "Declined", "Expired"]) expect(found(status)).toMatchObject({ status: "FAILED" });
		for (const status of ["Authorized", "Pending", ""]) expect(found(status)).toEqual({ status: "ASK" });
		expect(found("Completed", "301")).toEqual({ status: "ASK" });
		// A query that failed is not a payment that failed.
		expect(found("Declined", "300", 1)).toEqual({ status: "ASK" });
		expect(found("Completed", "300", 2033)).toEqual({ status: "ASK" });
	});
});

describe("what a question about a receipt finds", () => {
	const judged = (...parties: readonly { Key: string; Value: string }[]) =>
		judgeReceipt(
			result(0, {
				ResultParameter: [
					{ Key: "TransactionStatus", Value: "Completed" },
					{ Key: "Amount", Value: "300" },
					{ Key: "ReceiptNo", Value: "MBN31H462N" },
					...parties,
				],
			}) as never,
			{ receipt: "MBN31H462N", amount: 30_000, shortCode: "600997" },
		);
	const payee = (Value: string) => ({ Key: "CreditPartyName", Value });

	it("is a payment to the shortcode only where it says that the shortcode was paid", () => {
		expect(judged(payee("600997 - A Lender"))).toBe("MADE");
		expect(judged(payee("600998 - Another"))).toBe("REFUTED");
		expect(judged({ Key: "DebitPartyName", Value: "600997 - A Lender" }, payee("600997 - A Lender"))).toBe("REFUTED");
		expect(judged()).toBe("UNKNOWN");
	});
});

describe("the result of a question for the balance", () => {
	const said = (value: string, code: string | number = 0) =>
		balancesIn(
			result(code, {
				ResultParameter: [
					{ Key: "AccountBalance", Value: value },
					{ Key: "BOCompletedTime", Value: "1" },
				],
			}) as never,
		);

	it("says what is available in each account, less than nothing too, and nothing of what it cannot read", () => {
		const sample =
			"Working Account|KES|700000.00|600000.50|0.00|0.00&Float Account|KES|0.00|0.00|0.00|0.00&Charges Paid Account|KES|-1540.00|-1540.00|0.00|0.00";
		expect(said(sample)).toEqual([
			{ account: "Working Account", currency: "KES", available: 60_000_050 },
			{ account: "Float Account", currency: "KES", available: 0 },
			{ account: "Charges Paid Account", currency: "KES", available: -154_000 },
		]);
		expect(said("Utility Account|KES|12.00&|KES|1|1&Working Account|KES|1.00|1.00|0|0")).toHaveLength(1);
		expect(said(Array(30).fill("A|KES|1|1|0|0").join("&"))).toHaveLength(20);
		expect([said(""), said("none"), said(sample, 2001)]).toEqual([undefined, undefined, undefined]);
	});

	it("pauses for what would be locked, and for no lack of a role", () => {
		const paused = ["0", "18", "20", "21", "17", "2001", "8006"].filter((code) => pauseAfterQuestion(result(code) as never));
		expect(paused).toEqual(["18", "20", "2001", "8006"]);
		const reasons = [
			null,
			"INSUFFICIENT_FUNDS",
			"PRODUCT_NOT_ALLOWED",
			"RESULT_11",
			"RESULT_21",
			...paused.map((code) => `RESULT_${code}`),
		];
		expect(reasons.filter(restsFromAsking)).toEqual(reasons.slice(-4));
	});

	it("was taken, or says why it was not", () => {
		expect(
			[
				answer(200, { ResponseCode: "0" }),
				{ kind: "NO_TOKEN", isRefused: true } as const,
				{ kind: "NO_TOKEN", isRefused: false } as const,
				fault(401, "401.001.01", "Invalid API call as no apiproduct match found"),
				{ kind: "NONE" } as const,
				fault(500, "500.003.02"),
			].map(balanceAskedBy),
		).toEqual(["ASKED", "CREDENTIALS_REFUSED", "UNKNOWN", "PRODUCT_NOT_ALLOWED", "UNKNOWN", "UNKNOWN"]);
	});
});
