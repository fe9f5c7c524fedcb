// Open work over HTTP: what it waits for, and what is done again at once.

import { beforeEach, describe, expect, it } from "vitest";
import { custodianInstructions } from "../../../src/domains/current-accounts/custodian/table";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { authorizationSyncs } from "../../../src/domains/organizations/authorization/table";
import { darajaConfirmations } from "../../../src/domains/repayments/recording/confirmations.table";
import { paymentReturns } from "../../../src/domains/repayments/returns/table";
import { transfers } from "../../../src/domains/transfers/table";
import { updateWebhook } from "../../../src/domains/webhooks/endpoints/operations";
import { AWAITED, WORK_KINDS, type WorkKind } from "../../../src/domains/work/kinds.policy";
import { getAttention, listWork, retryWork } from "../../../src/domains/work/operations";
import { MINUTE_MS, toTimestamp } from "../../../src/shared/time";
import { dueWork } from "../../../src/wiring/due-work";
import { type Answer, call, expectOk } from "../../support/client";
import { db, givenOrganization, newId, operatorToken } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { attemptAt, fakeWorld, givenFailing, raiseQuietly, services, type World } from "../../support/webhooks";
import { givenWork } from "../../support/work";

let as: string;
let world: World;
beforeEach(async () => {
	as = await operatorToken();
	world = fakeWorld();
});

const attention = async (kind: WorkKind) => expectOk(await call(getAttention, { as })).data.find((row) => row.kind === kind);
const listed = async (kind: WorkKind) => expectOk(await call(listWork, { as, query: { kind } })).data;
const retry = (kind: WorkKind, id: string, vars: Partial<Env> = {}) => call(retryWork, { as, path: { kind, id }, vars });
/** Expects the refusal, and returns its body. */
function refused(answer: Answer<unknown>, code: string) {
	expect(answer.body).toMatchObject({ code });
	return answer.body;
}
/** Some kinds wait for nobody within their first hour. */
const OVER_AN_HOUR_AGO = () => Date.now() - 61 * MINUTE_MS;

/** What the service does again by itself, or can: people need not wait for it. */
const DONE_AGAIN: readonly WorkKind[] = [
	"CONFIRMATION",
	"DISBURSEMENT",
	"CONTRADICTION",
	"TRANSFER",
	"RETURN",
	"CUSTODIAN",
	"PORTFOLIO",
	"DEAD_LETTER",
	"AUTHORIZATION_SYNC",
];

describe("work of every kind, in all databases", () => {
	it.each(WORK_KINDS)("is counted, listed from the oldest on, and done again or waits for somebody: %s", async (kind) => {
		const since = OVER_AN_HOUR_AGO();
		const organizations = [await givenOrganization(), await givenOrganization()];
		const ids: string[] = [];
		for (const [index, { id }] of organizations.entries()) ids.push(await givenWork(kind, { organizationId: id, since: since + index }));
		const [oldest = ""] = ids;

		const rows = await listed(kind);
		expect(rows.map(({ id }) => id)).toEqual(ids);
		expect(rows[0]).toMatchObject({ kind, since: toTimestamp(since) });
		expect(await attention(kind)).toEqual({ kind, count: 2, more: false, oldest: toTimestamp(since) });
		for (const other of WORK_KINDS.filter((other) => other !== kind)) expect(await listed(other), other).toEqual([]);

		const answer = await retry(kind, oldest);
		refused(await retry(kind, newId(oldest)), "NOT_FOUND");
		const [after] = (await listed(kind)).filter(({ id }) => id === oldest);
		if (!DONE_AGAIN.includes(kind)) {
			expect(refused(answer, "INVALID_STATE")).toMatchObject({ description: AWAITED[kind] });
			expect(after).toEqual(rows[0]);
			return;
		}
		expect(answer.status).toBe(202);
		const due = expectOk(answer).next_attempt_at ?? "";
		expect(Date.parse(due)).toBeLessThanOrEqual(Date.now());
		// A portfolio whose fault is gone and an endpoint that is woken up need nobody.
		expect(after?.next_attempt_at).toBe(kind === "PORTFOLIO" || kind === "DEAD_LETTER" ? undefined : due);
	});

	it("counts what usually ends by itself after ten minutes", async () => {
		const { id: organizationId } = await givenOrganization();
		for (const kind of ["DISBURSEMENT", "CONTRADICTION", "TRANSFER", "RETURN", "CUSTODIAN"] as const) {
			const id = await givenWork(kind, { organizationId, since: Date.now() - 9 * MINUTE_MS });
			expect(await attention(kind)).toMatchObject({ count: 0, oldest: null });
			refused(await retry(kind, id), "NOT_FOUND");
		}
	});
});

it("work is not done again once another has it", async () => {
	const { id: organizationId } = await givenOrganization();
	const since = OVER_AN_HOUR_AGO();
	const [paid, sent] = [
		await givenWork("DISBURSEMENT", { organizationId, since }),
		await givenWork("TRANSFER", { organizationId, since }),
	] as const;
	await db.update(disbursements).set({ status: "ACCEPTED" });
	await db.update(transfers).set({ taken: true, nextAttemptAt: null });
	for (const [kind, id] of [
		["DISBURSEMENT", paid],
		["TRANSFER", sent],
	] as const) {
		refused(await retry(kind, id), "INVALID_STATE");
		expect((await listed(kind))[0]).toMatchObject({ state: kind === "TRANSFER" ? "TAKEN" : "ACCEPTED", next_attempt_at: null });
	}
	expect((await db.select().from(disbursements))[0]).toMatchObject({ attempts: 3, instruction: "as it was sent" });
});

it.each(["TRANSFER", "DISBURSEMENT"] as const)("work is not due again when another has it right before: %s", async (kind) => {
	const id = await givenWork(kind, { organizationId: (await givenOrganization()).id, since: OVER_AN_HOUR_AGO() });
	const taken = async () => {
		await db.update(disbursements).set({ status: "ACCEPTED" });
		await db.update(transfers).set({ taken: true, nextAttemptAt: null });
	};
	refused(await retry(kind, id, beforeCommit(taken)), "INVALID_STATE");
	expect((await listed(kind))[0]).toMatchObject({ id, next_attempt_at: null });
});

it.each(["RETURN", "CUSTODIAN", "CONFIRMATION", "CONTRADICTION", "AUTHORIZATION_SYNC"] as const)(
	"work is not due again when it ends right before: %s",
	async (kind) => {
		const id = await givenWork(kind, { organizationId: (await givenOrganization()).id, since: OVER_AN_HOUR_AGO() });
		const ended = async () => {
			await db.update(paymentReturns).set({ status: "RETURNED", nextAttemptAt: null });
			await db.update(custodianInstructions).set({ status: "TAKEN" });
			await db.update(darajaConfirmations).set({ status: "DISMISSED" });
			await db.update(disbursements).set({ bookAt: null, contradictedAt: null });
			await db.update(authorizationSyncs).set({ reachedAt: 1 });
		};
		refused(await retry(kind, id, beforeCommit(ended)), "NOT_FOUND");
	},
);

it("a portfolio is closed again for one of two who ask at once", async () => {
	const id = await givenWork("PORTFOLIO", { organizationId: (await givenOrganization()).id, since: OVER_AN_HOUR_AGO() });
	refused(
		await retry(
			"PORTFOLIO",
			id,
			beforeCommit(async () => expectOk(await retry("PORTFOLIO", id))),
		),
		"NOT_FOUND",
	);
});

it("an endpoint is listed from its first failed delivery on, suspended or not, until it works again", async () => {
	const { organization, webhook, path, fail, as: owner } = await givenFailing(world);
	const shown = async () => (await listed("ENDPOINT")).map(({ id, state, since, attempts }) => ({ id, state, since, attempts }));
	expect(await shown()).toEqual([]);
	await fail(1);
	const [failing] = await shown();
	expect(failing).toMatchObject({ id: webhook.id, state: "FAILING", attempts: 1 });
	await fail(9);
	expect(await shown()).toEqual([{ ...failing, state: "SUSPENDED", attempts: 10 }]);
	expectOk(await call(updateWebhook, { as: owner, path, body: { status: "ACTIVE" } }));
	expect(await shown()).toEqual([]);
	await fail(1);
	expect(await shown()).toMatchObject([{ state: "FAILING" }]);
	world.answer = () => new Response(null, { status: 204 });
	await raiseQuietly(organization.id);
	await attemptAt(webhook.id);
	expect(await shown()).toEqual([]);
	expectOk(await call(updateWebhook, { as: owner, path, body: { status: "SUSPENDED" } }));
	expect(await shown()).toMatchObject([{ state: "SUSPENDED", attempts: 0 }]);
});

it("a dead letter is kept for seven days", async () => {
	const { id: organizationId } = await givenOrganization();
	const days = 24 * 60 * MINUTE_MS;
	for (const age of [6, 8]) await givenWork("DEAD_LETTER", { organizationId, since: Date.now() - age * days });
	await dueWork.find(({ name }) => name === "webhooks.purge-dead-letters")?.run((await services()).at(organizationId));
	expect(await attention("DEAD_LETTER")).toMatchObject({ count: 1 });
});
