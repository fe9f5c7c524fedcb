// What Daraja says of payments that it is ordered to give back. The codes are those of Safaricom's portal. Unverified but in production: that
// no part of a payment can be given back, that R000001 comes as a result and never as an answer, that a failure has no amount, and what
// the code of a success is: the portal's sample has 21, which elsewhere says that the initiator lacks the role.

import { describe, expect, it } from "vitest";
import { resultIn } from "../../../src/providers/daraja/answers";
import { meaningOfReturn, returnEndIn } from "../../../src/providers/daraja/return-answers";

const PAYMENT = { receipt: "SG632NMUAB", amount: 20_000 };

const end = (ResultCode: string | number, says: object = {}, more: object = { TransactionID: "SG732NMUAC" }) => {
	const ResultParameter = Object.entries(says).map(([Key, Value]) => ({ Key, Value }));
	const result = resultIn({ Result: { ResultType: 0, ResultCode, ...more, ResultParameters: { ResultParameter } } });
	return result && returnEndIn(result, PAYMENT);
};

const RETURNED = { outcome: "RETURNED", transaction: "SG732NMUAC" };
const NOTHING = { outcome: "NOTHING" };

describe("a result of a return", () => {
	it.each([
		["says what was asked for", end(0, { Amount: 200, OriginalTransactionID: "SG632NMUAB" }), RETURNED],
		["says it in texts", end("0", { Amount: "200.00" }), RETURNED],
		["says that it was done before", end("R000001"), { outcome: "RETURNED", transaction: null }],
		["says another amount", end(0, { Amount: 20 }), { outcome: "OTHERWISE", says: "20 of SG632NMUAB" }],
		["says another payment", end(0, { Amount: 200, OriginalTransactionID: "X" }), { outcome: "OTHERWISE", says: "200 of X" }],
		["says no amount", end(0), NOTHING],
		["has no receipt", end(0, { Amount: 200 }, {}), NOTHING],
		["is a part", end(0, { Amount: 200 }, { ResultType: 1, TransactionID: "SG732NMUAC" }), NOTHING],
		["says that the account is empty", end(1), { outcome: "FAILED", reason: "INSUFFICIENT_FUNDS" }],
		["says that the role is missing", end("21"), { outcome: "FAILED", reason: "LENDER_ACCOUNT" }],
		["says that there is no such payment", end("R000002"), { outcome: "FAILED", reason: "PAYMENT_UNKNOWN" }],
		["has the code of a failure and an amount", end(21, { Amount: 200 }), NOTHING],
		["has another code", end(9999), NOTHING],
	])("%s", (_, said, expected) => {
		expect(said).toEqual(expected);
	});
});

it("an app without the product is refused, and the connection is not paused", () => {
	const body = { errorCode: "401.001.01", errorMessage: "Invalid API call as no apiproduct match found" };
	expect(meaningOfReturn({ kind: "ANSWER", status: 401, body })).toEqual({ outcome: "REFUSED", reason: "PRODUCT_NOT_ALLOWED" });
	expect(meaningOfReturn({ kind: "NO_TOKEN", isRefused: true })).toEqual({ outcome: "NOT_SENT" });
	expect(meaningOfReturn({ kind: "ANSWER", status: 200, body: { ResponseCode: "0" } })).toEqual({ outcome: "TAKEN" });
	expect(meaningOfReturn({ kind: "NONE" })).toEqual({ outcome: "UNKNOWN" });
});
