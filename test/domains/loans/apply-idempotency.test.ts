// Accepting an offer again with the same key answers as before, after every crash in between.

import { describe, expect, it } from "vitest";
import { creditCycles } from "../../../src/domains/credit-accounts/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { call, expectOk } from "../../support/client";
import { db, givenApiKey } from "../../support/factories";
import { apply, eventsOf, givenBorrower, givenLoanProduct, givenOffer } from "../../support/loans";

describe("accepting an offer with an Idempotency-Key", () => {
	const key = (value: string) => ({ "idempotency-key": value });

	it("runs once for concurrent calls and replays byte for byte", async () => {
		await givenLoanProduct();
		const { token, organization } = await givenBorrower();
		const offer = await givenOffer(token);
		const answers = await Promise.all(Array.from({ length: 4 }, () => apply(token, offer.id, 5_000, key("k"))));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(3);
		const later = await apply(token, offer.id, 5_000, key("k"));
		expect(later.text).toBe(answers[0]?.text);
		expect(await db.select().from(creditCycles)).toHaveLength(1);
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "loan.disbursed")).toHaveLength(1);
	});

	it("rejects another body with the same key", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		expectOk(await apply(token, offer.id, 5_000, key("k")));
		expect(await apply(token, offer.id, 6_000, key("k"))).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
	});

	it("binds the key to the body even if the amount is refused", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		const refused = await apply(token, offer.id, 1, key("k"));
		expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await apply(token, offer.id, 5_000, key("k"))).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
		expect((await apply(token, offer.id, 1, key("k"))).text).toBe(refused.text);
	});

	it("treats the id, the id in capitals and the resource_id as the same application", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		const first = expectOk(await apply(token, offer.id, 5_000, key("k")));
		for (const id of [offer.resource_id, offer.id.toUpperCase()]) {
			const again = await apply(token, id, 5_000, key("k"));
			expect(again.headers.get("idempotent-replayed")).toBe("true");
			expect(expectOk(again)).toEqual(first);
		}
	});

	it("keeps the keys of callers and of applications apart", async () => {
		const [one, two] = [await givenLoanProduct(), await givenLoanProduct()];
		const { id, token, organization } = await givenBorrower();
		const [first, second] = [await givenOffer(token, one.id), await givenOffer(token, two.id)];
		const mine = expectOk(await apply(token, first.id, 5_000, key("k")));
		const other = expectOk(await apply(token, second.id, 5_000, key("k")));
		expect(other.id).not.toBe(mine.id);
		// The partner's call with the same key is a separate call, and finds the offer already accepted.
		const partner = await givenApiKey(organization.id, ["loans:write"]);
		const body = { user_id: id, loan_amount: 5_000 };
		expect(await call(applyForLoan, { as: partner, path: { application_id: first.id }, body, headers: key("k") })).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE" },
		});
		const stranger = await givenBorrower();
		expect(await apply(stranger.token, first.id, 5_000, key("k"))).toMatchObject({ status: 404 });
	});

	it("replays errors of the handler, but not errors from before it ran", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		expect(await apply(token, offer.id, 0, key("early"))).toMatchObject({ status: 400 });
		expectOk(await apply(token, offer.id, 5_000, key("early")));
		const refused = await apply(token, offer.id, 5_000, key("late"));
		expect(refused).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		const again = await apply(token, offer.id, 5_000, key("late"));
		expect(again.text).toBe(refused.text);
		expect(again.headers.get("idempotent-replayed")).toBe("true");
	});

	it("accepts 1 to 255 characters", async () => {
		await givenLoanProduct();
		const { token } = await givenBorrower();
		const offer = await givenOffer(token);
		for (const value of ["", "k".repeat(256)]) {
			expect(await apply(token, offer.id, 5_000, key(value))).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		}
		expectOk(await apply(token, offer.id, 5_000, key("k".repeat(255))));
	});
});
