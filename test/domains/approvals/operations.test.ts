// A change that needs a second person: requested by one, decided once by another, executed with the decision.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { decideApproval, getApproval, listApprovals, requestApproval } from "../../../src/domains/approvals/operations";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { organizationMembers } from "../../../src/domains/organizations/table";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { call, expectOk } from "../../support/client";
import { givenLoan, trips } from "../../support/credit";
import { alone } from "../../support/databases";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, newId, operatorToken } from "../../support/factories";
import { eventsOf } from "../../support/loans";

let organizationId: string;
let userId: string;
let userToken: string;
let asker: { id: string; token: string };
let decider: { id: string; token: string };
beforeEach(async () => {
	organizationId = (await givenOrganization()).id;
	asker = await givenMember(organizationId, "organization-admin", { organizationId });
	decider = await givenMember(organizationId, "organization-owner", { organizationId });
	({ id: userId, token: userToken } = await givenUser({ organizationId }));
});

const block = (entity_id = userId, blocked = true) => ({
	approval_type: "BLOCK_CHANGE" as const,
	entity_type: "USER" as const,
	entity_id,
	payload: { blocked },
});
const request = (as: string, body: object = block()) => call(requestApproval, { as, body: body as ReturnType<typeof block> });
const decide = (as: string, id: string, decision: "APPROVED" | "REJECTED" = "APPROVED") =>
	call(decideApproval, { as, path: { id }, body: { decision } });
const approvalEvents = async () => (await eventsOf(organizationId)).filter(({ type }) => /^(approval|user)\./.test(type));
const isBlocked = async (id = userId) => (await db.select().from(users).where(eq(users.id, id)))[0]?.blockedAt !== null;

describe("a request for approval", () => {
	it("waits until another person approves it, and is executed by that approval", async () => {
		const made = expectOk(await request(asker.token, { ...block(), reason: "fraud" }));
		expect(made).toMatchObject({
			organization_id: organizationId,
			status: "PENDING",
			payload: { blocked: true },
			target_version: "NOT_BLOCKED",
			requested_by: asker.id,
			requested_through: "MEMBER",
			decision: null,
		});
		expect(await isBlocked()).toBe(false);
		const decided = await call(decideApproval, {
			as: decider.token,
			headers: { "x-organization-id": organizationId },
			path: { id: made.id },
			body: { decision: "APPROVED", comment: "seen" },
		});
		expect(expectOk(decided)).toMatchObject({ status: "APPROVED", decision: "APPROVED", decided_by: decider.id, comment: "seen" });
		if (alone) expect(trips(decided)).toBe(3);
		expect(expectOk(await call(getApproval, { as: asker.token, path: { id: made.id } }))).toMatchObject(expectOk(decided));
		expect(await call(getMe, { as: userToken })).toMatchObject({ ok: false });
		const about = { approval_request_id: made.id, approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: userId };
		expect(await approvalEvents()).toEqual([
			{ type: "approval.requested", key: `approval.requested:${made.id}`, data: about },
			{ type: "user.blocked", key: `user.blocked:${made.id}`, data: { user_id: userId, approval_request_id: made.id } },
			{ type: "approval.outcome", key: `approval.outcome:${made.id}`, data: { ...about, decision: "APPROVED" } },
		]);
	});

	it("changes nothing when it is rejected, and raises an event for the rejection", async () => {
		const { id } = expectOk(await request(asker.token));
		expect(expectOk(await decide(decider.token, id, "REJECTED"))).toMatchObject({ status: "REJECTED", decision: "REJECTED" });
		expect(await isBlocked()).toBe(false);
		expect((await approvalEvents()).at(-1)).toMatchObject({ type: "approval.outcome", data: { decision: "REJECTED" } });
		expect(await decide(decider.token, id)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it("can unblock a user", async () => {
		const blocked = await givenUser({ organizationId, blocked: true });
		const { id } = expectOk(await request(asker.token, block(blocked.id, false)));
		expectOk(await decide(decider.token, id));
		expect(await isBlocked(blocked.id)).toBe(false);
		expect((await approvalEvents()).map(({ type }) => type)).toContain("user.unblocked");
	});

	it("can be made by API keys, and made and decided by operators; no key decides", async () => {
		const key = await givenApiKey(organizationId, ["approvals:write"]);
		const { id } = expectOk(await request(key));
		const operator = await operatorToken();
		expect(expectOk(await decide(operator, id))).toMatchObject({ status: "APPROVED" });
		const lifted = expectOk(await request(operator, block(userId, false)));
		expect(lifted).toMatchObject({ organization_id: organizationId, requested_through: "OPERATOR" });
		expect(await decide(key, lifted.id)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(expectOk(await decide(decider.token, lifted.id))).toMatchObject({ status: "APPROVED" });
	});
});

describe("the requester", () => {
	/** A key that this member made. */
	async function keyMadeBy(as: string): Promise<string> {
		const body = { name: "till", scopes: ["approvals:write" as const] };
		const { key } = expectOk(await call(createApiKey, { as, path: { organizationId }, body }));
		if (!key) throw new Error("expected a key");
		return key;
	}

	it("cannot decide, with any credentials of theirs", async () => {
		const refused = { status: 403, body: { code: "SELF_APPROVAL" } };
		const { id } = expectOk(await request(decider.token));
		expect(await decide(decider.token, id)).toMatchObject(refused);
		const operator = await operatorToken("decider");
		const body = { issuer: "https://sandbox.issuer.local", subject: "decider" };
		expectOk(await call(linkIdentity, { as: await operatorToken(), path: { userId: decider.id }, body }));
		expect(await decide(operator, id)).toMatchObject(refused);
		expect(await isBlocked()).toBe(false);
		expectOk(await decide(asker.token, id));
	});

	it("is the person who created the API key, if a key made the request", async () => {
		const { id } = expectOk(await request(await keyMadeBy(asker.token)));
		expect(await decide(asker.token, id)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expectOk(await decide(decider.token, id));
	});
});

describe("access to approvals", () => {
	it("ends with the membership in the organization's home, where a removal begins", async () => {
		const { id } = expectOk(await request(asker.token));
		const leaving = await givenMember(organizationId, "organization-admin", { organizationId });
		await db.update(organizationMembers).set({ removedAt: Date.now() }).where(eq(organizationMembers.userId, leaving.id));
		expect(await decide(leaving.token, id)).toMatchObject({ status: 403, body: { description: "You are no member of the organization" } });
		expect(await isBlocked()).toBe(false);
	});

	it("is limited to users of the caller's own organization", async () => {
		const other = await givenOrganization();
		const stranger = await givenMember(other.id, "organization-owner", { organizationId: other.id });
		expect(await request(stranger.token)).toMatchObject({ status: 404 });
		expect(await request(await givenApiKey(other.id, ["approvals:write"]))).toMatchObject({ status: 404 });
		expect(await request(asker.token, block(newId(organizationId)))).toMatchObject({ status: 404 });
		expect(await request(asker.token, block((await givenUser()).id))).toMatchObject({ status: 404 });
		const { id } = expectOk(await request(asker.token));
		expect(await decide(stranger.token, id)).toMatchObject({ status: 404 });
		expect(await call(getApproval, { as: stranger.token, path: { id } })).toMatchObject({ status: 404 });
		expect(expectOk(await call(listApprovals, { as: stranger.token, query: {} })).data).toEqual([]);
	});

	it("is denied to members whose role decides about invoices only", async () => {
		const { id } = expectOk(await request(asker.token));
		const financing = await givenMember(organizationId, "organization-financing-admin", { organizationId });
		expect(await decide(financing.token, id)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
		expect(await request(financing.token)).toMatchObject({ status: 403 });
		const developer = await givenMember(organizationId, "organization-developer", { organizationId });
		expect(await decide(developer.token, id)).toMatchObject({ status: 403 });
	});

	it("is given to lending admins for loans and borrowers, not for issuers", async () => {
		const lending = await givenMember(organizationId, "organization-lending-admin", { organizationId });
		const { id } = expectOk(await request(lending.token));
		expectOk(await decide(decider.token, id));
		const payload = { issuer: "https://i.example", kind: "partner", audience: "a", jwks_uri: "https://i.example/k", algorithms: ["RS256"] };
		const issuer = {
			approval_type: "ISSUER_REGISTRATION" as const,
			entity_type: "ORGANIZATION" as const,
			entity_id: organizationId,
			payload,
		};
		expect(await request(lending.token, issuer)).toMatchObject({ status: 403 });
		const asked = expectOk(await request(asker.token, issuer));
		expect(await decide(lending.token, asked.id)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
	});
});

describe("the requested change", () => {
	it.each([
		["another entity than the type has", { entity_type: "ACCOUNT" }, "entity_type"],
		["no payload where one is needed", { payload: undefined }, "payload.blocked"],
		["a payload of another type", { payload: { limit: 5 } }, "payload.blocked"],
		["a type that does not exist", { approval_type: "ANYTHING" }, "approval_type"],
		["a malformed id", { entity_id: "somebody" }, "entity_id"],
	])("is refused with %s", async (_, change, path) => {
		const answer = await request(asker.token, { ...block(), ...change });
		expect(answer).toMatchObject({ status: 400, body: { invalid_params: expect.arrayContaining([expect.objectContaining({ path })]) } });
	});

	it("is refused where it would change nothing", async () => {
		expect(await request(asker.token, block(userId, false))).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
	});

	it("has one pending request for each entity and type, even if many are made concurrently", { tags: ["thorough"] }, async () => {
		const answers = await Promise.all(Array.from({ length: 50 }, () => request(asker.token)));
		expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
		expect(answers.filter(({ ok }) => !ok).every((answer) => !answer.ok && answer.body.code === "APPROVAL_PENDING")).toBe(true);
		const [first] = answers.filter(({ ok }) => ok);
		if (!first?.ok) throw new Error("expected a request");
		expectOk(await decide(decider.token, first.body.id, "REJECTED"));
		expectOk(await request(asker.token));
	});
});

describe("the lists", () => {
	it("show an organization its own requests, and operators all, filtered by status and type", async () => {
		const first = expectOk(await request(asker.token));
		expectOk(await decide(decider.token, first.id, "REJECTED"));
		const second = expectOk(await request(asker.token));
		const operator = await operatorToken();
		const elsewhere = await givenUser();
		const third = expectOk(await request(operator, block(elsewhere.id)));
		expect(third.organization_id).toBeNull();
		const ids = async (as: string, query: object = {}) => expectOk(await call(listApprovals, { as, query })).data.map(({ id }) => id);
		expect(await ids(asker.token)).toEqual([second.id, first.id]);
		expect(await ids(operator)).toEqual([third.id, second.id, first.id]);
		expect(await ids(operator, { status: "PENDING" })).toEqual([third.id, second.id]);
		expect(await ids(asker.token, { status: "REJECTED", approval_type: "BLOCK_CHANGE" })).toEqual([first.id]);
		expect(await ids(asker.token, { approval_type: "LIMIT_CHANGE" })).toEqual([]);
		const page = expectOk(await call(listApprovals, { as: operator, query: { size: "2" } }));
		expect(await ids(operator, { size: "2", after: page.links.next ?? "" })).toEqual([first.id]);
		const all = { ids: [first.id, second.id, third.id, newId()] };
		expect((await ids(asker.token, all)).sort()).toEqual([first.id, second.id].sort());
		expect((await ids(operator, all)).sort()).toEqual([first.id, second.id, third.id].sort());
		expect(trips(await call(listApprovals, { as: asker.token, query: all }))).toBe(1);
	});

	it("say in which currency a limit is, by an account of the user", async () => {
		const { borrower, currency } = await givenLoan();
		const operator = await operatorToken();
		const limit = { ...block(borrower.id), approval_type: "LIMIT_CHANGE", payload: { limit: 5_000 } };
		const { id } = expectOk(await request(operator, limit));
		const { data } = expectOk(await call(listApprovals, { as: operator, query: { ids: [id] } }));
		expect(data.map(({ subject }) => subject)).toMatchObject([{ user_id: borrower.id, account_id: null, currency }]);
	});
});
