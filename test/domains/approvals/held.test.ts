// Operators in pairs: what one does alone, what waits for a second, and what neither a race nor a crash can tear apart.

import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditRows } from "../../../src/db/audit.table";
import { decideApproval, getApproval } from "../../../src/domains/approvals/operations";
import { approvals } from "../../../src/domains/approvals/table";
import { freezeAccount, unfreezeAccount } from "../../../src/domains/current-accounts/accounts/freezing.operations";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { createOrganization } from "../../../src/domains/organizations/operations";
import { createIssuer, updateIssuer } from "../../../src/domains/tokens/issuers/operations";
import { trustedIssuers } from "../../../src/domains/tokens/table";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { identityLinks, users } from "../../../src/domains/users/model/table";
import { admitUser } from "../../../src/domains/users/profile.operations";
import { createWebhook, updateWebhook } from "../../../src/domains/webhooks/endpoints/operations";
import { isPublic } from "../../../src/http/callers/access";
import { configuration } from "../../../src/runtime/config";
import { call, expectOk, send } from "../../support/client";
import { dyingAt } from "../../support/crashes";
import { trips } from "../../support/credit";
import { alone } from "../../support/databases";
import { operations } from "../../support/domains";
import { title } from "../../support/doors";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenKey, signed } from "../../support/issuers";
import { beforeTrip } from "../../support/loans";
import { expectErrors } from "../../support/log";
import type { Vars } from "../../support/serve";
import { fakeWorld } from "../../support/webhooks";

const PAIRS = { OPERATOR_PAIRS: "on" };

let [anna, ben]: string[] = [];
let userId: string;
beforeEach(async () => {
	[anna, ben] = [await operatorToken("anna"), await operatorToken("ben")];
	userId = (await givenUser()).id;
});

const IDENTITY = { issuer: "https://identity.example", subject: "somebody" };
const link = (vars: Vars = PAIRS, headers: Record<string, string> = {}) =>
	call(linkIdentity, { as: anna ?? "", path: { userId }, body: IDENTITY, vars, headers });
/** The request for approval that a held call answers with. */
const heldBy = (answer: { status: number; text: string }) => {
	expect(answer.status).toBe(202);
	return JSON.parse(answer.text) as { id: string; status: string };
};
const decide = (id: string, { as = ben, decision = "APPROVED" as "APPROVED" | "REJECTED", vars = PAIRS as Vars } = {}) =>
	call(decideApproval, { as: as ?? "", path: { id }, body: { decision }, vars });
const seen = async (id: string) => expectOk(await call(getApproval, { as: ben ?? "", path: { id } }));
const links = () => db.select().from(identityLinks).where(eq(identityLinks.userId, userId));
const trail = (operation: string) =>
	db
		.select()
		.from(auditRows)
		.where(and(eq(auditRows.operation, operation)));

describe("an operator's write", () => {
	const open = operations.filter(({ access, method }) => method !== "GET" && !isPublic(access) && (access.operator || access.organization));

	it.each(open.map((op) => [title(op), op] as const))("is done alone, held or refused: %s", (_, { access }) => {
		if (access.operator) expect(access.operatorWrites).toBeDefined();
	});
});

describe("a call that needs a second operator", () => {
	it("is stored as it was sent, and run by the approval of another operator, in one commit that names both", async () => {
		const answer = await link();
		const approval = heldBy(answer);
		expect(answer.headers.get("location")).toBe(`/v1/approvals/${approval.id}`);
		expect(approval).toMatchObject({
			approval_type: "OPERATION",
			entity_type: "OPERATION",
			entity_id: userId,
			status: "PENDING",
			payload: { operation: "linkIdentity", path: { userId }, query: {}, body: IDENTITY },
			requested_by: "https://sandbox.issuer.local#anna",
		});
		if (alone) expect(trips(answer)).toBe(2);
		expect(await links()).toEqual([]);
		expect(await trail("linkIdentity")).toEqual([]);
		const decided = await decide(approval.id);
		expect(expectOk(decided)).toMatchObject({
			status: "APPROVED",
			decided_by: "https://sandbox.issuer.local#ben",
			result: { user_id: userId, ...IDENTITY },
		});
		if (alone) expect(trips(decided)).toBe(3);
		expect(await links()).toMatchObject([IDENTITY]);
		expect(await trail("requestApproval")).toMatchObject([{ target: { operation: "linkIdentity" }, entityId: userId }]);
		expect(await trail("decideApproval")).toMatchObject([
			{
				actorId: "https://sandbox.issuer.local#ben",
				target: { id: approval.id, operation: "linkIdentity", requested_by: "https://sandbox.issuer.local#anna" },
				entityId: userId,
			},
		]);
	});

	it("is decided by nobody who sent it, changes nothing when rejected, and waits once for an entity", async () => {
		const { id } = heldBy(await link());
		expect(await decide(id, { as: anna })).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await link()).toMatchObject({ status: 409, body: { code: "APPROVAL_PENDING" } });
		expect(expectOk(await decide(id, { decision: "REJECTED" })).status).toBe("REJECTED");
		expect(await links()).toEqual([]);
		heldBy(await link());
	});

	it("is not run when its sender is an operator no more", async () => {
		const [ours, theirs] = [await givenKey(), await givenKey()];
		const issuer = (iss: string, { jwk }: typeof ours) => ({ issuer: iss, kind: "operator", jwks: { keys: [jwk] }, required_amr: [] });
		const gone = issuer("https://gone.example", theirs);
		const kept = issuer("https://kept.example", ours);
		const trusting = (...issuers: object[]) => ({ ...PAIRS, TRUSTED_ISSUERS: JSON.stringify(issuers) });
		const as = await signed(theirs, { iss: gone.issuer, sub: "gone" });
		const sent = { as, path: { userId }, body: IDENTITY, vars: trusting(gone, kept) };
		const { id } = heldBy(await call(linkIdentity, sent));
		const decided = await decide(id, { as: await signed(ours, { iss: kept.issuer, sub: "kept" }), vars: trusting(kept) });
		expect(expectOk(decided)).toMatchObject({ status: "FAILED", failure_reason: "OPERATOR_GONE" });
		expect(await links()).toEqual([]);
	});

	it("is checked up to its input before it is stored", async () => {
		expect(await send(linkIdentity, { path: { userId }, body: IDENTITY, vars: PAIRS })).toMatchObject({ status: 401 });
		expect(await send(linkIdentity, { as: anna ?? "", path: { userId }, body: {}, vars: PAIRS })).toMatchObject({ status: 400 });
		expect(await db.select().from(approvals)).toEqual([]);
	});

	it("answers an identical call with the same key as the first time, and decides once for a repeated decision", async () => {
		const headers = { "idempotency-key": "k-1" };
		const first = await link(PAIRS, headers);
		const repeated = await link(PAIRS, headers);
		expect(repeated.text).toBe(first.text);
		expect(repeated.headers.get("location")).toBe(`/v1/approvals/${heldBy(first).id}`);
		expect(await db.select().from(approvals)).toHaveLength(1);
	});

	it("is either stored or not, wherever the process dies, and a repeated call with the same key is the same call", async () => {
		expectErrors("request failed");
		for (const when of ["before", "after"] as const) {
			for (let trip = 1; ; trip++) {
				userId = (await givenUser()).id;
				const headers = { "idempotency-key": `${when} ${trip}` };
				const dying = dyingAt(trip, when);
				await link({ ...PAIRS, ...dying.vars }, headers);
				const stored = await db.select().from(approvals).where(eq(approvals.entityId, userId));
				const { id } = heldBy(await link(PAIRS, headers));
				const [only, ...others] = await db.select().from(approvals).where(eq(approvals.entityId, userId));
				expect([only?.id, others]).toEqual([id, []]);
				if (stored[0]) expect(stored[0].id).toBe(id);
				if (!dying.died()) break;
			}
		}
	});

	it("ends as FAILED with the code when the operation refuses", async () => {
		const { id } = heldBy(await link());
		expectOk(await call(linkIdentity, { as: anna ?? "", path: { userId }, body: IDENTITY }));
		expect(expectOk(await decide(id))).toMatchObject({ status: "FAILED", failure_reason: "INVALID_STATE" });
		const absent = crypto.randomUUID();
		const gone = heldBy(await call(linkIdentity, { as: anna ?? "", path: { userId: absent }, body: IDENTITY, vars: PAIRS }));
		expect(expectOk(await decide(gone.id))).toMatchObject({ status: "FAILED", failure_reason: "NOT_FOUND" });
	});

	it("fails if its payload was changed in the database", async () => {
		const { id } = heldBy(await link());
		const payload = { ...((await seen(id)).payload as object), body: { ...IDENTITY, subject: "thief" } };
		await db.update(approvals).set({ payload }).where(eq(approvals.id, id));
		expect(expectOk(await decide(id))).toMatchObject({ status: "FAILED", failure_reason: "PAYLOAD_CHANGED" });
		expect(await links()).toEqual([]);
	});

	it("is run once by decisions that race each other", async () => {
		const { id } = heldBy(await link());
		const others = await Promise.all(["cleo", "dora", "emil"].map((name) => operatorToken(name)));
		const answers = await Promise.all([...others, ben].map((as) => decide(id, { as })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
		expect(await links()).toHaveLength(1);
	});

	it("stays PENDING when it loses its race twice, and can be decided again", async () => {
		const key = await givenKey();
		const body = { issuer: "https://held.example", kind: "identity", jwks: { keys: [key.jwk] } };
		const issuer = expectOk(await call(createIssuer, { as: anna ?? "", body: body as never }));
		const { id } = heldBy(await call(updateIssuer, { as: anna ?? "", path: { id: issuer.id }, body: { auto_admit: true }, vars: PAIRS }));
		const touch = async () => {
			const [row] = await db.select().from(trustedIssuers);
			await db.update(trustedIssuers).set({ updatedAt: (row?.updatedAt ?? 0) + 1 });
		};
		const lost = await decide(id, { vars: { ...PAIRS, ...beforeTrip([2, 3, 4, 5, 6, 7, 8], touch) } });
		expect(lost).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(await seen(id)).toMatchObject({ status: "PENDING" });
		expect(expectOk(await decide(id))).toMatchObject({ status: "APPROVED", result: { auto_admit: true } });
	});

	it("is either decided and done or neither, wherever the process dies", { tags: ["thorough"] }, async () => {
		expectErrors("request failed");
		for (const when of ["before", "after"] as const) {
			for (let trip = 1; ; trip++) {
				await db.delete(identityLinks);
				const person = (await givenUser()).id;
				const body = { ...IDENTITY, subject: crypto.randomUUID() };
				const { id } = heldBy(await call(linkIdentity, { as: anna ?? "", path: { userId: person }, body, vars: PAIRS }));
				const dying = dyingAt(trip, when);
				await decide(id, { vars: { ...PAIRS, ...dying.vars } });
				const isDone = (await db.select().from(identityLinks)).length === 1;
				expect((await seen(id)).status).toBe(isDone ? "APPROVED" : "PENDING");
				if (!isDone) expect(expectOk(await decide(id)).status).toBe("APPROVED");
				expect(await db.select().from(identityLinks)).toHaveLength(1);
				if (!dying.died()) break;
			}
		}
	});
});

describe("the variable OPERATOR_PAIRS", () => {
	const pairs = async (vars: Vars) => (await configuration({ ...env, ...vars } as never)).OPERATOR_PAIRS;
	const outside = { BASE_URL: "https://service.example", WEBHOOK_ALLOWED_NETWORKS: "", RATE_LIMITS: "on", ENVIRONMENT: "sandbox" };

	it("is off in local by default, on elsewhere, and off nowhere else", async () => {
		expect(await pairs({})).toBe("off");
		expect(await pairs({ OPERATOR_PAIRS: "on" })).toBe("on");
		expect(await pairs(outside)).toBe("on");
		await expect(pairs({ ...outside, OPERATOR_PAIRS: "off" })).rejects.toThrow("OPERATOR_PAIRS");
	});
});

describe("what an operator does alone", () => {
	it("is at most sixty acts an hour", async () => {
		const vars = { ...PAIRS, RATE_LIMITS: "on" };
		const waiting = await Promise.all(Array.from({ length: 61 }, () => givenUser({ status: "WAITING_LIST" })));
		const statuses: number[] = [];
		for (const { id } of waiting) statuses.push((await call(admitUser, { as: anna ?? "", path: { userId: id }, vars })).status);
		if (alone) expect(statuses).toEqual([...Array(60).fill(200), 429]);
		expect((await call(admitUser, { as: ben ?? "", path: { userId: waiting.at(-1)?.id ?? "" }, vars })).status).toBe(200);
		if (alone) expect(await db.select().from(users).where(eq(users.status, "WAITING_LIST"))).toEqual([]);
	});

	it("includes stopping to trust an issuer and suspending a webhook, but no other change of either, and no key", async () => {
		fakeWorld();
		const as = anna ?? "";
		const key = await givenKey();
		const body = { issuer: "https://held.example", kind: "identity", jwks: { keys: [key.jwk] } };
		const { id } = expectOk(await call(createIssuer, { as, body: body as never }));
		expect((await call(updateIssuer, { as, path: { id }, body: { disabled: true }, vars: PAIRS })).status).toBe(200);
		heldBy(await call(updateIssuer, { as, path: { id }, body: { disabled: false }, vars: PAIRS }));
		const organization = await givenOrganization();
		const owner = await givenMember(organization.id);
		const headers = { "x-organization-id": organization.id };
		const webhook = expectOk(
			await call(createWebhook, { as: owner.token, body: { name: "till", url: "https://hooks.example/in", events: ["user.admitted"] } }),
		);
		const change = (patch: object) => send(updateWebhook, { as, path: { webhook_id: webhook.id }, body: patch, headers, vars: PAIRS });
		expect(await change({ status: "ACTIVE" })).toMatchObject({ status: 403 });
		expect(await change({ status: "SUSPENDED", description: "mine" })).toMatchObject({ status: 403 });
		expect((await change({ status: "SUSPENDED" })).status).toBe(200);
		const path = { organizationId: organization.id };
		const made = await call(createApiKey, { as, path, body: { name: "mine", scopes: ["loans:write"] }, vars: PAIRS });
		expect(made).toMatchObject({ status: 403 });
		expect((await call(createOrganization, { as, body: { name: "New", slug: "new" }, vars: PAIRS })).status).toBe(201);
	});

	it("freezes an account, which two release", () => {
		expect(freezeAccount.access.operatorWrites).toBe("ALONE");
		expect(unfreezeAccount.access.operatorWrites).toBe("HELD");
	});
});
