// Uploading invoices one by one and in batches, and reading them.

import { describe, expect, it } from "vitest";
import {
	decideInvoice,
	getInvoice,
	listInvoices,
	listMerchantInvoices,
	uploadInvoice,
	uploadInvoices,
} from "../../../src/domains/invoices/operations";
import { invoices } from "../../../src/domains/invoices/table";
import { call, expectOk, send } from "../../support/client";
import { rowsRead, trips } from "../../support/credit";
import { db, givenMember, givenOrganization } from "../../support/factories";
import { givenBuyer, givenInvoice, inDays, invoiceBody, invoiceEvents } from "../../support/invoices";
import { expectRows } from "../../support/rows";

describe("uploading an invoice", () => {
	it("stores it as sent, as PENDING, and raises an event", async () => {
		const { organization, uploads } = await givenBuyer();
		const details = { purchase_order: "PO-7", lines: [{ text: "maize", price: 1.5 }] };
		const body = invoiceBody({ details, document_id: "0190a0a0-0000-7000-8000-000000000001" });
		const uploaded = await call(uploadInvoice, { as: uploads, body });
		expect(uploaded.status).toBe(201);
		const invoice = expectOk(uploaded);
		expect(invoice).toEqual({
			id: expect.any(String),
			document_id: body.document_id,
			amount_minor_units: 90_000,
			currency: "KES",
			details,
			due_date: body.due_date,
			issued_date: body.issued_date,
			status: "PENDING",
			created_at: expect.stringMatching(/Z$/),
			merchant_id: "m-1",
		});
		expect(await invoiceEvents(organization.id)).toEqual([
			{
				type: "invoice.uploaded",
				key: `invoice.uploaded:${invoice.id}`,
				data: { invoice_id: invoice.id, merchant_id: "m-1", amount_minor_units: 90_000, currency: "KES", due_date: body.due_date },
			},
		]);
	});

	it("takes an invoice without a document for a document of its own", async () => {
		const buyer = await givenBuyer();
		const [first, second] = [await givenInvoice(buyer), await givenInvoice(buyer)];
		expect([first.document_id, second.document_id]).toEqual([first.id, second.id]);
		expect(first.details).toEqual({});
	});

	it("refuses invalid members, each with its path", async () => {
		const { uploads: as } = await givenBuyer();
		const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) });
		const faults: [object, string, string][] = [
			[{ amount_minor_units: 0 }, "amount_minor_units", "OUT_OF_RANGE"],
			[{ amount_minor_units: 1.5 }, "amount_minor_units", "OUT_OF_RANGE"],
			[{ amount_minor_units: "90000" }, "amount_minor_units", "INVALID_TYPE"],
			[{ currency: "kes" }, "currency", "INVALID_FORMAT"],
			[{ due_date: inDays(-2) }, "due_date", "OUT_OF_RANGE"],
			[{ due_date: "2999-02-30" }, "due_date", "INVALID_FORMAT"],
			[{ invoice_number: "\u200b" }, "invoice_number", "INVALID_FORMAT"],
			[{ merchant_id: " " }, "merchant_id", "TOO_SHORT"],
			[{ details: [] }, "details", "INVALID_TYPE"],
			[{ details: { text: "a".repeat(17_000) } }, "details", "TOO_LONG"],
			[{ details: deep(9) }, "details", "OUT_OF_RANGE"],
			[{ status: "APPROVED" }, "status", "UNKNOWN_FIELD"],
		];
		for (const [change, path, sub_code] of faults) {
			const answer = await send(uploadInvoice, { as, body: { ...invoiceBody(), ...change } });
			expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_PARAMS", invalid_params: [{ path, sub_code }] } });
		}
		expect(await send(uploadInvoice, { as, body: { ...invoiceBody(), details: deep(8) } })).toMatchObject({ status: 201 });
	});

	it("refuses a number that the merchant has used, in any spelling", async () => {
		const { uploads: as } = await givenBuyer();
		const up = (invoice_number: string, merchant_id = "m-1") =>
			call(uploadInvoice, { as, body: invoiceBody({ invoice_number, merchant_id }) });
		expectOk(await up("INV-001"));
		for (const spelling of ["INV-001", "inv-001", "INV - 001", "ＩＮＶ-００１"]) {
			expect(await up(spelling)).toMatchObject({
				status: 409,
				body: { code: "DUPLICATE_INVOICE", identifier: expect.any(String), invalid_params: [] },
			});
		}
		expectOk(await up("INV-002"));
		expectOk(await up("INV-001", "m-2"));
		expectOk(await call(uploadInvoice, { as: (await givenBuyer()).uploads, body: invoiceBody({ invoice_number: "INV-001" }) }));
	});

	it("refuses a document that the organization has, even for another merchant or number", async () => {
		const buyer = await givenBuyer();
		const { document_id } = await givenInvoice(buyer);
		const again = invoiceBody({ document_id, merchant_id: "m-2" });
		expect(await call(uploadInvoice, { as: buyer.uploads, body: again })).toMatchObject({
			status: 409,
			body: { code: "DUPLICATE_INVOICE" },
		});
	});

	it("accepts the number and the document of a rejected invoice again", async () => {
		const buyer = await givenBuyer();
		const first = await givenInvoice(buyer, { invoice_number: "INV-1" });
		const again = () =>
			call(uploadInvoice, { as: buyer.uploads, body: invoiceBody({ invoice_number: "INV-1", document_id: first.document_id }) });
		expect((await again()).status).toBe(409);
		const rejected = { as: buyer.decider.token, path: { id: first.id }, body: { decision: "REJECTED" as const, comment: "not ours" } };
		expectOk(await call(decideInvoice, rejected));
		expectOk(await again());
		expect((await again()).status).toBe(409);
	});
});

describe("uploading a batch", () => {
	it("uploads up to 100 invoices in one commit, in the order sent, with an event each", async () => {
		const { organization, uploads } = await givenBuyer();
		const bodies = Array.from({ length: 100 }, (_, index) => invoiceBody({ invoice_number: `B-${index}`, amount_minor_units: index + 1 }));
		const answer = await call(uploadInvoices, { as: uploads, body: { invoices: bodies } });
		expect(trips(answer)).toBe(2);
		const { data } = expectOk(answer);
		expect(data.map(({ amount_minor_units }) => amount_minor_units)).toEqual(bodies.map((body) => body.amount_minor_units));
		const events = await invoiceEvents(organization.id);
		expect(events.map(({ key }) => key)).toEqual(data.map(({ id }) => `invoice.uploaded:${id}`));
		expect(await send(uploadInvoices, { as: uploads, body: { invoices: [...bodies, invoiceBody()] } })).toMatchObject({ status: 400 });
		expect(await send(uploadInvoices, { as: uploads, body: { invoices: [] } })).toMatchObject({ status: 400 });
	});

	it("uploads none when one is a duplicate, and says which", async () => {
		const buyer = await givenBuyer();
		await givenInvoice(buyer, { invoice_number: "old" });
		const bodies = [invoiceBody(), invoiceBody(), invoiceBody({ invoice_number: "OLD" })];
		expect(await call(uploadInvoices, { as: buyer.uploads, body: { invoices: bodies } })).toMatchObject({
			status: 409,
			body: { code: "DUPLICATE_INVOICE", description: "invoices[2] has already been uploaded" },
		});
		const twice = [invoiceBody({ invoice_number: "new" }), invoiceBody({ invoice_number: "N E W" })];
		expect(await call(uploadInvoices, { as: buyer.uploads, body: { invoices: twice } })).toMatchObject({
			status: 409,
			body: { code: "DUPLICATE_INVOICE" },
		});
		expect(await db.select().from(invoices)).toHaveLength(1);
		expect(await invoiceEvents(buyer.organization.id)).toHaveLength(1);
	});
});

describe("the lists", () => {
	async function givenMany() {
		const buyer = await givenBuyer();
		const bodies = Array.from({ length: 50 }, (_, index) => invoiceBody({ merchant_id: `m-${index % 2}` }));
		const data = [];
		for (let batch = 0; batch < 2; batch++)
			data.push(
				...expectOk(
					await call(uploadInvoices, {
						as: buyer.uploads,
						body: { invoices: bodies.map((body) => ({ ...body, invoice_number: `${batch}${body.invoice_number}` })) },
					}),
				).data,
			);
		await givenInvoice(await givenBuyer());
		return { buyer, newest: data.map(({ id }) => id).reverse(), data };
	}

	it("show the invoices of every merchant, newest first, forwards and backwards, within size + 5 rows read", {
		tags: ["thorough"],
	}, async () => {
		const { buyer, newest } = await givenMany();
		const as = buyer.decider.token;
		const headers = { "x-organization-id": buyer.organization.id };
		const pageAfter = async (after?: string) => {
			const answer = await call(listInvoices, { as, headers, query: { size: "30", after } });
			expect(trips(answer)).toBeLessThanOrEqual(1);
			expectRows(rowsRead(answer)).atMost(30 + 5);
			return expectOk(answer);
		};
		// This read checks the caller. Later reads within ten seconds reuse that check, and read only the list.
		expectOk(await call(listInvoices, { as, headers, query: {} }));
		const pages = [await pageAfter()];
		for (let next = pages[0]?.links.next; next; next = pages.at(-1)?.links.next) pages.push(await pageAfter(next));
		expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(newest);
		const last = pages.at(-1)?.links;
		const before = expectOk(await call(listInvoices, { as, query: { size: "30", before: last?.prev ?? "" } }));
		expect(before.data).toEqual(pages.at(-2)?.data);
		const both = await call(listInvoices, { as, query: { after: before.links.next ?? "", before: last?.prev ?? "" } });
		expect(both).toMatchObject({ status: 400, body: { invalid_params: [{ path: "query.before", sub_code: "MUTUALLY_EXCLUSIVE" }] } });
	});

	it("show one merchant's invoices, within size + 5 rows read", async () => {
		const { buyer, data } = await givenMany();
		const path = { merchantId: "m-1" };
		const wanted = data
			.filter(({ merchant_id }) => merchant_id === "m-1")
			.map(({ id }) => id)
			.reverse();
		const answer = await call(listMerchantInvoices, { as: buyer.uploads, path, query: { size: "20" } });
		expect(expectOk(answer).data.map(({ id }) => id)).toEqual(wanted.slice(0, 20));
		expectRows(rowsRead(answer)).atMost(20 + 5);
		const { next } = expectOk(answer).links;
		const other = await call(listMerchantInvoices, { as: buyer.uploads, path: { merchantId: "m-0" }, query: { after: next ?? "" } });
		expect(other).toMatchObject({ status: 400, body: { invalid_params: [{ sub_code: "INVALID_CURSOR" }] } });
	});

	it("refuse a cursor of another organization or of another list", async () => {
		const { buyer } = await givenMany();
		const { next } = expectOk(await call(listInvoices, { as: buyer.decider.token, query: { size: "5" } })).links;
		const stranger = await givenMember((await givenOrganization()).id);
		for (const as of [stranger.token]) {
			expect(await call(listInvoices, { as, query: { after: next ?? "" } })).toMatchObject({ status: 400 });
		}
		const otherList = { as: buyer.decider.token, path: { merchantId: "m-1" }, query: { after: next ?? "" } };
		expect(await call(listMerchantInvoices, otherList)).toMatchObject({ status: 400, body: { identifier: expect.any(String) } });
	});
});

describe("a single invoice", () => {
	it("also shows its number, its repayments and its advance", async () => {
		const buyer = await givenBuyer();
		const { id } = await givenInvoice(buyer, { invoice_number: "INV 7" });
		const answer = await call(getInvoice, { as: buyer.decider.token, path: { id } });
		expect(expectOk(answer)).toMatchObject({
			id,
			invoice_number: "INV 7",
			decided_at: null,
			comment: null,
			repaid_minor_units: 0,
			outstanding_minor_units: 0,
			advance: null,
		});
		expect(answer.headers.get("etag")).toMatch(/^"/);
	});
});
