// Which changes leave a row in the audit trail, what it shows, and who may read it.

import { asc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditRows } from "../../../src/db/audit.table";
import { listAudit, listAuditSeals } from "../../../src/domains/audit/operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { createApiKey, deleteApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { addMember } from "../../../src/domains/organizations/members/operations";
import { createOrganization } from "../../../src/domains/organizations/operations";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { signOut } from "../../../src/domains/tokens/sessions/operations";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { admitUser } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, pay, paymentTo, trips } from "../../support/credit";
import { alone, everyDatabase } from "../../support/databases";
import { db, givenMember, givenOrganization, givenUser, newId, operatorToken } from "../../support/factories";
import { givenCopies } from "../../support/metering";
import { planOf } from "../../support/plans";

async function givenOwner() {
	const organization = await givenOrganization();
	return { organization, owner: await givenMember(organization.id), path: { organizationId: organization.id } };
}

const key = (name: string) => ({ name, scopes: ["loans:write" as const] });
const listed = async (as: string, query: object = {}) => expectOk(await call(listAudit, { as, query }));

describe("GET /v1/audit", () => {
	it("lists who changed what, with the request id, newest first", async () => {
		const { organization, owner, path } = await givenOwner();
		const headers = { "x-request-id": "till-17" };
		const made = expectOk(await call(createApiKey, { as: owner.token, path, headers, body: key("till") }));
		await call(deleteApiKey, { as: owner.token, path: { ...path, id: made.id } });
		const { data, verified_through } = await listed(owner.token);
		expect(data).toMatchObject([
			{ sequence: 2, operation: "deleteApiKey", entity_id: made.id, target: { ...path, id: made.id }, changes: {} },
			{
				sequence: 1,
				operation: "createApiKey",
				actor_kind: "MEMBER",
				actor_id: owner.id,
				entity_id: made.id,
				target: { organizationId: organization.id, id: made.id },
				changes: { name: expect.stringMatching(/^hmac:/), scopes: ["loans:write"] },
				request_id: "till-17",
			},
		]);
		expect(verified_through).toBeNull();
	});

	it("shows operators the trail of the organization that they act for, otherwise the platform's", async () => {
		const { organization, owner, path } = await givenOwner();
		const as = await operatorToken();
		const user = await givenUser({ status: "WAITING_LIST" });
		expectOk(await call(admitUser, { as, path: { userId: user.id } }));
		await call(createApiKey, { as, path, body: key("till") });
		const platform = await everywhere(as);
		expect(platform).toMatchObject([{ operation: "admitUser", actor_kind: "OPERATOR", entity_id: user.id }]);
		const acting = expectOk(await call(listAudit, { as, headers: { "x-organization-id": organization.id }, query: {} }));
		expect(acting.data).toMatchObject([{ operation: "createApiKey", actor_kind: "OPERATOR" }]);
		expect((await listed(owner.token)).data).toEqual(acting.data);
	});

	it("hides other organizations' streams and the platform's from members", async () => {
		const { owner } = await givenOwner();
		const other = await givenOwner();
		for (const owning of [other.organization.id, "platform"]) {
			const input = { as: owner.token, query: { stream: `${owning}/000` } };
			expect(await call(listAudit, input)).toMatchObject({ status: 404 });
			expect(await call(listAuditSeals, input)).toMatchObject({ status: 404 });
		}
		const viewer = await givenMember(other.organization.id, "organization-viewer");
		expect(await call(listAudit, { as: viewer.token, query: {} })).toMatchObject({ status: 403 });
	});

	it("pages both ways, with each filter, in one round trip", async () => {
		const { owner, path } = await givenOwner();
		const ids: string[] = [];
		for (const name of ["a", "b", "c", "d", "e"])
			ids.push(expectOk(await call(createApiKey, { as: owner.token, path, body: key(name) })).id);
		await call(deleteApiKey, { as: owner.token, path: { ...path, id: ids[1] ?? "" } });
		const sequences = ({ data }: Awaited<ReturnType<typeof listed>>) => data.map(({ sequence }) => sequence);
		const first = await call(listAudit, { as: owner.token, query: { size: "2", operation: "createApiKey" } });
		expect([sequences(expectOk(first)), trips(first)]).toEqual([[5, 4], 1]);
		const second = await listed(owner.token, { size: "2", operation: "createApiKey", after: expectOk(first).links.next ?? "" });
		expect(sequences(second)).toEqual([3, 2]);
		expect(sequences(await listed(owner.token, { size: "2", operation: "createApiKey", before: second.links.prev ?? "" }))).toEqual([5, 4]);
		expect(sequences(await listed(owner.token, { entity_id: ids[1] ?? "" }))).toEqual([6, 2]);
		expect(sequences(await listed(owner.token, { actor_id: owner.id, size: "1" }))).toEqual([6]);
		expect(sequences(await listed(owner.token, { actor_id: "somebody" }))).toEqual([]);
		expect(await call(listAudit, { as: owner.token, query: { entity_id: "a", actor_id: "b" } })).toMatchObject({
			status: 400,
			body: { invalid_params: [{ path: "query.entity_id", sub_code: "MUTUALLY_EXCLUSIVE" }] },
		});
	});

	it("looks through a bounded part of the trail for an operation, and leads on where it found none, both ways", async () => {
		const { owner, path } = await givenOwner();
		const { id } = expectOk(await call(createApiKey, { as: owner.token, path, body: key("till") }));
		await call(deleteApiKey, { as: owner.token, path: { ...path, id } });
		const removed = (await db.select().from(auditRows)).find(({ operation }) => operation === "deleteApiKey");
		await givenCopies("audit_rows", removed?.id ?? "", 12_000, { sequence: "sequence + n" });

		const made = { operation: "createApiKey", size: "2" };
		const walk = async (way: "after" | "before", query: object): Promise<unknown[]> => {
			const { data, links } = await listed(owner.token, query);
			const onward = way === "after" ? links.next : links.prev;
			const sequences = data.map(({ sequence }) => sequence);
			if (!onward) return [sequences, links[way === "after" ? "prev" : "next"]];
			return [sequences, ...(await walk(way, { ...made, [way]: onward }))];
		};
		const [first, second, third, before] = await walk("after", made);
		expect([first, second, third]).toEqual([[], [], [1]]);
		const back = await walk("before", { ...made, before });
		expect(back.slice(0, -1)).toEqual([[], [], []]);
		const later = await listed(owner.token, { ...made, created_from: "2999-01-01T00:00:00Z" });
		expect([later.data, later.links.next]).toEqual([[], null]);
	});

	it("reads its lists through indexes", async () => {
		const plan = await planOf(
			`select * from audit_rows indexed by audit_rows_entity
			where stream = 's' and entity_id = 'x' and (sequence, stream) < (9, 's') order by sequence desc, stream desc limit 21`,
		);
		expect(plan).toEqual([expect.stringContaining("USING INDEX audit_rows_entity")]);
	});
});

describe("the rows of the audit trail", () => {
	it("are numbered without gaps even by concurrent writers, and cost no extra round trip", { tags: ["thorough"] }, async () => {
		const { owner, path, organization } = await givenOwner();
		const answers = await Promise.all(
			Array.from({ length: 40 }, (_, index) => call(createApiKey, { as: owner.token, path, body: key(`till ${index}`) })),
		);
		const accepted = answers.filter(({ ok }) => ok);
		expect(accepted.length).toBeGreaterThan(0);
		const rows = await db.select().from(auditRows).orderBy(asc(auditRows.sequence));
		expect(rows.map(({ sequence }) => sequence)).toEqual(accepted.map((_, index) => index + 1));
		expect(new Set(rows.map(({ stream }) => stream.split("/")[0]))).toEqual(new Set([organization.id]));
		const one = await call(createApiKey, { as: owner.token, path, body: key("one more") });
		if (alone) expect(trips(one)).toBe(2);
	});

	it("are written once for each of many concurrent payments to one account", { tags: ["thorough"] }, async () => {
		const loan = await givenLoan(30_000);
		const earlier = (await db.select().from(auditRows)).length;
		const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => pay(loan, 100, `TX${index}`)));
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
		const rows = (await db.select().from(auditRows).orderBy(asc(auditRows.createdAt), asc(auditRows.sequence))).slice(earlier);
		const paid = answers.map((answer) => expectOk(answer).transaction.id);
		expect(rows.map(({ entityId }) => entityId).sort()).toEqual(paid.sort());
	});

	it("say of a payment how much it is, and on which account, also when it was sent with a number", async () => {
		const { accountId, key: as } = await givenLoan();
		const [account] = await db.select().from(creditAccounts).where(eq(creditAccounts.id, accountId));
		const { account_id: _, ...payment } = paymentTo(accountId, 4_200);
		const paid = expectOk(await call(recordRepayment, { as, body: { ...payment, account_number: account?.accountNumber ?? "" } }));
		const [row] = await db.select().from(auditRows).where(eq(auditRows.operation, "recordRepayment"));
		expect(row).toMatchObject({
			entityId: paid.transaction.id,
			target: { accountId, id: paid.transaction.id },
			changes: { amount: { value: 4_200, currency: "KES" }, account_number: expect.stringMatching(/^hmac:/) },
		});
	});

	it("are not written for refusals, replays, queries or users", async () => {
		const { owner, path } = await givenOwner();
		const as = await operatorToken();
		const body = { name: "Acme", slug: "acme" };
		const headers = { "idempotency-key": "once" };
		expectOk(await call(createOrganization, { as, headers, body }));
		expectOk(await call(createOrganization, { as, headers, body }));
		expect(await call(createOrganization, { as, body })).toMatchObject({ status: 409 });
		expect(await call(deleteApiKey, { as: owner.token, path: { ...path, id: newId() } })).toMatchObject({ status: 404 });
		const user = await givenUser();
		expectOk(await call(signOut, { as: user.token, body: { all: true } }));
		await listed(owner.token);
		expect(await db.select({ operation: auditRows.operation }).from(auditRows)).toEqual([{ operation: "createOrganization" }]);
	});

	it("can be neither changed nor removed", async () => {
		const { owner, path } = await givenOwner();
		expectOk(await call(createApiKey, { as: owner.token, path, body: key("till") }));
		for (const statement of ["update audit_rows set actor_id = 'x'", "delete from audit_rows"]) {
			await expect(everyDatabase.prepare(statement).run()).rejects.toThrow("append only");
		}
	});

	it("have equal digests for equal texts within a stream, and never the text itself", async () => {
		const as = await operatorToken();
		const subject = "alice@example.com";
		const users = [await givenUser(), await givenUser()] as const;
		for (const [index, { id }] of users.entries())
			expectOk(await call(linkIdentity, { as, path: { userId: id }, body: { issuer: `https://${index}.example`, subject } }));
		const changes = (await db.select().from(auditRows)).map((row) => row.changes as { issuer: string; subject: string });
		expect(JSON.stringify(changes)).not.toMatch(/alice|example/);
		const [first, second] = changes;
		expect(first?.issuer).not.toBe(second?.issuer);
		if (new Set((await db.select().from(auditRows)).map(({ stream }) => stream)).size === 1) expect(first?.subject).toBe(second?.subject);
	});

	it("name the organization by its id even if the path has its slug", async () => {
		const { organization } = await givenOwner();
		const user = await givenUser();
		const as = await operatorToken();
		const body = { user_id: user.id, role: "organization-viewer" as const };
		const member = expectOk(await call(addMember, { as, path: { organizationId: organization.slug }, body }));
		const [row] = await db.select().from(auditRows).where(eq(auditRows.operation, "addMember"));
		expect(row).toMatchObject({ entityId: member.id, changes: body });
		const owner = await givenMember(organization.id);
		expectOk(await call(createApiKey, { as: owner.token, path: { organizationId: organization.slug }, body: key("till") }));
		const { data } = await listed(owner.token);
		expect(data[0]).toMatchObject({ operation: "createApiKey", target: { organizationId: organization.id } });
		// What an operator has done to the organization stands in its trail too, which is not in the user's home.
		const streams = (await db.select().from(auditRows).where(eq(auditRows.operation, "addMember"))).map(
			({ stream }) => stream.split("/")[0],
		);
		expect(streams.sort()).toEqual([organization.id, "platform"].sort());
	});
});

/** The platform's rows in every database. */
async function everywhere(as: string) {
	const rows = await db.select().from(auditRows);
	const streams = new Set(rows.map(({ stream }) => stream).filter((stream) => stream.startsWith("platform/")));
	const pages = await Promise.all([...streams].map((stream) => listed(as, { stream })));
	return pages.flatMap(({ data }) => data);
}
