// What a suspension does in addition to what `contract/changes` tries with every operation.

import { expect, it } from "vitest";
import { getOrganization, listOrganizations, updateOrganization } from "../../../src/domains/organizations/operations";
import { organizations } from "../../../src/domains/organizations/table";
import { exchangeIdentityToken } from "../../../src/domains/tokens/exchange/identity.operations";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { refreshSession } from "../../../src/domains/tokens/sessions/operations";
import { ORGANIZATION_SUSPENDED } from "../../../src/shared/errors";
import { call, expectOk } from "../../support/client";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { sandboxToken } from "../../support/tokens";

const REFUSED = { status: 403, body: { code: "FORBIDDEN", description: ORGANIZATION_SUSPENDED } };

async function given() {
	const organization = await givenOrganization();
	const { token } = await givenMember(organization.id);
	const path = { organizationId: organization.slug };
	const update = async (as: string, body: { name?: string; status?: "ACTIVE" | "SUSPENDED" }) =>
		call(updateOrganization, { as, path, body });
	return { ...organization, path, member: token, operator: await operatorToken(), update };
}

it("members rename their organization, and operators alone suspend and resume it, in every database", async () => {
	const { id, slug, path, member, operator, update } = await given();
	expect(expectOk(await update(member, { name: "Acme Credit" }))).toMatchObject({ id, slug, name: "Acme Credit", status: "ACTIVE" });
	expect(await update(member, { status: "SUSPENDED" })).toMatchObject({ status: 403 });
	expectOk(await update(operator, { status: "SUSPENDED" }));
	expect(expectOk(await call(getOrganization, { as: member, path }))).toMatchObject({ name: "Acme Credit", status: "SUSPENDED" });
	const { data } = expectOk(await call(listOrganizations, { as: operator, query: { slug } }));
	expect(data).toMatchObject([{ id, name: "Acme Credit", status: "SUSPENDED" }]);
	// Each database's row is the same.
	expect(await db.select().from(organizations)).toHaveLength(1);
	expect(await update(member, { name: "Other" })).toMatchObject(REFUSED);
	expect(expectOk(await update(operator, { name: "Acme", status: "ACTIVE" }))).toMatchObject({ name: "Acme", status: "ACTIVE" });
	expectOk(await update(member, { name: "Other" }));
});

it("the tokens of its issuers are not exchanged, not even first ones", async () => {
	const { id, slug, operator, update } = await given();
	const user = await givenUser({ organizationId: id });
	const partner = async (subject: string) => {
		const partner_token = await sandboxToken("partner", subject, { org_id: slug });
		return call(exchangePartnerToken, { body: { partner_token } });
	};
	const identity = async () => {
		const identity_token = await sandboxToken("identity", user.id, { org_id: slug });
		return call(exchangeIdentityToken, { body: { identity_token } });
	};
	expectOk(await partner("one"));
	const { refresh_token } = expectOk(await identity());
	expectOk(await update(operator, { status: "SUSPENDED" }));
	for (const answer of [await partner("one"), await partner("another"), await identity()]) expect(answer).toMatchObject(REFUSED);
	// What began goes on.
	expectOk(await call(refreshSession, { body: { refresh_token } }));
	expectOk(await update(operator, { status: "ACTIVE" }));
	expectOk(await partner("another"));
	expectOk(await identity());
});
