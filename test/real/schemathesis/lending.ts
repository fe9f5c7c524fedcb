// Prepared calls of a lender's people and of those who pay others: what they name is used by no other call.

import { createHash } from "node:crypto";
import { dateIn } from "../../../tools/days.ts";
import { loanProduct } from "../../../tools/loan-product.ts";
import type { Json } from "../../fuzz/values.ts";
import type { Cases } from "./payments.ts";
import type { World } from "./world.ts";

/** What the owner of the first organization has begun: promises, statements and webhooks. */
export async function ofLender(world: World): Promise<Cases> {
	const owner = world.credentialsOf("owner");
	const lender = { id: world.named("organization_id"), slug: "", currency: "KES", prefix: "+254112" };
	const { accountId: account_id } = await world.loan(lender);
	const promise = { type: "PROMISE", account_id, amount: 100, day: dateIn(7) };
	const { id: followUpId } = await world.call("POST", "/v1/collections/follow-ups", promise, owner);
	const day = dateIn(-2);
	/** Each of a shortcode of its own, because a day of an account is on one statement. */
	const statement = async () => {
		const name = world.name("statement");
		const sha256 = createHash("sha256").update(name).digest("hex");
		const body = { channel: "MPESA", number: name, currency: "KES", from: day, to: day, name, sha256 };
		return { statementId: (await world.call("POST", "/v1/reconciliation/statements", body, owner)).id };
	};
	const csv = `Receipt No.,Completion Time,Transaction Status,Paid In,Withdrawn\nTA51,${day} 10:00:00,Completed,1.00,`;
	const webhook = async () => {
		const body = { name: world.name("hook"), url: world.named("url"), events: ["loan.disbursed"] };
		return { webhook_id: (await world.call("POST", "/v1/webhooks", body, owner)).id };
	};
	const signed = await webhook();
	const { id: signing_key_id } = await world.call("POST", `/v1/webhooks/${signed.webhook_id}/secrets`, {}, owner);
	return {
		recordFollowUp: [{ body: { type: "NOTE", account_id, body: "Asked to be called on Friday." } }],
		withdrawPromise: [{ path: { followUpId } }],
		assignWork: [{ path: { subjectId: account_id }, body: { kind: "ACCOUNT", owner_id: null } }],
		getProviderStatement: [{ path: await statement() }],
		addProviderStatementLines: [{ path: await statement(), body: { row: 0, csv } }],
		compareProviderStatement: [{ path: await statement() }],
		createSigningKey: [{ path: await webhook(), body: {} }],
		revokeSigningKey: [{ path: { ...signed, signing_key_id } }],
	};
}

/** What borrowers do with an offer and a loan, and owners of current accounts with the people whom they pay. */
export async function ofPayers(world: World): Promise<Cases> {
	const lender = await world.lender();
	const applicant = await world.customer(lender);
	const { applicationId: application_id } = await world.offer(lender, applicant);
	const { accountId, borrower } = await world.loan(lender);
	const holder = await world.holder();
	const payee = async () => {
		const accounts: Json[] = [
			{ type: "SEND_MONEY", mobile_number: world.number() },
			{ type: "BUY_GOODS", till_number: "123456" },
		];
		return world.call<{ id: string; accounts: [{ id: string }] }>(
			"POST",
			"/v1/user/payees",
			{ label: world.name("Rent"), accounts },
			holder.as,
		);
	};
	const account = async () => {
		const { id: payeeId, accounts } = await payee();
		return { payeeId, accountId: accounts[0].id };
	};
	return {
		applyForLoan: [{ as: applicant.as, path: { application_id }, body: { loan_amount: 50_000 } }],
		changeTenure: [{ as: borrower.as, path: { accountId }, body: { tenure: loanProduct(null).tenure } }],
		removePayeeAccount: [{ as: holder.as, path: await account() }],
		verifyPayeeAccount: [{ as: holder.as, path: await account() }],
		combinePayees: [{ as: holder.as, path: { payeeId: (await payee()).id }, body: { source_payee_id: (await payee()).id } }],
	};
}
