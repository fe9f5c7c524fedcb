// Exports: everything that is held about a person, page by page, for an operator and for themselves.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { auditRows } from "../../../src/db/audit.table";
import { agentEvents, agentSupervisions, agents } from "../../../src/domains/commissions/table";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { messages } from "../../../src/domains/messages/table";
import { merchantGrants } from "../../../src/domains/organizations/table";
import { exportMe, exportUser } from "../../../src/domains/people/export.operations";
import { repaymentPrompts } from "../../../src/domains/repayments/prompts/table";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { givenActive, move } from "../../support/current-accounts";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { apply, givenLoanProduct, givenOffer } from "../../support/loans";
import { givenPayee, sendMoney } from "../../support/payees";
import { serve } from "../../support/serve";
import { transfer } from "../../support/transfers";

const NAME = "Wanjiru Plantagenet";

async function givenLife(mobileNumber = "+254711223344") {
	const organization = await givenOrganization();
	const user = await givenUser({ organizationId: organization.id, mobileNumber, email: "wanjiru@example.com" });
	expectOk(await call(updateMe, { as: user.token, body: { display_name: NAME } }));
	const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
	const offer = await givenOffer(user.token, productId);
	expectOk(await apply(user.token, offer.id, 30_000));
	const account = await givenActive(user.token);
	expectOk(await move(account.id, 2_000));
	const payee = await givenPayee(user.token, "Landlord", sendMoney("+254733999888", "Otieno"));
	expectOk(await transfer(user, payee.accounts[0]?.id ?? "", 1_000, { note: "rent" }));
	return { organization, ...user };
}

const KINDS = [
	...["users", "inbox", "payees", "payee_accounts", "loan_applications", "credit_accounts", "credit_cycles", "installments"],
	...["account_transactions", "disbursements", "current_accounts", "current_account_entries", "transfers"],
	"messages",
];

it("answers each record once, for every size of pages, and opens what is sealed", { tags: ["thorough"] }, async () => {
	const { id: userId } = await givenLife();
	await givenLife("+254711223355");
	const as = await operatorToken();
	const { data } = expectOk(await call(exportUser, { as, path: { userId }, query: { size: "500" } as never }));
	expect([...new Set(data.map(({ kind }) => kind))]).toEqual(KINDS);
	expect(data.find(({ kind }) => kind === "users")?.content).toMatchObject({
		...{ id: userId, display_name: NAME, mobile_number: "+254711223344", email: "wanjiru@example.com" },
		created_at: expect.stringMatching(/^20.*Z$/),
	});
	expect(data.find(({ kind }) => kind === "transfers")?.content).toMatchObject({ note: "rent", snapshot: { identifier: "+254733999888" } });
	for (const { content } of data.filter(({ kind }) => kind === "inbox")) expect(content.text).toContain("KES");
	expect(JSON.stringify(data)).not.toMatch(/folded|weighted|fingerprint|device_hash|challenge_id/);

	const paged: unknown[] = [];
	let after: string | null = null;
	do {
		const query: object = { size: "3", ...(after !== null && { after }) };
		const page = expectOk(await call(exportUser, { as, path: { userId }, query: query as never }));
		expect(page.data.length).toBeLessThanOrEqual(3);
		paged.push(...page.data);
		after = page.links.next;
	} while (after !== null);
	expect(paged).toEqual(data);
});

it("has what they are to organizations, what they were asked to pay and what is sent to them", async () => {
	const { id: userId, organization } = await givenLife();
	const other = await givenLife("+254711223355");
	const [loan] = await db.select().from(creditAccounts).where(eq(creditAccounts.userId, userId));
	const organizationId = organization.id;
	const at = { createdAt: 1 };
	for (const agent of [userId, other.id]) {
		await db.insert(agents).values({ organizationId, userId: agent, currency: "KES", commissionModelId: "model", ...at } as never);
		await db.insert(agentEvents).values({
			...{ organizationId, eventId: agent, agentUserId: agent, eventType: "PENALTY", referenceId: "r", amount: 5, currency: "KES" },
			...{ description: "late", occurredAt: 1, fingerprint: "f", reversed: 0, ...at },
		} as never);
		await db.insert(agentSupervisions).values({ organizationId, agentUserId: agent, effectiveFrom: 1, supervisorUserId: other.id, ...at });
		await db.insert(merchantGrants).values({ organizationId, merchantId: "m", userId: agent, permission: "p", ...at } as never);
	}
	await db.insert(repaymentPrompts).values({
		...{ id: "prompt", organizationId, accountId: loan?.id ?? "", provider: "daraja", shortCode: "600000", reference: "R1", amount: 5 },
		...{ currency: "KES", status: "FAILED", checkoutId: "checkout", steps: 1, ...at },
	} as never);
	const message = { purpose: "NOTICE", channel: "SMS", status: "SENT", recipient: "+254711223344", expiresAt: 2, ...at };
	await db.insert(messages).values([
		{ ...message, id: "theirs", userId },
		{ ...message, id: "strangers", userId, withheld: true },
	] as never);
	const { data } = expectOk(await call(exportUser, { as: await operatorToken(), path: { userId }, query: { size: "500" } as never }));
	const of = (kind: string) => data.filter((one) => one.kind === kind).map(({ content }) => content);
	expect(of("merchant_grants")).toMatchObject([{ user_id: userId, merchant_id: "m" }]);
	expect(of("repayment_prompts")).toMatchObject([{ id: "prompt", amount: 5, status: "FAILED" }]);
	expect(of("agents")).toMatchObject([{ user_id: userId, organization_id: organizationId }]);
	expect(of("agent_events")).toMatchObject([{ agent_user_id: userId, description: "late" }]);
	expect(of("agent_supervisions")).toMatchObject([{ agent_user_id: userId }]);
	expect(of("messages").map(({ id }) => id)).toContain("theirs");
	expect(JSON.stringify(data)).not.toMatch(/strangers|checkout|sealed|supervisor_user_id/);
});

it("is a line for each record as NDJSON, and leaves a row in the audit trail", async () => {
	const { id: userId } = await givenLife();
	const as = await operatorToken();
	const url = `http://localhost/v1/platform/users/${userId}/export?size=2`;
	const answer = await serve(new Request(url, { headers: { authorization: `Bearer ${as}`, accept: "application/x-ndjson" } }));
	const [text, got] = [await answer.text(), answer.headers];
	expect(got.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
	expect(got.get("link")).toContain('rel="next"');
	const lines = text.trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["users", expect.any(String)]);
	expect(await db.select().from(auditRows).where(eq(auditRows.operation, "exportUser"))).toMatchObject([
		{ actorKind: "OPERATOR", entityId: userId },
	]);
});

it("answers users what is held about them, as it does operators", async () => {
	const { id: userId, token } = await givenLife();
	const query = { size: "500" } as never;
	const mine = expectOk(await call(exportMe, { as: token, query }));
	expect(mine.data).toEqual(expectOk(await call(exportUser, { as: await operatorToken(), path: { userId }, query })).data);
	expect((await call(exportUser, { as: await operatorToken(), path: { userId: crypto.randomUUID() } })).status).toBe(404);
});
