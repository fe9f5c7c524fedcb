// A key never may what its maker may not: the powers it is made with, uses and loses.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { adoptApiKey, createApiKey, deleteApiKey } from "../../../../src/domains/organizations/api-keys/operations";
import { removeMember } from "../../../../src/domains/organizations/members/operations";
import { apiKeys, organizationMembers } from "../../../../src/domains/organizations/table";
import { apiKey } from "../../../../src/http/callers/access";
import { type Role, SCOPES, type Scope } from "../../../../src/shared/permissions";
import { call, expectOk } from "../../../support/client";
import { rowsRead, trips } from "../../../support/credit";
import { db, givenApiKey, givenMember, givenOrganization, operatorToken } from "../../../support/factories";
import { beforeCommit } from "../../../support/loans";
import { probe, whoami } from "../../../support/probe";
import { expectRows } from "../../../support/rows";

const writesLoans = whoami(apiKey("loans:write"));
const uses = (key: string) => probe([writesLoans], { as: key });

describe("a key's maker", () => {
	const create = async (role: Role, scopes: readonly Scope[]) => {
		const organization = await givenOrganization();
		const member = await givenMember(organization.id, role);
		const path = { organizationId: organization.id };
		const answer = await call(createApiKey, { as: member.token, path, body: { name: "till", scopes: [...scopes] } });
		return { organization, member, path, answer };
	};
	const copyOf = (userId: string) => eq(organizationMembers.userId, userId);

	it("gives it no scope beyond their own role", async () => {
		expect((await create("organization-developer", ["events:read"])).answer).toMatchObject({ status: 201 });
		for (const scope of SCOPES.filter((one) => one !== "events:read")) {
			expect((await create("organization-developer", ["events:read", scope])).answer).toMatchObject({
				status: 403,
				body: { description: `Your role does not hold the scope ${scope}` },
			});
		}
		expect(await db.select().from(apiKeys)).toHaveLength(1);
	});

	it("takes from it what they lose, gives it back, and ends it by leaving, in the next request", async () => {
		const { member, answer } = await create("organization-admin", ["loans:write"]);
		const { key = "" } = expectOk(answer);
		expect(await uses(key)).toMatchObject({ status: 200 });
		const become = (set: Partial<typeof organizationMembers.$inferInsert>) =>
			db.update(organizationMembers).set(set).where(copyOf(member.id));
		await become({ role: "organization-developer" });
		expect(await uses(key)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		await become({ removedAt: 1 });
		for (const _ of ["", "again"]) expect(await uses(key)).toMatchObject({ status: 401 });
		await become({ removedAt: null, role: "organization-admin" });
		const used = await uses(key);
		expect(trips(used)).toBe(1);
		expectRows(rowsRead(used)).toBe(2);
	});

	it("is the member who adopts it, if they hold all its scopes", async () => {
		const { organization, member, path, answer } = await create("organization-admin", ["loans:write"]);
		const { id, key = "" } = expectOk(answer);
		const adopt = (as: string, vars: Partial<Env> = {}) => call(adoptApiKey, { as, path: { ...path, id }, vars });
		const developer = await givenMember(organization.id, "organization-developer");
		expect(await adopt(developer.token)).toMatchObject({ status: 403 });
		await db.update(organizationMembers).set({ removedAt: 1 }).where(copyOf(member.id));
		expect(await uses(key)).toMatchObject({ status: 401 });
		const owner = await givenMember(organization.id);
		expect(expectOk(await adopt(owner.token))).toMatchObject({ id, created_by: owner.id });
		expect(await uses(key)).toMatchObject({ status: 200 });
		expect(expectOk(await adopt(owner.token))).toMatchObject({ created_by: owner.id });
		const another = await givenMember(organization.id);
		const revoke = () => call(deleteApiKey, { as: owner.token, path: { ...path, id } });
		expect(await adopt(another.token, beforeCommit(revoke))).toMatchObject({ status: 404 });
	});

	it("is the member who removes the maker with adopt_keys, for the keys whose scopes they hold, in that commit", async () => {
		const { organization, member, path, answer } = await create("organization-developer", ["events:read"]);
		const { key = "" } = expectOk(answer);
		const beyond = await givenApiKey(organization.id, ["loans:write"], { createdBy: member.id });
		const other = await givenApiKey(organization.id, ["loans:write"], { createdBy: (await givenMember(organization.id)).id });
		const readsEvents = whoami(apiKey("events:read", "loans:write"));
		const asked = (as: string) => probe([readsEvents], { as });
		const admin = await givenMember(organization.id, "organization-admin");
		await db
			.update(apiKeys)
			.set({ scopes: ["loans:write", "unknown"] })
			.where(eq(apiKeys.maskedKey, `sk_...${beyond.slice(-4)}`));
		const remove = (adopt_keys: "true" | "false") =>
			call(removeMember, { as: admin.token, path: { ...path, userId: member.id }, query: { adopt_keys } });
		const during = Promise.all(Array.from({ length: 4 }, () => asked(key)));
		expect(await remove("true")).toMatchObject({ status: 204 });
		// Never between two makers.
		expect((await during).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		expect([(await asked(key)).status, (await asked(beyond)).status, (await asked(other)).status]).toEqual([200, 401, 200]);
		const [adopted] = await db.select().from(apiKeys).where(eq(apiKeys.createdBy, admin.id));
		expect(adopted).toMatchObject({ id: expectOk(answer).id });
	});

	it("is not an operator alone where operators work in pairs: until a member adopts it, the key is refused", async () => {
		const vars = { OPERATOR_PAIRS: "on" };
		const organization = await givenOrganization();
		const path = { organizationId: organization.id };
		const body = { name: "till", scopes: ["loans:write" as const] };
		const as = await operatorToken();
		const { id, key = "" } = expectOk(await call(createApiKey, { as, path, body }));
		expect(await uses(key)).toMatchObject({ status: 200 });
		const inPairs = () => probe([writesLoans], { as: key }, { vars });
		for (const _ of ["", "again"]) expect(await inPairs()).toMatchObject({ status: 401 });
		for (const refused of [
			await call(createApiKey, { as, path, body, vars }),
			await call(adoptApiKey, { as, path: { ...path, id }, vars }),
		])
			expect(refused).toMatchObject({ status: 403 });
		const owner = await givenMember(organization.id);
		expectOk(await call(adoptApiKey, { as: owner.token, path: { ...path, id }, vars }));
		expect(await inPairs()).toMatchObject({ status: 200 });
	});

	it("takes their keys with them when they are removed without adopt_keys", async () => {
		const { organization, member, path, answer } = await create("organization-developer", ["events:read"]);
		const owner = await givenMember(organization.id);
		expect(await call(removeMember, { as: owner.token, path: { ...path, userId: member.id } })).toMatchObject({ status: 204 });
		expect(await probe([whoami(apiKey("events:read"))], { as: expectOk(answer).key ?? "" })).toMatchObject({ status: 401 });
	});

	it("ends their keys for good in the middle of many uses, when they are removed", async () => {
		const { organization, member, path, answer } = await create("organization-admin", ["loans:write"]);
		const key = expectOk(answer).key ?? "";
		const owner = await givenMember(organization.id);
		const [removed, ...used] = await Promise.all([
			call(removeMember, { as: owner.token, path: { ...path, userId: member.id } }),
			...Array.from({ length: 16 }, () => uses(key)),
		]);
		expect(removed).toMatchObject({ status: 204 });
		for (const { status } of used) expect([200, 401]).toContain(status);
		for (let again = 0; again < 3; again++) expect(await uses(key)).toMatchObject({ status: 401 });
	});

	it("is judged by their role in this organization alone", async () => {
		const { member, answer } = await create("organization-admin", ["loans:write"]);
		const elsewhere = await givenOrganization();
		const row = { organizationId: elsewhere.id, userId: member.id, membershipId: "m", version: 1, createdAt: 0, removedAt: 1 };
		await db.insert(organizationMembers).values({ ...row, role: "organization-viewer" });
		expect(await uses(expectOk(answer).key ?? "")).toMatchObject({ status: 200 });
	});
});
