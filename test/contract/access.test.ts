// Every operation, called with every credential that it must refuse. The input is always invalid, so an answer about credentials
// shows that they are checked before the input.

import { describe, expect, it } from "vitest";
import { isPublic } from "../../src/http/access";
import { type AnyOperation, badInputCode, errorsOf } from "../../src/http/operation";
import { ERRORS, type ErrorCode } from "../../src/shared/errors";
import { ROLES, rolePermits, SCOPES } from "../../src/shared/permissions";
import { operations } from "../../src/wiring/app";
import { CALLBACK_SECRET, naming, type Sent, signed, title } from "../support/doors";
import { accessToken, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { servePath, type Vars } from "../support/serve";
import { badTokens, sandboxToken } from "../support/tokens";

const WRONG = '{"wrong';

/** Sends invalid input everywhere, except for the organization in the path. */
function send(op: AnyOperation, { as, headers = {}, organization = "!" }: Sent, vars?: Vars): Promise<Response> {
	const path = op.path.replaceAll(/{(\w+)}/g, (_, name: string) => (name === "organizationId" ? encodeURIComponent(organization) : "!"));
	const credentials: Record<string, string> = {};
	if (as?.startsWith("sk_")) credentials["x-api-key"] = as;
	else if (as !== undefined) credentials.authorization = `Bearer ${as}`;
	const init = {
		method: op.method,
		headers: { ...credentials, "content-type": "application/json", ...headers },
		...(op.method !== "GET" && { body: WRONG }),
	};
	return servePath(`${path}?size=-1&after=x&from=x`, init, vars);
}

/** Expects exactly this refusal, and no other information in it. */
async function expectRefusal(op: AnyOperation, why: string, sent: Sent, status: number, code: ErrorCode): Promise<void> {
	const response = await send(op, sent);
	const body = (await response.json()) as Record<string, unknown>;
	expect({ why, status: response.status, code: body.code }).toEqual({ why, status, code });
	expect(errorsOf(op), `${op.id} declares ${code}`).toContain(code);
	const { code: _, description, ...rest } = body;
	const told = op.validationErrors ? { identifier: response.headers.get("x-request-id"), invalid_params: [] } : {};
	expect({ why, ...rest }).toEqual({ why, ...told });
	if (status === 401) {
		// It says what to send, and repeats nothing of what was sent.
		expect(description).toMatch(/token|API key|Authorization|signature|Credentials/);
		if (sent.as !== undefined && sent.as.length > 8) expect(description).not.toContain(sent.as);
	} else if (op.access.organization === undefined) {
		expect(description).toBe(ERRORS[code].description);
	}
	expect(response.headers.get("cache-control")).toBe("no-store");
	if (status === 401) expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
}

/** Expects that the caller is accepted: the answer is neither 401 nor 403. */
async function expectLetIn(op: AnyOperation, why: string, sent: Sent): Promise<void> {
	const response = await send(op, sent);
	expect([401, 403], `${why}: ${response.status} ${await response.text()}`).not.toContain(response.status);
}

const takesIdentityTokens = ({ access }: AnyOperation) =>
	Object.keys({ ...access, ...access.organization }).some((door) => /identity/i.test(door));

const guarded = operations.filter((op) => !isPublic(op.access));

describe("the suite", () => {
	it("covers the operations of the service, each with its own id and path", () => {
		expect(guarded.length).toBeGreaterThan(5);
		expect(new Set(operations.map(title)).size).toBe(operations.length);
		expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
	});
});

for (const op of guarded) {
	const { user, apiKey, operator, organization, signature } = op.access;
	const path = organization?.from === "path";

	describe(title(op), () => {
		it("refuses missing and invalid credentials", async () => {
			const { id } = await givenOrganization();
			const owner = await givenMember(id);
			const refused = (why: string, sent: Sent) => expectRefusal(op, why, { organization: id, ...sent }, 401, "UNAUTHORISED");
			await refused("no credentials", {});
			await refused("another scheme", { headers: { authorization: `Basic ${btoa("user:password")}` } });
			await refused("an empty token", { headers: { authorization: "Bearer " } });
			for (const [why, token] of Object.entries(await badTokens(owner.id))) await refused(why, { as: token });
			if (!takesIdentityTokens(op)) await refused("an identity issuer's token", { as: await sandboxToken("identity", owner.id) });
			if (user || organization) await refused("the token of an unknown user", { as: await accessToken(crypto.randomUUID()) });
		});

		it("refuses invalid API keys", async () => {
			const { id } = await givenOrganization();
			const good = await givenApiKey(id, SCOPES);
			const refused = (why: string, as: string) => expectRefusal(op, why, { organization: id, as }, 401, "UNAUTHORISED");
			await refused("a malformed key", "sk_1");
			await refused("an unknown key", `sk_${"A".repeat(86)}`);
			await refused("a key with another secret", `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`);
			await refused("a revoked key", await givenApiKey(id, SCOPES, { revokedAt: Date.now() }));
			await refused("an expired key", await givenApiKey(id, SCOPES, { expiresAt: Date.now() - 1 }));
			if (!apiKey) return refused("a valid key", good);
			const others = SCOPES.filter((scope) => scope !== apiKey);
			await expectRefusal(op, "a key without the scope", { organization: id, as: await givenApiKey(id, others) }, 403, "FORBIDDEN");
			await expectLetIn(op, "a key with the scope", { organization: id, as: await givenApiKey(id, [apiKey]) });
		});

		it("refuses two credentials at once", async () => {
			const { id } = await givenOrganization();
			const key = await givenApiKey(id, SCOPES);
			const owner = await givenMember(id);
			for (const token of [owner.token, "rubbish"]) {
				const response = await send(op, { as: key, organization: id, headers: { authorization: `Bearer ${token}` } });
				expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { code: badInputCode(op) } });
			}
		});

		it(`is ${user ? (user.waitingList ? "open to users, on the waiting list too" : "open to users off the waiting list") : "closed to users without a role"}`, async () => {
			const [admitted, waiting, blocked] = [
				await givenUser(),
				await givenUser({ status: "WAITING_LIST" }),
				await givenUser({ blocked: true }),
			];
			if (user) {
				await expectLetIn(op, "a user", { as: admitted.token });
				if (user.waitingList) await expectLetIn(op, "a user on the waiting list", { as: waiting.token });
				else await expectRefusal(op, "a user on the waiting list", { as: waiting.token }, 403, "WAITING_LIST");
			} else if (!path) {
				await expectRefusal(op, "a user without a role", { as: admitted.token }, 403, "FORBIDDEN");
			}
			await expectRefusal(op, "a blocked user", { as: blocked.token }, 403, "FORBIDDEN");
		});

		it(`${operator || organization ? "accepts" : "refuses"} operators`, async () => {
			const { id } = await givenOrganization();
			const as = await operatorToken();
			if (operator || organization) await expectLetIn(op, "an operator", { as, ...naming(op, id) });
			else await expectRefusal(op, "an operator", { as }, 403, "FORBIDDEN");
			if (!organization) return;
			for (const absent of [crypto.randomUUID(), "nobodys"]) {
				const [status, code] = path ? ([404, "NOT_FOUND"] as const) : ([403, "FORBIDDEN"] as const);
				await expectRefusal(op, "an operator for an unknown organization", { as, ...naming(op, absent) }, status, code);
			}
		});

		if (signature) {
			it("accepts bodies signed with the secret, and no others", async () => {
				const vars = { [signature]: CALLBACK_SECRET };
				const right = await signed(WRONG);
				expect((await send(op, { headers: right }, vars)).status).toBe(400);
				const wrong: [string, Record<string, string>, Vars?][] = [
					["another secret", await signed(WRONG, "another-secret"), vars],
					["another body", await signed(`${WRONG} `), vars],
					["no secret configured", right],
					["an empty signature", { "x-service-signature": "" }, vars],
				];
				for (const [why, headers, configured] of wrong)
					expect({ why, status: (await send(op, { headers }, configured)).status }).toEqual({ why, status: 401 });
			});
		}

		if (!organization) return;

		it(`accepts members ${organization.askedBy ? "who may hold" : "whose role holds"} ${organization.permission}, in their own organization only`, async () => {
			const [mine, other] = [await givenOrganization(), await givenOrganization()];
			for (const role of ROLES) {
				const { token: as } = await givenMember(mine.id, role);
				for (const name of [mine.id, mine.slug]) {
					const sent = { as, ...naming(op, name) };
					if (organization.askedBy === "handler" || rolePermits(role, organization.permission)) await expectLetIn(op, role, sent);
					else await expectRefusal(op, role, sent, 403, "FORBIDDEN");
				}
			}
			const stranger = await givenMember(other.id, "organization-owner");
			const outsider = await givenUser();
			for (const name of [mine.id, mine.slug, crypto.randomUUID(), "nobodys"]) {
				const known = organization.foreign && [mine.id, mine.slug].includes(name);
				const [status, code] = path && !known ? ([404, "NOT_FOUND"] as const) : ([403, "FORBIDDEN"] as const);
				await expectRefusal(op, "another organization's owner", { as: stranger.token, ...naming(op, name) }, status, code);
				await expectRefusal(op, "a user of no organization", { as: outsider.token, ...naming(op, name) }, status, code);
			}
			const blocked = await givenMember(mine.id, "organization-owner", { blocked: true });
			await expectRefusal(op, "a blocked owner", { as: blocked.token, ...naming(op, mine.id) }, 403, "FORBIDDEN");
		});
	});
}

describe.each(operations.filter((op) => isPublic(op.access)).map((op) => [title(op), op] as const))("%s", (_, op) => {
	it("ignores credentials", async () => {
		const { id } = await givenOrganization();
		for (const sent of [{}, { as: "rubbish" }, { as: `sk_${"A".repeat(86)}` }, { as: await operatorToken() }]) {
			const response = await send(op, { organization: id, ...sent });
			const answer = `${response.status} ${await response.text()}`;
			expect(response.status, answer).toBeLessThan(500);
			// Callbacks need a signature and declare UNAUTHORISED.
			if (!op.errors?.includes("UNAUTHORISED")) expect([401, 403], answer).not.toContain(response.status);
		}
	});
});
