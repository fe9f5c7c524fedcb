// Operations whose row somebody else changes between their read and their commit: they decide again by what it holds then, and answer
// nothing as done that was not done.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { operations } from "../support/domains";
import { beforeCommit } from "../support/loans";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

const DISCARDED = {
	meanwhile: "update payment_connections set replacement = null, replaced_at = null",
	status: 404,
	left: "payment_connections where version > 1",
};

it.each([
	{
		op: "dismissSecondReceipts",
		meanwhile: "update disbursements set second_receipt_at = second_receipt_at + 1",
		status: 200,
		left: "disbursements where second_receipt_at is not null",
	},
	{
		op: "dismissConfirmation",
		meanwhile: "update daraja_confirmations set status = 'WAITING'",
		status: 409,
		left: "daraja_confirmations where status <> 'WAITING'",
	},
	{ op: "discardDarajaReplacement", ...DISCARDED },
	{ op: "activateDarajaReplacement", ...DISCARDED },
	{
		op: "recordPayoutReturned",
		meanwhile:
			"update disbursements set status = 'RETURNED', return_transaction = 'OTHER', return_transaction_sent = 'OTHER', returned_at = 1",
		status: 409,
		left: "disbursements where return_transaction <> 'OTHER'",
	},
	{
		op: "restoreRepayment",
		meanwhile: "update payments set reversed_amount = reversed_amount - 1, status = 'POSTED' where reversed_amount > 0",
		status: 201,
		left: "payments where reversed_amount > 0",
	},
])("$op is decided by what its row holds when it is committed", async ({ op: id, meanwhile, status, left }) => {
	const op = operations.find((one) => one.id === id);
	if (!op) throw new Error(`there is no ${id}`);
	const parties = await givenParties();
	const request = await validRequest(op, parties);
	const overtaken = beforeCommit(async () => {
		const { meta } = await env.DB.prepare(meanwhile).run();
		expect(meta.changes).toBeGreaterThan(0);
	});
	const answer = await send(op, request, await permitted(op, parties, request), overtaken);
	const rows = await env.DB.prepare(`select count(*) as n from ${left}`).first("n");
	expect([answer.status, rows]).toEqual([status, 0]);
});
