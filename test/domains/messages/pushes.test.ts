// Pushes: a device learns that there is a message, and nothing of it; what a provider answers, late, twice or never, and processes that
// die.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { PushAnswer, PushStandIn } from "../../../src/dev/stand-ins/push";
import { sendPushes } from "../../../src/domains/messages/devices/job";
import { listDevices } from "../../../src/domains/messages/devices/operations";
import { pushes } from "../../../src/domains/messages/devices/table";
import { listMyMessages, readMyMessages } from "../../../src/domains/messages/inbox.operations";
import { changeNotificationPreferences } from "../../../src/domains/messages/preferences/operations";
import { messageDays } from "../../../src/domains/messages/table";
import { DAY_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAtEach } from "../../support/crashes";
import { eventually } from "../../support/eventually";
import { db, givenOrganization, givenUser } from "../../support/factories";
import { expectErrors } from "../../support/log";
import { deviceOf, givenDevice, givenPushes, pushing, tell } from "../../support/pushes";

/** What the provider answers next, in turn; nothing left: it pushes. */
let answers: (PushAnswer | undefined | Promise<PushAnswer | undefined>)[];
let standIn: PushStandIn;
let vars: Partial<Env>;

beforeEach(async () => {
	answers = [];
	({ standIn, vars } = await givenPushes(() => answers.shift()));
});

const sweep = async (userId: string) => {
	const { services } = await pushing(userId, vars);
	while (await sendPushes(services));
};
const waiting = () => db.$count(pushes);
const counted = async (provider: string) => {
	const days = await db.select().from(messageDays).where(eq(messageDays.provider, provider));
	return days.reduce((sum, { sent }) => sum + sent, 0);
};
const devicesOf = async (as: string) => expectOk(await call(listDevices, { as })).data;
const messagesOf = async (as: string) => expectOk(await call(listMyMessages, { as })).data;

it("each device shows that there is a message from the lender, by its provider and in its language, and nothing of the message", async () => {
	const { id: organizationId } = await givenOrganization("umoja");
	const { id, token } = await givenUser({ organizationId });
	await givenDevice(token, "a-phone");
	await givenDevice(token, "0a1b2c", "IOS");
	await givenDevice((await givenUser({ organizationId })).token, "another-phone");
	await tell(id, vars);
	const [message] = await messagesOf(token);
	expect(message?.text).toContain("1,234.56");
	const shown = { id: message?.id, title: expect.any(String), text: "You have a new message.", category: "REPAYMENTS" };
	expect(standIn.shownOn("a-phone")).toEqual([shown]);
	expect(standIn.shownOn("0a1b2c")).toEqual([shown]);
	expect(standIn.shownOn("another-phone")).toEqual([]);
	expect([await counted("fcm"), await counted("apns"), await waiting()]).toEqual([1, 1, 0]);
});

it("a message is pushed if it is in the inbox, and unread", async () => {
	const { id, token } = await givenUser();
	await givenDevice(token, "a-phone");
	answers = ["DOWN"];
	await tell(id, vars);
	const [message] = await messagesOf(token);
	expectOk(await call(readMyMessages, { as: token, body: { through: message?.id ?? "" } }));
	const channels = [{ channel: "IN_APP" as const, enabled: false }];
	expectOk(await call(changeNotificationPreferences, { as: token, body: { categories: [{ category: "REPAYMENTS", channels }] } }));
	await tell(id, vars);
	await moveClock(MINUTE_MS);
	await sweep(id);
	expect([standIn.asked.length, await waiting(), await counted("fcm")]).toEqual([1, 0, 0]);
});

it("the service keeps no push without a provider, and none to Android where there is Apple's alone", async () => {
	const { id, token } = await givenUser();
	await givenDevice(token, "a-phone");
	await givenDevice(token, "0a1b2c", "IOS");
	await tell(id, {});
	expect(await waiting()).toBe(0);
	const apns = JSON.parse(vars.MESSAGE_SENDERS ?? "").filter(({ provider }: { provider: string }) => provider === "apns");
	await tell(id, { ...vars, MESSAGE_SENDERS: JSON.stringify(apns) });
	expect(standIn.asked).toEqual([{ provider: "apns", token: "0a1b2c" }]);
});

describe.each(["ANDROID", "IOS"] as const)("a provider that pushes to %s", (platform) => {
	const provider = platform === "IOS" ? "apns" : "fcm";

	it.each(["DEAD", "FOREIGN", "WRONG"] as const)(
		"and calls a token %s: the device is removed, with all that waits for it",
		async (answer) => {
			const { id, token } = await givenUser();
			await givenDevice(token, "0a1b2c", platform);
			answers = ["DOWN", answer];
			await tell(id, vars);
			await tell(id, vars);
			expect([await devicesOf(token), await waiting(), await counted(provider)]).toEqual([[], 0, 0]);
		},
	);

	it.each(["DOWN", "BUSY", "LOST", "FORGOTTEN"] as const)(
		"and answers %s: the push follows later, and is shown and counted once",
		async (answer) => {
			const { id, token } = await givenUser();
			await givenDevice(token, "0a1b2c", platform);
			// Firebase is asked again at once, with a new token.
			answers = [answer, ...(answer === "FORGOTTEN" && platform === "ANDROID" ? [answer] : [])];
			await tell(id, vars);
			expect([await waiting(), await counted(provider)]).toEqual([1, 0]);
			await moveClock(MINUTE_MS);
			await sweep(id);
			expect([standIn.shownOn("0a1b2c").length, await waiting(), await counted(provider)]).toEqual([1, 0, 1]);
			expect(await devicesOf(token)).toHaveLength(1);
		},
	);

	it("and refuses a push: it is not sent again, and the device stays", async () => {
		const { id, token } = await givenUser();
		await givenDevice(token, "0a1b2c", platform);
		answers = ["INVALID"];
		await tell(id, vars);
		expect([await waiting(), (await devicesOf(token)).length]).toEqual([0, 1]);
	});
});

it("the service renews a token that Google has forgotten at once, and uses a token that holds again", async () => {
	const { id, token } = await givenUser();
	await givenDevice(token, "a-phone");
	answers = [undefined, undefined, "FORGOTTEN"];
	for (const _ of [1, 2, 3]) await tell(id, vars);
	expect([standIn.tokens, standIn.shownOn("a-phone").length, await counted("fcm")]).toEqual([2, 3, 3]);
});

it("a push that no provider takes for a day is not sent any more", async () => {
	const { id, token } = await givenUser();
	await givenDevice(token, "a-phone");
	answers = ["DOWN"];
	await tell(id, vars);
	await moveClock(DAY_MS);
	await sweep(id);
	expect([standIn.asked.length, await waiting()]).toEqual([1, 0]);
});

describe("a provider that is slow to answer", () => {
	/** Notifies the user, and returns once the provider has been asked and has not answered. */
	async function askedSlowly(id: string) {
		const gate = Promise.withResolvers<PushAnswer | undefined>();
		answers = [gate.promise];
		const told = tell(id, vars);
		await eventually(() => expect(standIn.asked).toHaveLength(1));
		return { answer: gate.resolve, told };
	}

	it("keeps the push to itself, until its claim expires; what both then send is shown and counted once", async () => {
		const { id, token } = await givenUser();
		await givenDevice(token, "a-phone");
		const { answer, told } = await askedSlowly(id);
		await sweep(id);
		expect(standIn.asked).toHaveLength(1);
		await moveClock(MINUTE_MS);
		await sweep(id);
		answer(undefined);
		await told;
		expect([standIn.asked.length, standIn.shownOn("a-phone").length, await counted("fcm"), await waiting()]).toEqual([2, 1, 1, 0]);
	});

	it("and calls a token dead that the app has replaced meanwhile: the device stays, with its new token", async () => {
		const { id, token } = await givenUser();
		const device = deviceOf("mine");
		await givenDevice(token, "old-token", "ANDROID", device);
		const { answer, told } = await askedSlowly(id);
		await givenDevice(token, "new-token", "ANDROID", device);
		answer("DEAD");
		await told;
		expect(await devicesOf(token)).toHaveLength(1);
		await tell(id, vars);
		expect(standIn.shownOn("new-token")).toHaveLength(1);
	});
});

it.each(["before", "after"] as const)(
	"a process that dies %s any commit loses no push and counts none twice",
	{ tags: ["thorough"] },
	async (when) => {
		expectErrors("background work failed");
		const { id, token } = await givenUser();
		await givenDevice(token, "a-phone");
		await givenDevice(token, "0a1b2c", "IOS");
		const deaths = await dyingAtEach(when, async (death) => {
			await tell(id, { ...vars, ...death.vars }).catch(() => {});
			await moveClock(MINUTE_MS);
			await sweep(id);
		});
		// The commit of the message, the claim, and the record of what was answered.
		expect(deaths).toBe(3);
		const ids = (await messagesOf(token)).map((message) => message.id).sort();
		for (const phone of ["a-phone", "0a1b2c"])
			expect(
				standIn
					.shownOn(phone)
					.map((shown) => shown.id)
					.sort(),
			).toEqual(ids);
		expect([await counted("fcm"), await counted("apns"), await waiting()]).toEqual([ids.length, ids.length, 0]);
	},
);
