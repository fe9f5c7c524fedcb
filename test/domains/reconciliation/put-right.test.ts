// A payment whose amount differs from the statement's is put right by two people, and the next comparison ends its break.

import { expect, it } from "vitest";
import { decideApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { call, expectOk } from "../../support/client";
import { givenLoan } from "../../support/credit";
import { givenMember } from "../../support/factories";
import { atMinute, breaksOf, compare, rowsOf, SHORT_CODE, sendStatement } from "./statement";

it("a break of an amount that was recorded wrongly ends once the payment is moved with the statement's amount", async () => {
	const loan = await givenLoan(30_000);
	const [owner, second] = [await givenMember(loan.organization.id, "organization-owner"), await givenMember(loan.organization.id)];
	const headers = { "x-organization-id": loan.organization.slug };
	const by = { as: owner.token, headers };
	const body = {
		...{ account_id: loan.accountId, mobile_money_transaction_id: "TM1", amount: { value: 3_000, currency: "KES" } },
		transacted_at: new Date(atMinute(10)).toISOString(),
		details: { type: "PAY_BILL" as const, paybill_number: SHORT_CODE, account_reference: "LOAN-1" },
	};
	expectOk(await call(recordRepayment, { as: loan.key, body }));
	const id = await sendStatement({ by }, rowsOf([{ receipt: "TM1", amount: 3_500, at: atMinute(10) }]));
	const { breaks, days } = await compare({ by }, id);
	expect(breaks).toMatchObject([{ kind: "AMOUNT_DIFFERS", action: "MOVE", amount: 3_500, recorded: 3_000, difference: 500 }]);
	expect(days).toMatchObject([{ unexplained: 500 }]);
	const [found] = breaks;
	const payload = { account_id: loan.accountId, amount: found?.amount };
	const asked = {
		approval_type: "REPAYMENT_MOVE" as const,
		entity_type: "TRANSACTION" as const,
		entity_id: found?.recorded_id ?? "",
		payload,
	};
	const request = expectOk(await call(requestApproval, { ...by, body: asked }));
	expect((await compare({ by }, id)).breaks).toHaveLength(1);
	const decision = { path: { id: request.id }, body: { decision: "APPROVED" as const } };
	expect(await call(decideApproval, { ...by, ...decision })).toMatchObject({ status: 403 });
	expectOk(await call(decideApproval, { as: second.token, headers, ...decision }));
	expect(await compare({ by }, id)).toMatchObject({ breaks: [], days: [{ breaks: 0, unexplained: 0, difference: 0 }] });
	expect(await breaksOf({ by }, id, "RESOLVED")).toHaveLength(1);
});
