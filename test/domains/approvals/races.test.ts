// Decisions that race each other, the expiry of the request, and changes of the entity that they decide about.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { expireApprovals } from "../../../src/domains/approvals/job";
import { decideApproval, getApproval, listApprovals, requestApproval } from "../../../src/domains/approvals/operations";
import { approvals } from "../../../src/domains/approvals/table";
import { users } from "../../../src/domains/users/model/table";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { db, givenMember, givenOrganization, givenUser } from "../../support/factories";
import { beforeCommit, eventsOf, runDueWork } from "../../support/loans";

let organizationId: string;
let userId: string;
let asker: string;
let deciders: string[];
let id: string;
beforeEach(async () => {
	organizationId = (await givenOrganization()).id;
	const member = async () => (await givenMember(organizationId, "organization-owner", { organizationId })).token;
	asker = await member();
	deciders = [await member(), await member()];
	userId = (await givenUser({ organizationId })).id;
	({ id } = await givenRequest());
});

const givenRequest = async () =>
	expectOk(
		await call(requestApproval, {
			as: asker,
			body: { approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: userId, payload: { blocked: true } },
		}),
	);
const decide = (as = deciders[0] ?? "", decision: "APPROVED" | "REJECTED" = "APPROVED", vars?: Partial<Env>) =>
	call(decideApproval, { as, path: { id }, body: { decision }, ...(vars && { vars }) });
const seen = async () => expectOk(await call(getApproval, { as: asker, path: { id } }));
const types = async () => (await eventsOf(organizationId)).map(({ type }) => type).filter((type) => type !== "approval.requested");
const blockedAt = async () => (await db.select().from(users).where(eq(users.id, userId)))[0]?.blockedAt ?? null;

describe("concurrent decisions", () => {
	it("have one winner, and only the winner is executed", async () => {
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, index) => decide(deciders[index % 2], index % 3 === 0 ? "REJECTED" : "APPROVED")),
		);
		const won = answers.filter(({ ok }) => ok);
		expect(won).toHaveLength(1);
		expect(answers.filter((answer) => !answer.ok).every((answer) => !answer.ok && answer.body.code === "INVALID_STATE")).toBe(true);
		const { status } = await seen();
		expect(expectOk(won[0] as (typeof answers)[number]).status).toBe(status);
		expect(await types()).toEqual(status === "APPROVED" ? ["user.blocked", "approval.outcome"] : ["approval.outcome"]);
		expect((await blockedAt()) !== null).toBe(status === "APPROVED");
	});

	it("and concurrent sweeps end the request once, executed or expired", async () => {
		await moveClock(7 * DAY_MS - 400);
		const ends = await Promise.all([
			...Array.from({ length: 25 }, (_, index) => decide(deciders[index % 2])),
			...Array.from({ length: 25 }, async (_, index) => {
				await scheduler.wait(index * 20);
				await runDueWork(expireApprovals);
			}),
			...Array.from({ length: 25 }, async (_, index) => {
				await scheduler.wait(index * 30);
				return decide(deciders[index % 2]);
			}),
		]);
		const won = ends.filter((answer) => answer?.ok);
		await scheduler.wait(500);
		await runDueWork(expireApprovals);
		const { status } = await seen();
		expect(won).toHaveLength(status === "APPROVED" ? 1 : 0);
		expect(["APPROVED", "EXPIRED"]).toContain(status);
		expect(await types()).toEqual(status === "APPROVED" ? ["user.blocked", "approval.outcome"] : ["approval.expired"]);
		expect((await blockedAt()) !== null).toBe(status === "APPROVED");
	});
});

describe("an overdue request", () => {
	it("reads as EXPIRED on time, and can be made again before the sweep has stored that", async () => {
		await moveClock(7 * DAY_MS);
		expect((await seen()).status).toBe("EXPIRED");
		expect(await decide()).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		expect(expectOk(await call(listApprovals, { as: asker, query: { status: "PENDING" } })).data).toEqual([]);
		const again = await givenRequest();
		expect(again.id).not.toBe(id);
		expect(await types()).toEqual(["approval.expired"]);
		await runDueWork(expireApprovals);
		expect((await eventsOf(organizationId)).map(({ type }) => type)).toEqual([
			"approval.requested",
			"approval.expired",
			"approval.requested",
		]);
	});

	it("is expired by the sweep, once", async () => {
		await moveClock(7 * DAY_MS);
		await Promise.all(Array.from({ length: 4 }, () => runDueWork(expireApprovals)));
		expect(await types()).toEqual(["approval.expired"]);
		expect((await db.select().from(approvals)).map(({ status }) => status)).toEqual(["EXPIRED"]);
	});
});

describe("an approval of an entity that has changed", () => {
	it("ends as FAILED and keeps the decision, without an approval.outcome event", async () => {
		await db.update(users).set({ blockedAt: 1 }).where(eq(users.id, userId));
		expect(expectOk(await decide())).toMatchObject({ status: "FAILED", decision: "APPROVED", failure_reason: "TARGET_CHANGED" });
		expect(await types()).toEqual(["approval.failed"]);
		expect((await eventsOf(organizationId)).at(-1)?.data).toMatchObject({ approval_request_id: id, failure_reason: "TARGET_CHANGED" });
		expect(await decide()).toMatchObject({ status: 409 });
	});

	it("ends as FAILED even if the change comes between its reads and its commit", async () => {
		let trips = 0;
		const vars = beforeCommit(async () => {
			if (trips++ === 0) await db.update(users).set({ blockedAt: 1 }).where(eq(users.id, userId));
		});
		expect(expectOk(await decide(deciders[0], "APPROVED", vars))).toMatchObject({ status: "FAILED" });
		expect(await blockedAt()).toBe(1);
	});

	it("can still be rejected", async () => {
		await db.update(users).set({ blockedAt: 1 }).where(eq(users.id, userId));
		expect(expectOk(await decide(deciders[0], "REJECTED"))).toMatchObject({ status: "REJECTED" });
	});

	it("executes nothing if the stored payload was tampered with", async () => {
		await db
			.update(approvals)
			.set({ payload: { blocked: false } })
			.where(eq(approvals.id, id));
		expect(expectOk(await decide())).toMatchObject({ status: "FAILED", failure_reason: "PAYLOAD_CHANGED" });
		expect(await blockedAt()).toBeNull();
	});
});
