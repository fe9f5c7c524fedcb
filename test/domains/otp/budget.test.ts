// How the codes of a minute are shared among signed-in users, numbers with a user, and strangers.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { issueCode } from "../../../src/domains/otp/plan";
import { codeCaps } from "../../../src/domains/otp/procedure";
import { otpSends } from "../../../src/domains/otp/table";
import { MINUTE_MS } from "../../../src/shared/time";
import { call } from "../../support/client";
import { moveClock } from "../../support/clock";
import { everyDatabase } from "../../support/databases";
import { db, givenUser } from "../../support/factories";
import { servicesFor } from "../../support/outbound";

const vars = { MESSAGE_BUDGET_PER_MINUTE: "20" };

/** Asks as the stranger of this number, each from another address. */
const ask = async (from: number, number = `0712${String(100_000 + from)}`) => {
	const body = { mobile_country_code: "254", mobile_number: number };
	return (await call(startPhoneVerification, { body, headers: { "cf-connecting-ip": `192.0.2.${from}` }, vars })).status;
};
const strangers = (from: number) => Promise.all(Array.from({ length: 15 }, (_, i) => ask(from + i)));
const known = Array.from({ length: 7 }, (_, i) => `073300000${i}`);
const knownFrom = (from: number) => Promise.all(known.map((number, i) => ask(from + i, number)));

async function own(i: number): Promise<void> {
	const s = await servicesFor({ env: { ...env, ...vars } as never, ctx: { waitUntil() {} } });
	const recipient = `+25474400001${i}`;
	const binding = { purpose: "CLOSURE", subject: "anna", resource: "a" };
	const issued = await issueCode(s, binding, { channel: "SMS", recipient }, await codeCaps(s, recipient));
	await s.commit(issued.writes, { reserve: issued.reserve });
}

/** How many sends have had each share, since the last time. */
let before: Record<string, number> = {};
async function shares(): Promise<Record<string, number>> {
	const now: Record<string, number> = {};
	for (const { share } of await db.select({ share: otpSends.share }).from(otpSends)) now[share] = (now[share] ?? 0) + 1;
	const since = Object.entries(now).map(([share, sends]) => [share, sends - (before[share] ?? 0)] as const);
	before = now;
	return Object.fromEntries(since.filter(([, sends]) => sends > 0));
}

it("strangers get 60 % of a minute's codes and numbers with a user 25 % more, even for concurrent requests", {
	tags: ["thorough"],
}, async () => {
	const ids = await Promise.all(known.map(async (number) => (await givenUser({ mobileNumber: number.replace("0", "+254") })).id));
	expect(await strangers(0)).toEqual(Array(15).fill(202));
	expect(await shares()).toEqual({ PUBLIC: 12, WITHHELD: 3 });
	expect(await knownFrom(50)).toEqual(Array(7).fill(202));
	expect(await shares()).toEqual({ KNOWN: 5, WITHHELD: 2 });
	expect((await Promise.allSettled([0, 1, 2, 3].map(own))).filter(({ status }) => status === "fulfilled")).toHaveLength(3);
	expect(await shares()).toEqual({ SIGNED_IN: 3 });
	await expect(own(4)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });

	// In the next minute all of it again. A number that a change has only reserved has no user yet.
	await moveClock(MINUTE_MS);
	await everyDatabase.exec(
		`update names set reserved_for = 'change', reserved_at = 1 where kind = 'PHONE' and id in (${ids
			.slice(0, 3)
			.map((id) => `'${id}'`)
			.join(", ")})`,
	);
	for (const i of [5, 6, 7]) await own(i);
	expect(await strangers(100)).toEqual(Array(15).fill(202));
	expect(await shares()).toEqual({ SIGNED_IN: 3, PUBLIC: 12, WITHHELD: 3 });
	expect(await knownFrom(150)).toEqual(Array(7).fill(202));
	expect(await shares()).toEqual({ KNOWN: 4, WITHHELD: 3 });
});
