// What Daraja's answers about payments to a shortcode mean. The members and the codes 1000 and 1001 are those of Safaricom's portal. Not
// verified but by public programs that use it, for want of an account: that the question is a POST (one line of the portal says GET), that `TotalPages` is sent
// , that times are East African where they name no zone, that the sandbox writes "Response Status" with a space, that
// the number is refused in its local form, that a window of more than 48 hours is, and that an account that is not registered has the answer of an account without payments
// . Whether the offset is a row's or a page's the portal says both ways: `pulls` reads either.

import { describe, expect, it } from "vitest";
import type { Answer } from "../../../src/providers/daraja/answers";
import { listedIn, pageIn, registeredBy } from "../../../src/providers/daraja/pull-answers";

const answer = (status: number, body: unknown): Answer => ({ kind: "ANSWER", status, body });
const fault = (status: number, errorCode: string, errorMessage = "") => answer(status, { requestId: "1", errorCode, errorMessage });

/** As the portal shows it. */
const ROW = {
	transactionId: "yzlyrEsRG1",
	trxDate: "2020-08-05T10:13:00Z",
	msisdn: 72200000,
	sender: "UAT2",
	transactiontype: "c2b-pay-bill-debit",
	billreference: "37207636392",
	amount: "168.00",
	organizationname: "Daraja Pull API Test",
};
const page = (more: object) => answer(200, { ResponseRefID: "26178-42530161-2", ResponseMessage: "Success", ...more });

/** What says the same to both questions. */
const FAILURES: readonly (readonly [string, Answer, unknown])[] = [
	["no token", { kind: "NO_TOKEN", isRefused: false }, "NO_ANSWER"],
	["a token that is refused", { kind: "NO_TOKEN", isRefused: true }, "CREDENTIALS_REFUSED"],
	["a token that is not known", fault(401, "401.001", "Invalid Access Token"), "CREDENTIALS_REFUSED"],
	["an app without the product", fault(401, "401.001.01", "Invalid API call as no apiproduct match found"), "PRODUCT_NOT_ALLOWED"],
	["another shortcode", fault(400, "400.001", "Invalid ShortCode"), "REFUSED"],
	["silence", { kind: "NONE" }, "NO_ANSWER"],
	["a page of a gateway", answer(503, undefined), "NO_ANSWER"],
	["too many requests", answer(429, {}), "NO_ANSWER"],
	["spike arrest", fault(500, "500.003.02", "Spike Arrest Violation"), "NO_ANSWER"],
	["a code that nobody knows", answer(200, { ResponseCode: "1002", ResponseStatus: "1002" }), "NO_ANSWER"],
];

describe("an answer to a registration", () => {
	it.each<readonly [string, Answer, unknown]>([
		["says so", answer(200, { ResponseStatus: "1000" }), "REGISTERED"],
		["says so with spaces", answer(200, { "Response Status": "1000" }), "REGISTERED"],
		["says that it was before", answer(200, { ResponseStatus: 1001 }), "REGISTERED"],
		...FAILURES,
	])("%s", (_, given, meaning) => expect(registeredBy(given)).toEqual(meaning));
});

describe("an answer to the question for payments", () => {
	const none = { rows: [], isLast: true };
	it.each<readonly [string, Answer, unknown]>([
		["lists them in a list", page({ ResponseCode: "1000", Response: [[ROW]] }), { rows: [ROW], isLast: false }],
		["lists them in several", page({ ResponseCode: 1000, Response: [[ROW], [ROW]] }), { rows: [ROW, ROW], isLast: false }],
		["lists them without one", page({ ResponseCode: "1000", Response: [ROW] }), { rows: [ROW], isLast: false }],
		["has one page", page({ ResponseCode: "1000", Response: [[ROW]], TotalPages: 1 }), { rows: [ROW], isLast: true }],
		["has two pages", page({ ResponseCode: "1000", Response: [[ROW]], TotalPages: "2" }), { rows: [ROW], isLast: false }],
		["has none", page({ ResponseCode: "1001", Transaction: "[[]]" }), none],
		["has none, in a list", page({ ResponseCode: "1000", Response: [[]] }), none],
		["has none, in a text", page({ ResponseCode: "1000", Response: "[[]]" }), none],
		["has none, as a fault", fault(500, "500", "The short code does not have any available transactions."), none],
		...FAILURES,
	])("%s", (_, given, meaning) => expect(pageIn(given)).toEqual(meaning));
});

describe("a listed payment", () => {
	it("has a receipt, an amount in cents, a time, an account number, and a payer where the number is whole", () => {
		const at = Date.UTC(2020, 7, 5, 10, 13);
		const payment = { transactionId: "yzlyrEsRG1", amount: 16_800, at, account: "37207636392", payer: undefined };
		expect(listedIn(ROW)).toEqual(payment);
		expect(listedIn({ ...ROW, msisdn: 254712345678, amount: 168 })).toEqual({ ...payment, payer: "254712345678" });
		expect(listedIn({ ...ROW, msisdn: "2547*****678", billreference: null })).toEqual({ ...payment, account: "" });
		expect(listedIn({ transactionId: " yzlyrEsRG1 ", amount: "168.0", billreference: 37207636392, trxDate: "soon" })).toEqual({
			...payment,
			at: undefined,
		});
		for (const trxDate of ["2020-08-05T13:13:00+03:00", "2020-08-05 13:13:00", "2020-08-05T13:13:00", "2020-08-05T10:13:00.000Z"]) {
			expect(listedIn({ ...ROW, trxDate })).toEqual(payment);
		}
	});

	it.each([
		["no object", "yzlyrEsRG1"],
		["without a receipt", { ...ROW, transactionId: " " }],
		["with a receipt that is too long", { ...ROW, transactionId: "1".repeat(101) }],
		["without an amount", { ...ROW, amount: undefined }],
		["of nothing", { ...ROW, amount: "0.00" }],
		["of less than a cent", { ...ROW, amount: "1.005" }],
		["of money that goes out", { ...ROW, amount: "-168.00" }],
	])("is none if it is %s", (_, row) => expect(listedIn(row)).toBeUndefined());
});
