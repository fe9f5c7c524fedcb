// An outside custodian: each instruction is sent until the custodian accepts it, and it decides by signed callbacks.

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { getCurrentAccount, openCurrentAccount } from "../../../../src/domains/current-accounts/accounts/operations";
import { confirmActivation, getActivation, startActivation } from "../../../../src/domains/current-accounts/activations/operations";
import { sendDueCustodianInstructions } from "../../../../src/domains/current-accounts/custodian/procedure";
import { custodianInstructions } from "../../../../src/domains/current-accounts/custodian/table";
import { decide } from "../../../../src/domains/current-accounts/custodian-reports/decisions.operations";
import { call, expectOk, send } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import {
	codeSentTo,
	decideAs,
	givenAccountHolder,
	givenActivation,
	givenConfirmedClosure,
	givenCustomer,
	givenOpened,
} from "../../../support/current-accounts";
import { CALLBACK_SECRET, signed } from "../../../support/doors";
import { db } from "../../../support/factories";
import { beforeCommit, eventsOf, runDueWork } from "../../../support/loans";
import { answerOutbound } from "../../../support/outbound";
import { planOf } from "../../../support/plans";

const vars = { CUSTODIAN: "http", CUSTODIAN_URL: "https://custodian.example/instructions", CUSTODIAN_SECRET: CALLBACK_SECRET };

type Told = { body: Record<string, unknown>; text: string; headers: Headers };

/** A custodian that responds with these statuses in turn and repeats the last one; 0 means no response. */
function custodianAnswering(...statuses: number[]): Told[] {
	const told: Told[] = [];
	answerOutbound(async (input, init) => {
		const request = new Request(input, init);
		expect(request.url).toBe(vars.CUSTODIAN_URL);
		const text = await request.text();
		told.push({ text, body: JSON.parse(text) as Told["body"], headers: request.headers });
		const status = statuses[Math.min(told.length, statuses.length) - 1] ?? 202;
		if (status === 0) throw new TypeError("connection lost");
		return new Response(null, { status });
	});
	return told;
}

const report = async (body: object) => send(decide, { body: JSON.stringify(body), headers: await signed(JSON.stringify(body)), vars });
const read = async (as: string) => expectOk(await call(getCurrentAccount, { as, vars }));
const states = async () => (await db.select().from(custodianInstructions)).map(({ kind, round, status }) => [kind, round, status]);

describe("an instruction", () => {
	it("is sent once, signed and with a reference, if the custodian accepts it", async () => {
		const told = custodianAnswering(202);
		const { token: as, id, number } = await givenCustomer();
		const account = await givenOpened(as, vars);
		expect(account).toMatchObject({
			status: "PENDING",
			wallet_onboarding_status: "SUBMITTED",
			onboarding_status: "PENDING",
			activatable: false,
		});
		expect(told).toHaveLength(1);
		const [{ body, text, headers }] = told as [Told];
		expect(body).toEqual({
			reference: headers.get("idempotency-key"),
			instruction: "OPEN",
			subject_id: account.id,
			account_id: account.id,
			account_number: account.account_number,
			currency: "KES",
			user_id: id,
			mobile_number: number,
		});
		const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(headers.get("x-service-signature") ?? "") ?? [];
		expect(v1).toBe(createHmac("sha256", CALLBACK_SECRET).update(`${t}.${text}`).digest("hex"));
		expect(await states()).toEqual([["OPEN", 1, "TAKEN"]]);
		await moveClock(3_600_000);
		await runDueWork(sendDueCustodianInstructions, vars);
		expect(told).toHaveLength(1);
	});

	it("that the custodian does not accept is sent again after growing delays, with the same reference and body", async () => {
		const told = custodianAnswering(0, 503, 404, 202);
		const { token } = await givenCustomer();
		await givenOpened(token, vars);
		for (const seconds of [14, 1, 29, 1, 59, 1, 3_600]) {
			await moveClock(seconds * 1_000);
			await runDueWork(sendDueCustodianInstructions, vars);
		}
		expect(told).toHaveLength(4);
		expect(new Set(told.map(({ text }) => text)).size).toBe(1);
		expect(await states()).toEqual([["OPEN", 1, "TAKEN"]]);
	});

	it("is sent once by a sweep that another one overtakes", async () => {
		const told = custodianAnswering(0, 202);
		const { token } = await givenCustomer();
		await givenOpened(token, vars);
		await moveClock(3_600_000);
		const overtaken = beforeCommit(() => runDueWork(sendDueCustodianInstructions, vars));
		await runDueWork(sendDueCustodianInstructions, { ...vars, ...overtaken });
		expect(told).toHaveLength(2);
	});

	it("is not sent again after the decision", async () => {
		const told = custodianAnswering(0);
		const { token } = await givenCustomer();
		const { id } = await givenOpened(token, vars);
		expectOk(await decideAs(id, { subject: "ONBOARDING", decision: "APPROVED" }));
		await moveClock(3_600_000);
		await runDueWork(sendDueCustodianInstructions, vars);
		expect(told).toHaveLength(1);
	});

	it("is found by index when it is due", async () => {
		const plan = await planOf(
			"select * from custodian_instructions where status = 'PENDING' and next_attempt_at <= 5 order by next_attempt_at limit 6",
		);
		expect(plan.join()).toMatch(/^SEARCH custodian_instructions USING INDEX custodian_instructions_due/);
	});
});

describe("onboarding", () => {
	it("that is approved makes the account activatable, with the custodian's own ids", async () => {
		custodianAnswering(202);
		const { token: as } = await givenCustomer();
		const { id } = await givenOpened(as, vars);
		expect((await call(startActivation, { as, body: {}, vars })).body).toMatchObject({ code: "INVALID_STATE" });
		const facts = {
			subject: "ONBOARDING",
			subject_id: id,
			decision: "APPROVED",
			external_account_id: "X-1",
			external_account_number: "0001",
		};
		const approved = await report({ decision_id: "d-1", ...facts });
		expect([approved.status, approved.body]).toEqual([
			200,
			{ decision_id: "d-1", subject: "ONBOARDING", subject_id: id, decision: "APPROVED" },
		]);
		expect(await read(as)).toMatchObject({
			wallet_onboarding_status: "ACCOUNT_OPENED",
			activatable: true,
			external_provider: "CUSTODIAN",
			external_account_id: "X-1",
			external_account_number: "0001",
		});
	});

	it("that is rejected shows the reason and raises an event; opening again submits it once more", async () => {
		const told = custodianAnswering(202);
		const { token: as, organization } = await givenCustomer();
		const { id } = await givenOpened(as, vars);
		expectOk(await decideAs(id, { subject: "ONBOARDING", decision: "REJECTED", reason: "DOCUMENT_EXPIRED" }));
		const reasons = ["DOCUMENT_EXPIRED"];
		expect(await read(as)).toMatchObject({
			status: "PENDING",
			wallet_onboarding_status: "REJECTED",
			wallet_onboarding_rejection_reasons: reasons,
			onboarding_status: "REJECTED",
			onboarding_rejection_reasons: reasons,
			activatable: false,
		});
		expect((await eventsOf(organization.id)).at(-1)).toMatchObject({
			type: "current_account.onboarding_rejected",
			data: { account_id: id, reasons },
		});
		const again = await call(openCurrentAccount, { as, vars });
		expect(again.status).toBe(200);
		expect(expectOk(again)).toMatchObject({
			id,
			wallet_onboarding_status: "SUBMITTED",
			wallet_onboarding_rejection_reasons: [],
		});
		expect(told.map(({ body }) => body.reference)).toHaveLength(2);
		expect(new Set(told.map(({ body }) => body.reference)).size).toBe(2);
		expectOk(await decideAs(id, { subject: "ONBOARDING", decision: "REJECTED" }));
		expect((await read(as)).wallet_onboarding_rejection_reasons).toEqual(["UNSPECIFIED"]);
		expect((await eventsOf(organization.id)).filter(({ type }) => type.endsWith("onboarding_rejected"))).toHaveLength(2);
	});

	it("that is submitted again to the sandbox is approved immediately", async () => {
		custodianAnswering(202);
		const { token: as } = await givenCustomer();
		const { id } = await givenOpened(as, vars);
		expectOk(await decideAs(id, { subject: "ONBOARDING", decision: "REJECTED" }));
		expect(await givenOpened(as)).toMatchObject({ id, wallet_onboarding_status: "ACCOUNT_OPENED", external_provider: "SANDBOX" });
		expect(await read(as)).toMatchObject({ activatable: true, external_provider: "SANDBOX" });
	});
});

describe("activation", () => {
	async function givenConfirmed() {
		const told = custodianAnswering(202);
		const customer = await givenCustomer();
		const { token: as } = customer;
		const account = await givenOpened(as, vars);
		expectOk(await decideAs(account.id, { subject: "ONBOARDING", decision: "APPROVED" }));
		const { id: activationId } = await givenActivation(as, vars);
		const body = { otp_code: await codeSentTo(customer.number) };
		const confirmed = expectOk(await call(confirmActivation, { as, path: { activationId }, body, vars }));
		return { ...customer, as, account, activationId, confirmed, told };
	}

	it("waits for the custodian, and then the account is ACTIVE", async () => {
		const { as, account, activationId, confirmed, told, organization } = await givenConfirmed();
		expect(confirmed).toMatchObject({ status: "OTP_CONFIRMED", completed_at: null });
		expect((await read(as)).status).toBe("PENDING");
		expect(told.at(-1)?.body).toMatchObject({
			instruction: "ACTIVATE",
			subject_id: activationId,
			activation_id: activationId,
			account_id: account.id,
		});
		expectOk(await decideAs(activationId, { subject: "ACTIVATION", decision: "APPROVED" }));
		expect((await read(as)).status).toBe("ACTIVE");
		const read1 = expectOk(await call(getActivation, { as, path: { activationId }, vars }));
		expect(read1.status).toBe("OTP_CONFIRMED");
		expect(read1.completed_at).not.toBeNull();
		expect((await eventsOf(organization.id)).at(-1)?.type).toBe("current_account.activated");
	});

	it("that is rejected leaves the account activatable; another can be started", async () => {
		const { as, activationId } = await givenConfirmed();
		expect((await call(startActivation, { as, body: {}, vars })).body).toMatchObject({ code: "INVALID_STATE" });
		expectOk(await decideAs(activationId, { subject: "ACTIVATION", decision: "REJECTED", reason: "NAME_MISMATCH" }));
		expect(expectOk(await call(getActivation, { as, path: { activationId }, vars }))).toMatchObject({
			status: "REJECTED",
			rejection_reason: "NAME_MISMATCH",
		});
		expect(await read(as)).toMatchObject({ status: "PENDING", activatable: true });
		expectOk(await call(startActivation, { as, body: {}, vars }));
	});
});

describe("closure", () => {
	it("is sent to the custodian with its reasons, and its rejection makes the account usable again", async () => {
		const told = custodianAnswering(202);
		const { token: as, number, organization, accountId } = await givenAccountHolder();
		const { id } = await givenConfirmedClosure(as, number, vars);
		expect(told.at(-1)?.body).toMatchObject({
			instruction: "CLOSE",
			subject_id: id,
			closure_id: id,
			account_id: accountId,
			reasons: ["NO_LONGER_USING"],
		});
		expectOk(await decideAs(id, { subject: "CLOSURE", decision: "REJECTED", reason: "PENDING_CHARGES" }));
		expect((await read(as)).status).toBe("ACTIVE");
		expect((await eventsOf(organization.id)).at(-1)).toMatchObject({
			type: "current_account.closure_rejected",
			data: { account_id: accountId, closure_id: id, rejection_reason: "PENDING_CHARGES" },
		});
	});
});
