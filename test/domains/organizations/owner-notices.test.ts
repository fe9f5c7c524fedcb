// Owners of an organization get a mail of each new API key, owner and admin, wherever their homes are.

import { beforeEach, expect, it } from "vitest";
import { messages } from "../../../src/domains/messages/table";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { acceptInvitation } from "../../../src/domains/organizations/invitations/acceptance.operations";
import { addMember, changeRole } from "../../../src/domains/organizations/members/operations";
import { ownerNotice } from "../../../src/domains/organizations/notices.plan";
import type { Role } from "../../../src/shared/permissions";
import { call, expectOk } from "../../support/client";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenInvitation } from "../../support/invitations";
import { jobsFor } from "../../support/jobs";

const OWNERS = ["anna@example.com", "ben@example.com"];
let organizationId: string;
let owner: Awaited<ReturnType<typeof givenMember>>;

beforeEach(async () => {
	organizationId = (await givenOrganization()).id;
	const [first = "", second = ""] = OWNERS;
	owner = await givenMember(organizationId, "organization-owner", { organizationId, email: first });
	await givenMember(organizationId, "organization-owner", { email: second });
	await givenMember(organizationId, "organization-owner");
	await givenMember(organizationId, "organization-admin", { email: "admin@example.com" });
});

const mailed = async () =>
	(await db.select().from(messages))
		.filter(({ purpose }) => purpose === "SECURITY")
		.map(({ recipient }) => recipient)
		.sort();
const noted = async (times: number) => expect(await mailed()).toEqual(OWNERS.flatMap((mail) => Array.from({ length: times }, () => mail)));

it("owners get a mail about a key", async () => {
	const body = { name: "till", scopes: ["loans:write" as const] };
	expectOk(await call(createApiKey, { as: owner.token, path: { organizationId }, body }));
	await noted(1);
});

it("an owner gets one mail, though the notice is carried to the owner twice", async () => {
	const there = await jobsFor(owner.id);
	const id = there.newId();
	const notice = { id, userId: owner.id, sealed: "sealed", createdAt: there.now };
	for (let time = 0; time < 2; time++) await there.commit(ownerNotice.apply(there, notice));
	expect(await mailed()).toEqual([OWNERS[0]]);
});

it("owners get a mail about a role with powers over the organization, given in any way, and about no other", async () => {
	const add = async (role: Role) => {
		const body = { user_id: (await givenUser()).id, role };
		return expectOk(await call(addMember, { as: await operatorToken(), path: { organizationId }, body }));
	};
	const viewer = await add("organization-viewer");
	await noted(0);
	await add("organization-admin");
	await noted(1);
	const path = { organizationId, userId: viewer.user_id };
	expectOk(await call(changeRole, { as: owner.token, path, body: { role: "organization-developer" } }));
	await noted(1);
	expectOk(await call(changeRole, { as: owner.token, path, body: { role: "organization-admin" } }));
	await noted(2);
	expectOk(await call(changeRole, { as: owner.token, path, body: { role: "organization-owner" } }));
	await noted(3);
	const email = "cleo@example.com";
	const { token } = await givenInvitation(owner.token, organizationId, { email, role: "organization-admin" });
	const invited = await givenUser({ email });
	expectOk(await call(acceptInvitation, { as: invited.token, body: { token } }));
	await noted(4);
});
