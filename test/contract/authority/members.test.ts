// What a member may only do with a recent sign-in, or after a day in their role.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { activateDarajaReplacement, activateMomoReplacement } from "../../../src/domains/connections/replacement.operations";
import { decideInvoice } from "../../../src/domains/invoices/operations";
import { addMember, changeRole } from "../../../src/domains/organizations/members/operations";
import { organizationMembers } from "../../../src/domains/organizations/table";
import type { AnyOperation } from "../../../src/http/operation";
import { PAYMENT_PROVIDERS } from "../../../src/shared/payment-providers";
import type { Role } from "../../../src/shared/permissions";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { operations } from "../../support/domains";
import { naming, title } from "../../support/doors";
import { accessToken, db, givenUser, operatorToken } from "../../support/factories";
import { fakeWorld } from "../../support/webhooks";
import { send } from "../senders";
import { givenParties, validRequest } from "../valid-requests";

beforeEach(() => {
	fakeWorld();
});

/** A service outside `local`, which is as strict as production. */
/** The limits of the runtime count what other tests send from the same address. */
const UNLIMITED = { limit: async () => ({ success: true }) };
const STRICT = {
	...{ ENVIRONMENT: "sandbox", BASE_URL: "http://localhost", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on" },
	...{ USER_LIMIT: UNLIMITED, CLIENT_LIMIT: UNLIMITED, ADDRESS_LIMIT: UNLIMITED, FAILURE_LIMIT: UNLIMITED, HEAVY_LIMIT: UNLIMITED },
};

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

describe("an hour after the owner's sign-in, their token", () => {
	const fresh = operations.filter(({ access }) => access.fresh !== undefined);
	const seconds = () => Math.floor(Date.now() / 1000);

	it("makes no power that outlives it", () => {
		expect(fresh.map(({ id }) => id).sort()).toEqual(
			[
				"adoptApiKey",
				"changeRole",
				"createApiKey",
				"createInvitation",
				"decideApproval",
				"decideInvoice",
				...PAYMENT_PROVIDERS.flatMap((provider) => ["delete", "put", "resume"].map((does) => `${does}${capitalized(provider)}Connection`)),
				...PAYMENT_PROVIDERS.map((provider) => `activate${capitalized(provider)}Replacement`),
				"registerDarajaConfirmations",
			].toSorted(),
		);
	});

	it.each(fresh.map((op) => [title(op), op] as const))("asks for another sign-in (RFC 9470): %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const { headers = {} } = naming(op, parties.organization.id);
		const asked = async (claims: Record<string, unknown>) =>
			send(op, request, { as: await accessToken(parties.owner.id, claims), headers }, STRICT);
		for (const claims of [{}, { auth_time: seconds() - 3_700 }]) {
			const refused = await asked(claims);
			expect(refused).toMatchObject({ status: 401, body: { code: "UNAUTHORISED" } });
			expect(refused.headers.get("www-authenticate")).toBe('Bearer error="insufficient_user_authentication", max_age="3600"');
		}
		expect((await asked({ auth_time: seconds() - 3_500 })).status).toBeLessThan(300);
	});
});

describe("a person whom an owner has just made", () => {
	const decidersOf = async (op: AnyOperation) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const { headers = {} } = naming(op, parties.organization.id);
		const decide = async (userId: string) =>
			send(op, request, { as: await accessToken(userId, { auth_time: Math.floor(Date.now() / 1000) }), headers }, STRICT);
		return { parties, decide };
	};
	const deciding = [decideApproval, decideInvoice, activateDarajaReplacement, activateMomoReplacement] as unknown as AnyOperation[];

	it.each(deciding.map((op) => [op.id, op] as const))("decides nothing for a day: %s", async (_, op) => {
		const { parties, decide } = await decidersOf(op);
		const path = { organizationId: parties.organization.id };
		const { id } = await givenUser();
		const as = await operatorToken();
		expectOk(await call(addMember, { as, path, body: { user_id: id, role: "organization-viewer" } }));
		await db.update(organizationMembers).set({ grantedAt: 0 }).where(eq(organizationMembers.userId, id));
		const change = (role: Role) => call(changeRole, { as: parties.owner.token, path: { ...path, userId: id }, body: { role } });
		for (const role of ["organization-admin", "organization-owner", "organization-admin"] as const) {
			expectOk(await change(role));
			const refused = await decide(id);
			expect(refused).toMatchObject({ status: 403, body: { description: expect.stringContaining("less than a day old") } });
		}
		const dayOld = Date.now() - DAY_MS - 1;
		await db.update(organizationMembers).set({ grantedAt: dayOld }).where(eq(organizationMembers.userId, id));
		// A role that may less moves nothing.
		expectOk(await change("organization-financing-admin"));
		const [row] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, id));
		expect(row).toMatchObject({ role: "organization-financing-admin", grantedAt: dayOld });
		if (op.id === decideInvoice.id) expect((await decide(id)).status).toBe(200);
		else expect((await decide(parties.owner.id)).status).toBe(200);
	});

	it("is one from the moment they are added", async () => {
		const { organization } = await givenParties();
		const { id } = await givenUser();
		const as = await operatorToken();
		const body = { user_id: id, role: "organization-owner" as const };
		expectOk(await call(addMember, { as, path: { organizationId: organization.id }, body }));
		const [row] = await db.select().from(organizationMembers).where(eq(organizationMembers.userId, id));
		expect(row?.grantedAt).toBeGreaterThan(Date.now() - 60_000);
	});
});
