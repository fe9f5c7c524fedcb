// What holds until OpenFGA has heard of a change, and what it decides afterwards.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval, requestApproval } from "../../../../src/domains/approvals/operations";
import { listMerchantInvoices, uploadInvoices } from "../../../../src/domains/invoices/operations";
import { deleteMerchantGrant, putMerchantGrant } from "../../../../src/domains/organizations/merchant-grants/operations";
import { memberships } from "../../../../src/domains/organizations/table";
import { member, memberOfPath } from "../../../../src/http/callers/access";
import { objectOf } from "../../../../src/providers/openfga/requests";
import { CHANGES_BIND_MS } from "../../../../src/runtime/ports";
import { forgetAll } from "../../../../src/shared/cache";
import type { Role } from "../../../../src/shared/permissions";
import { call, expectOk } from "../../../support/client";
import { moveClock } from "../../../support/clock";
import { db, givenUser } from "../../../support/factories";
import { invoiceBody } from "../../../support/invoices";
import { down, givenKnownOrganization, sendSyncs } from "../../../support/known-organization";
import { allowErrors } from "../../../support/log";
import { type FakeOpenFga, fakeOpenFga, tupleVars as vars } from "../../../support/openfga";
import { probe, whoami } from "../../../support/probe";

let fga: FakeOpenFga;
beforeEach(() => {
	fga = fakeOpenFga();
});

const given = (role?: Role) => givenKnownOrganization(fga, role);

describe("what OpenFGA lets somebody decide", () => {
	it.each([
		["financing_admin", 403],
		["lending_admin", 200],
		["approvals_decide", 403],
		["admin", 200],
	])("about a borrower, with the relation %s: %i", async (relation, status) => {
		const { organization, owner, subject, object } = await given("organization-viewer");
		const borrower = await givenUser({ organizationId: organization.id });
		await db.update(memberships).set({ reachedAt: 1 }).where(eq(memberships.userId, subject.id));
		fga.tuples.add(`user:${subject.id} ${relation} ${object}`);
		const headers = { "x-organization-id": organization.id };
		const body = {
			approval_type: "BLOCK_CHANGE" as const,
			entity_type: "USER" as const,
			entity_id: borrower.id,
			payload: { blocked: true },
		};
		const { id } = expectOk(await call(requestApproval, { as: owner.token, headers, body, vars }));
		const decided = await call(decideApproval, { as: subject.token, headers, path: { id }, body: { decision: "APPROVED" }, vars });
		expect(decided.status).toBe(status);
	});
});

describe("merchants", () => {
	it("are decided by OpenFGA for the service's own tokens, all of a batch in one request", async () => {
		const { organization, subject, object } = await given("organization-viewer");
		await db.update(memberships).set({ reachedAt: 1 }).where(eq(memberships.userId, subject.id));
		const names = Array.from({ length: 100 }, (_, at) => `m-${at}`);
		for (const id of names) {
			const merchant = await objectOf({ type: "merchant", id, organizationId: organization.id });
			fga.tuples.add(`user:${subject.id} financing_invoices_write ${merchant}`);
		}
		const invoices = names.map((merchant_id) => invoiceBody({ merchant_id }));
		const wide = { ...vars, OPENFGA_CHECKS_PER_REQUEST: "100" } as Partial<Env>;
		expectOk(await call(uploadInvoices, { as: subject.token, body: { invoices }, vars: wide }));
		expect(fga.asked.map(({ url, check }) => [url.split("/").at(-1), check.checks?.length])).toEqual([
			["check", undefined],
			["batch-check", 100],
		]);
		expect(fga.of(subject.id)).toContain(`viewer ${object}`);
	});
});

describe("until OpenFGA has heard", () => {
	const reads = whoami(memberOfPath("org:audit:read"), "GET", "/at/{organizationId}");
	const writes = whoami(member("org:webhooks:write"), "POST");
	const asks = async (as: string, organizationId: string) => {
		const read = await probe([reads], { path: `/at/${organizationId}`, as }, { vars });
		const write = await probe([writes], { as, headers: { "x-organization-id": organizationId } }, { vars });
		return [read.status, write.status];
	};
	beforeEach(() => allowErrors("authorization provider failed"));

	it("a lowered role holds for the next read and the next write, and when it has heard, what is remembered of the old one does no harm", async () => {
		const { organization, subject, change } = await given();
		expect(await asks(subject.token, organization.id)).toEqual([200, 200]);
		fga.write = down;
		expectOk(await change("organization-viewer"));
		expect(await asks(subject.token, organization.id)).toEqual([403, 403]);
		fga.write = (told) => fga.apply(told);
		await moveClock(60_000);
		await sendSyncs();
		expect(await asks(subject.token, organization.id)).toEqual([403, 403]);
	});

	it("a removal holds for the next read and the next write", async () => {
		const { organization, subject, remove } = await given();
		expect(await asks(subject.token, organization.id)).toEqual([200, 200]);
		fga.write = down;
		expect((await remove()).status).toBe(204);
		expect(fga.of(subject.id)).not.toEqual([]);
		expect(await asks(subject.token, organization.id)).toEqual([404, 403]);
	});

	it("a raised role gives nothing, and gives it once it has", async () => {
		const { organization, subject, change } = await given("organization-viewer");
		fga.write = down;
		expectOk(await change("organization-admin"));
		expect(await asks(subject.token, organization.id)).toEqual([403, 403]);
		fga.write = (told) => fga.apply(told);
		await moveClock(60_000);
		await sendSyncs();
		forgetAll();
		expect(await asks(subject.token, organization.id)).toEqual([200, 200]);
	});

	it("and two minutes longer the role here binds; afterwards OpenFGA alone decides", async () => {
		const { organization, subject, object } = await given("organization-viewer");
		fga.tuples.add(`user:${subject.id} webhooks_write ${object}`).add(`user:${subject.id} audit_read ${object}`);
		expect(await asks(subject.token, organization.id)).toEqual([403, 403]);
		const long = Date.now() - CHANGES_BIND_MS - 1;
		await db.update(memberships).set({ reachedAt: long }).where(eq(memberships.userId, subject.id));
		forgetAll();
		expect(await asks(subject.token, organization.id)).toEqual([200, 200]);
	});

	it("a grant for a merchant opens nothing, also to a member who has just come", async () => {
		const { organization, owner, subject } = await given("organization-viewer");
		const path = { merchantId: "m-1", userId: subject.id };
		const body = { permissions: ["org:financing.merchants:read" as const] };
		const headers = { "x-organization-id": organization.id };
		const list = async () => (await call(listMerchantInvoices, { as: subject.token, path, query: {}, headers, vars })).status;
		fga.write = down;
		expectOk(await call(putMerchantGrant, { as: owner.token, path, body, vars }));
		expect(await list()).toBe(403);
		fga.write = (told) => fga.apply(told);
		await moveClock(60_000);
		await sendSyncs();
		forgetAll();
		expect(await list()).toBe(200);
	});

	it("a grant for a merchant that was taken back opens nothing", async () => {
		const { organization, owner, subject } = await given("organization-viewer");
		const path = { merchantId: "m-1", userId: subject.id };
		const body = { permissions: ["org:financing.merchants:read" as const] };
		const headers = { "x-organization-id": organization.id };
		const list = async () => (await call(listMerchantInvoices, { as: subject.token, path, query: {}, headers, vars })).status;
		await db.update(memberships).set({ reachedAt: 1 }).where(eq(memberships.userId, subject.id));
		forgetAll();
		expect(await list()).toBe(403);
		forgetAll();
		expectOk(await call(putMerchantGrant, { as: owner.token, path, body, vars }));
		expect(await list()).toBe(200);
		fga.write = down;
		expect((await call(deleteMerchantGrant, { as: owner.token, path, vars })).status).toBe(204);
		expect(fga.of(subject.id).length).toBe(2);
		expect(await list()).toBe(403);
		fga.write = (told) => fga.apply(told);
		await moveClock(60_000);
		await sendSyncs();
		expect(await list()).toBe(403);
	});
});
