// What the custodian decides about: one verdict for each subject, for any number and order of reports.

import { describe, expect, it } from "vitest";
import { getCurrentAccount } from "../../../../src/domains/current-accounts/accounts/operations";
import { confirmActivation } from "../../../../src/domains/current-accounts/activations/operations";
import { decide } from "../../../../src/domains/current-accounts/custodian-reports/decisions.operations";
import { call, expectOk, send } from "../../../support/client";
import { codeSentTo, decideAs, givenActivation, givenCustomer, givenOpened } from "../../../support/current-accounts";
import { CALLBACK_SECRET, signed } from "../../../support/doors";
import { newId } from "../../../support/factories";
import { beforeCommit } from "../../../support/loans";
import { answerOutbound } from "../../../support/outbound";

const vars = { CUSTODIAN: "http", CUSTODIAN_URL: "https://custodian.example/instructions", CUSTODIAN_SECRET: CALLBACK_SECRET };

const givenCustodian = () => answerOutbound(async () => new Response(null, { status: 202 }));
const report = async (body: object) => send(decide, { body: JSON.stringify(body), headers: await signed(JSON.stringify(body)), vars });
const read = async (as: string) => expectOk(await call(getCurrentAccount, { as, vars }));

describe("a decision", () => {
	it("is 404 for an unknown subject, and for one of another kind", async () => {
		const { token } = await givenCustomer();
		const { id } = await givenOpened(token);
		for (const subject of ["ONBOARDING", "ACTIVATION", "CLOSURE"] as const) {
			expect((await decideAs(newId(), { subject, decision: "APPROVED" })).status).toBe(404);
		}
		const { id: activationId } = await givenActivation(token);
		expect((await decideAs(id, { subject: "CLOSURE", decision: "APPROVED" })).status).toBe(404);
		expect((await decideAs(activationId, { subject: "ONBOARDING", decision: "APPROVED" })).status).toBe(404);
	});

	it("is 409 before its subject waits for a decision", async () => {
		const { token } = await givenCustomer();
		await givenOpened(token);
		const { id } = await givenActivation(token);
		for (const decision of ["APPROVED", "REJECTED"] as const) {
			expect((await decideAs(id, { subject: "ACTIVATION", decision })).body).toMatchObject({ code: "INVALID_STATE" });
		}
	});

	it("counts when a contrary decision comes between its read and its commit: only the first, about any subject", async () => {
		givenCustodian();
		const customer = await givenCustomer();
		const account = await givenOpened(customer.token, vars);
		const decideWhile = async (id: string, subject: "ONBOARDING" | "ACTIVATION", between: "APPROVED" | "REJECTED") => {
			const contrary = between === "APPROVED" ? "REJECTED" : "APPROVED";
			const first = beforeCommit(async () => expectOk(await decideAs(id, { subject, decision: between })));
			expect((await decideAs(id, { subject, decision: contrary }, first)).body).toMatchObject({ code: "INVALID_STATE" });
		};
		await decideWhile(account.id, "ONBOARDING", "APPROVED");
		expect(await read(customer.token)).toMatchObject({
			wallet_onboarding_status: "ACCOUNT_OPENED",
			wallet_onboarding_rejection_reasons: [],
		});
		const { id: activationId } = await givenActivation(customer.token, vars);
		const body = { otp_code: await codeSentTo(customer.number) };
		expectOk(await call(confirmActivation, { as: customer.token, path: { activationId }, body, vars }));
		await decideWhile(activationId, "ACTIVATION", "REJECTED");
		expect((await read(customer.token)).status).toBe("PENDING");
	});

	it("that is repeated is 200 again, and 409 with another verdict", async () => {
		givenCustodian();
		const { token } = await givenCustomer();
		const { id } = await givenOpened(token, vars);
		const decision = (verdict: string, decision_id: string) =>
			report({ decision_id, subject: "ONBOARDING", subject_id: id, decision: verdict });
		expect((await decision("APPROVED", "a")).status).toBe(200);
		expect((await decision("APPROVED", "a")).status).toBe(200);
		expect((await decision("APPROVED", "b")).status).toBe(200);
		expect((await decision("REJECTED", "a")).body).toMatchObject({ code: "DUPLICATE_CONFLICT" });
		expect((await decision("REJECTED", "c")).body).toMatchObject({ code: "INVALID_STATE" });
	});
});
