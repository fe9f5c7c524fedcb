// What users read inside an app: all messages to them, as far as they want them, and nothing else.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { purge } from "../../../src/db/purge";
import { listMyMessages, readMyMessages } from "../../../src/domains/messages/inbox.operations";
import { expiredInbox } from "../../../src/domains/messages/inbox.store";
import { inbox } from "../../../src/domains/messages/inbox.table";
import { noticesTo, notifyUser } from "../../../src/domains/messages/notices.plan";
import { changeNotificationPreferences } from "../../../src/domains/messages/preferences/operations";
import { messages } from "../../../src/domains/messages/table";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { homeOf, uuidv7 } from "../../../src/shared/ids";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { rowsRead } from "../../support/credit";
import { db, givenUser } from "../../support/factories";
import { givenCopies, metered } from "../../support/metering";
import { expectRows } from "../../support/rows";

const FIRST = { key: "LOAN_NOT_ACCEPTED", values: {} } as const;
const SECOND = { key: "LIMIT_CHANGED", values: {} } as const;

const read = async (as: string, query: object = {}) => expectOk(await call(listMyMessages, { as, query }));
const mark = async (as: string, through: string) => (await call(readMyMessages, { as, body: { through } })).status;
const choose = async (as: string, channel: "IN_APP" | "SMS", enabled: boolean) =>
	expectOk(
		await call(changeNotificationPreferences, { as, body: { categories: [{ category: "PAYMENTS", channels: [{ channel, enabled }] }] } }),
	);

it("the inbox has a user's messages, newest first and unread, also for those who wait and have no address", async () => {
	const user = await givenUser({ status: "WAITING_LIST" });
	const { services, meter } = await metered(user.id);
	await services.commit(await notifyUser(services, user.id, "PAYMENTS", FIRST));
	expectRows(meter.rowsWritten).toBe(3);
	await services.commit(await noticesTo(services, { id: user.id, mobileNumber: "+254712345678", email: "a@example.com" }, SECOND));
	const { data, unread, links } = await read(user.token);
	expect(data.map(({ category, text, read_at }) => [category, text, read_at])).toEqual([
		["SECURITY", "The limit of what you may borrow was changed. If this surprises you, contact us.", null],
		["PAYMENTS", "Your application for a loan was not accepted.", null],
	]);
	expect([unread, links]).toEqual([2, { next: null, prev: null }]);
	// The user without an address got the first here alone.
	expect((await db.select().from(messages)).map(({ channel }) => channel).sort()).toEqual(["EMAIL", "SMS"]);
	expect(await read((await givenUser()).token)).toMatchObject({ data: [], unread: 0 });
});

it("the inbox holds what is not switched off there, and sends what is not switched off elsewhere", async () => {
	const { id, token } = await givenUser({ mobileNumber: "+254712345678" });
	const { services } = await metered(id);
	/** How much is unread, and how much was sent, after another one. */
	const counts = async (category: "PAYMENTS" | "REPAYMENTS" = "PAYMENTS") => {
		await services.commit(await notifyUser(services, id, category, FIRST));
		return [(await read(token)).unread, (await db.select().from(messages)).length];
	};
	expect(await counts()).toEqual([1, 1]);
	await choose(token, "SMS", false);
	expect(await counts()).toEqual([2, 1]);
	await choose(token, "IN_APP", false);
	expect(await counts()).toEqual([2, 1]);
	expect(await counts("REPAYMENTS")).toEqual([3, 2]);
	await choose(token, "SMS", true);
	expect(await counts()).toEqual([3, 3]);
});

it("the inbox never holds a code", async () => {
	expectOk(await call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: "712345678" } }));
	expect(await db.select().from(messages)).toHaveLength(1);
	expect(await db.select().from(inbox)).toEqual([]);
});

it("the inbox is read up to a message, once, by its owner alone", async () => {
	const [anna, ben] = [await givenUser(), await givenUser()];
	const { services } = await metered(anna.id);
	for (const _ of ["one", "two", "three"]) await services.commit(await notifyUser(services, anna.id, "PAYMENTS", FIRST));
	const [, two] = (await read(anna.token)).data;
	const through = two?.id ?? "";
	expect(await mark(ben.token, through)).toBe(404);
	expect((await read(anna.token)).unread).toBe(3);
	expect(await Promise.all([mark(anna.token, through), mark(anna.token, through)])).toEqual([204, 204]);
	const { data, unread } = await read(anna.token);
	expect([unread, data.map(({ read_at }) => read_at !== null)]).toEqual([1, [false, true, true]]);
	expect(await mark(anna.token, through)).toBe(204);
	expect((await read(anna.token)).data).toEqual(data);
});

it("the inbox counts the unread to a hundred, marks a thousand at a time, and keeps 180 days", async () => {
	const { id, token } = await givenUser();
	const { services } = await metered(id);
	const { now } = services;
	await services.commit(await notifyUser(services, id, "PAYMENTS", FIRST));
	const [first] = (await read(token)).data;
	await givenCopies("inbox", first?.id ?? "", 1_050, { created_at: `${now - 1_100} + n` });
	const page = await call(listMyMessages, { as: token, query: {} });
	expectRows(Math.floor(rowsRead(page) / 10)).toBe(12);
	expect(expectOk(page).unread).toBe(100);
	expect(await mark(token, first?.id ?? "")).toBe(204);
	expect((await read(token)).unread).toBe(51);
	const ancient = uuidv7(0, homeOf(id));
	await db.insert(inbox).values({ id: ancient, userId: id, category: "PAYMENTS", sealed: "", createdAt: 0 });
	await purge(services.db, [expiredInbox(services.db.orm, now + 179 * DAY_MS)]);
	expect(await db.select().from(inbox).where(eq(inbox.id, ancient))).toEqual([]);
	expect((await read(token)).data).toHaveLength(20);
	while (await purge(services.db, [expiredInbox(services.db.orm, now + 181 * DAY_MS)]));
	expect((await read(token)).data).toEqual([]);
});
