// What somebody can take whom the outside authorization provider knows better than they are: a former member, a stranger, and a member whose
// role was lowered. The provider says what members may, never who is one, and nothing of what a role was taken for.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { acceptInvitation } from "../../../src/domains/organizations/invitations/acceptance.operations";
import { addMember, changeRole, listMembers, removeMember } from "../../../src/domains/organizations/members/operations";
import { users } from "../../../src/domains/users/model/table";
import type { AnyOperation } from "../../../src/http/operation";
import { forgetAll } from "../../../src/shared/cache";
import { rolePermits } from "../../../src/shared/permissions";
import { call, expectOk } from "../../support/client";
import { operations } from "../../support/domains";
import { naming, title } from "../../support/doors";
import { accessToken, db, givenMember, givenOrganization, oneTrip, operatorToken } from "../../support/factories";
import { givenInvitation } from "../../support/invitations";
import { givenKey, signed } from "../../support/issuers";
import { type FakeOpenFga, fakeOpenFga, json, vars } from "../../support/openfga";
import { send } from "../senders";
import { givenParties, validRequest } from "../valid-requests";

const forMembers = operations.filter(({ access }) => access.organization);

let fga: FakeOpenFga;
beforeEach(() => {
	fga = fakeOpenFga();
	// Every tuple that was ever written is still there.
	fga.answer = () => json({ allowed: true });
});

/** Sends the operation with nothing in it but the credentials and the organization. */
function ask(op: (typeof operations)[number], as: string, organizationId: string) {
	const { headers = {} } = naming(op, organizationId);
	const path = Object.fromEntries([...op.path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => [name, crypto.randomUUID()]));
	return send(op, { path: { ...path, organizationId }, ...(op.method !== "GET" && { body: {} }) }, { as, headers }, vars);
}

async function given() {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const owner = await givenMember(organization.id, "organization-owner", {}, write);
	const member = await givenMember(organization.id, "organization-admin", {}, write);
	await written();
	return { organization, owner, member };
}

it("a removed member is refused by every operation at once, while the provider still allows them everything", async () => {
	const { organization, owner, member } = await given();
	expect(forMembers.length).toBeGreaterThan(50);
	/** The operations that let the member in: an unknown id in the path is 404 only after that. */
	const letIn = async (forget: () => void) => {
		const found: string[] = [];
		for (const op of forMembers) {
			fga.asked.splice(0);
			forget();
			const { status } = await ask(op, member.token, organization.id);
			if (![401, 403, 404].includes(status) || fga.asked.length > 0) found.push(title(op));
		}
		return found;
	};
	const before = await letIn(forgetAll);
	expect(before.length).toBeGreaterThan(forMembers.length * 0.9);
	const path = { organizationId: organization.id, userId: member.id };
	expect(await call(removeMember, { as: owner.token, path, query: {}, vars })).toMatchObject({ status: 204 });
	expect(await letIn(() => {})).toEqual([]);
});

it("a stranger is refused by every operation, and the provider is not asked about them", async () => {
	const { organization } = await given();
	const elsewhere = await givenOrganization();
	const stranger = await givenMember(elsewhere.id, "organization-owner");
	for (const op of forMembers) {
		forgetAll();
		const { status } = await ask(op, stranger.token, organization.id);
		expect([401, 403, 404], title(op)).toContain(status);
	}
	expect(fga.asked).toEqual([]);
});

describe("a member whose role was lowered here, while the provider still allows them everything", () => {
	const LOWERED = "organization-viewer" as const;
	/** Members of the organization who are viewers now, by how they became so. */
	const WAYS: Record<string, (path: { organizationId: string; userId: string }, owner: string) => Promise<unknown>> = {
		"by a change of it": async (path, as) => {
			expectOk(await call(changeRole, { as, path, body: { role: LOWERED }, vars }));
		},
		"when they came back": async (path, as) => {
			expect(await call(removeMember, { as, path, query: {}, vars })).toMatchObject({ status: 204 });
			const body = { user_id: path.userId, role: LOWERED };
			expectOk(await call(addMember, { as: await operatorToken(), path: { organizationId: path.organizationId }, body, vars }));
		},
		"when they accepted another invitation": async (path, as) => {
			expect(await call(removeMember, { as, path, query: {}, vars })).toMatchObject({ status: 204 });
			const email = "back@example.com";
			await db.update(users).set({ email }).where(eq(users.id, path.userId));
			const { token } = await givenInvitation(as, path.organizationId, { email, role: LOWERED });
			expectOk(await call(acceptInvitation, { as: await accessToken(path.userId), body: { token }, vars }));
		},
	};
	const IDENTITY = "https://staff.example";

	it.each(Object.entries(WAYS))("may nothing that the present role does not hold, by any operation: %s", async (_, lower) => {
		const parties = await givenParties();
		const { id } = parties.organization;
		const member = await givenMember(id, "organization-admin");
		await lower({ organizationId: id, userId: member.id }, parties.owner.token);
		const key = await givenKey();
		const issuer = {
			issuer: IDENTITY,
			kind: "identity",
			may_assert_user_ids: true,
			organization_id: id,
			resource_access_provider: "openfga",
		};
		const identity = { ...vars, TRUSTED_ISSUERS: JSON.stringify([{ ...issuer, jwks: { keys: [key.jwk] } }]) };
		const byIdentity = await signed(key, { iss: IDENTITY, sub: member.id });
		const found: string[] = [];
		for (const op of forMembers) {
			const { permission, askedBy } = op.access.organization ?? {};
			if (!permission || rolePermits(LOWERED, permission)) continue;
			forgetAll();
			fga.asked.splice(0);
			const { headers = {} } = naming(op, id);
			const request = askedBy && (await validRequest(op, parties));
			const answers = request
				? [await send(op, request, { as: member.token, headers }, vars), await send(op, request, { as: byIdentity, headers }, identity)]
				: [await ask(op, member.token, id)];
			// An invoice that they may not see is 404.
			if (answers.some(({ status }) => status !== 403 && status !== 404) || fga.asked.length > 0) found.push(title(op));
		}
		expect(found).toEqual([]);
		// What both allow.
		expect((await ask(listMembers as unknown as AnyOperation, member.token, id)).status).toBe(200);
		fga.answer = () => json({ allowed: false });
		forgetAll();
		expect((await ask(listMembers as unknown as AnyOperation, member.token, id)).status).toBe(403);
	});
});
