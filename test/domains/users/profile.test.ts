// What users see about themselves, and their admission from the waiting list.

import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { admitUser, getMe } from "../../../src/domains/users/profile.operations";
import { webhookEvents } from "../../../src/events/table";
import { call, expectOk } from "../../support/client";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { expectUser } from "../../support/profiles";

describe("a user's profile", () => {
	it("names their organizations with their role, and masks their number", async () => {
		const organization = await givenOrganization();
		const member = await givenMember(organization.id, "organization-owner", { mobileNumber: "+254712345678", email: "anna@example.com" });
		const { id, slug } = organization;
		expect(expectUser(await call(getMe, { as: member.token }))).toMatchObject({
			id: member.id,
			status: "ACTIVE",
			mobile_number: "+254******678",
			email: "anna@example.com",
			organizations: [{ id, slug, role: "organization-owner" }],
		});
	});

	it("is shown on the waiting list, too", async () => {
		const { token } = await givenUser({ status: "WAITING_LIST" });
		expect(expectUser(await call(getMe, { as: token }))).toMatchObject({ status: "WAITING_LIST", organizations: [] });
	});
});

describe("an admission", () => {
	it("makes the user active, and raises one event, even after concurrent calls", async () => {
		const { id: organizationId } = await givenOrganization();
		const user = await givenUser({ organizationId, status: "WAITING_LIST" });
		const as = await operatorToken();
		const admit = async () => expectOk(await call(admitUser, { as, path: { userId: user.id } }));
		const admitted = [...(await Promise.all([admit(), admit()])), await admit()];
		for (const answer of admitted) expect(answer).toMatchObject({ id: user.id, status: "ACTIVE" });
		expect(expectUser(await call(getMe, { as: user.token })).status).toBe("ACTIVE");
		const told = await db.select().from(webhookEvents).where(eq(webhookEvents.organizationId, organizationId));
		expect(told.map(({ eventType }) => eventType)).toEqual(["user.admitted"]);
	});

	it("is 404 for a user who does not exist", async () => {
		expect(await call(admitUser, { as: await operatorToken(), path: { userId: crypto.randomUUID() } })).toMatchObject({ status: 404 });
	});
});
