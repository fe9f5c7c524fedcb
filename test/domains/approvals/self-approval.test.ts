// An operator whose identity is linked to a user after they asked for something is still the one who asked.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { approvals } from "../../../src/domains/approvals/table";
import { workOnImports } from "../../../src/domains/imports/job";
import { addImportLines, createImport, getImport, runImport } from "../../../src/domains/imports/operations";
import { acceptInvitation } from "../../../src/domains/organizations/invitations/acceptance.operations";
import { memberships, organizationMembers } from "../../../src/domains/organizations/table";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { SANDBOX_ISSUER } from "../../../src/domains/tokens/issuers/own.plan";
import { createSandboxToken } from "../../../src/domains/tokens/sandbox/operations";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { identityLinks } from "../../../src/domains/users/model/table";
import { call, expectOk } from "../../support/client";
import { accessToken, db, givenMember, givenMembership, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenInvitation } from "../../support/invitations";
import { linkTo } from "../../support/links";
import { givenLoanProduct, runDueWork } from "../../support/loans";
import { sandboxToken } from "../../support/tokens";

const PAIRS = { OPERATOR_PAIRS: "on" };
const ANNA = { issuer: SANDBOX_ISSUER, subject: "anna" };

let anna: string;
let organization: { id: string; slug: string };
let owner: { id: string; token: string };
let customer: string;
beforeEach(async () => {
	anna = await operatorToken("anna");
	organization = await givenOrganization();
	owner = await givenMember(organization.id, "organization-owner", { organizationId: organization.id });
	customer = (await givenUser({ organizationId: organization.id })).id;
});

/** The ways in which the operator's own identity becomes that of a user. None needs more than the operator, or an approval of something else. */
const LINKS: Record<string, () => Promise<unknown>> = {
	"an operator's link": async () => {
		const { id } = await givenUser();
		expectOk(await call(linkIdentity, { as: await operatorToken("ben"), path: { userId: id }, body: ANNA }));
	},
	"the first exchange of a partner's token": async () => {
		const sent = { kind: "partner" as const, subject: "anna", organization: organization.slug };
		const partner_token = expectOk(await call(createSandboxToken, { body: sent })).token;
		expectOk(await call(exchangePartnerToken, { body: { partner_token } }));
	},
	"an invitation that they accept": async () => {
		const email = "anna@example.com";
		const { token } = await givenInvitation(owner.token, organization.id, { email, role: "organization-viewer" });
		const as = await sandboxToken("identity", "anna", { email, email_verified: true });
		expectOk(await call(acceptInvitation, { as, body: { token } }));
	},
	"an import": async () => {
		const as = await operatorToken("ben");
		const { id: loan_product_id } = await givenLoanProduct({ organization_id: organization.id });
		const path = { importId: expectOk(await call(createImport, { as, body: { organization_id: organization.id, name: "old" } })).id };
		const cycle = {
			number: 1,
			tenure: { duration: 30, unit: "DAYS" as const },
			interest_rate: { basis_points: 300, period_value: 30, period_unit: "DAYS" as const },
		};
		const account = "L-1";
		const lines = [
			{ type: "ACCOUNT" as const, account, borrower: { mobile_number: "+254712345670", identity: ANNA }, loan_product_id, cycles: [cycle] },
			{ type: "FACT" as const, account, id: "T-1", position: 1, on: "2026-01-05", kind: "DRAW" as const, amount: 10_000, cycle: 1 },
			{ type: "BALANCE" as const, account, on: "2026-01-05", principal: 10_000, interest: 0, arrears: 0, penalty: 0 },
		];
		expectOk(await call(addImportLines, { as, path, body: lines as never }));
		expectOk(await call(runImport, { as, path, body: { dry_run: true } }));
		const work = () =>
			runDueWork(async (services) => {
				while (await workOnImports(services));
			});
		await work();
		const { revision } = expectOk(await call(getImport, { as, path }));
		expectOk(await call(runImport, { as, path, body: { dry_run: false, revision } }));
		await work();
	},
};

const held = async () => {
	const body = { issuer: "https://identity.example", subject: "a stranger" };
	const { status, text } = await call(linkIdentity, { as: anna, path: { userId: customer }, body, vars: PAIRS });
	expect(status).toBe(202);
	return (JSON.parse(text) as { id: string }).id;
};
const asked = async () => {
	const body = { approval_type: "BLOCK_CHANGE" as const, entity_type: "USER" as const, entity_id: customer, payload: { blocked: true } };
	return expectOk(await call(requestApproval, { as: anna, body, vars: PAIRS })).id;
};
const decide = (as: string, id: string) => call(decideApproval, { as, path: { id }, body: { decision: "APPROVED" }, vars: PAIRS });
const REFUSED = { status: 403, body: { code: "SELF_APPROVAL" } };

describe.each(Object.entries(LINKS))("an operator whose identity became a user's by %s", (_, link) => {
	it("decides nothing that they had asked for, neither as the operator nor as that user", async () => {
		const requests = [await held(), await asked()];
		await link();
		const [linked] = await db.select().from(identityLinks).where(eq(identityLinks.subject, "anna"));
		const userId = linked?.userId ?? "";
		for (const id of requests) expect(await decide(anna, id)).toMatchObject(REFUSED);
		await db.delete(memberships).where(eq(memberships.userId, userId));
		await db.delete(organizationMembers).where(eq(organizationMembers.userId, userId));
		await givenMembership(organization.id, userId, "organization-owner");
		const [, forMembers] = requests;
		expect(await decide(await accessToken(userId), forMembers ?? "")).toMatchObject(REFUSED);
		for (const row of await db.select().from(approvals))
			expect(row).toMatchObject({ status: "PENDING", requestedAs: [`${SANDBOX_ISSUER}#anna`] });
		for (const id of requests) expect(expectOk(await decide(await operatorToken("carol"), id))).toMatchObject({ status: "APPROVED" });
	});
});

describe("an operator whose identity was linked to somebody else after the request", () => {
	it("does not decide it, and decides what is asked for afterwards", async () => {
		const before = await held();
		await linkTo(customer, "dora");
		const dora = await operatorToken("dora");
		expect(await decide(dora, before)).toMatchObject(REFUSED);
		await db.update(identityLinks).set({ createdAt: 1 });
		expect(expectOk(await decide(dora, before))).toMatchObject({ status: "APPROVED", decided_by: customer });
	});
});
