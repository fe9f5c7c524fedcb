// Where the audit trail's rows stand in their streams, and since when a stream waits for its seal.

import { expect, it } from "vitest";
import { auditRows, auditStreams } from "../../../src/db/audit.table";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { db, givenMember, givenOrganization } from "../../support/factories";

async function givenOwner() {
	const { id: organizationId } = await givenOrganization();
	const { token: as } = await givenMember(organizationId);
	return async () => expectOk(await call(createApiKey, { as, path: { organizationId }, body: { name: "till", scopes: ["loans:write"] } }));
}

it("each stream counts its own rows", async () => {
	const change = [await givenOwner(), await givenOwner()];
	for (const index of [0, 1, 0]) await change[index]?.();
	const rows = await db.select().from(auditRows);
	expect([...Map.groupBy(rows, ({ stream }) => stream).values()].map((own) => own.map(({ sequence }) => sequence).sort()).sort()).toEqual([
		[1],
		[1, 2],
	]);
});

it("a stream waits for its seal since the first row that has none, however many follow", async () => {
	const change = await givenOwner();
	await change();
	await moveClock(60_000);
	await change();
	const [first] = await db.select().from(auditRows).orderBy(auditRows.sequence);
	expect(await db.select({ since: auditStreams.unsealedSince }).from(auditStreams)).toEqual([{ since: first?.createdAt }]);
});
