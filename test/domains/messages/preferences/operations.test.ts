// Preferences over HTTP, and which messages follow them.

import { describe, expect, it } from "vitest";
import { queueMessage } from "../../../../src/domains/messages/plan";
import { changeNotificationPreferences, getNotificationPreferences } from "../../../../src/domains/messages/preferences/operations";
import { NOTIFICATION_CATEGORIES, NOTIFICATION_CHANNELS } from "../../../../src/domains/messages/preferences/policy";
import { notificationPreferences } from "../../../../src/domains/messages/preferences/table";
import { messages } from "../../../../src/domains/messages/table";
import { call, expectOk, send } from "../../../support/client";
import { db, givenUser } from "../../../support/factories";
import { jobsFor } from "../../../support/jobs";

type Preferences = Awaited<ReturnType<typeof read>>;
const read = async (as: string) => expectOk(await call(getNotificationPreferences, { as }));
const change = (as: string, body: unknown, headers: Record<string, string> = {}) =>
	send(changeNotificationPreferences as never, { as, body, headers });
const entry = (category: string, channel: string, enabled: unknown) => ({ category, channels: [{ channel, enabled }] });
const isOn = ({ categories }: Preferences, category: string, channel: string) =>
	categories.find((each) => each.category === category)?.channels.find((each) => each.channel === channel)?.enabled;

describe("notification preferences", () => {
	it("contain all categories and channels, for users on the waiting list too", async () => {
		for (const status of ["ACTIVE", "WAITING_LIST"] as const) {
			const { token } = await givenUser({ status });
			const { categories } = await read(token);
			expect(categories.map(({ category }) => category)).toEqual(NOTIFICATION_CATEGORIES);
			expect(categories[0]).toEqual({
				category: "SECURITY",
				mandatory: true,
				preference_default: "MANDATORY",
				channels: NOTIFICATION_CHANNELS.map((channel) => ({ channel, enabled: true })),
			});
			expect(await change(token, { categories: [entry("MARKETING", "SMS", true)] })).toMatchObject({ status: 200 });
		}
	});

	it("change only in the entries that are sent, and the answer has all entries", async () => {
		const [anna, ben] = [await givenUser(), await givenUser()];
		const answer = await change(anna.token, {
			categories: [
				{
					category: "REPAYMENTS",
					channels: [
						{ channel: "SMS", enabled: false },
						{ channel: "IN_APP", enabled: false },
					],
				},
				{ ...entry("MARKETING", "EMAIL", true), mandatory: false, preference_default: "OPT_IN" },
			],
		});
		expect(answer).toMatchObject({ status: 200 });
		const now = await read(anna.token);
		expect(answer.body).toEqual(now);
		const changed = NOTIFICATION_CATEGORIES.flatMap((category) =>
			NOTIFICATION_CHANNELS.filter((channel) => isOn(now, category, channel) !== (category !== "MARKETING")).map(
				(channel) => `${category} ${channel}`,
			),
		);
		expect(changed).toEqual(["REPAYMENTS SMS", "REPAYMENTS IN_APP", "MARKETING EMAIL"]);
		await change(anna.token, { categories: [entry("REPAYMENTS", "SMS", true)] });
		expect([isOn(await read(anna.token), "REPAYMENTS", "SMS"), isOn(await read(anna.token), "REPAYMENTS", "IN_APP")]).toEqual([
			true,
			false,
		]);
		expect(isOn(await read(ben.token), "REPAYMENTS", "IN_APP")).toBe(true);
		expect((await call(getNotificationPreferences, { as: anna.token })).headers.get("server-timing")).toContain("trips=1 ");
	});

	it("keep all of fifty concurrent changes of twelve entries", async () => {
		const { token } = await givenUser();
		const optional = NOTIFICATION_CATEGORIES.filter((category) => category !== "SECURITY" && category !== "ACCOUNT");
		const entries = optional.flatMap((category) => NOTIFICATION_CHANNELS.map((channel) => [category, channel] as const));
		expect(entries).toHaveLength(12);
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, index) => {
				const [category, channel] = entries[index % 12] as (typeof entries)[number];
				return change(token, { categories: [entry(category, channel, category === "MARKETING")] });
			}),
		);
		expect(answers.every(({ ok }) => ok)).toBe(true);
		const now = await read(token);
		for (const [category, channel] of entries) expect(isOn(now, category, channel)).toBe(category === "MARKETING");
		expect(await db.select().from(notificationPreferences)).toHaveLength(12);
	});

	it("are not changed at all when one entry is wrong", async () => {
		const { token } = await givenUser();
		const good = entry("PAYMENTS", "SMS", false);
		const wrong: [body: unknown, path: string, sub_code: string][] = [
			[{ categories: [good, entry("SECURITY", "SMS", true)] }, "categories[1].category", "MANDATORY_CATEGORY"],
			[{ categories: [good, entry("ACCOUNT", "EMAIL", false)] }, "categories[1].category", "MANDATORY_CATEGORY"],
			[{ categories: [good, entry("NEWS", "SMS", true)] }, "categories[1].category", "NOT_ALLOWED"],
			[{ categories: [good, entry("MARKETING", "FAX", true)] }, "categories[1].channels[0].channel", "NOT_ALLOWED"],
			[{ categories: [good, entry("MARKETING", "PUSH", true)] }, "categories[1].channels[0].channel", "NOT_ALLOWED"],
			[{ categories: [entry("PAYMENTS", "WHATSAPP", false)] }, "categories[0].channels[0].channel", "NOT_ALLOWED"],
			[{ categories: [good, entry("MARKETING", "SMS", "true")] }, "categories[1].channels[0].enabled", "INVALID_TYPE"],
			[{ categories: [good, good] }, "categories[1].channels[0]", "DUPLICATE"],
			[{ categories: [good, { category: "MARKETING", channels: [] }] }, "categories[1].channels", "TOO_SHORT"],
			[{ categories: [] }, "categories", "TOO_SHORT"],
			[{}, "categories", "REQUIRED"],
		];
		for (const [body, path, sub_code] of wrong) {
			expect(await change(token, body)).toMatchObject({
				status: 400,
				body: { code: "INVALID_PARAMS", invalid_params: [{ path, sub_code }] },
			});
		}
		expect(await db.select().from(notificationPreferences)).toEqual([]);
	});

	it("ignore what was chosen for channels that are no longer offered", async () => {
		const { id, token } = await givenUser();
		const old = { userId: id, category: "PAYMENTS" as const, channel: "WHATSAPP" as "SMS", enabled: false, updatedAt: 1 };
		const before = await read(token);
		await db.insert(notificationPreferences).values(old);
		expect(await read(token)).toEqual(before);
	});

	it("are changed once for the same Idempotency-Key", async () => {
		const { token } = await givenUser();
		const headers = { "idempotency-key": "k1" };
		const body = { categories: [entry("PAYMENTS", "SMS", false)] };
		const first = await change(token, body, headers);
		await change(token, { categories: [entry("PAYMENTS", "SMS", true)] });
		const again = await change(token, body, headers);
		expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
		expect(isOn(await read(token), "PAYMENTS", "SMS")).toBe(true);
	});
});

describe("a message to a user", () => {
	async function sent(userId: string, category: "REPAYMENTS" | "MARKETING" | "SECURITY" | null) {
		const services = await jobsFor(userId);
		const facts = {
			address: { channel: "SMS" as const, recipient: "+254712345678" },
			purpose: "test",
			content: { text: "hello" },
			expiresAt: services.now + 60_000,
		};
		const before = (await db.select().from(messages)).length;
		await services.commit([await queueMessage(services, category === null ? { ...facts, category } : { ...facts, category, userId })]);
		return (await db.select().from(messages)).length - before;
	}

	it("is queued only if they want its category at the time of the commit", async () => {
		const { id, token } = await givenUser();
		expect([await sent(id, "REPAYMENTS"), await sent(id, "MARKETING")]).toEqual([1, 0]);
		await change(token, { categories: [entry("REPAYMENTS", "SMS", false), entry("MARKETING", "SMS", true)] });
		expect([await sent(id, "REPAYMENTS"), await sent(id, "MARKETING")]).toEqual([0, 1]);
		await change(token, { categories: [entry("REPAYMENTS", "EMAIL", true), entry("REPAYMENTS", "SMS", true)] });
		expect(await sent(id, "REPAYMENTS")).toBe(1);
	});

	it("is always queued if its category is mandatory, or if it has none", async () => {
		const { id } = await givenUser();
		expect([await sent(id, "SECURITY"), await sent(id, null)]).toEqual([1, 1]);
		expect((await db.select().from(messages)).map(({ category }) => category).sort()).toEqual(["SECURITY", null]);
	});
});
