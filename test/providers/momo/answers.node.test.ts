// What MTN MoMo's answers mean. From MTN's own pages: the statuses 202, 409 RESOURCE_ALREADY_EXIST, 400, 401 about the subscription key, 403
// about the address and the codes of a 500; that references are of UUID version 4; PENDING, SUCCESSFUL and FAILED; that callbacks are posted
// or put, and repeated. From programs that use it, so unverified but in production: the hosts, the header and paths, that a token is refused
// with 401, that amounts have no superfluous zeros, which markets take decimals, Rwanda's market, and SENDER_ACCOUNT_NOT_ACTIVE. Documented nowhere: how long
// references are remembered and per what, whether a 500 with a code ever follows a transfer that is paid, whether FAILED may become
// SUCCESSFUL, whether codes about the payee are answered at once or by queries alone, and that ids of transactions are of one market.

import { describe, expect, it } from "vitest";
import { type Answer, endFound, hintIn, meaningOf } from "../../../src/providers/momo/answers";
import { referenceFor } from "../../../src/providers/momo/payouts";
import { MARKETS } from "../../../src/shared/momo-markets";

const answer = (status: number, body?: unknown): Answer => ({ kind: "ANSWER", status, body });
const code = (text: string) => answer(500, { code: text, message: "It is refused" });
const NOT_SENT = (reason: string, forMs?: number) => ({ outcome: "NOT_SENT", pause: { reason, ...(forMs && { forMs }) } });
const QUARTER = 900_000;

describe("an answer to a transfer", () => {
	it.each<[string, Answer, unknown]>([
		["is taken", answer(202), { outcome: "TAKEN" }],
		["was taken before", answer(409, { code: "RESOURCE_ALREADY_EXIST" }), { outcome: "TAKEN" }],
		["is refused", answer(400, { message: "Bad request" }), { outcome: "REFUSED", reason: "REFUSED_BY_PROVIDER" }],
		["is silence", { kind: "NONE" }, { outcome: "UNKNOWN" }],
		["found no token", { kind: "NO_TOKEN" }, { outcome: "NOT_SENT" }],
		["found no token while its service is down", { kind: "NO_TOKEN", status: 503 }, { outcome: "NOT_SENT" }],
		["has credentials that get no token", { kind: "NO_TOKEN", status: 401 }, NOT_SENT("CREDENTIALS_REFUSED")],
		["has a token that is refused", answer(401, { message: "The token has expired" }), { outcome: "NOT_SENT" }],
		[
			"has another product's key",
			answer(401, { message: "Access denied due to invalid subscription key." }),
			NOT_SENT("CREDENTIALS_REFUSED"),
		],
		["comes from a strange address", answer(403), NOT_SENT("ADDRESS_NOT_ALLOWED", QUARTER)],
		["is for an empty wallet", code("NOT_ENOUGH_FUNDS"), NOT_SENT("INSUFFICIENT_FUNDS", QUARTER)],
		["is above the wallet's limit", code("PAYER_LIMIT_REACHED"), NOT_SENT("RESULT_PAYER_LIMIT_REACHED", QUARTER)],
		["has a callback that is not registered", code("INVALID_CALLBACK_URL_HOST"), NOT_SENT("RESULT_INVALID_CALLBACK_URL_HOST")],
		["is for another market", code("NOT_ALLOWED_TARGET_ENVIRONMENT"), NOT_SENT("RESULT_NOT_ALLOWED_TARGET_ENVIRONMENT")],
		["is to nobody", code("PAYEE_NOT_FOUND"), { outcome: "REFUSED", reason: "RECIPIENT_UNKNOWN" }],
		["is to a full wallet", code("PAYEE_NOT_ALLOWED_TO_RECEIVE"), { outcome: "REFUSED", reason: "RECIPIENT_LIMIT" }],
		["is an error that tells nothing", code("INTERNAL_PROCESSING_ERROR"), { outcome: "UNKNOWN" }],
		["is another error", code("SERVICE_UNAVAILABLE"), { outcome: "UNKNOWN" }],
		["is a page", answer(503), { outcome: "UNKNOWN" }],
		["is too many", answer(429), { outcome: "UNKNOWN" }],
		["has no such path", answer(404), { outcome: "UNKNOWN" }],
		["is a 200, which nobody documents", answer(200, {}), { outcome: "UNKNOWN" }],
	])("%s", (_, given, meaning) => expect(meaningOf(given)).toEqual(meaning));
});

describe("what a query finds", () => {
	const reference = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";
	const made = { status: "SUCCESSFUL", amount: "300", currency: "UGX", externalId: reference, financialTransactionId: "363440463" };
	const found = (changes: object, status = 200) =>
		endFound(answer(status, { ...made, ...changes }), { reference, amount: 300, marketName: "mtnuganda", market: MARKETS.mtnuganda });

	it("ends a transfer of the amount with a receipt, which is the market's", () => {
		expect(found({})).toEqual({ status: "SUCCEEDED", transaction: "MTNUGANDA-363440463", at: undefined });
		expect(found({ amount: 300, externalId: undefined, financialTransactionId: 363440463 })).toMatchObject({ status: "SUCCEEDED" });
		for (const changes of [
			{ amount: "301" },
			{ amount: "300.5" },
			{ currency: "RWF" },
			{ financialTransactionId: "" },
			{ externalId: "x" },
		]) {
			expect(found(changes), JSON.stringify(changes)).toBe("UNKNOWN");
		}
	});

	it("ends a failed one, and pauses for reasons of the lender's account", () => {
		const failed = (reason: unknown) => found({ status: "FAILED", financialTransactionId: undefined, reason });
		for (const reason of ["PAYEE_NOT_FOUND", { code: "PAYEE_NOT_FOUND", message: "none" }]) {
			expect(failed(reason)).toEqual({ status: "FAILED", reason: "RECIPIENT_UNKNOWN", at: undefined });
		}
		const pause = { reason: "INSUFFICIENT_FUNDS", forMs: QUARTER };
		expect(failed({ code: "NOT_ENOUGH_FUNDS" })).toEqual({ status: "FAILED", reason: "LENDER_ACCOUNT", at: undefined, pause });
		for (const reason of [undefined, null, "INTERNAL_PROCESSING_ERROR", { code: "COULD_NOT_PERFORM_TRANSACTION" }]) {
			expect(failed(reason)).toEqual({ status: "FAILED", reason: "NOT_COMPLETED", at: undefined });
		}
	});

	it("says nothing else", () => {
		for (const status of ["PENDING", "CREATED", ""]) expect(found({ status })).toBe("UNKNOWN");
		for (const status of [404, 500, 503, 401]) expect(found({}, status)).toBe("UNKNOWN");
		const asked = { reference, amount: 300, marketName: "mtnuganda", market: MARKETS.mtnuganda };
		const nothing: Answer[] = [{ kind: "NONE" }, { kind: "NO_TOKEN" }, answer(200, undefined), answer(200, [])];
		for (const none of nothing) expect(endFound(none, asked)).toBe("UNKNOWN");
		expect([hintIn(made), hintIn({ status: "FAILED" }), hintIn({ status: "PENDING" }), hintIn(null)]).toEqual([
			"SUCCEEDED",
			"FAILED",
			undefined,
			undefined,
		]);
	});
});

describe("a transfer", () => {
	it("has a reference of version 4 that is always the same", async () => {
		const id = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";
		expect(await referenceFor(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		// Another one would be paid again: a version of the service must not change it while payouts are open.
		expect(await referenceFor(id)).toBe("2e6fe5bb-2e8a-4f93-89a1-85521c7e202b");
		expect(await referenceFor(id.replace("11", "12"))).not.toBe(await referenceFor(id));
	});
});
