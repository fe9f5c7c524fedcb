// Every operation, called without credentials; and one of each kind, called with every credential that it must refuse. The input is
// always invalid, so an answer about credentials shows that they are checked before the input.

import { describe, expect, it } from "vitest";
import { isPublic, permissionsOf } from "../../src/http/callers/access";
import { type AnyOperation, badInputCode, errorsOf, reasonsOf } from "../../src/http/operation";
import { PERSONAL_REFUSALS } from "../../src/messages/catalogue";
import { ERRORS, type ErrorCode } from "../../src/shared/errors";
import { ROLES, rolePermits, SCOPES } from "../../src/shared/permissions";
import { operations } from "../support/domains";
import { CALLBACK_SECRET, naming, oneOfEach, type Sent, signed, title } from "../support/doors";
import { accessToken, givenApiKey, givenMember, givenOrganization, givenUser, newId, oneTrip, operatorToken } from "../support/factories";
import { servePath, type Vars } from "../support/serve";
import { badTokens, sandboxToken } from "../support/tokens";
import { BLOCKED, forOthers, NO_MEMBER, strange, TOLD } from "./refusals";

/** The same for all operations, because bad tokens are made once for each owner. */
const OWNER = newId();
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

/** Expects exactly this refusal in these words, and no other information in it. */
async function expectRefusal(op: AnyOperation, why: string, sent: Sent, status: number, code: ErrorCode, words?: string): Promise<void> {
	const response = await send(op, sent);
	const { headers } = response;
	const { reason, user_message, ...body } = (await response.json()) as Record<string, unknown>;
	const told = op.validationErrors ? { identifier: headers.get("x-request-id"), invalid_params: [] } : {};
	expect({
		why,
		status: response.status,
		body,
		isDeclared: { code: errorsOf(op).includes(body.code as ErrorCode), reason: reasonsOf(op).has(reason as string) },
		isPersonal: user_message !== undefined,
		kept: headers.get("cache-control"),
		asks: headers.get("www-authenticate")?.split(" ")[0],
	}).toEqual({
		why,
		status,
		body: { code, description: words ?? ERRORS[code].description, ...told },
		isDeclared: { code: true, reason: true },
		// An answer also says it to people where they can do something about it.
		isPersonal: PERSONAL_REFUSALS.some((one) => one === reason),
		kept: "private, no-store",
		asks: status === 401 ? "Bearer" : undefined,
	});
}

/** Expects that the caller is accepted: the answer is neither 401 nor 403. */
async function expectLetIn(op: AnyOperation, why: string, sent: Sent): Promise<void> {
	const response = await send(op, sent);
	expect([401, 403], `${why}: ${response.status} ${await response.text()}`).not.toContain(response.status);
}

/** The credentials that the operation takes, as a refusal names them. */
function ways({ access }: AnyOperation): string {
	const bearer = access.user || access.organization || access.operator;
	const named = [
		bearer && "Authorization: Bearer <token>",
		access.apiKey && "X-API-Key: <key>",
		access.signature && "X-Service-Signature with the signature of the body",
	];
	return `Send ${named.filter(Boolean).join(", or ")}`;
}

/** A 404 names the ids in the path that may be unknown: the organization, and what else the path names. */
function unknownThing({ path }: AnyOperation, code: ErrorCode): string | undefined {
	if (code !== "NOT_FOUND") return undefined;
	const others: Record<string, string> = { "api-keys/{id}": "API key", "invitations/{id}": "invitation", "{userId}": "user" };
	const named = Object.entries(others).flatMap(([part, thing]) => (path.includes(part) ? [thing] : []));
	return `There is no such ${["organization", ...named].join(" or ")}`;
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

describe.each(guarded.map((op) => [title(op), op] as const))("%s", (_, op) => {
	it("refuses missing credentials, and a token that anybody can make", async () => {
		await expectRefusal(op, "no credentials", {}, 401, "UNAUTHORISED", `Credentials are missing. ${ways(op)}`);
		const { "an unsigned token": as = "" } = await badTokens(OWNER);
		await expectRefusal(op, "an unsigned token", { as }, 401, "UNAUTHORISED", TOLD["an unsigned token"]);
	});
});

/** Of what an operation answers to credentials before it reads the input, it says only this itself. */
const kindOf = (op: AnyOperation) => [op.access, op.validationErrors, badInputCode(op), unknownThing(op, "NOT_FOUND")];

for (const op of oneOfEach(guarded, kindOf)) {
	const { user, apiKey, person, operator, organization, signature } = op.access;
	const path = organization?.from === "path";

	describe(`${title(op)} and its like`, { tags: ["thorough"] }, () => {
		it("refuses invalid credentials", async () => {
			const { write, written } = oneTrip();
			const { id } = await givenOrganization(undefined, write);
			const owner = await givenMember(id, "organization-owner", { id: OWNER }, write);
			await written();
			const refused = (why: string, words: string, sent: Sent) =>
				expectRefusal(op, why, { organization: id, ...sent }, 401, "UNAUTHORISED", words);
			const malformed = `Authorization is not a bearer token. ${ways(op)}`;
			await refused("another scheme", malformed, { headers: { authorization: `Basic ${btoa("user:password")}` } });
			await refused("an empty token", malformed, { headers: { authorization: "Bearer " } });
			const identity = { "an identity issuer's token": await sandboxToken("identity", owner.id) };
			for (const [why, token] of Object.entries({ ...(await badTokens(owner.id)), ...(takesIdentityTokens(op) ? {} : identity) })) {
				await refused(why, TOLD[why] ?? "", { as: token });
			}
			const nobody = await accessToken(newId());
			await refused("the token of an unknown user", "The token belongs to no user of this service", { as: nobody });
		});

		it("refuses invalid API keys", async () => {
			const { write, written } = oneTrip();
			const { id } = await givenOrganization(undefined, write);
			const good = await givenApiKey(id, SCOPES, {}, write);
			const [revoked, expired] = [
				await givenApiKey(id, SCOPES, { revokedAt: Date.now() }, write),
				await givenApiKey(id, SCOPES, { expiresAt: Date.now() - 1 }, write),
			];
			await written();
			const refused = (why: string, words: string, as: string) =>
				expectRefusal(
					op,
					why,
					{ organization: id, as },
					401,
					"UNAUTHORISED",
					apiKey || person ? words : `This operation takes no API key. ${ways(op)}`,
				);
			const malformed = "X-API-Key is not a whole API key: send it as it was shown, from sk_ to its end";
			await refused("a malformed key", malformed, "sk_1");
			await refused("an unknown key", malformed, `sk_${"A".repeat(86)}`);
			await refused("a key with another secret", malformed, `${good.slice(0, -1)}${good.endsWith("A") ? "B" : "A"}`);
			// The second call costs no look-up.
			for (const again of ["", ", again"]) {
				await refused(`a revoked key${again}`, "The API key is unknown or revoked", revoked);
				await refused(`an expired key${again}`, "The API key has expired: create another", expired);
			}
			if (person) {
				const words = "No API key may do this: a person must, with a token of their own";
				return expectRefusal(op, "a valid key", { organization: id, as: good }, 403, "FORBIDDEN", words);
			}
			if (!apiKey) return refused("a valid key", "", good);
			const others = SCOPES.filter((scope) => !apiKey.includes(scope));
			await expectRefusal(
				op,
				"a key without the scope",
				{ organization: id, as: await givenApiKey(id, others) },
				403,
				"FORBIDDEN",
				`The API key does not have the scope ${apiKey.join(" or ")}: make a key that has it`,
			);
			for (const scope of apiKey) await expectLetIn(op, `a key with ${scope}`, { organization: id, as: await givenApiKey(id, [scope]) });
		});

		it("refuses two credentials together", async () => {
			const { write, written } = oneTrip();
			const { id } = await givenOrganization(undefined, write);
			const key = await givenApiKey(id, SCOPES, {}, write);
			const owner = await givenMember(id, undefined, {}, write);
			await written();
			for (const token of [owner.token, "rubbish"]) {
				const response = await send(op, { as: key, organization: id, headers: { authorization: `Bearer ${token}` } });
				expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { code: badInputCode(op) } });
			}
		});

		it(`is ${user ? (user.waitingList ? "open to users, on the waiting list too" : "open to users off the waiting list") : "closed to users without a role"}`, async () => {
			const { write, written } = oneTrip();
			const [admitted, waiting, blocked] = [
				await givenUser({}, write),
				await givenUser({ status: "WAITING_LIST" }, write),
				await givenUser({ blocked: true }, write),
			];
			await written();
			if (user) {
				await expectLetIn(op, "a user", { as: admitted.token });
				if (user.waitingList) await expectLetIn(op, "a user on the waiting list", { as: waiting.token });
				else await expectRefusal(op, "a user on the waiting list", { as: waiting.token }, 403, "WAITING_LIST");
			} else if (!path) {
				const words = organization ? NO_MEMBER : forOthers(op);
				await expectRefusal(op, "a user without a role", { as: admitted.token }, 403, "FORBIDDEN", words);
			}
			await expectRefusal(op, "a blocked user", { as: blocked.token }, 403, "FORBIDDEN", BLOCKED);
		});

		it(`${operator || organization ? "accepts" : "refuses"} operators`, async () => {
			const { id } = await givenOrganization();
			const as = await operatorToken();
			if (operator || organization) await expectLetIn(op, "an operator", { as, ...naming(op, id) });
			else await expectRefusal(op, "an operator", { as }, 403, "FORBIDDEN", forOthers(op));
			if (!organization) return;
			for (const absent of [crypto.randomUUID(), "nobodys"]) {
				const [status, code] = path ? ([404, "NOT_FOUND"] as const) : ([403, "FORBIDDEN"] as const);
				await expectRefusal(
					op,
					"an operator for an unknown organization",
					{ as, ...naming(op, absent) },
					status,
					code,
					unknownThing(op, code) ?? strange(op),
				);
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

		it(`accepts members ${organization.askedBy ? "who may hold" : "whose role holds"} ${permissionsOf(organization).join(" or ")}, in their own organization only`, async () => {
			const { write, written } = oneTrip();
			const permissions = permissionsOf(organization);
			const [mine, other] = [await givenOrganization(undefined, write), await givenOrganization(undefined, write)];
			const members = new Map<string, { token: string }>();
			for (const role of ROLES) members.set(role, await givenMember(mine.id, role, {}, write));
			const stranger = await givenMember(other.id, "organization-owner", {}, write);
			const outsider = await givenUser({}, write);
			const blocked = await givenMember(mine.id, "organization-owner", { blocked: true }, write);
			await written();
			for (const role of ROLES) {
				const as = members.get(role)?.token ?? "";
				for (const name of [mine.id, mine.slug]) {
					const sent = { as, ...naming(op, name) };
					if (organization.askedBy === "handler" || permissions.some((one) => rolePermits(role, one))) await expectLetIn(op, role, sent);
					else {
						const holders = ROLES.filter((one) => permissions.some((permission) => rolePermits(one, permission))).join(", ");
						const words = `Your role ${role} does not hold the permission ${permissions.join(" or ")}: one of ${holders} does`;
						await expectRefusal(op, role, sent, 403, "FORBIDDEN", words);
					}
				}
			}
			for (const name of [mine.id, mine.slug, crypto.randomUUID(), "nobodys"]) {
				const known = organization.foreign && [mine.id, mine.slug].includes(name);
				const [status, code] = path && !known ? ([404, "NOT_FOUND"] as const) : ([403, "FORBIDDEN"] as const);
				for (const [who, as] of [
					["another organization's owner", stranger.token],
					["a user of no organization", outsider.token],
				] as const)
					await expectRefusal(op, who, { as, ...naming(op, name) }, status, code, unknownThing(op, code) ?? strange(op));
			}
			await expectRefusal(op, "a blocked owner", { as: blocked.token, ...naming(op, mine.id) }, 403, "FORBIDDEN", BLOCKED);
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
