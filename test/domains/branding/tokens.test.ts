// Whose tokens may change a brand.

import { describe, expect, it } from "vitest";
import { putBrand } from "../../../src/domains/branding/operations";
import { createIssuer } from "../../../src/domains/tokens/issuers/operations";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { call, expectOk } from "../../support/client";
import { givenMember, givenMembership, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenKey, signed } from "../../support/issuers";

type Kind = "identity" | "operator";

async function givenIssuer({
	alg = "RS256" as "RS256" | "ES256" | "EdDSA",
	kind = "identity" as Kind,
	may_assert_user_ids = false,
	organization_id = undefined as string | undefined,
} = {}) {
	const key = await givenKey(alg);
	const issuer = `https://${crypto.randomUUID()}.example`;
	const body = { issuer, kind, jwks: { keys: [key.jwk] }, algorithms: [alg], may_assert_user_ids, organization_id };
	expectOk(await call(createIssuer, { as: await operatorToken(), body: body as never }));
	return { issuer, token: (claims: Record<string, unknown>) => signed(key, { iss: issuer, ...claims }) };
}
const put = (as: string, organizationId: string) => call(putBrand, { as, path: { organizationId }, body: { primary_color: "#0A7D38" } });
const refused = (status: number, code: string) => ({ status, body: { code, invalid_params: [] } });

describe("a brand", () => {
	it("is written with an identity token whose subject is linked to a member", async () => {
		const { id, slug } = await givenOrganization();
		const owner = await givenMember(id);
		const { issuer, token } = await givenIssuer();
		const as = await token({ sub: "someone" });
		expect(await put(as, id)).toMatchObject(refused(401, "UNAUTHORISED"));
		await call(linkIdentity, { as: await operatorToken(), path: { userId: owner.id }, body: { issuer, subject: "someone" } });
		for (const reference of [id, slug]) expect(await put(as, reference)).toMatchObject({ status: 200 });
	});

	it("is written with a user id as subject only if the issuer may assert user ids", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		for (const may_assert_user_ids of [true, false]) {
			const { token } = await givenIssuer({ may_assert_user_ids, organization_id: id });
			const answer = await put(await token({ sub: owner.id }), id);
			expect(answer.status).toBe(may_assert_user_ids ? 200 : 401);
		}
	});

	it("is written with an asserted id for the issuer's own organization alone, and only of its users and members", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const [both, stranger] = [await givenMember(mine.id), await givenMember(other.id)];
		await givenMembership(other.id, both.id, "organization-owner");
		const { issuer, token } = await givenIssuer({ may_assert_user_ids: true, organization_id: mine.slug });
		expect(await put(await token({ sub: both.id }), mine.id)).toMatchObject({ status: 200 });
		expect(await put(await token({ sub: both.id }), other.id)).toMatchObject(refused(403, "FORBIDDEN"));
		expect(await put(await token({ sub: stranger.id }), other.id)).toMatchObject(refused(401, "UNAUTHORISED"));
		await call(linkIdentity, { as: await operatorToken(), path: { userId: stranger.id }, body: { issuer, subject: "linked" } });
		expect(await put(await token({ sub: "linked" }), other.id)).toMatchObject({ status: 200 });
	});

	it("is not written for another organization than the token's", async () => {
		const [mine, other] = [await givenOrganization(), await givenOrganization()];
		const owner = await givenMember(mine.id);
		const { token } = await givenIssuer({ may_assert_user_ids: true, organization_id: mine.slug });
		for (const org_id of [mine.id, mine.slug])
			expect(await put(await token({ sub: owner.id, org_id }), mine.slug)).toMatchObject({ status: 200 });
		for (const org_id of [other.id, other.slug, "nobodys"]) {
			expect(await put(await token({ sub: owner.id, org_id }), mine.id)).toMatchObject(refused(403, "FORBIDDEN"));
		}
	});

	it("is not written with another algorithm than RS256, for any issuer", async () => {
		const { id } = await givenOrganization();
		const owner = await givenMember(id);
		for (const alg of ["ES256", "EdDSA"] as const) {
			const identity = await givenIssuer({ alg, may_assert_user_ids: true, organization_id: id });
			expect(await put(await identity.token({ sub: owner.id }), id)).toMatchObject(refused(401, "UNAUTHORISED"));
			const operator = await givenIssuer({ alg, kind: "operator" });
			expect(await put(await operator.token({ sub: "root" }), id)).toMatchObject(refused(401, "UNAUTHORISED"));
		}
	});

	it("is not written by strangers: 403 for an existing organization, 404 for an unknown organization", async () => {
		const { id, slug } = await givenOrganization();
		const [stranger, viewer] = [await givenUser(), await givenMember(id, "organization-viewer")];
		for (const { token } of [stranger, await givenMember((await givenOrganization()).id)]) {
			for (const reference of [id, slug, id.toUpperCase()]) expect(await put(token, reference)).toMatchObject(refused(403, "FORBIDDEN"));
			for (const reference of [crypto.randomUUID(), "nobodys"])
				expect(await put(token, reference)).toMatchObject(refused(404, "NOT_FOUND"));
		}
		expect(await put(viewer.token, id)).toMatchObject(refused(403, "FORBIDDEN"));
	});
});
