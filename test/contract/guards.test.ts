// Every guarded operation, called with valid input by callers who must be refused. The check of the caller rides with the
// handler's first read, so a handler that acts before it acts for them too; this suite finds no effect of any kind.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { memberships, organizations } from "../../src/domains/organizations/table";
import { users } from "../../src/domains/users/table";
import { isPublic, user } from "../../src/http/callers/access";
import { type AnyOperation, errorsOf, operation } from "../../src/http/operation";
import { clockOffset, rememberOffset } from "../../src/runtime/clock";
import { jobFrom } from "../../src/runtime/making-services";
import type { HandlerServices } from "../../src/runtime/services";
import { forgetAll } from "../../src/shared/cache";
import { ORGANIZATION_SUSPENDED } from "../../src/shared/errors";
import { ROLES, rolePermits, SCOPES } from "../../src/shared/permissions";
import { operations } from "../support/domains";
import { naming, signed, title } from "../support/doors";
import { effectsOf } from "../support/effects";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, oneTrip, operatorToken } from "../support/factories";
import { beforeCommit } from "../support/loans";
import { outbound } from "../support/outbound";
import type { ValidRequest } from "../support/valid-request";
import { fakeWorld, type World } from "../support/webhooks";
import { type Credentials, permitted, send } from "./senders";
import { givenParties, knowsValidRequest, type Parties, VALID_REQUESTS, validRequest, WHAT_IT_NEEDS } from "./valid-requests";

/** A caller who must be refused; `given` sets up the reason for the refusal, `undo` removes it. */
type Refused = { who: string; given(): Promise<Credentials>; undo?(): Promise<unknown> };

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

/** Calls the operation and returns what is wrong with the refusal: nothing, if all is well. */
async function faultsOf(op: AnyOperation, request: ValidRequest, { who, given, undo }: Refused): Promise<string[]> {
	const credentials = await given();
	// Like an isolate that has never seen this caller, and knows only the credentials and the clock.
	const offset = await clockOffset(env.DB, "local");
	forgetAll();
	rememberOffset(offset);
	const { result, effects } = await effectsOf(world, (vars) => send(op, request, credentials, vars));
	await undo?.();
	const { status, body } = result;
	const refused = (status === 401 || status === 403 || status === 404) && errorsOf(op).includes(body.code as never);
	return [
		...(refused ? [] : [`${who}: not refused but answered ${status} ${JSON.stringify(body)}`]),
		...effects.map((effect) => `${who}: ${effect}`),
	];
}

/**
 * Whether the request names something that belongs to the parties, so that nobody else may send it. Merchants do not count: each
 * organization chooses its own ids for them.
 */
const namesSomething = (op: AnyOperation, { body }: ValidRequest): boolean =>
	/{(?!organizationId|merchantId)/.test(op.path) || "loan_product_id" in (body ?? {});

const setUser = (id: string, change: Partial<typeof users.$inferInsert>) => () => db.update(users).set(change).where(eq(users.id, id));

function usersRefused(op: AnyOperation, { user }: Parties, request: ValidRequest): Refused[] {
	const { id, token: as } = user;
	const inState = (who: string, change: Partial<typeof users.$inferInsert>, back: Partial<typeof users.$inferInsert>): Refused => ({
		who,
		given: async () => {
			await setUser(id, change)();
			return { as };
		},
		undo: setUser(id, back),
	});
	return [
		inState("a blocked user", { blockedAt: 1 }, { blockedAt: null }),
		...(op.access.user?.waitingList ? [] : [inState("a user on the waiting list", { status: "WAITING_LIST" }, { status: "ACTIVE" })]),
		...(namesSomething(op, request)
			? [
					{
						who: "a user of another organization",
						given: async () => ({ as: (await givenUser({ organizationId: (await givenOrganization()).id })).token }),
					},
				]
			: []),
	];
}

function keysRefused(op: AnyOperation, { organization }: Parties, request: ValidRequest): Refused[] {
	const { apiKey } = op.access;
	const others = SCOPES.filter((scope) => !apiKey?.includes(scope));
	return [
		{ who: "a key without the scope", given: async () => ({ as: await givenApiKey(organization.id, others) }) },
		{ who: "a revoked key", given: async () => ({ as: await givenApiKey(organization.id, SCOPES, { revokedAt: 1 }) }) },
		...(namesSomething(op, request)
			? [{ who: "another organization's key", given: async () => ({ as: await givenApiKey((await givenOrganization()).id, SCOPES) }) }]
			: []),
	];
}

function membersRefused(op: AnyOperation, { organization, owner }: Parties, request: ValidRequest): Refused[] {
	const { permission, from } = op.access.organization ?? {};
	const { headers = {} } = naming(op, organization.id);
	const withRole = (role: (typeof ROLES)[number]) => db.update(memberships).set({ role }).where(eq(memberships.userId, owner.id));
	const lacking = permission && ROLES.find((role) => !rolePermits(role, permission));
	const stranger = async () => {
		const { write, written } = oneTrip();
		const other = await givenOrganization(undefined, write);
		const { token: as } = await givenMember(other.id, undefined, {}, write);
		await written();
		return { other, as };
	};
	return [
		{
			who: "a blocked owner",
			given: async () => {
				await setUser(owner.id, { blockedAt: 1 })();
				return { as: owner.token, headers };
			},
			undo: setUser(owner.id, { blockedAt: null }),
		},
		...(lacking
			? [
					{
						who: `a member as ${lacking}`,
						given: async () => {
							await withRole(lacking);
							return { as: owner.token, headers };
						},
						undo: () => withRole("organization-owner"),
					},
				]
			: []),
		{ who: "another organization's owner", given: async () => ({ as: (await stranger()).as, headers }) },
		...(from === "header" && namesSomething(op, request)
			? [
					{
						who: "another organization's owner, who acts for their own",
						given: async () => {
							const { other, as } = await stranger();
							return { as, headers: { "x-organization-id": other.id } };
						},
					},
				]
			: []),
	];
}

function refusedCallers(op: AnyOperation, parties: Parties, request: ValidRequest): Refused[] {
	const { access } = op;
	return [
		...(access.user
			? usersRefused(op, parties, request)
			: [{ who: "a user without a role", given: async () => ({ as: (await givenUser()).token }) }]),
		...(access.organization ? membersRefused(op, parties, request) : []),
		...(access.apiKey
			? keysRefused(op, parties, request)
			: [{ who: "an API key", given: async () => ({ as: await givenApiKey(parties.organization.id, SCOPES) }) }]),
		...(access.operator || access.organization ? [] : [{ who: "an operator", given: async () => ({ as: await operatorToken() }) }]),
		...(access.signature
			? [
					{
						who: "a provider with another secret",
						given: async () => ({ headers: await signed(JSON.stringify(request.body), "another-secret") }),
					},
				]
			: []),
	];
}

const setStatus = (id: string, status: "ACTIVE" | "SUSPENDED") => () =>
	db.update(organizations).set({ status }).where(eq(organizations.id, id));

/** Whether an organization's suspension refuses its keys and members the operation. */
const isRefusedWhileSuspended = ({ method, whileSuspended, access }: AnyOperation): boolean =>
	method !== "GET" && !whileSuspended && Boolean(access.apiKey ?? access.organization);

/** What users get no more while the organization is suspended whose users they are. */
const NEW_CREDIT = ["applyForLoan", "draw"];

async function suspendedCallers(op: AnyOperation, parties: Parties, request: ValidRequest): Promise<Refused[]> {
	const { organization, owner } = parties;
	const [suspend, undo] = [setStatus(organization.id, "SUSPENDED"), setStatus(organization.id, "ACTIVE")];
	const suspended = (who: string, credentials: Credentials): Refused => ({
		who: `${who} of a suspended organization`,
		given: () => suspend().then(() => credentials),
		undo,
	});
	const { headers = {} } = naming(op, organization.id);
	return [
		...(isRefusedWhileSuspended(op) && op.access.organization ? [suspended("an owner", { as: owner.token, headers })] : []),
		...(isRefusedWhileSuspended(op) && op.access.apiKey ? [suspended("a key", { as: await givenApiKey(organization.id, SCOPES) })] : []),
		...(NEW_CREDIT.includes(op.id) ? [suspended("a user", await permitted(op, parties, request))] : []),
	];
}

const guarded = operations.filter((op) => !isPublic(op.access));

describe("the table of valid requests", () => {
	it("has a valid request for every operation, and no others", () => {
		const ids = operations.map(({ id }) => id);
		const missing = operations.filter((op) => !knowsValidRequest(op)).map(({ id }) => id);
		expect(missing, `each needs ${WHAT_IT_NEEDS}`).toEqual([]);
		expect(Object.keys(VALID_REQUESTS).filter((name) => !ids.includes(name.replace(/@.*/, "")))).toEqual([]);
	});
});

describe.each(guarded.map((op) => [title(op), op] as const))("%s", (_, op) => {
	it("has no effect for callers who must be refused, and succeeds for the permitted one", async () => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const faults: string[] = [];
		const suspended = await suspendedCallers(op, parties, request);
		for (const caller of [...refusedCallers(op, parties, request), ...suspended]) faults.push(...(await faultsOf(op, request, caller)));
		expect(faults).toEqual([]);
		const { id } = parties.organization;
		const [last] = suspended;
		if (last) {
			// The suspension comes in between the read and the commit.
			const credentials = await last.given();
			await setStatus(id, "ACTIVE")();
			const { status, body } = await send(op, request, credentials, beforeCommit(setStatus(id, "SUSPENDED")));
			await setStatus(id, "ACTIVE")();
			expect({ status, description: body.description }).toEqual({ status: 403, description: ORGANIZATION_SUSPENDED });
		}
		// Whatever the suspension does not refuse goes on.
		if (!last || (op.access.user && !NEW_CREDIT.includes(op.id))) await setStatus(id, "SUSPENDED")();
		const credentials = await permitted(op, parties, request);
		const { result, effects } = await effectsOf(world, (vars) => send(op, request, credentials, vars));
		expect(result.status, JSON.stringify(result.body)).toBeLessThan(300);
		if (op.method === "GET") expect(effects).toEqual([]);
	});
});

describe("a handler that acts before its first read", () => {
	const acting = (act: (services: HandlerServices) => Promise<unknown>): AnyOperation =>
		operation({
			id: "acting",
			method: "POST",
			path: "/v1/acting",
			summary: "Acts, then reads",
			access: user,
			request: {},
			response: z.object({}),
			async handle(_, services) {
				await act(services);
				await services.db.read(services.db.orm.select().from(organizations));
				return {};
			},
		});
	const row = { id: "a", slug: "a", name: "a", createdAt: 0 };

	it.each<[string, (services: HandlerServices) => Promise<unknown>]>([
		["a fetch", () => outbound("https://elsewhere.example/")],
		["messages to WEBHOOK_QUEUE", ({ env }) => env.WEBHOOK_QUEUE.sendBatch([])],
		["a Durable Object of DELIVERY_RETRIES", ({ env }) => env.DELIVERY_RETRIES.getByName("x").take(1)],
		["rows of organizations", (services) => jobFrom(services).commit([services.db.orm.insert(organizations).values(row)])],
		["rows of organizations", ({ env }) => env.DB.exec("insert into organizations (id, slug, name, created_at) values ('o', 'o', 'o', 1)")],
	])("is caught: %s", async (effect, act) => {
		const parties = await givenParties();
		const [blocked, waiting] = usersRefused(acting(act), parties, {});
		if (!blocked || !waiting) throw new Error("expected two callers");
		expect(await faultsOf(acting(act), {}, blocked)).toEqual([`a blocked user: ${effect}`]);
		if (!effect.startsWith("rows")) expect(await faultsOf(acting(act), {}, waiting)).toEqual([`a user on the waiting list: ${effect}`]);
	});

	it("has no effect for a refused caller if it commits through its services, or runs the deferred check first", async () => {
		const parties = await givenParties();
		const [blocked] = usersRefused(
			acting(async () => {}),
			parties,
			{},
		);
		if (!blocked) throw new Error("expected a caller");
		const harmless: ((services: HandlerServices) => Promise<unknown>)[] = [
			(services) => services.commit([services.db.orm.insert(organizations).values(row)], {}),
			(services) => services.commitRegardless([services.db.orm.insert(organizations).values(row)]),
			async ({ db }) => {
				await db.runDeferredCheck();
				await outbound("https://elsewhere.example/");
			},
		];
		for (const act of harmless) expect(await faultsOf(acting(act), {}, blocked)).toEqual([]);
	});
});
