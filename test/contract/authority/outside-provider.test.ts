// What a former member can take whom the outside authorization provider still knows: the provider says what members may, never who is one.

import { beforeEach, expect, it } from "vitest";
import { removeMember } from "../../../src/domains/organizations/members/operations";
import { forgetAll } from "../../../src/shared/cache";
import { call } from "../../support/client";
import { operations } from "../../support/domains";
import { naming, title } from "../../support/doors";
import { givenMember, givenOrganization, oneTrip } from "../../support/factories";
import { type FakeOpenFga, fakeOpenFga, json, vars } from "../../support/openfga";
import { send } from "../senders";

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
