// How many lenders and issuers one operator alone may take out of service in a day.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { decideApproval } from "../../../src/domains/approvals/operations";
import { getOrganization, updateOrganization } from "../../../src/domains/organizations/operations";
import { createIssuer, deleteIssuer, getIssuer, updateIssuer } from "../../../src/domains/tokens/issuers/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { givenOrganization, operatorToken } from "../../support/factories";

const vars = { OPERATOR_PAIRS: "on" };
let anna: string;
let ben: string;
beforeEach(async () => {
	[anna, ben] = [await operatorToken("anna"), await operatorToken("ben")];
});

const suspend = (organizationId: string, as = anna) =>
	call(updateOrganization, { as, path: { organizationId }, body: { status: "SUSPENDED" }, vars });
const givenOrganizations = (count: number) => Promise.all(Array.from({ length: count }, async () => (await givenOrganization()).id));

describe("an operator alone", () => {
	it("suspends three organizations a day; another operator suspends others, or approves more", async () => {
		const [first = "", second = "", third = "", fourth = "", fifth = ""] = await givenOrganizations(5);
		for (const id of [first, second, third]) expect(expectOk(await suspend(id)).status).toBe("SUSPENDED");
		// Nothing changes, so nothing counts.
		expectOk(await suspend(first));
		const refused = await suspend(fourth);
		expect(refused).toMatchObject({
			status: 409,
			body: { code: "INVALID_STATE", description: expect.stringContaining("at most 3 organizations a day") },
		});
		expect(expectOk(await call(getOrganization, { as: anna, path: { organizationId: fourth } })).status).toBe("ACTIVE");
		expect(expectOk(await suspend(fifth, ben)).status).toBe("SUSPENDED");
		const asked = { as: anna, path: { organizationId: fourth }, body: { status: "SUSPENDED", name: "Acme" }, vars } as const;
		const { id } = expectOk(await send(updateOrganization, asked as never)) as { id: string };
		const decided = await call(decideApproval, { as: ben, path: { id }, body: { decision: "APPROVED" }, vars });
		expect(expectOk(decided).status).toBe("APPROVED");
		expect(expectOk(await call(getOrganization, { as: anna, path: { organizationId: fourth } })).status).toBe("SUSPENDED");
	});

	it("suspends three again on the next day (UTC), however many calls run at once", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const ids = await givenOrganizations(10);
		const ended = async (some: readonly string[]) =>
			(await Promise.all(some.map((id) => suspend(id)))).filter(({ status }) => status === 200).length;
		expect(await ended(ids.slice(0, 5))).toBe(3);
		vi.setSystemTime(Math.ceil(Date.now() / DAY_MS) * DAY_MS);
		anna = await operatorToken("anna");
		expect(await ended(ids.slice(5))).toBe(3);
	});

	it("stops trusting three issuers a day, by disabling or deleting them", async () => {
		const given = async (name: string) => {
			const issuer = {
				issuer: `https://${name}.example`,
				kind: "partner",
				audience: "us",
				jwks_uri: "https://issuer.example/keys",
				algorithms: ["RS256"],
			};
			return expectOk(await call(createIssuer, { as: ben, body: issuer as never })).id;
		};
		const [first, second, third, fourth] = [await given("a"), await given("b"), await given("c"), await given("d")];
		const disable = (id: string) => call(updateIssuer, { as: anna, path: { id }, body: { disabled: true }, vars });
		const remove = (id: string) => call(deleteIssuer, { as: anna, path: { id }, vars });
		for (const id of [first, second]) expectOk(await disable(id));
		// It is disabled already.
		expect(await remove(first)).toMatchObject({ status: 204 });
		expect(await remove(third)).toMatchObject({ status: 204 });
		for (const refused of [await disable(fourth), await remove(fourth)])
			expect(refused).toMatchObject({ status: 409, body: { description: expect.stringContaining("at most 3 issuers a day") } });
		expect(expectOk(await call(getIssuer, { as: ben, path: { id: fourth } })).disabled).toBe(false);
	});
});
