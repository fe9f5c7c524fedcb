// Members who were invited by mail and come with their organization's own login: each may do all that their role permits, and no more.

import { describe, expect, it } from "vitest";
import { acceptInvitation } from "../../src/domains/organizations/invitations/acceptance.operations";
import { exchangeIdentityToken } from "../../src/domains/tokens/exchange/identity.operations";
import { permissionsOf } from "../../src/http/callers/access";
import { PERMISSIONS, ROLES, rolePermits } from "../../src/shared/permissions";
import { call, expectOk } from "../support/client";
import { operations } from "../support/domains";
import { naming, title } from "../support/doors";
import { givenMember, givenOrganization } from "../support/factories";
import { givenInvitation } from "../support/invitations";
import { servePath } from "../support/serve";
import { sandboxToken } from "../support/tokens";

const WRONG = '{"wrong';

/** The operations that a member's role opens or not. Where the handler asks, a role that does not may be helped by a merchant's grant. */
const demanding = operations.flatMap((op) => {
	const { organization } = op.access;
	return organization && organization.askedBy !== "handler" ? [{ op, permissions: permissionsOf(organization) }] : [];
});

it("every permission is demanded by an operation, except those that only scopes of API keys use", () => {
	const asked = operations.flatMap(({ access: { organization } }) => (organization ? permissionsOf(organization) : []));
	expect(PERMISSIONS.filter((permission) => !asked.includes(permission))).toEqual(["org:agents:write"]);
});

describe.each(ROLES)("%s", (role) => {
	it("is invited, exchanges the token of their login, and is let in where the role is, and nowhere else", async () => {
		const organization = await givenOrganization();
		const owner = await givenMember(organization.id);
		const email = "anna@example.com";
		const login = () =>
			sandboxToken("identity", "anna", {
				email,
				email_verified: true,
				auth_time: Math.floor(Date.now() / 1000),
				jti: crypto.randomUUID(),
			});
		const invitation = await givenInvitation(owner.token, organization.id, { email, role });
		const accepted = await call(acceptInvitation, { as: await login(), body: { token: invitation.token } });
		expect(expectOk(accepted)).toMatchObject({ role, email });
		const { access_token } = expectOk(await call(exchangeIdentityToken, { body: { identity_token: await login() } }));
		const found: string[] = [];
		for (const { op } of demanding) {
			const { headers = {}, organization: named = "" } = naming(op, organization.id);
			// The input is wrong, so that nothing happens: who may call is decided before it is read.
			const path = op.path.replaceAll(/{(\w+)}/g, (_, name: string) => (name === "organizationId" ? named : "!"));
			const response = await servePath(`${path}?size=-1`, {
				method: op.method,
				headers: { ...headers, authorization: `Bearer ${access_token}`, "content-type": "application/json" },
				...(op.method !== "GET" && { body: WRONG }),
			});
			expect([400, 403], `${title(op)}: ${response.status}`).toContain(response.status);
			if (response.status === 400) found.push(op.id);
			await response.body?.cancel();
		}
		expect(found).toEqual(demanding.flatMap(({ op, permissions }) => (permissions.some((one) => rolePermits(role, one)) ? [op.id] : [])));
	});
});
