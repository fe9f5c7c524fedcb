// The feed has every event once, without gaps.

import { beforeEach, describe, expect, it } from "vitest";
import { testWebhook } from "../../../../src/domains/webhooks/deliveries/test.operations";
import { updateWebhook } from "../../../../src/domains/webhooks/endpoints/operations";
import { getEvent, listEvents, listEventTypes } from "../../../../src/domains/webhooks/feed/operations";
import { call, expectOk, send } from "../../../support/client";
import { fakeWorld, givenWebhookOwner, raiseQuietly } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

describe("the feed", () => {
	it("shows every event once, oldest first, with a gapless sequence, whether or not anybody subscribes", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		await register();
		await register();
		await Promise.all(Array.from({ length: 10 }, () => raiseQuietly(organization.id)));
		const { data, next, prev } = expectOk(await call(listEvents, { as, query: {} }));
		expect(data.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		expect(data[0]).toMatchObject({
			event_type: "user.admitted",
			category: "USER",
			event_key: `user.admitted:${data[0]?.data.user_id}`,
			payload_version: 1,
			stream: 0,
		});
		expect(prev).toBeNull();
		expect(next).toBeTruthy();
		expect(expectOk(await call(getEvent, { as, path: { event_id: data[3]?.id ?? "" } }))).toEqual(data[3]);
	});

	it("has a next cursor even when empty or at its end, from which a reader continues", async () => {
		const { organization, as } = await givenWebhookOwner();
		const empty = expectOk(await call(listEvents, { as, query: {} }));
		expect(empty).toMatchObject({ data: [], prev: null });
		expect(expectOk(await call(listEvents, { as, query: { after: empty.next } }))).toEqual(empty);
		await raiseQuietly(organization.id);
		const first = expectOk(await call(listEvents, { as, query: { after: empty.next } }));
		expect(first.prev).toBeNull();
		expect(first.data.map(({ sequence }) => sequence)).toEqual([1]);
		const end = expectOk(await call(listEvents, { as, query: { after: first.next } }));
		expect(end.data).toEqual([]);
		await raiseQuietly(organization.id);
		const more = expectOk(await call(listEvents, { as, query: { after: end.next } }));
		expect(more.data.map(({ sequence }) => sequence)).toEqual([2]);
		const back = expectOk(await call(listEvents, { as, query: { before: end.prev ?? "" } }));
		expect(back.data.map(({ sequence }) => sequence)).toEqual([1]);
	});

	it("answers its present end, from which a reader gets only what happens afterwards", async () => {
		const { organization, as } = await givenWebhookOwner();
		const start = expectOk(await call(listEvents, { as, query: { from: "latest" } }));
		expect(start).toMatchObject({ data: [], prev: null });
		await raiseQuietly(organization.id);
		const [first, end] = [
			expectOk(await call(listEvents, { as, query: { after: start.next } })),
			expectOk(await call(listEvents, { as, query: { from: "latest" } })),
		];
		expect(first.data.map(({ sequence }) => sequence)).toEqual([1]);
		expect(end.data).toEqual([]);
		await raiseQuietly(organization.id);
		const more = expectOk(await call(listEvents, { as, query: { after: end.next } }));
		expect(more.data.map(({ sequence }) => sequence)).toEqual([2]);
		expect(await call(listEvents, { as, query: { from: "latest", after: end.next } })).toMatchObject({ status: 400 });
	});

	it("pages both ways over the same rows in the same order", async () => {
		const { organization, as } = await givenWebhookOwner();
		for (let i = 0; i < 5; i++) await raiseQuietly(organization.id);
		const sequences: number[] = [];
		let after: string | undefined;
		let last = expectOk(await call(listEvents, { as, query: { size: "2" } }));
		const pages = [last];
		for (; last.data.length > 0; after = last.next) {
			sequences.push(...last.data.map(({ sequence }) => sequence));
			last = expectOk(await call(listEvents, { as, query: { size: "2", after: last.next } }));
			pages.push(last);
		}
		expect(sequences).toEqual([1, 2, 3, 4, 5]);
		expect(after).toBeTruthy();
		const back = expectOk(await call(listEvents, { as, query: { size: "2", before: pages[2]?.prev ?? "" } }));
		expect(back.data.map(({ sequence }) => sequence)).toEqual([3, 4]);
		const start = expectOk(await call(listEvents, { as, query: { size: "2", before: back.prev ?? "" } }));
		expect(start).toMatchObject({ data: [{ sequence: 1 }, { sequence: 2 }], prev: null });
	});

	it("filters by type and time (from inclusive, until exclusive), and binds its cursors to the filters and the owner", async () => {
		const { organization, as, register } = await givenWebhookOwner();
		const webhook = await register();
		await raiseQuietly(organization.id);
		await call(testWebhook, { as, path: { webhook_id: webhook.id } });
		await raiseQuietly(organization.id, 60_000);
		const { data } = expectOk(await call(listEvents, { as, query: {} }));
		const ofType = expectOk(await call(listEvents, { as, query: { type: "webhook.test" } }));
		expect(ofType.data.map(({ sequence }) => sequence)).toEqual([2]);
		const at = data[2]?.created_at ?? "";
		expect(expectOk(await call(listEvents, { as, query: { created_from: at } })).data).toEqual([data[2]]);
		expect(expectOk(await call(listEvents, { as, query: { created_until: at } })).data).toEqual(data.slice(0, 2));
		const bad = await call(listEvents, { as, query: { after: ofType.next } });
		expect(bad).toMatchObject({ status: 400, body: { invalid_params: [{ path: "query.after", sub_code: "INVALID_CURSOR" }] } });
		const stranger = await givenWebhookOwner();
		expect((await call(listEvents, { as: stranger.as, query: { type: "webhook.test", after: ofType.next } })).status).toBe(400);
		expect((await call(getEvent, { as: stranger.as, path: { event_id: data[0]?.id ?? "" } })).status).toBe(404);
		expect((await send(listEvents as never, { as, query: { type: "no.such" } })).status).toBe(400);
		expect((await call(listEvents, { as, query: { created_from: "yesterday" } })).status).toBe(400);
	});

	it("is read newest first to look back, page by page and both ways, until a page is empty", async () => {
		const { organization, as } = await givenWebhookOwner();
		for (const _ of [1, 2, 3]) await raiseQuietly(organization.id);
		const page = async (query: { after?: string; before?: string }) =>
			expectOk(await call(listEvents, { as, query: { order: "desc", size: "2", ...query } }));
		const sequences = ({ data }: Awaited<ReturnType<typeof page>>) => data.map(({ sequence }) => sequence);
		const latest = await page({});
		const earlier = await page({ after: latest.next });
		const none = await page({ after: earlier.next });
		expect([latest, earlier, none].map(sequences)).toEqual([[3, 2], [1], []]);
		expect(sequences(await page({ before: none.prev ?? "" }))).toEqual([2, 1]);
		expect(sequences(await page({ before: earlier.prev ?? "" }))).toEqual([3, 2]);
		expect((await call(listEvents, { as, query: { after: latest.next } })).status).toBe(400);
		expect((await call(listEvents, { as, query: { order: "desc", from: "latest" } })).status).toBe(400);
	});

	it("never goes back in time, even when the clocks of isolates differ", async () => {
		const { organization, as } = await givenWebhookOwner();
		await raiseQuietly(organization.id, 60_000);
		await raiseQuietly(organization.id);
		const [first, second] = expectOk(await call(listEvents, { as, query: {} })).data;
		expect(second?.created_at).toBe(first?.created_at);
	});
});

describe("event types", () => {
	it("are listed with category, description, schema and example", async () => {
		const { as } = await givenWebhookOwner();
		const types = expectOk(await call(listEventTypes, { as }));
		expect(types).toContainEqual({
			event: "user.waitlisted",
			category: "USER",
			description: "A new user was put on the waiting list",
			schema: {
				$schema: "https://json-schema.org/draft/2020-12/schema",
				type: "object",
				properties: {
					user_id: { type: "string", format: "uuid", pattern: expect.any(String) },
					source: { type: "string", enum: ["PHONE", "PARTNER", "INVITATION"], description: expect.any(String) },
				},
				required: ["user_id", "source"],
			},
			example: { user_id: expect.any(String), source: "PHONE" },
		});
		expect(types).toContainEqual(expect.objectContaining({ event: "approval.outcome", category: "APPROVAL" }));
	});

	it("leave out the test event, to which no endpoint can subscribe", async () => {
		const { as, register } = await givenWebhookOwner();
		const types = expectOk(await call(listEventTypes, { as }));
		expect(types.map(({ event }) => event)).not.toContain("webhook.test");
		const { id } = await register();
		expect(await call(updateWebhook, { as, path: { webhook_id: id }, body: { events: ["webhook.test"] } })).toMatchObject({
			status: 400,
			body: { code: "INVALID_PARAMS", invalid_params: [{ path: "events[0]", sub_code: "NOT_ALLOWED" }] },
		});
	});
});
