// What to do about a delivery that failed, as the API and its page in docs say it.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { REMEDIES, remedyOf, STATUS_REMEDIES } from "../../../../src/domains/webhooks/attempts/remedies.policy";
import { ERROR_CLASSES } from "../../../../src/shared/webhook-states";

const failed = (errorClass: (typeof ERROR_CLASSES)[number], responseStatus: number | null = null) => ({ errorClass, responseStatus });

it("a remedy follows from the last failure, or from why the delivery was given up", () => {
	expect(remedyOf("The endpoint's host name could not be resolved.", failed("DNS"))).toBe(REMEDIES.DNS);
	expect(remedyOf("The endpoint responded with 429.", failed("STATUS", 429))).toBe(STATUS_REMEDIES[429]);
	expect(remedyOf("The endpoint responded with 500.", failed("STATUS", 500))).toBe(REMEDIES.STATUS);
	expect(remedyOf("EXPIRED", failed("TIMEOUT"))).toBe(REMEDIES.EXPIRED);
	expect(remedyOf("WEBHOOK_DELETED", undefined)).toBe(REMEDIES.WEBHOOK_DELETED);
	expect(remedyOf(null, failed("DNS"))).toBeNull();
});

it("a remedy is in the documentation in the same words", () => {
	const page = readFileSync(path.resolve(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");
	const told = Object.fromEntries([...page.matchAll(/^\| `([A-Z]+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(([, name, remedy]) => [name, remedy]));
	expect(Object.keys(told).sort()).toEqual([...ERROR_CLASSES].sort());
	for (const name of ERROR_CLASSES) expect(told[name]?.startsWith(REMEDIES[name]), name).toBe(true);
	const statuses = Object.keys(STATUS_REMEDIES);
	expect(told.STATUS).toContain(`Of ${statuses.slice(0, -1).join(", ")} and ${statuses.at(-1)} it says more.`);
});
