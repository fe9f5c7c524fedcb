// Treasury records: a member asks for one, another approves it, and the journal has its entry.

import { beforeEach, describe, expect, it } from "vitest";
import type * as z from "zod";
import { decideApproval, listApprovals, requestApproval } from "../../../src/domains/approvals/operations";
import { requestTreasuryRecord } from "../../../src/domains/approvals/treasury.operations";
import { lastDayOf } from "../../../src/domains/ledger/model/closing.policy";
import { getTreasuryRecord, listTreasuryRecords } from "../../../src/domains/ledger/treasury.operations";
import { localDate } from "../../../src/shared/time";
import { call, expectOk, untilDecided } from "../../support/client";
import { closeDays, givenBooks, passMonths } from "../../support/closings";
import { dyingAt } from "../../support/crashes";
import { givenApiKey, givenMember, givenOrganization, operatorToken } from "../../support/factories";
import { entriesOf, expectJournal } from "../../support/journal";
import { beforeTrip } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { clock, waitDays } from "../../support/portfolios";
import { servePath } from "../../support/serve";

beforeEach(() => {
	clock.offsetMs = 0;
});

type Body = z.input<typeof requestTreasuryRecord.request.body>;

const BORROWED = {
	kind: "BORROWED",
	amount: 50_000_000,
	currency: "KES",
	account: "1130",
	value_date: "2026-01-05",
	reference: "KCB facility 4711",
} as const satisfies Body;

async function givenTreasury() {
	const organization = await givenOrganization();
	const { id } = organization;
	const [asker, decider] = [await givenMember(id, "organization-lending-admin"), await givenMember(id, "organization-owner")];
	const headers = { "x-organization-id": id };
	const as = await givenApiKey(id, ["ledger:read"]);
	const ask = (body: Body, who = asker.token) => call(requestTreasuryRecord, { as: who, headers, body });
	const decide = (request: string, vars?: Partial<Env>, who = decider.token) =>
		call(decideApproval, { as: who, headers, path: { id: request }, body: { decision: "APPROVED" }, ...(vars && { vars }) });
	const recorded = async (body: Body) => {
		const { id: request, entity_id } = expectOk(await ask(body));
		expect(expectOk(await decide(request))).toMatchObject({ status: "APPROVED", failure_reason: null });
		return entity_id;
	};
	const records = async () => expectOk(await call(listTreasuryRecords, { as, query: { size: "500" } })).data;
	const journal = async () =>
		(await entriesOf(id)).filter(({ source }) => source === "TREASURY").sort((one, other) => one.bookedAt - other.bookedAt);
	return { id, as, asker, decider, headers, ask, decide, recorded, records, journal };
}

describe("a treasury record", () => {
	it("is asked for by one member and approved by another, and the journal has its entry", async () => {
		const { id, as, asker, decider, ask, decide, records, journal } = await givenTreasury();
		const asked = expectOk(await ask({ ...BORROWED, reason: "expansion" }));
		expect(asked).toMatchObject({ status: "PENDING", approval_type: "TREASURY_RECORD", entity_type: "TREASURY_RECORD" });
		expect(asked.payload).toEqual({ organization_id: id, ...BORROWED, to_account: null, corrects_id: null });
		expect(await decide(asked.id, undefined, asker.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect([await records(), await journal()]).toEqual([[], []]);
		const path = { recordId: asked.entity_id };
		expect(await call(getTreasuryRecord, { as, path })).toMatchObject({ status: 404 });
		expect(expectOk(await decide(asked.id))).toMatchObject({ status: "APPROVED", failure_reason: null });
		const [record, ...others] = await records();
		expect(others).toEqual([]);
		expect(record).toMatchObject({ id: asked.entity_id, ...BORROWED, reason: "expansion", approval_request_id: asked.id });
		expect(record).toMatchObject({ requested_by: asker.id, approved_by: decider.id, corrects_id: null, corrected_by_id: null });
		expect(expectOk(await call(getTreasuryRecord, { as, path }))).toEqual(record);
		const [entry, ...more] = await journal();
		expect(more).toEqual([]);
		expect(entry).toMatchObject({ sourceId: asked.entity_id, valueDate: "2026-01-05", correctsId: null, currency: "KES" });
		expect(entry?.day).toBe(localDate(Date.now()));
		expect(entry?.lines).toEqual([
			["1130", 50_000_000],
			["2310", -50_000_000],
		]);
		const answer = await servePath("/v1/ledger/treasury-records", { headers: { "x-api-key": as, accept: "text/csv" } });
		const [head, row] = (await answer.text()).trim().split("\r\n");
		expect(head).toMatch(/^id,kind,amount,currency,account,to_account,value_date,reference,/);
		expect(row).toContain(",BORROWED,50000000,KES,1130,,2026-01-05,KCB facility 4711,");
	});

	it("moves money by its kind, and a record that takes it back moves it the other way, once", async () => {
		const { ask, decide, recorded, records, journal } = await givenTreasury();
		const kinds = [
			[{ kind: "BORROWED" }, "1130", "2310", 1],
			[{ kind: "REPAID" }, "1130", "2310", -1],
			[{ kind: "INTEREST" }, "1130", "5220", -1],
			[{ kind: "CONTRIBUTED" }, "1130", "3100", 1],
			[{ kind: "DRAWN" }, "1130", "3100", -1],
			[{ kind: "TRANSFER", to_account: "1110" }, "1130", "1110", -1],
		] as const;
		const ids: string[] = [];
		for (const [index, [kind]] of kinds.entries()) ids.push(await recorded({ ...BORROWED, ...kind, amount: 100 + index }));
		for (const [index, [kind]] of kinds.entries()) {
			await recorded({ ...BORROWED, ...kind, amount: 100 + index, corrects_id: ids[index] as string });
		}
		const entries = await journal();
		for (const [index, [, cash, contra, sign]] of kinds.entries()) {
			const [own, back] = [ids[index], entries.find(({ correctsId }) => correctsId === ids[index])];
			const amount = sign * (100 + index);
			expect(entries.find(({ sourceId }) => sourceId === own)?.lines).toEqual([
				[cash, amount],
				[contra, -amount],
			]);
			expect(back?.lines).toEqual([
				[cash, -amount],
				[contra, amount],
			]);
			const rows = await records();
			expect(rows.find(({ id }) => id === own)?.corrected_by_id).toBe(back?.sourceId);
		}
		const again = { ...BORROWED, amount: 100, corrects_id: ids[0] as string };
		expect(await ask(again)).toMatchObject({ status: 409, body: { description: "The record is taken back already" } });
		const correction = entries.find(({ correctsId }) => correctsId === ids[0])?.sourceId ?? "";
		expect(await ask({ ...again, corrects_id: correction })).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		// What was wrong can be recorded again.
		const right = await recorded({ ...BORROWED, amount: 100 });
		expect(await ask({ ...BORROWED, amount: 101, corrects_id: right })).toMatchObject({
			status: 409,
			body: { description: expect.stringContaining("taken back whole") },
		});
		const other = await givenTreasury();
		expect(await other.ask({ ...again, corrects_id: right })).toMatchObject({
			status: 409,
			body: { description: "There is no such treasury record to take back" },
		});
		const [one, two] = [await ask({ ...again, corrects_id: right }), await ask({ ...again, corrects_id: right })].map(expectOk);
		expect(expectOk(await decide(one?.id ?? "")).status).toBe("APPROVED");
		expect(expectOk(await decide(two?.id ?? ""))).toMatchObject({ status: "FAILED", failure_reason: "ALREADY_CORRECTED" });
	});

	it("is made once of the same money, while several of other money wait", async () => {
		const { ask, decide, records, journal } = await givenTreasury();
		const [one, same, other] = [await ask(BORROWED), await ask(BORROWED), await ask({ ...BORROWED, reference: "KCB facility 4712" })].map(
			expectOk,
		);
		expect(expectOk(await decide(one?.id ?? "")).status).toBe("APPROVED");
		expect(expectOk(await decide(same?.id ?? ""))).toMatchObject({ status: "FAILED", failure_reason: "RECORDED_ALREADY" });
		expect(await ask(BORROWED)).toMatchObject({ status: 409, body: { code: "DUPLICATE_CONFLICT" } });
		expect(expectOk(await decide(other?.id ?? "")).status).toBe("APPROVED");
		expect(await records()).toHaveLength(2);
		expect(await journal()).toHaveLength(2);
	});

	it("is booked once while many decide it, and not where the same money is recorded before the commit", async () => {
		const { ask, decide, records, journal } = await givenTreasury();
		const [one, same] = [await ask(BORROWED), await ask(BORROWED)].map(expectOk);
		let isFirst = true;
		// The third trip is the commit, after the request and what its plan needs; the decision is then made again.
		const vars = beforeTrip(3, async () => {
			if (!isFirst) return;
			isFirst = false;
			const decisions = await Promise.all(Array.from({ length: 4 }, () => untilDecided(() => decide(same?.id ?? ""))));
			expect(decisions.filter(({ ok }) => ok)).toHaveLength(1);
		});
		expect(expectOk(await decide(one?.id ?? "", vars))).toMatchObject({ status: "FAILED", failure_reason: "RECORDED_ALREADY" });
		expect([(await records()).length, (await journal()).length]).toEqual([1, 1]);
	});

	it.each(["before", "after"] as const)(
		"happens whole or not at all if the process dies %s a round trip of the approval",
		{ tags: ["thorough"], timeout: 120_000 },
		async (when) => {
			expectErrors("request failed");
			for (let trip = 1; ; trip++) {
				const { ask, decide, records, journal } = await givenTreasury();
				const { id } = expectOk(await ask(BORROWED));
				const deciding = dyingAt(trip, when);
				await decide(id, deciding.vars);
				const before = await records();
				expect(await journal()).toHaveLength(before.length);
				expect((await decide(id)).status).toBe(before.length === 1 ? 409 : 200);
				expect([(await records()).length, (await journal()).length]).toEqual([1, 1]);
				if (!deciding.died()) break;
			}
		},
	);

	it("is of money that has moved, between accounts that hold money", async () => {
		const { ask } = await givenTreasury();
		const faults: [Partial<Record<keyof Body, unknown>>, string][] = [
			[{ account: "1190" }, "account"],
			[{ account: "2110" }, "account"],
			[{ kind: "TRANSFER" }, "to_account"],
			[{ kind: "TRANSFER", to_account: "1130" }, "to_account"],
			[{ to_account: "1110" }, "to_account"],
			[{ value_date: "2099-01-01" }, "value_date"],
			[{ amount: 0 }, "amount"],
			[{ currency: "XXX" }, "currency"],
			[{ reference: "\u200b" }, "reference"],
		];
		for (const [fault, path] of faults) {
			const answer = await ask({ ...BORROWED, ...fault } as never);
			expect(answer).toMatchObject({ status: 400, body: { invalid_params: [{ path }] } });
		}
	});

	it("is asked for by those who may close months, and seen by readers of the ledger of its organization", async () => {
		const { id, headers, ask, recorded } = await givenTreasury();
		for (const role of ["organization-lending-viewer", "organization-developer", "organization-financing-admin"] as const) {
			const { token } = await givenMember(id, role);
			expect(await ask(BORROWED, token)).toMatchObject({ status: 403 });
			const status = role === "organization-lending-viewer" ? 200 : 403;
			expect(await call(listTreasuryRecords, { as: token, headers, query: {} })).toMatchObject({ status });
		}
		const recordId = await recorded(BORROWED);
		const stranger = await givenOrganization();
		const as = await givenApiKey(stranger.id, ["ledger:read"]);
		expect(expectOk(await call(listTreasuryRecords, { as, query: {} })).data).toEqual([]);
		expect(await call(getTreasuryRecord, { as, path: { recordId } })).toMatchObject({ status: 404 });
		const body = { approval_type: "TREASURY_RECORD", entity_type: "TREASURY_RECORD", entity_id: id, payload: BORROWED };
		expect(await call(requestApproval, { as: await operatorToken(), body: body as never })).toMatchObject({ status: 400 });
		const owner = await givenMember(stranger.id, "organization-owner");
		const { id: request } = expectOk(await ask({ ...BORROWED, amount: 7 }));
		expect(await call(decideApproval, { as: owner.token, path: { id: request }, body: { decision: "APPROVED" } })).toMatchObject({
			status: 404,
		});
		expect(expectOk(await call(listApprovals, { as: owner.token, headers: { "x-organization-id": stranger.id }, query: {} })).data).toEqual(
			[],
		);
	});
});

it("is booked in the open month, with its value date in a closed one, whose figures stay", async () => {
	const { id, headers, asker, decider, closed, figures } = await givenBooks();
	const [month = ""] = await passMonths(1);
	await closed(month);
	const before = await figures(month);
	const body = { ...BORROWED, value_date: lastDayOf(month) };
	const { id: request, entity_id } = expectOk(await call(requestTreasuryRecord, { as: asker.token, headers, body }));
	expectOk(await call(decideApproval, { as: decider.token, headers, path: { id: request }, body: { decision: "APPROVED" } }));
	const [entry] = (await entriesOf(id)).filter(({ sourceId }) => sourceId === entity_id);
	expect(entry).toMatchObject({ day: localDate(clock.now()), valueDate: lastDayOf(month) });
	await waitDays(3);
	await closeDays();
	await expectJournal(id);
	expect(await figures(month)).toEqual(before);
});
