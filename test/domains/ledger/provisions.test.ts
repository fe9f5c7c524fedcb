// Provisions over HTTP: two people approve the rules, the end of a month posts what the expected loss has gained, and the report shows
// stages, buckets and moves.
// @module-tag thorough

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { requestProvisioningRules } from "../../../src/domains/approvals/provisioning.operations";
import { getTrialBalance } from "../../../src/domains/ledger/operations";
import { listProvisioningRules, listProvisions } from "../../../src/domains/ledger/provisions.operations";
import { loanPositions, portfolioDays, provisioningRules } from "../../../src/domains/portfolio/model/table";
import { daysBetween, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { closeDays, givenBooks } from "../../support/closings";
import { db, givenApiKey, givenMember, givenOrganization } from "../../support/factories";
import { entriesOf, expectJournal } from "../../support/journal";
import { clock, expectFigures, type Loan, owedOn, payIn, waitDays } from "../../support/portfolios";
import { servePath } from "../../support/serve";

beforeEach(() => {
	clock.offsetMs = 0;
});

/** The morning of the day after, once it is closed. */
async function passUntil(day: string): Promise<void> {
	await waitDays(daysBetween(localDate(clock.now()), day) + 1);
	await closeDays();
}

const STAGES = [
	{ up_to_days: 5, rate_basis_points: 100, suspends_interest: false },
	{ up_to_days: 20, rate_basis_points: 2_000, suspends_interest: false },
	{ up_to_days: null, rate_basis_points: 5_000, suspends_interest: true },
];
const RULES = { loan_product_id: null, effective_from: "2030-01-02", stages: STAGES, cure_days: 20 };

/** Two loans of 10,000 and 11,000 since 2030-01-01, at 5 % for 30 days, due on 01-31, 03-02 and 04-01. */
async function givenLoans() {
	await waitDays(daysBetween(localDate(clock.now()), "2030-01-01"));
	const books = await givenBooks();
	const { as, asker, headers, decide } = books;
	const propose = (body: object = RULES, who = asker.token) => call(requestProvisioningRules, { as: who, headers, body: body as never });
	const adopt = async (body?: object) => expectOk(await decide(expectOk(await propose(body)).id));
	const report = async (query: object = {}) => expectOk(await call(listProvisions, { as, query: { size: "100", ...query } })).data;
	const balance = async (on: string) =>
		Object.fromEntries(
			expectOk(await call(getTrialBalance, { as, query: { size: "100", on } })).data.map(({ account, debit, credit }) => [
				account,
				debit - credit,
			]),
		);
	const posted = async () =>
		(await entriesOf(books.id))
			.filter(({ source }) => source === "PROVISION")
			.map(({ day, lines }) => [day, ...lines.map((line) => line.join(" "))]);
	return { ...books, propose, adopt, report, balance, posted };
}

type Rows = readonly { part: string; stage: number | null; from_stage: number | null; accounts: number; exposure: number }[];
const moves = (rows: Rows) =>
	rows.filter(({ part }) => part === "MOVE").map(({ from_stage, stage, accounts, exposure }) => [from_stage, stage, accounts, exposure]);

describe("the end of a month", () => {
	it("posts what provisions and suspended interest gain and lose, by rules that two people have approved", async () => {
		const { id, loans, adopt, balance, posted } = await givenLoans();
		const [one, two] = loans as [Loan, Loan];
		await adopt();
		// Nothing is overdue yet: 1 % of 10,500 and 11,550, which is 220.5.
		await passUntil("2030-01-31");
		// 28 days past due: half of the principal of 21,000, and the interest of 1,720 is no income.
		await passUntil("2030-02-28");
		// One loan is paid, and the other owes 2,972 when nothing of it has been overdue for 20 days: it has gone back one stage, at 20 %.
		await payIn(two, await owedOn(two));
		await payIn(one, 8_000);
		await passUntil("2030-03-31");
		expect(await posted()).toEqual([
			["2030-01-31", "1290 -221", "5310 221"],
			["2030-02-28", "1280 -1720", "1290 -10279", "4190 1720", "5310 10279"],
			["2030-03-31", "1280 1720", "1290 9906", "4190 -1720", "5310 -9906"],
		]);
		expect(await balance("2030-02-28")).toMatchObject({ 1280: -1_720, 1290: -10_500, 4190: 1_720, 5310: 10_500, 4110: -1_720 });
		expect(await balance("2030-03-31")).toMatchObject({ 1290: -594, 5310: 594 });
		await expectJournal(id);
		for (const entry of (await entriesOf(id)).filter(({ source }) => source === "PROVISION"))
			expect(entry).toMatchObject({ accountId: null, correctsId: null, valueDate: entry.day });
	});

	it("is closed with its provisions, which a payment with an earlier value date no longer changes", async () => {
		const { loans, adopt, closed, figures, report, posted } = await givenLoans();
		await adopt();
		await passUntil("2030-01-31");
		await closed("2030-01");
		const [before, stages] = [await figures("2030-01"), await report({ month: "2030-01" })];
		expect(before.balances).toContainEqual(expect.objectContaining({ account: "1290", credit: 221 }));
		await waitDays(5);
		await payIn(loans[0] as Loan, 5_000, 10);
		await passUntil("2030-02-28");
		expect(await figures("2030-01")).toEqual(before);
		expect(await report({ month: "2030-01" })).toEqual(stages);
		expect((await posted()).map(([day]) => day)).toEqual(["2030-01-31", "2030-02-28"]);
	});

	it("posts nothing by the default rules, and all interest is income", async () => {
		const { report, balance, posted } = await givenLoans();
		await passUntil("2030-05-31");
		const stages = (await report()).filter(({ part }) => part === "STAGE");
		expect(stages.map(({ accounts, up_to_days, rate_basis_points }) => [accounts, up_to_days, rate_basis_points])).toEqual([
			[0, 30, 100],
			[0, 90, 1_000],
			[2, null, 5_000],
		]);
		// 120 days past due: half of the principal of 21,000.
		expect(stages[2]).toMatchObject({ rules_id: null, expected_loss: 10_500, exposure: 25_213, suspended_interest: 4_213 });
		expect(await posted()).toEqual([]);
		const balances = await balance("2030-05-31");
		expect(Object.keys(balances).filter((account) => ["1280", "1290", "4190", "5310"].includes(account))).toEqual([]);
		expect(balances).toMatchObject({ 1210: 21_000, 1220: 2_134, 1230: 2_079, 4110: -2_134, 4130: -2_079 });
	});
});

describe("the report", () => {
	it("has the stages, the buckets and the moves of a month, and of the last closed day", async () => {
		const { id, productId, loans, report, as } = await givenLoans();
		const [one, two] = loans as [Loan, Loan];
		await passUntil("2030-01-31");
		expect(moves(await report())).toEqual([[null, 1, 2, 22_050]]);
		await passUntil("2030-03-31");
		await payIn(two, await owedOn(two));
		await passUntil("2030-04-30");
		const april = await report({ month: "2030-04" });
		expect(moves(april)).toEqual([
			[2, 2, 1, await owedOn(one)],
			[2, null, 1, 0],
		]);
		expect(moves(await report({ month: "2030-03" }))).toEqual([[1, 2, 2, expect.any(Number)]]);
		expect(april.map(({ on }) => on).every((on) => on === "2030-04-30")).toBe(true);
		const buckets = april.filter(({ part }) => part === "BUCKET");
		expect(buckets.map(({ up_to_days, accounts }) => [up_to_days, accounts])).toEqual([
			...[[0, 0] as const, [30, 0] as const, [60, 0] as const, [90, 1] as const],
			...[[180, 0] as const, [360, 0] as const, [null, 0] as const],
		]);
		expect(buckets.reduce((sum, { exposure }) => sum + exposure, 0)).toBe(await owedOn(one));
		expect(await report({ part: "BUCKET" })).toEqual((await report()).filter(({ part }) => part === "BUCKET"));
		expect(await report({ loan_product_id: productId })).toEqual(await report());
		expect(await report({ loan_product_id: crypto.randomUUID() })).toEqual([]);
		await expectFigures(id, productId);
		expect(await call(listProvisions, { as, query: { month: "2030-05" } })).toMatchObject({ status: 400 });
		const pages = expectOk(await call(listProvisions, { as, query: { size: "5" } }));
		const next = expectOk(await call(listProvisions, { as, query: { size: "100", after: pages.links.next ?? "" } }));
		expect([...pages.data, ...next.data]).toEqual(april);
		const answer = await servePath("/v1/ledger/provisions?part=STAGE", { headers: { "x-api-key": as, accept: "text/csv" } });
		const [head, ...lines] = (await answer.text()).trim().split("\r\n");
		expect(head).toMatch(/^on,loan_product_id,currency,part,stage,/);
		expect(lines).toHaveLength(3);
	});

	it("is of the organization alone, for readers of the ledger", async () => {
		const { id, headers } = await givenLoans();
		await passUntil("2030-01-31");
		const stranger = await givenOrganization();
		const as = await givenApiKey(stranger.id, ["ledger:read"]);
		expect(expectOk(await call(listProvisions, { as, query: {} })).data).toEqual([]);
		expect(expectOk(await call(listProvisioningRules, { as, query: {} })).data).toEqual([]);
		const key = await givenApiKey(id, ["portfolio:read"]);
		expect(await call(listProvisions, { as: key, query: {} })).toMatchObject({ status: 403 });
		expect(await call(listProvisioningRules, { as: key, query: {} })).toMatchObject({ status: 403 });
		for (const [role, status] of [["organization-lending-viewer", 200] as const, ["organization-developer", 403] as const]) {
			const { token } = await givenMember(id, role);
			expect(await call(listProvisions, { as: token, headers, query: {} })).toMatchObject({ status });
			expect(await call(listProvisioningRules, { as: token, headers, query: {} })).toMatchObject({ status });
		}
	});

	it("is empty for days of before the stages were kept", async () => {
		const { id, report, posted, adopt } = await givenLoans();
		await adopt();
		await passUntil("2030-01-30");
		await db.update(portfolioDays).set({ stages: null }).where(eq(portfolioDays.organizationId, id));
		await db.update(loanPositions).set({ staging: null }).where(eq(loanPositions.organizationId, id));
		expect(await report()).toEqual([]);
		await passUntil("2030-01-31");
		expect(moves(await report())).toEqual([[null, 1, 2, 22_050]]);
		expect((await posted()).map(([day]) => day)).toEqual(["2030-01-31"]);
	});
});

describe("rules", () => {
	it("are asked for by one member, approved by another, and kept in versions", async () => {
		const { as, asker, decider, propose, decide, report } = await givenLoans();
		const asked = expectOk(await propose({ ...RULES, reason: "as the board decided" }));
		expect(asked).toMatchObject({ approval_type: "PROVISIONING_RULES", status: "PENDING", payload: RULES });
		expect(await propose(RULES, decider.token)).toMatchObject({ status: 409, body: { code: "APPROVAL_PENDING" } });
		expect(await decide(asked.id, "APPROVED", undefined, asker.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(expectOk(await call(listProvisioningRules, { as, query: {} })).data).toEqual([]);
		expect(expectOk(await decide(asked.id)).status).toBe("APPROVED");
		const [version, ...others] = expectOk(await call(listProvisioningRules, { as, query: {} })).data;
		expect(others).toEqual([]);
		expect(version).toMatchObject({ ...RULES, approval_request_id: asked.id, requested_by: asker.id, approved_by: decider.id });
		await passUntil("2030-01-01");
		expect((await report()).map(({ rules_id }) => rules_id)).not.toContain(version?.id);
		await passUntil("2030-01-02");
		expect(new Set((await report()).map(({ rules_id }) => rules_id))).toEqual(new Set([version?.id]));
	});

	it("of a product count for it before those of all products", async () => {
		const { productId, adopt, report } = await givenLoans();
		await adopt({ ...RULES, loan_product_id: productId, stages: [{ up_to_days: null, rate_basis_points: 777 }], cure_days: 0 });
		await adopt({ ...RULES, effective_from: "2030-01-03" });
		await passUntil("2030-01-31");
		expect((await report({ part: "STAGE" })).map(({ rate_basis_points }) => rate_basis_points)).toEqual([777]);
	});

	it("count from a later day than that of the approval, each version from a later day than the one before", async () => {
		const { id, propose, adopt, decide } = await givenLoans();
		const refused = async (body: object, why: string) =>
			expect(await propose({ ...RULES, ...body })).toMatchObject({
				status: 409,
				body: { code: "INVALID_STATE", description: expect.stringContaining(why) },
			});
		const today = await propose({ ...RULES, effective_from: "2030-01-01" });
		expect([today.status, today.text]).toEqual([400, expect.stringContaining("must be later than 2030-01-01")]);
		const wrongYear = await propose({ ...RULES, effective_from: "2031-01-03" });
		expect([wrongYear.status, wrongYear.text]).toEqual([400, expect.stringContaining("must not be later than 2031-01-02")]);
		await refused({ loan_product_id: crypto.randomUUID() }, "no such loan product");
		await adopt();
		await refused({}, "rules from 2030-01-02 on already");
		const late = expectOk(await propose({ ...RULES, effective_from: "2030-01-03" }));
		await waitDays(2);
		expect(expectOk(await decide(late.id))).toMatchObject({ status: "FAILED", failure_reason: "NOT_AHEAD" });
		expect((await db.select().from(provisioningRules)).filter(({ organizationId }) => organizationId === id)).toHaveLength(1);
		const { token } = await givenMember(id, "organization-lending-viewer");
		expect(await propose({ ...RULES, effective_from: "2031-01-01" }, token)).toMatchObject({ status: 403 });
	});

	it.each([
		["none", []],
		["no last one", [{ up_to_days: 30, rate_basis_points: 100 }]],
		[
			"one that does not ascend",
			[
				{ up_to_days: 30, rate_basis_points: 1 },
				{ up_to_days: 30, rate_basis_points: 1 },
				{ up_to_days: null, rate_basis_points: 1 },
			],
		],
		[
			"two last ones",
			[
				{ up_to_days: null, rate_basis_points: 1 },
				{ up_to_days: null, rate_basis_points: 2 },
			],
		],
		["more than the whole", [{ up_to_days: null, rate_basis_points: 10_001 }]],
	])("with stages that have %s are refused", async (_, stages) => {
		const { propose } = await givenLoans();
		expect(await propose({ ...RULES, stages })).toMatchObject({ status: 400 });
	});
});
