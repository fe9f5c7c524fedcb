// An address with too many refused credentials is refused itself.

import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { getBrand } from "../../../src/domains/branding/operations";
import { confirmPhoneVerification } from "../../../src/domains/otp/operations";
import { confirmDaraja } from "../../../src/domains/repayments/recording/daraja.operations";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { refreshSession } from "../../../src/domains/tokens/sessions/operations";
import { apiKey, oneOf, operator, user } from "../../../src/http/callers/access";
import type { AnyOperation } from "../../../src/http/operation";
import { send } from "../../support/client";
import { givenApiKey, givenOrganization, givenUser } from "../../support/factories";
import { givenKey, signed } from "../../support/issuers";
import { probe, whoami } from "../../support/probe";
import { meteredBindings } from "../../support/statements";

const everyone = whoami(oneOf(oneOf(user, apiKey("loans:write")), operator), "POST") as AnyOperation;

/** Counts like the binding of wrangler.toml, but its window never ends, which could happen in the middle of a test. */
function limited() {
	const counts = new Map<string, number>();
	const FAILURE_LIMIT: RateLimit = {
		async limit({ key }) {
			const count = (counts.get(key ?? "") ?? 0) + 1;
			counts.set(key ?? "", count);
			return { success: count <= 60 };
		},
	};
	const { vars, meter } = meteredBindings();
	const ask = (as: string, headers: Record<string, string> = {}) =>
		probe(
			[everyone],
			{ as, headers: { "cf-connecting-ip": "192.0.2.7", ...headers } },
			{ vars: { ...vars, RATE_LIMITS: "on", FAILURE_LIMIT } },
		);
	const guessVars: Partial<Env> = { ...vars, RATE_LIMITS: "on", FAILURE_LIMIT };
	type Guess = { op: AnyOperation; path?: Record<string, string>; body?: object };
	const guessWith = async ({ op, ...request }: Guess, more: Partial<Env> = {}) =>
		(await send(op, { ...request, headers: { "cf-connecting-ip": "192.0.2.7" }, vars: { ...guessVars, ...more } })).status;
	return { ask, meter, counts, guessWith };
}

const made = (i: number) => `sk_${String(i).padStart(86, "A")}`;

describe("guesses at what public operations take in place of credentials", () => {
	const madeUp = (i: number) => `${String(i).padStart(8, "0")}-0000-7000-8000-000000000000`;
	const refresh = (i: number) => `rt_000${String(i).padStart(54, "A")}`;
	const daraja = { TransID: "T", TransTime: "20260101000000", TransAmount: "1" };

	// The first request of a local service also sweeps, which costs round trips of its own.
	beforeAll(() => send(confirmDaraja, { path: { secret: "first" }, body: daraja, vars: {} }));

	it.each([
		["a refresh token", 400, (i: number) => ({ op: refreshSession, body: { refresh_token: refresh(i) } })],
		["a challenge", 404, (i: number) => ({ op: confirmPhoneVerification, path: { id: madeUp(i) }, body: { otp_code: "123456" } })],
		["a Daraja path", 404, (i: number) => ({ op: confirmDaraja, path: { secret: `s${i}` }, body: daraja })],
	] as const)("cost no round trip and are failures of the address: %s", async (_, status, guess) => {
		const { guessWith, meter } = limited();
		const statuses: number[] = [];
		for (let i = 0; i < 62; i++) statuses.push(await guessWith(guess(i)));
		expect(statuses).toEqual([...Array(60).fill(status), 429, 429]);
		expect(meter.trips).toBe(0);
	});

	it.each([
		["a brand", 404, async (i: number) => ({ op: getBrand, path: { organizationId: `made-up-${i}` } })],
		[
			"an issuer",
			401,
			async (i: number, key: Awaited<ReturnType<typeof givenKey>>) => ({
				op: exchangePartnerToken,
				body: { partner_token: await signed(key, { iss: `https://guessed-${i}.example` }) },
			}),
		],
	] as const)("cost at most sixty round trips a minute: %s", { tags: ["thorough"] }, async (_, status, guess) => {
		const { guessWith, meter } = limited();
		const statuses: number[] = [];
		const key = await givenKey();
		for (let i = 0; i < 63; i++) statuses.push(await guessWith(await guess(i, key)));
		expect(statuses).toEqual([...Array(60).fill(status), 429, 429, 429]);
		expect(meter.trips).toBeLessThanOrEqual(61);
	});

	it("that were right pass from an address over the limit", async () => {
		const { guessWith } = limited();
		for (let i = 0; i < 61; i++) await guessWith({ op: confirmDaraja, path: { secret: `s${i}` }, body: daraja });
		const right = { op: confirmDaraja, path: { secret: "right" }, body: daraja };
		const secrets = [{ secret: "right", organization_id: (await givenOrganization()).id }];
		expect(await guessWith(right, { DARAJA_SECRETS: JSON.stringify(secrets) })).toBe(200);
	});
});

describe("failed credentials", () => {
	it("are 401 sixty times a minute and then 429, counted by address", async () => {
		const { ask } = limited();
		const statuses: number[] = [];
		for (let i = 0; i < 65; i++) statuses.push((await ask(made(i))).status);
		expect(statuses).toEqual([...Array(60).fill(401), ...Array(5).fill(429)]);
		const refused = await ask("rubbish");
		expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(refused.headers.get("retry-after")).toBe("60");
		expect(refused.headers.get("ratelimit")).toBe('"failure";r=0;t=60');
		expect((await ask(made(99), { "cf-connecting-ip": "192.0.2.8" })).status).toBe(401);
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
		expect((await ask(made(99), { "cf-connecting-ip": "192.0.2.8" })).status).toBe(401);
	});

	it("are the only calls that count, and valid ones pass from the same address", async () => {
		const { ask, counts } = limited();
		const { id } = await givenOrganization();
		const [key, { token }] = [await givenApiKey(id, ["loans:write"]), await givenUser()];
		for (let i = 0; i < 5; i++) expect((await ask(key)).status).toBe(200);
		expect(counts.size).toBe(0);
		for (let i = 0; i < 61; i++) await ask("rubbish");
		const another = await givenApiKey(id, ["loans:write"]);
		for (const as of [key, another, token]) expect((await ask(as)).status).toBe(200);
	});

	it("that are made up cost no round trip and no Durable Object, with an Idempotency-Key or without", async () => {
		const { ask, meter } = limited();
		const objects = async () => (await listDurableObjectIds(env.IDEMPOTENCY_KEYS as never)).length;
		const before = await objects();
		for (let i = 0; i < 20; i++) await ask(made(i), { "idempotency-key": `k${i}` });
		for (let i = 0; i < 20; i++) await ask(`eyJ.${i}.x`, { "idempotency-key": `k${i}` });
		expect(meter.trips).toBe(0);
		expect(await objects()).toBe(before);
	});

	it("that name unknown issuers cost at most sixty round trips a minute, and one for each name", { tags: ["thorough"] }, async () => {
		const { ask, meter } = limited();
		const key = await givenKey();
		expect((await ask(await signed(key, { iss: `https://${"a".repeat(255)}.example` }))).status).toBe(401);
		expect(meter.trips).toBe(0);
		const token = (i: number) => signed(key, { iss: `https://made-up-${i}.example` });
		for (let i = 0; i < 5; i++) expect((await ask(await token(1))).status).toBe(401);
		expect(meter.trips).toBe(1);
		for (let i = 0; i < 80; i++) await ask(await token(i));
		expect(meter.trips).toBeLessThanOrEqual(61);
	});

	it("that are revoked API keys cost one look-up in each isolate", async () => {
		const { ask, meter } = limited();
		const { id } = await givenOrganization();
		const revoked = await givenApiKey(id, ["loans:write"], { revokedAt: 1 });
		for (let i = 0; i < 5; i++) expect((await ask(revoked)).status).toBe(401);
		expect(meter.trips).toBe(1);
	});
});
