// The mapping to the lender's own ledger over HTTP: two people make its versions, from days that are open.

import { beforeEach, describe, expect, it } from "vitest";
import { listLedgerMappings } from "../../../src/domains/ledger/mapping.operations";
import { addDays, localDate } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenApiKey, givenMember, givenOrganization } from "../../support/factories";
import { givenLoanProduct } from "../../support/loans";
import { givenLoans, numbersFrom, passUntil } from "../../support/own-ledger";
import { clock, waitDays } from "../../support/portfolios";

beforeEach(() => {
	clock.offsetMs = 0;
});

describe("a mapping", () => {
	const MAPPING = { effective_from: "2030-01-02", accounts: numbersFrom("6") };

	it("is asked for by one member, approved by another, and kept in versions", async () => {
		const { as, asker, decider, propose, decide, adopt } = await givenLoans();
		const asked = expectOk(await propose({ ...MAPPING, reason: "the auditor's chart" }));
		expect(asked).toMatchObject({ approval_type: "LEDGER_MAPPING", status: "PENDING", entity_type: "ORGANIZATION" });
		expect(await propose(MAPPING, decider.token)).toMatchObject({ status: 409, body: { code: "APPROVAL_PENDING" } });
		expect(await decide(asked.id, "APPROVED", undefined, asker.token)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(expectOk(await call(listLedgerMappings, { as, query: {} })).data).toEqual([]);
		expect(expectOk(await decide(asked.id)).status).toBe("APPROVED");
		await adopt({ ...MAPPING, effective_from: "2030-02-01" });
		const versions = expectOk(await call(listLedgerMappings, { as, query: {} })).data;
		expect(versions.map(({ effective_from }) => effective_from)).toEqual(["2030-02-01", "2030-01-02"]);
		expect(versions[1]).toMatchObject({
			approval_request_id: asked.id,
			requested_by: asker.id,
			approved_by: decider.id,
			loan_product_id: null,
		});
		expect(versions[1]?.accounts).toEqual(MAPPING.accounts.map((account) => ({ ...account, name: null })));
		const stranger = await givenApiKey((await givenOrganization()).id, ["ledger:read"]);
		expect(expectOk(await call(listLedgerMappings, { as: stranger, query: {} })).data).toEqual([]);
	});

	it("leaves no account without a number, of any product", async () => {
		const { productId, propose } = await givenLoans();
		const refused = async (body: object, why: string) =>
			expect(await propose({ ...MAPPING, ...body })).toMatchObject({ status: 400, text: expect.stringContaining(why) });
		const [first = { account: "1110", number: "1" }, ...rest] = MAPPING.accounts;
		await refused({ accounts: rest }, "must have a number for every account of the chart, and lacks: 1110");
		await refused({ accounts: [] }, "lacks: 1110, 1120");
		await refused({ accounts: [first, first, ...MAPPING.accounts] }, 'has accounts more than once: 1110"');
		await refused({ accounts: [...MAPPING.accounts, { account: "9999", number: "1" }] }, "not in the chart: 9999");
		await refused({ accounts: [{ ...first, number: "=1+1" }, ...rest] }, "must be 1 to 20 letters");
		// Receipts are of no product yet, so their accounts have one number for all.
		await refused({ loan_product_id: productId, accounts: [{ account: "2110", number: "1" }] }, "do not all belong to a product: 2110");
		const { id: foreign } = await givenLoanProduct({ organization_id: (await givenOrganization()).id });
		for (const loan_product_id of [foreign, crypto.randomUUID()])
			expect(await propose({ ...MAPPING, loan_product_id, accounts: [] })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
	});

	it("counts from a day that is not closed, one version from each day, in any order of making", async () => {
		const { id, as, propose, adopt, decide, journals } = await givenLoans();
		await passUntil("2030-01-03");
		const refused = async (effective_from: string, why: string) =>
			expect(await propose({ ...MAPPING, effective_from })).toMatchObject({
				status: 409,
				body: { code: "INVALID_STATE", description: expect.stringContaining(why) },
			});
		await refused("2030-01-03", "a later day than 2030-01-03, the last closed one");
		await adopt({ ...MAPPING, effective_from: "2030-01-05" });
		await refused("2030-01-05", "a mapping from 2030-01-05 on already");
		await adopt({ accounts: numbersFrom("7"), effective_from: "2030-01-04" });
		const late = expectOk(await propose({ ...MAPPING, effective_from: "2030-01-06" }));
		await passUntil("2030-01-06");
		expect(expectOk(await decide(late.id))).toMatchObject({ status: "FAILED", failure_reason: "CLOSED" });
		expect(expectOk(await call(listLedgerMappings, { as, query: {} })).data).toHaveLength(2);
		const numbers = (await journals({ from: "2030-01-04" })).map(({ lines }) => new Set(lines.map(({ number }) => number[0])));
		expect(numbers).toEqual(["7", "6", "6"].map((prefix) => new Set([prefix])));
		const { token } = await givenMember(id, "organization-lending-viewer");
		expect(await propose({ ...MAPPING, effective_from: "2031-01-01" }, token)).toMatchObject({ status: 403 });
	});

	it("counts from at most 366 days ahead, so that a mistyped year does not stay", async () => {
		const { propose, adopt, decide } = await givenLoans();
		const from = (days: number) => ({ ...MAPPING, effective_from: addDays(localDate(clock.now()), days) });
		expect(await propose(from(367))).toMatchObject({ status: 400, text: expect.stringContaining("body.effective_from") });
		const asked = expectOk(await propose(from(366)));
		await waitDays(-1);
		expect(expectOk(await decide(asked.id))).toMatchObject({ status: "FAILED", failure_reason: "TOO_FAR_AHEAD" });
		await adopt(from(366));
		await adopt(from(1));
	});
});
