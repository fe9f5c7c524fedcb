// The oldest key of MASTER_KEY is retired: the same users before, during and after, with every interruption, and what says that the key
// may go.
// @module-tag thorough

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import guide from "../../docs/operations.md?raw";
import { formsOf } from "../../src/db/names";
import { names } from "../../src/db/names.table";
import { oldestKey } from "../../src/db/oldest-key.table";
import { placesOf } from "../../src/db/places";
import { unlessStale } from "../../src/db/stale";
import { openSecrets, sealSecrets } from "../../src/domains/connections/model/plan";
import { paymentConnections } from "../../src/domains/connections/model/table";
import { inbox } from "../../src/domains/messages/inbox.table";
import { exchangePartnerToken } from "../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../src/domains/tokens/exchange/phone.operations";
import { createSandboxToken } from "../../src/domains/tokens/sandbox/operations";
import { mobileNumberChanges } from "../../src/domains/users/model/number-change.table";
import { reserveNumber } from "../../src/domains/users/model/phone-name.store";
import { phoneName } from "../../src/domains/users/model/store";
import { users } from "../../src/domains/users/model/table";
import { webhookSigningKeys } from "../../src/domains/webhooks/table";
import { webhookEndpoints } from "../../src/events/table";
import { configuration } from "../../src/runtime/config";
import { HOUR_MS } from "../../src/shared/time";
import { retireOldestKey } from "../../src/wiring/key-retirement";
import { call, expectOk } from "../support/client";
import { type Death, dyingAtEach } from "../support/crashes";
import { cron } from "../support/cron";
import { environmentWith } from "../support/environments";
import { db, givenUser } from "../support/factories";
import { beforeTrip } from "../support/loans";
import { servicesFor } from "../support/outbound";
import { fakeWorld, givenWebhookOwner } from "../support/webhooks";

type Vars = Partial<Env>;
const FIRST = env.MASTER_KEY as string;
const freshKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
const under = (...keys: string[]): Vars => ({ MASTER_KEY: keys.join() });
/** The second takes the first one's place. */
const retiring = (old: string, fresh: string): Vars => under(fresh, `retire:${old}`);

const PHONE = "+254712345678";
const NEW_PHONE = "+254712345679";

async function byPhone(vars: Vars, subject = PHONE): Promise<string | undefined> {
	const { token } = expectOk(await call(createSandboxToken, { body: { kind: "phone", subject, organization: "acme" }, vars }));
	const { access_token } = expectOk(await call(exchangePhoneToken, { body: { phone_verification_token: token }, vars }));
	return decodeJwt(access_token).sub;
}

async function byIdentity(vars: Vars, subject = "anna"): Promise<string | undefined> {
	const { token } = expectOk(await call(createSandboxToken, { body: { kind: "partner", subject, organization: "acme" }, vars }));
	return decodeJwt(expectOk(await call(exchangePartnerToken, { body: { partner_token: token }, vars })).access_token).sub;
}

const people = async (vars: Vars) => [await byPhone(vars), await byIdentity(vars)];

/** What the sweep does of it in every database, this long after it began. */
async function work(vars: Vars, hours: number): Promise<void> {
	for (const place of placesOf(environmentWith(vars)).all) {
		const services = await servicesFor({ env: environmentWith(vars), ctx: createExecutionContext(), place });
		const then = { ...services, realNow: Date.now() + hours * HOUR_MS };
		// Portions of two, so that a few names are several.
		while (await retireOldestKey(then, 2)) {}
	}
}

const HOURS = [0, 1.5, 3, 4.5];
const workAll = async (vars: Vars) => {
	for (const hours of HOURS) await work(vars, hours);
};

const row = async () => (await db.select().from(oldestKey))[0];
const phones = async () => (await db.select().from(names).where(eq(names.kind, "PHONE"))).map(({ value, id }) => ({ value, id }));
const keyringOf = async (vars: Vars) => (await configuration(environmentWith(vars))).keyring;
const idOf = async (key: string) => (await (await keyringOf(under(key))).oldest()).id;

beforeEach(async () => {
	vi.spyOn(console, "error").mockImplementation(() => {});
	await db.delete(oldestKey);
});

describe("while the oldest key is retired", () => {
	it("the same users are found before, during and after, however it is interrupted", async () => {
		let old = FIRST;
		const before = await people(under(old));
		expect(new Set(before).size).toBe(2);
		// More than one portion of them.
		const crowd = Array.from({ length: 3 }, (_, index) => `+2547330${String(index).padStart(5, "0")}`);
		const named = new Map<string, string>();
		for (const mobileNumber of crowd) named.set(mobileNumber, (await givenUser({ mobileNumber })).id);
		for (const when of ["before", "after"] as const) {
			const deaths = await dyingAtEach(when, async ({ vars: dying }: Death) => {
				const fresh = freshKey();
				const vars = retiring(old, fresh);
				await workAll({ ...vars, ...dying }).catch(() => {});
				expect(await people(vars)).toEqual(before);
				await workAll(vars);
				expect(await row()).toMatchObject({ keyId: await idOf(fresh), nextKeyId: null });
				expect(await people(under(fresh))).toEqual(before);
				old = fresh;
			});
			expect(deaths).toBeGreaterThan(10);
		}
		const all = [...before, ...named.values()];
		expect((await db.select().from(users)).map(({ id }) => id).toSorted()).toEqual(all.toSorted());
		const config = await configuration(environmentWith(under(old)));
		const last = new Map((await phones()).map(({ value, id }) => [value, id]));
		expect(last.size).toBe(4);
		for (const [number, id] of named) expect(last.get((await phoneName({ config }, number)).value)).toBe(id);
	});

	it("is begun once, and said to be over once, by a sweep that another overtakes before any of its round trips", async () => {
		const log = vi.spyOn(console, "log").mockImplementation(() => {});
		const said = (words: string) => log.mock.calls.filter(([line]) => String(line).includes(words)).length;
		for (let nth = 1; nth <= 6; nth++) {
			log.mockClear();
			const [old, fresh] = [freshKey(), freshKey()];
			const vars = retiring(old, fresh);
			expect(await byPhone(under(old), `+25471234600${nth}`)).toBeDefined();
			for (const hours of HOURS) await unlessStale(() => work({ ...vars, ...beforeTrip(nth, () => work(vars, hours)) }, hours));
			await workAll(vars);
			expect([nth, said("the oldest master key is being retired"), said("remove it from MASTER_KEY")]).toEqual([nth, 1, 1]);
			await db.delete(names);
			await db.delete(oldestKey);
		}
	});

	it("a person who comes meanwhile is one user, also with an isolate that knows only the old key", async () => {
		const [old, fresh] = [freshKey(), freshKey()];
		const vars = retiring(old, fresh);
		expect(await byPhone(under(old), PHONE)).toBeDefined();
		// Within the first hour an isolate of before may make and look for anybody.
		await work(vars, 0);
		const [carol, dora] = [await byIdentity(vars, "carol"), await byPhone(vars, NEW_PHONE)];
		const value = (await phoneName({ config: await configuration(environmentWith(under(old))) }, NEW_PHONE)).value;
		expect(await phones()).toContainEqual({ value, id: dora });
		// Afterwards new names are made under the next key, and no number gets a second one.
		await work(vars, 1.5);
		const erin = await byIdentity(vars, "erin");
		expect([await byIdentity(vars, "carol"), await byPhone(vars, NEW_PHONE)]).toEqual([carol, dora]);
		expect(await phones()).toHaveLength(2);
		await work(vars, 3);
		const after = under(fresh);
		expect([await byIdentity(after, "carol"), await byPhone(after, NEW_PHONE), await byIdentity(after, "erin")]).toEqual([
			carol,
			dora,
			erin,
		]);
	});

	it("a number that is reserved for a change moves with it", async () => {
		const [old, fresh] = [freshKey(), freshKey()];
		const vars = retiring(old, fresh);
		const id = (await byPhone(under(old))) ?? "";
		const change = { id: "a-change", userId: id, status: "AUTHORIZED", authorizationChannel: "RECOVERY", oldNumber: PHONE } as const;
		const rest = { newNumber: NEW_PHONE, challengeId: "", provider: "NONE", createdAt: 1, expiresAt: Date.now() + 99 * HOUR_MS } as const;
		await db.insert(mobileNumberChanges).values({ ...change, ...rest });
		const config = await configuration(environmentWith(vars));
		await work(vars, 0);
		const { directory } = (await servicesFor({ env: environmentWith(vars), ctx: createExecutionContext() })).databases;
		const reserve = { id, reservedFor: change.id, now: 1 };
		const asked = await phoneName({ config }, NEW_PHONE);
		await directory.commit([reserveNumber(directory.orm, asked, reserve)]);
		await workAll(vars);
		expect(await phones()).toContainEqual({ value: formsOf(asked)[1], id });
		// Again is the same row, in every form.
		await directory.commit([reserveNumber(directory.orm, asked, reserve)]);
		expect(await phones()).toHaveLength(2);
		expect(await row()).toMatchObject({ keyId: await idOf(fresh) });
	});

	it("a name whose number is nowhere keeps the key, and the log says so", async () => {
		const [old, fresh] = [freshKey(), freshKey()];
		const vars = retiring(old, fresh);
		await byPhone(under(old));
		await db.insert(names).values({ kind: "PHONE", value: "of nobody", id: crypto.randomUUID(), createdAt: 1 });
		const log = vi.spyOn(console, "error").mockImplementation(() => {});
		await workAll(vars);
		expect(await row()).toMatchObject({ keyId: await idOf(old), passLeft: 1 });
		expect(JSON.stringify(log.mock.calls)).toContain("names whose number or identity is nowhere keep the oldest master key");
		await db.delete(names).where(eq(names.value, "of nobody"));
		await work(vars, 6);
		expect(await row()).toMatchObject({ keyId: await idOf(fresh) });
	});

	it("a start that would look for users under one key alone is refused, and named, from the beginning to the end", async () => {
		const [old, fresh] = [freshKey(), freshKey()];
		const vars = retiring(old, fresh);
		// A start with the old key alone is not asked again in this isolate.
		await byPhone(vars);
		await work(vars, 0);
		const log = vi.spyOn(console, "error").mockImplementation(() => {});
		const refused = async (...keys: string[]) => {
			const answer = await call(createSandboxToken, { body: { kind: "phone", subject: PHONE }, vars: under(...keys) });
			return answer.status === 503;
		};
		const other = freshKey();
		for (const keys of [[fresh], [fresh, old], [other, `retire:${old}`]]) expect(await refused(...keys)).toBe(true);
		expect(JSON.stringify(log.mock.calls)).toContain(
			`must end with the key ${await idOf(fresh)} and, after it, \\\\\\"retire:\\\\\\" and the key ${await idOf(old)}`,
		);
		await workAll(vars);
		for (const keys of [[old], [fresh, old], [other, `retire:${old}`]]) expect(await refused(...keys)).toBe(true);
		expect(await refused(fresh)).toBe(false);
		expect(await refused(fresh, `retire:${old}`)).toBe(false);
	});

	it("what is kept for long is sealed again, and opens without the key", async () => {
		const [old, fresh] = [FIRST, freshKey()];
		fakeWorld();
		const vars = retiring(old, fresh);
		const { register } = await givenWebhookOwner();
		const { id } = await register({ headers: { "X-Token": "of the receiver" } });
		const before = await keyringOf(under(old));
		const message = crypto.randomUUID();
		const sealed = await before.seal("message", message, "a text");
		await db.insert(inbox).values({ id: message, userId: crypto.randomUUID(), category: "ACCOUNT", sealed, createdAt: 1 });
		const of = { organizationId: crypto.randomUUID(), provider: "daraja", version: 1 } as const;
		const secrets = await sealSecrets(before, of, { consumer_secret: "of the lender" });
		const account = { environment: "sandbox", shortCode: "600000", payouts: false, hasPasskey: false, hasInitiator: false } as const;
		await db.insert(paymentConnections).values({
			...of,
			...account,
			sealed: secrets,
			status: "ACTIVE",
			nextBalanceAt: Date.now() + 99 * HOUR_MS,
			createdAt: 1,
			updatedAt: 1,
		});
		await workAll(vars);
		const after = await keyringOf(under(fresh));
		const [connection] = await db.select().from(paymentConnections);
		expect(connection && (await openSecrets(after, connection))).toEqual({ consumer_secret: "of the lender" });
		const [endpoint] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
		const [key] = await db.select().from(webhookSigningKeys).where(eq(webhookSigningKeys.webhookId, id));
		const [text] = await db.select().from(inbox).where(eq(inbox.id, message));
		const { organizationId = "", sealedHeaders } = endpoint ?? {};
		expect(await after.open("webhook-headers", `${organizationId}:${id}`, sealedHeaders ?? "")).toContain("of the receiver");
		expect(await after.open("webhook-secret", `${organizationId}:${id}:${key?.id}`, key?.sealedSecret ?? "")).toMatch(/^whsec_/);
		expect(await after.open("message", message, text?.sealed ?? "")).toBe("a text");
		expect(await row()).toMatchObject({ keyId: await idOf(fresh) });
	});

	it("the page of operators asks the database how far it is, and which API keys were made before", async () => {
		const [old, fresh] = [freshKey(), freshKey()];
		await byPhone(under(old));
		await work(retiring(old, fresh), 0);
		await work(retiring(old, fresh), 1.5);
		const [, section = ""] = guide.split("### Retiring the oldest master key");
		const [progress = "", keys = ""] = [...section.matchAll(/^ {5}"(select [^"]+)"$/gm)].map(([, sql = ""]) => sql);
		expect((await env.DB.prepare(progress).all()).results).toEqual([
			{
				key_id: await idOf(old),
				next_key_id: await idOf(fresh),
				since: expect.any(String),
				moving: expect.any(String),
				pass_cursor: null,
				pass_left: 0,
			},
		]);
		await expect(env.DB.prepare(keys.replace("<since in ms>", "1")).all()).resolves.toMatchObject({ results: [] });
	});

	it("the sweep does it, and the log says when the key may go", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const [old, fresh] = [freshKey(), freshKey()];
		const vars = retiring(old, fresh);
		const before = await people(under(old));
		const log = vi.spyOn(console, "log").mockImplementation(() => {});
		const isSaid = () =>
			JSON.stringify(log.mock.calls).includes("users are found without the oldest master key: remove it from MASTER_KEY");
		// With several databases a sweep has time for one portion.
		for (let sweeps = 0; sweeps < 20 && !isSaid(); sweeps++) {
			await cron(environmentWith(vars));
			vi.setSystemTime(Date.now() + HOUR_MS);
		}
		expect(isSaid()).toBe(true);
		expect(await people(under(fresh))).toEqual(before);
	});
});
