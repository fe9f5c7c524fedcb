// What a lender's people should do now: each kind by itself, bounded to their organization.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { listAccounts } from "../../../src/domains/accounts/operations";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { acceptInvitation } from "../../../src/domains/organizations/invitations/acceptance.operations";
import { loanPositions } from "../../../src/domains/portfolio/model/table";
import { listUsers } from "../../../src/domains/users/lender.operations";
import type { WorkKind } from "../../../src/domains/work/kinds.policy";
import { getLenderAttention } from "../../../src/domains/work/lender.operations";
import { listOwnedWork } from "../../../src/domains/work/owners.operations";
import { addDays, DAY_MS, MINUTE_MS, toTimestamp } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenLoan } from "../../support/credit";
import { givenLender } from "../../support/daraja";
import { db, givenMember, givenOrganization, givenUser } from "../../support/factories";
import { givenInvitation } from "../../support/invitations";
import { givenWork } from "../../support/work";

const viewerOf = async (organizationId: string) => {
	const { token } = await givenMember(organizationId, "organization-lending-viewer");
	return async () => expectOk(await call(getLenderAttention, { as: token }));
};

const NOTHING = { count: 0, more: false, oldest: null };

it("nothing waits for a new lender, with any work of another", async () => {
	const [mine, other] = [await givenOrganization(), await givenOrganization()];
	for (const kind of ["WAITING_USER", "PAYMENT", "DISBURSEMENT"] as const)
		await givenWork(kind, { organizationId: other.id, since: Date.now() - 60 * MINUTE_MS });
	expect(await (await viewerOf(mine.id))()).toMatchObject({
		due_today: { count: 0, more: false },
		overdue: {
			count: 0,
			more: false,
			amounts: [],
			oldest_due_date: null,
			past_due: [0, 30, 60, 90].map((over_days) => ({ over_days, count: 0 })),
		},
		...{
			unmatched_payments: NOTHING,
			waiting_users: NOTHING,
			payouts: NOTHING,
			approvals: NOTHING,
			paused_connections: [],
			low_floats: [],
		},
		statement_breaks: { ...NOTHING, amounts: [], untied_days: 0 },
	});
	expect(await call(getLenderAttention, { as: (await givenMember(mine.id, "organization-developer")).token })).toMatchObject({
		status: 403,
	});
});

it.each([
	["WAITING_USER", "waiting_users"],
	["PAYMENT", "unmatched_payments"],
	["DISBURSEMENT", "payouts"],
] as const satisfies readonly (readonly [WorkKind, string])[])("work of the kind %s is counted, with the oldest", async (kind, member) => {
	const { id } = await givenOrganization();
	const since = Date.now() - 60 * MINUTE_MS;
	for (const later of [0, 1]) await givenWork(kind, { organizationId: id, since: since + later });
	expect((await (await viewerOf(id))())[member]).toEqual({ count: 2, more: false, oldest: toTimestamp(since) });
});

it("a colleague who has joined waits for nobody: neither counted, nor among the work, nor among users to admit", async () => {
	const { id: organizationId } = await givenOrganization();
	const attention = await viewerOf(organizationId);
	const borrower = await givenUser({ organizationId, status: "WAITING_LIST" });
	const owner = await givenMember(organizationId);
	const { token } = await givenInvitation(owner.token, organizationId, { email: "anna@example.com", role: "organization-lending-admin" });
	// Their own provider signs them in first, which is where the organization's borrowers come from too.
	const anna = await givenUser({ organizationId, status: "WAITING_LIST", email: "anna@example.com" });
	expect((await attention()).waiting_users).toMatchObject({ count: 2 });
	expectOk(await call(acceptInvitation, { as: anna.token, body: { token } }));
	expect((await attention()).waiting_users).toMatchObject({ count: 1 });
	const staff = { as: anna.token, headers: { "x-organization-id": organizationId } };
	const waiting = expectOk(await call(listUsers, { ...staff, query: { status: "WAITING_LIST" } })).data;
	expect(waiting.map(({ id }) => id)).toEqual([borrower.id]);
	const work = expectOk(await call(listOwnedWork, { ...staff, query: { kind: "WAITING_USER" } })).data;
	expect(work.map(({ id }) => id)).toEqual([borrower.id]);
	const all = expectOk(await call(listUsers, { ...staff, query: { ids: [anna.id] } })).data;
	expect(all).toMatchObject([{ id: anna.id, status: "WAITING_LIST" }]);
});

it("open breaks with statements are counted, with what they make of the difference", async () => {
	const { id } = await givenOrganization();
	const since = Date.now() - 60 * MINUTE_MS;
	for (const later of [0, 1]) await givenWork("STATEMENT_BREAK", { organizationId: id, since: since + later });
	expect((await (await viewerOf(id))()).statement_breaks).toEqual({
		...{ count: 2, more: false, oldest: toTimestamp(since), amounts: [{ value: 2_000, currency: "KES" }], untied_days: 0 },
	});
});

it("a request for approval counts until it expires", async () => {
	const { id } = await givenOrganization();
	await givenWork("APPROVAL", { organizationId: id, since: Date.now() + DAY_MS });
	await givenWork("APPROVAL", { organizationId: id, since: Date.now() - DAY_MS });
	expect((await (await viewerOf(id))()).approvals).toMatchObject({ count: 1, more: false });
});

it("a paused connection is named until its pause has ended", async () => {
	const { organization } = await givenLender();
	const attention = await viewerOf(organization.id);
	expect((await attention()).paused_connections).toEqual([]);
	await db.update(paymentConnections).set({ status: "PAUSED", pausedReason: "CREDENTIALS_REFUSED", pausedUntil: null });
	expect((await attention()).paused_connections).toEqual([{ provider: "daraja", reason: "CREDENTIALS_REFUSED", until: null }]);
	await db.update(paymentConnections).set({ pausedUntil: Date.now() - 1 });
	expect((await attention()).paused_connections).toEqual([]);
});

it("loans that are due today or overdue are counted, by days past due, and those of today are listed", async () => {
	const loan = await givenLoan(30_000);
	const attention = await viewerOf(loan.organization.id);
	const { today } = await attention();
	const due = (earliestDue: string) => db.update(creditAccounts).set({ earliestDue }).where(eq(creditAccounts.id, loan.accountId));
	await due(today);
	expect(await attention()).toMatchObject({ due_today: { count: 1, more: false }, overdue: { count: 0 } });
	const { token } = await givenMember(loan.organization.id, "organization-lending-viewer");
	const staff = { as: token, headers: { "x-organization-id": loan.organization.id } };
	const dueOn = async (day: string) => expectOk(await call(listAccounts, { ...staff, query: { due_on: day } })).data.map(({ id }) => id);
	expect([await dueOn(today), await dueOn(addDays(today, 1))]).toEqual([[loan.accountId], []]);
	const ofOne = { due_on: today, user_id: loan.borrower.id };
	expect(await call(listAccounts, { ...staff, query: ofOne })).toMatchObject({ status: 400 });

	const oldest = addDays(today, -31);
	await due(oldest);
	await db.update(loanPositions).set({ oldestDue: oldest, overdue: 4_200 });
	expect(await attention()).toMatchObject({
		due_today: { count: 0 },
		overdue: {
			...{ count: 1, more: false, amounts: [{ value: 4_200, currency: "KES" }], oldest_due_date: oldest },
			past_due: [1, 1, 0, 0].map((count, index) => ({ over_days: [0, 30, 60, 90][index], count })),
		},
	});
	// Paid since the last day was closed.
	await due(addDays(today, 20));
	expect((await attention()).overdue).toMatchObject({ count: 0, amounts: [], oldest_due_date: null });
});
