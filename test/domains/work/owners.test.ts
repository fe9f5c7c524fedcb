// Who of a lender's people looks after which piece of work.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { purge } from "../../../src/db/purge";
import { approvals } from "../../../src/domains/approvals/table";
import { expiredOwners } from "../../../src/domains/collections/store";
import { workOwners } from "../../../src/domains/collections/table";
import { removeMember } from "../../../src/domains/organizations/members/operations";
import type { LenderKind } from "../../../src/domains/work/kinds.policy";
import { LENDER_KINDS, SUBJECT_OF } from "../../../src/domains/work/kinds.policy";
import { assignWork, listOwnedWork, listOwners } from "../../../src/domains/work/owners.operations";
import { DAY_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenLoan } from "../../support/credit";
import { db, givenMember, givenOrganization } from "../../support/factories";
import { runDueWork } from "../../support/loans";
import { givenWork } from "../../support/work";

async function givenStaff(of?: { readonly id: string }) {
	const { id: organizationId } = of ?? (await givenOrganization());
	const lead = await givenMember(organizationId, "organization-lending-admin");
	const colleague = await givenMember(organizationId, "organization-lending-admin");
	const by = { as: lead.token, headers: { "x-organization-id": organizationId } };
	const list = (kind: LenderKind, owner?: string, more: object = {}) => call(listOwnedWork, { ...by, query: { kind, owner, ...more } });
	const ids = async (kind: LenderKind, owner?: string) => expectOk(await list(kind, owner)).data.map(({ id }) => id);
	const assign = (kind: LenderKind, subjectId: string, owner_id: string | null) =>
		call(assignWork, { ...by, path: { subjectId }, body: { kind: SUBJECT_OF[kind], owner_id } });
	const given = async (kind: LenderKind, minutes = 60) => {
		const id = await givenWork(kind, { organizationId, since: Date.now() - minutes * MINUTE_MS });
		await db.update(approvals).set({ expiresAt: Date.now() + DAY_MS });
		return id;
	};
	return { organizationId, lead, colleague, by, list, ids, assign, given };
}

it.each(LENDER_KINDS)(
	"work of the kind %s is listed, assigned to a member of the lender, and found by who looks after it",
	async (kind) => {
		const { lead, colleague, list, ids, assign, given } = await givenStaff();
		const [older, newer] = [await given(kind, 90), await given(kind, 60)];
		const other = await givenStaff();
		const theirs = await other.given(kind);
		expect(await ids(kind)).toEqual([older, newer]);
		expect(expectOk(await assign(kind, newer, lead.id))).toEqual({ subject_id: newer, kind: SUBJECT_OF[kind], owner_id: lead.id });
		expect(expectOk(await list(kind)).data).toMatchObject([
			{ id: older, kind, owner_id: null },
			{ id: newer, kind, owner_id: lead.id },
		]);
		expect([await ids(kind, "NONE"), await ids(kind, lead.id), await ids(kind, colleague.id)]).toEqual([[older], [newer], []]);
		expectOk(await assign(kind, newer, colleague.id));
		expect([await ids(kind, lead.id), await ids(kind, colleague.id)]).toEqual([[], [newer]]);
		expectOk(await assign(kind, newer, null));
		expect(await ids(kind, "NONE")).toEqual([older, newer]);
		expect(await assign(kind, theirs, lead.id)).toMatchObject({ status: 404 });
		expect(await assign(kind, older, other.lead.id)).toMatchObject({ status: 400 });
		expect(await other.ids(kind)).toEqual([theirs]);
	},
);

it("who looks after which of a list's rows is read at once, within the organization", async () => {
	const { organizationId, lead, colleague, by, assign, given } = await givenStaff();
	const [payment, approval, nobodys] = [await given("PAYMENT"), await given("APPROVAL"), await given("STATEMENT_BREAK")];
	expectOk(await assign("PAYMENT", payment, lead.id));
	expectOk(await assign("APPROVAL", approval, colleague.id));
	const other = await givenStaff();
	const theirs = await other.given("PAYMENT");
	expectOk(await other.assign("PAYMENT", theirs, other.lead.id));
	const owners = (ids: string[], as: object = by) => call(listOwners, { ...(as as typeof by), query: { ids } });
	const rows = [payment, approval, nobodys, theirs];
	expect(new Set(expectOk(await owners(rows)).data)).toEqual(
		new Set([
			{ subject_id: payment, kind: "PAYMENT", owner_id: lead.id },
			{ subject_id: approval, kind: "APPROVAL", owner_id: colleague.id },
		]),
	);
	expect(expectOk(await owners(rows, other.by)).data.map(({ subject_id }) => subject_id)).toEqual([theirs]);
	const financing = await givenMember(organizationId, "organization-financing-admin");
	expect(await owners(rows, { ...by, as: financing.token })).toMatchObject({ status: 403 });
	expect(await owners(Array.from({ length: 101 }, () => payment))).toMatchObject({ status: 400 });
});

it("a piece of work has the receipt by which people know it, and names whom a request for approval is about", async () => {
	const { accountId, borrower, organization } = await givenLoan();
	const userId = borrower.id;
	const { list, given } = await givenStaff(organization);
	const payment = await given("PAYMENT");
	expect(expectOk(await list("PAYMENT")).data).toMatchObject([{ reference: payment }]);
	const [ofUser, ofAccount, ofNobody] = [await given("APPROVAL", 90), await given("APPROVAL", 80), await given("APPROVAL", 70)];
	await db.update(approvals).set({ entityType: "USER", entityId: userId }).where(eq(approvals.id, ofUser));
	await db.update(approvals).set({ entityId: accountId }).where(eq(approvals.id, ofAccount));
	expect(expectOk(await list("APPROVAL")).data).toMatchObject([
		{ id: ofUser, user_id: userId, account_id: null, reference: null },
		{ id: ofAccount, user_id: userId, account_id: accountId },
		{ id: ofNobody, user_id: null },
	]);
});

it("pages follow each other with and without an owner", async () => {
	const { lead, list, assign, given } = await givenStaff();
	const all = [await given("PAYMENT", 90), await given("PAYMENT", 80), await given("PAYMENT", 70)];
	for (const id of all) expectOk(await assign("PAYMENT", id, lead.id));
	for (const owner of [undefined, lead.id]) {
		const first = expectOk(await list("PAYMENT", owner, { size: "2" }));
		const rest = expectOk(await list("PAYMENT", owner, { size: "2", after: first.links.next ?? "" }));
		expect([...first.data, ...rest.data].map(({ id }) => id).sort()).toEqual([...all].sort());
		expect([first.data.length, rest.data.length, rest.links.next]).toEqual([2, 1, null]);
	}
});

it("who looked after a payment is forgotten after 90 days, and who looks after a user is not", async () => {
	const { lead, assign, given } = await givenStaff();
	const [payment, user] = [await given("PAYMENT"), await given("WAITING_USER")];
	expectOk(await assign("PAYMENT", payment, lead.id));
	expectOk(await assign("WAITING_USER", user, lead.id));
	await db.update(workOwners).set({ assignedAt: Date.now() - 91 * DAY_MS });
	await runDueWork(({ db: there, now }) => purge(there, [expiredOwners(there.orm, now)]));
	expect((await db.select().from(workOwners)).map(({ subjectId }) => subjectId)).toEqual([user]);
});

it("requests for approval are listed for those alone who may read them", async () => {
	const { organizationId, list, given } = await givenStaff();
	await given("APPROVAL");
	const viewer = await givenMember(organizationId, "organization-lending-viewer");
	const by = { as: viewer.token, headers: { "x-organization-id": organizationId } };
	expect(await call(listOwnedWork, { ...by, query: { kind: "APPROVAL" } })).toMatchObject({ status: 403 });
	expect((await call(listOwnedWork, { ...by, query: { kind: "PAYMENT" } })).status).toBe(200);
	expect((await list("APPROVAL")).status).toBe(200);
});

it("work of a member who was removed is nobody's", async () => {
	const { organizationId, colleague, ids, assign, given } = await givenStaff();
	const payment = await given("PAYMENT");
	expectOk(await assign("PAYMENT", payment, colleague.id));
	expect(await ids("PAYMENT", "NONE")).toEqual([]);
	const owner = await givenMember(organizationId, "organization-owner");
	const path = { organizationId, userId: colleague.id };
	expect((await call(removeMember, { as: owner.token, path, query: {} })).status).toBe(204);
	expect(await ids("PAYMENT", "NONE")).toEqual([payment]);
});
