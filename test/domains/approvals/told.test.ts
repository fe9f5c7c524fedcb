// Users get messages about what operators do to their accounts, once it is done.

import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { decideApproval, listApprovals, requestApproval } from "../../../src/domains/approvals/operations";
import { unfreezeAccount } from "../../../src/domains/current-accounts/accounts/freezing.operations";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { putCreditProfile } from "../../../src/domains/loan-products/operations";
import { messages } from "../../../src/domains/messages/table";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { call, expectOk } from "../../support/client";
import { freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { db, givenUser, operatorToken } from "../../support/factories";

const PAIRS = { OPERATOR_PAIRS: "on" };
const EMAIL = "jane@example.com";

let user: Awaited<ReturnType<typeof givenUser>>;
let number: string;
beforeEach(async () => {
	number = freshNumber();
	user = await givenUser({ mobileNumber: number, email: EMAIL });
});

const told = async () => (await db.select().from(messages)).map(({ recipient, category, purpose }) => [recipient, category, purpose]);

/** Approves what a first operator has asked for. */
async function approve(answer: { text: string }): Promise<void> {
	const { id } = JSON.parse(answer.text) as { id: string };
	expect(await told()).toEqual([]);
	const decided = await call(decideApproval, { as: await operatorToken("ben"), path: { id }, body: { decision: "APPROVED" }, vars: PAIRS });
	expect(expectOk(decided).status).toBe("APPROVED");
}

it("users get a message about an identity that is linked to them, everywhere", async () => {
	const body = { issuer: "https://identity.example", subject: "somebody" };
	await approve(await call(linkIdentity, { as: await operatorToken("anna"), path: { userId: user.id }, body, vars: PAIRS }));
	expect((await told()).map(([recipient]) => recipient).sort()).toEqual([number, EMAIL].sort());
});

it("users get a message about an account that is released, everywhere", async () => {
	const { id: accountId } = await givenCurrentAccount({ user });
	await db.update(currentAccounts).set({ status: "FROZEN" }).where(eq(currentAccounts.id, accountId));
	const body = { reason: "the order was lifted" };
	const held = await call(unfreezeAccount, { as: await operatorToken("anna"), path: { accountId }, body, vars: PAIRS });
	const [asked] = expectOk(await call(listApprovals, { as: await operatorToken("ben"), query: {} })).data;
	expect(asked?.subject).toMatchObject({ user_id: user.id, account_id: accountId, currency: "KES", transaction_amount: null });
	await approve(held);
	expect((await told()).map(([recipient]) => recipient).sort()).toEqual([number, EMAIL].sort());
});

it("users get a message about a limit, by either way to set it", async () => {
	await approve(
		await call(putCreditProfile, { as: await operatorToken("anna"), path: { userId: user.id }, body: { limit: 5_000 }, vars: PAIRS }),
	);
	expect(await told()).toEqual([[EMAIL, "SECURITY", "SECURITY"]]);
	await db.delete(messages);
	const body = { approval_type: "LIMIT_CHANGE" as const, entity_type: "USER" as const, entity_id: user.id, payload: { limit: 7_000 } };
	await approve(await call(requestApproval, { as: await operatorToken("anna"), body, vars: PAIRS }));
	expect(await told()).toEqual([[EMAIL, "SECURITY", "SECURITY"]]);
});
