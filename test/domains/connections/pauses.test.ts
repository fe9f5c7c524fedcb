// A pause of a connection changes it, and notifies its organization, only where it is news.

import { beforeEach, expect, it } from "vitest";
import { pause } from "../../../src/domains/connections/model/plan";
import { paymentConnections } from "../../../src/domains/connections/model/table";
import { HOUR_MS, toTimestamp } from "../../../src/shared/time";
import { db, newId } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import { services } from "../../support/webhooks";

const now = 1_800_000_000_000;
let organizationId: string;

beforeEach(async () => {
	organizationId = newId();
	const row = { organizationId, version: 1, environment: "sandbox", payouts: true, hasPasskey: false, hasInitiator: true } as const;
	const times = { status: "ACTIVE", createdAt: now, updatedAt: now } as const;
	for (const provider of ["daraja", "momo"] as const)
		await db.insert(paymentConnections).values({ ...row, ...times, provider, shortCode: newId(), sealed: "" });
});

async function pausedBy(provider: "daraja" | "momo", pauses: Parameters<typeof pause>[2], at = now) {
	const there = { ...(await services()), now: at }.at(organizationId);
	await there.commit(pause(there, { organizationId, provider }, pauses));
	return (await eventsOf(organizationId)).map(({ data }) => [data.provider, data.reason, data.paused_until]);
}

it("is announced once for each connection, and again for a reason that somebody must mend", async () => {
	const first = ["daraja", "BUSY", toTimestamp(now + HOUR_MS)];
	expect(await pausedBy("daraja", { reason: "BUSY", forMs: HOUR_MS })).toEqual([first]);
	expect(await pausedBy("daraja", { reason: "BUSY", forMs: HOUR_MS }, now + 1)).toEqual([first]);
	const other = ["momo", "BUSY", toTimestamp(now + HOUR_MS)];
	expect(await pausedBy("momo", { reason: "BUSY", forMs: HOUR_MS })).toEqual([first, other]);
	const lasting = ["daraja", "CREDENTIALS_REFUSED", null];
	expect(await pausedBy("daraja", { reason: "CREDENTIALS_REFUSED" })).toEqual([first, other, lasting]);
	expect(await pausedBy("daraja", { reason: "CREDENTIALS_REFUSED" })).toEqual([first, other, lasting]);
	expect(await pausedBy("daraja", { reason: "BUSY", forMs: HOUR_MS })).toEqual([first, other, lasting]);
});

it("that is over may be followed by another of the same reason", async () => {
	await pausedBy("daraja", { reason: "BUSY", forMs: HOUR_MS });
	expect(await pausedBy("daraja", { reason: "BUSY", forMs: HOUR_MS }, now + HOUR_MS)).toHaveLength(2);
});
