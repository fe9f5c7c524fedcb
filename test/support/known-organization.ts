// An organization whose members OpenFGA knows already, because the service has sent them.

import { sendDueSyncs } from "../../src/domains/organizations/authorization/job";
import { changeRole, removeMember } from "../../src/domains/organizations/members/operations";
import type { Role } from "../../src/shared/permissions";
import { call } from "./client";
import { givenMember, givenOrganization } from "./factories";
import { runDueWork } from "./loans";
import { type FakeOpenFga, json, tupleVars as vars } from "./openfga";

export const down = () => json({ code: "internal_error", message: "the database is away" }, 500);

export const sendSyncs = () => runDueWork(sendDueSyncs, vars);

/** Of its owner and a member, with what the owner may do to the member. */
export async function givenKnownOrganization(fga: FakeOpenFga, role: Role = "organization-admin") {
	const organization = await givenOrganization();
	const owner = await givenMember(organization.id, "organization-owner");
	const subject = await givenMember(organization.id, role);
	await sendSyncs();
	fga.received.splice(0);
	const path = { organizationId: organization.id, userId: subject.id };
	const change = (to: Role, more: Partial<Env> = {}) =>
		call(changeRole, { as: owner.token, path, body: { role: to }, vars: { ...vars, ...more } });
	const remove = () => call(removeMember, { as: owner.token, path, query: {}, vars });
	return { organization, owner, subject, path, change, remove, object: `organization:${organization.id}` };
}
