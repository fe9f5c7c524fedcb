// Loans are paid out from the lender's own wallet at MTN MoMo, which is asked what became of each. What may go wrong on the way is in
// `histories`; here is what else it must hold.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Behaviour } from "../../../src/dev/stand-ins/momo";
import { putDarajaConnection } from "../../../src/domains/connections/daraja.operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { getMomoConnection, putMomoConnection, resumeMomoConnection } from "../../../src/domains/connections/momo.operations";
import { activateMomoReplacement } from "../../../src/domains/connections/replacement.operations";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { postMomoResult, putMomoResult } from "../../../src/domains/disbursements/momo.operations";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { CREDENTIALS } from "../../support/daraja";
import { db, givenMember } from "../../support/factories";
import { eventsOf, givenLoanProduct } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { givenWallet, momoStandsIn, ugandanNumber, WALLET } from "../../support/momo";
import { CONNECTED, givenOfferOf, sweepPayouts, timePasses } from "../../support/payments";

const payoutOf = async (id: string) => (await db.select().from(disbursements).where(eq(disbursements.id, id)))[0];

describe("a payout by MTN MoMo", () => {
	it("is ordered once; a callback has it asked about, and the answer ends it", async () => {
		expectErrors("a result of a payout contradicts an earlier one");
		const standIn = momoStandsIn();
		const lender = await givenWallet();
		const { id, apply } = await givenOfferOf(lender, "+256772123456");
		expect(await apply()).toMatchObject({ status: 200, body: { status: "SUBMITTED" } });
		const [asked] = standIn.asked;
		expect(asked).toEqual({
			reference: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
			market: "mtnuganda",
			callback: expect.stringMatching(new RegExp(`/v1/integrations/mobile-money/momo/results/${id}/[0-9a-f]{32}$`)),
			transfer: {
				amount: "30000",
				currency: "UGX",
				externalId: id,
				payee: { partyIdType: "MSISDN", partyId: "256772123456" },
				payerMessage: "Payout",
				payeeNote: "Payout",
			},
		});
		expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED", provider: "momo" });
		const code = asked?.callback.slice(-32) ?? "";
		const other = await givenOfferOf(lender, ugandanNumber());
		const hint = { status: "FAILED", reason: "PAYEE_NOT_FOUND" };
		const wrong = code.replace(/./, (digit) => (digit === "0" ? "1" : "0"));
		for (const path of [
			{ id, code: wrong },
			{ id: other.id, code },
		]) {
			for (const by of [postMomoResult, putMomoResult]) {
				expect(await send(by as never, { path, body: hint, vars: CONNECTED })).toMatchObject({ status: 404 });
			}
		}
		expect(await payoutOf(id)).toMatchObject({ status: "ACCEPTED" });
		expect(await standIn.deliver()).toEqual([200]);
		expect(await payoutOf(id)).toMatchObject({
			status: "SUCCEEDED",
			mobileMoneyTransactionId: `MTNUGANDA-${standIn.paid[0]?.receipt}`,
		});
		// A later report is taken, and changes nothing.
		expect(await send(putMomoResult as never, { path: { id, code }, body: hint, vars: CONNECTED })).toMatchObject({ status: 200 });
		expect(await payoutOf(id)).toMatchObject({ status: "SUCCEEDED" });
		const types = (await eventsOf(lender.organization.id)).map(({ type }) => type);
		expect(types.filter((type) => type === "loan.disbursed")).toHaveLength(1);
	});

	it("stays open while no answer says what was paid, and of whom", async () => {
		expectErrors("a receipt of a payout is that of another one");
		const behaviours: Behaviour[] = [{ saysAmount: "1" }, { saysReceipt: "1" }, { saysReceipt: "1" }, { forgotten: true }];
		const standIn = momoStandsIn((_, nth) => behaviours[nth] ?? {});
		const lender = await givenWallet();
		const ids: string[] = [];
		for (const _ of behaviours) {
			const { id, apply } = await givenOfferOf(lender, ugandanNumber());
			expectOk(await apply());
			ids.push(id);
		}
		await standIn.deliver();
		await timePasses(2 * HOUR_MS);
		await sweepPayouts();
		const rows = await Promise.all(ids.map(payoutOf));
		expect(rows.map((row) => row?.status)).toEqual(["ACCEPTED", "SUCCEEDED", "ACCEPTED", "ACCEPTED"]);
		expect(standIn.asked).toHaveLength(4);
	});

	it("rests while the lender's account is at fault", async () => {
		let behaviour: Behaviour = { answer: { code: "NOT_ALLOWED" } };
		const standIn = momoStandsIn(() => behaviour);
		const lender = await givenWallet();
		const as = lender.owner.token;
		const { path } = lender;
		const first = await givenOfferOf(lender, ugandanNumber());
		const second = await givenOfferOf(lender, ugandanNumber());
		expectOk(await first.apply());
		expect(await call(getMomoConnection, { as, path })).toMatchObject({
			body: { status: "PAUSED", paused_reason: "RESULT_NOT_ALLOWED", api_user: WALLET.api_user, target_environment: "mtnuganda" },
		});
		expect(await second.apply()).toMatchObject({ status: 503 });
		await timePasses(HOUR_MS);
		await sweepPayouts();
		expect(standIn.asked).toHaveLength(1);
		behaviour = { reason: "NOT_ENOUGH_FUNDS" };
		expect(await call(resumeMomoConnection, { as, path })).toMatchObject({ body: { status: "ACTIVE" } });
		await timePasses(HOUR_MS);
		await sweepPayouts();
		await standIn.deliver();
		expect(await payoutOf(first.id)).toMatchObject({ status: "FAILED", failureReason: "LENDER_ACCOUNT" });
		expect(await call(getMomoConnection, { as, path })).toMatchObject({ body: { paused_reason: "INSUFFICIENT_FUNDS" } });
		expect(await second.apply()).toMatchObject({ status: 503 });
		await timePasses(16 * MINUTE_MS);
		behaviour = { answer: "UNKNOWN_KEY" };
		expectOk(await second.apply());
		expect(await call(getMomoConnection, { as, path })).toMatchObject({ body: { paused_reason: "CREDENTIALS_REFUSED" } });
		behaviour = {};
		expectOk(await call(putMomoConnection, { as, path, body: { ...WALLET, subscription_key: "another key" } }));
		await timePasses(HOUR_MS);
		await sweepPayouts();
		await standIn.deliver();
		expect(await payoutOf(second.id)).toMatchObject({ status: "SUCCEEDED", attempts: 2, harmlessAttempts: 1 });
	});
});

describe("a wallet at MTN MoMo", () => {
	it("keeps its secrets to itself, and its market and API user while a payout is open", async () => {
		const standIn = momoStandsIn();
		const lender = await givenWallet();
		const as = lender.owner.token;
		const { path } = lender;
		const put = async (changes: object) => send(putMomoConnection as never, { as, path, body: { ...WALLET, ...changes } });
		const { apply } = await givenOfferOf(lender, ugandanNumber());
		expectOk(await apply());
		const elsewhere = { target_environment: "mtnghana" };
		const second = await givenMember(lender.organization.id, "organization-owner");
		const activate = () => call(activateMomoReplacement, { as: second.token, path, body: { account: WALLET.api_user } });
		const waiting = { status: 200, body: { target_environment: WALLET.target_environment, replacement: { account: WALLET.api_user } } };
		expect(await put(elsewhere)).toMatchObject(waiting);
		expect(await activate()).toMatchObject({ status: 409, body: { description: expect.stringContaining("Payouts") } });
		const kept = await put({ api_key: undefined });
		expect(kept).toMatchObject({ status: 200, body: { provider: "momo", status: "ACTIVE" } });
		const [row] = await db.select().from(paymentConnections);
		expect(`${JSON.stringify(row)} ${kept.text}`).not.toMatch(/an API key|a subscription key/);
		await standIn.deliver();
		expect(await put({ ...elsewhere, api_key: undefined })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "api_key", sub_code: "REQUIRED" }] },
		});
		for (const changes of [{ target_environment: "sandbox" }, { environment: "sandbox" }]) {
			expect(await put(changes)).toMatchObject({ status: 400, body: { invalid_params: [{ path: "target_environment" }] } });
		}
		expect(await put(elsewhere)).toMatchObject(waiting);
		expect(await activate()).toMatchObject({ status: 200, body: { target_environment: "mtnghana", replacement: null } });
	});

	it("pays its own market; a shortcode of the same lender pays what is Kenyan, and what neither pays is refused", async () => {
		const standIn = momoStandsIn();
		const lender = await givenWallet();
		const { owner, path, organization } = lender;
		expectOk(await call(putDarajaConnection, { as: owner.token, path, body: CREDENTIALS }));
		const kenyan = await givenLoanProduct({ organization_id: organization.id, currency: "KES", amount_step: 1, min_loan_amount: 100 });
		const paidBy = async (productId: string, number: string) => {
			const { id, apply } = await givenOfferOf({ organization, productId }, number);
			return { status: (await apply(30_000)).status, provider: (await payoutOf(id))?.provider };
		};
		expect(await paidBy(lender.productId, "+256772000001")).toEqual({ status: 200, provider: "momo" });
		expect(await paidBy(kenyan.id, "+254722000001")).toEqual({ status: 200, provider: "daraja" });
		expect(await paidBy(lender.productId, "+254722000002")).toEqual({ status: 503, provider: undefined });
		expect(await paidBy(kenyan.id, "+256772000002")).toEqual({ status: 503, provider: undefined });
		expect(standIn.asked).toHaveLength(1);
	});
});
