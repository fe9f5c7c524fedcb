// The texts that a lender puts in the place of the service's.

import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { listMyMessages } from "../../../src/domains/messages/inbox.operations";
import { notifyUser } from "../../../src/domains/messages/notices.plan";
import { listMessages } from "../../../src/domains/messages/operations";
import { organizations } from "../../../src/domains/organizations/table";
import { getOrganizationTexts, putOrganizationTexts } from "../../../src/domains/organizations/texts/operations";
import { startPhoneVerification } from "../../../src/domains/otp/operations";
import { CUSTOMER_MESSAGES } from "../../../src/messages/catalogue";
import { call, expectOk } from "../../support/client";
import { freshNumber } from "../../support/current-accounts";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { jobsFor } from "../../support/jobs";

let lender: Awaited<ReturnType<typeof givenOrganization>>;
let owner: { token: string };
beforeEach(async () => {
	lender = await givenOrganization();
	await db.update(organizations).set({ name: "Umoja" }).where(eq(organizations.id, lender.id));
	owner = await givenMember(lender.id, "organization-owner");
});

type Change = Parameters<typeof put>[0];
const put = (body: { locale: "en" | "sw"; texts: object; default_locale?: "sw" | null; preview_only?: boolean }) =>
	call(putOrganizationTexts, { as: owner.token, path: { organizationId: lender.id }, body });
const get = async (query: { locale?: "en" | "sw" } = {}) =>
	expectOk(await call(getOrganizationTexts, { as: owner.token, path: { organizationId: lender.id }, query }));
const textOf = ({ texts }: Awaited<ReturnType<typeof get>>, message: string) => texts.find((one) => one.message === message);
const PAID = { key: "LOAN_PAID_OUT", values: { sum: { amount: 100_000, currency: "KES" } } } as const;

it("a lender's texts stand in the place of the service's, also in inboxes, until the lender takes them back", async () => {
	const { id, token } = await givenUser({ organizationId: lender.id });
	const services = await jobsFor(id);
	await services.commit(await notifyUser(services, id, "PAYMENTS", PAID));
	const read = async () => expectOk(await call(listMyMessages, { as: token, query: {} })).data.map(({ text }) => text);
	expect(await read()).toEqual(["Umoja: KES 1,000.00 of your loan have been paid out to you."]);
	const put1 = expectOk(await put({ locale: "en", texts: { LOAN_PAID_OUT: "{lender} sends you {sum}." } }));
	expect(textOf(put1, "LOAN_PAID_OUT")).toEqual({
		message: "LOAN_PAID_OUT",
		standard: "{sum} of your loan have been paid out to you.",
		own: "{lender} sends you {sum}.",
		placeholders: ["sum", "lender"],
		preview: "Umoja sends you KES 12,345.00.",
	});
	expect(await get()).toEqual(put1);
	expect(put1.texts.map(({ message }) => message)).toEqual([...CUSTOMER_MESSAGES]);
	expect(await read()).toEqual(["Umoja sends you KES 1,000.00."]);
	// Another language keeps the texts of this one.
	expectOk(await put({ locale: "sw", texts: { LOAN_PAID_OUT: "Tumekutumia {sum}." }, default_locale: "sw" }));
	expect(await read()).toEqual(["Umoja: Tumekutumia KES 1,000.00."]);
	expect(textOf(await get({ locale: "en" }), "LOAN_PAID_OUT")?.own).toBe("{lender} sends you {sum}.");
	expect(await get()).toMatchObject({ locale: "sw", default_locale: "sw", reviewed: false });
	expectOk(await put({ locale: "sw", texts: {} }));
	expect(await read()).toEqual(["Umoja: Umelipwa KES 1,000.00 za mkopo wako."]);
	expect((await get()).default_locale).toBe("sw");
});

it("a preview shows how texts would read, and changes nothing", async () => {
	const before = await get();
	const change = { locale: "en", texts: { CODE: "{code}: {minutes, plural, one {# minute} other {# minutes}}" } } as const;
	expect(textOf(expectOk(await put({ ...change, preview_only: true })), "CODE")?.preview).toBe("Umoja: 012345: 5 minutes");
	expect(await get()).toEqual(before);
});

it("changes in two languages at once are both kept", async () => {
	await Promise.all([put({ locale: "en", texts: { ADMITTED: "Welcome." } }), put({ locale: "sw", texts: { ADMITTED: "Karibu." } })]);
	const owns = await Promise.all((["en", "sw"] as const).map(async (locale) => textOf(await get({ locale }), "ADMITTED")?.own));
	expect(owns).toEqual(["Welcome.", "Karibu."]);
});

it.each<[Change["texts"], string, string]>([
	[{ LOAN_PAID_OUT: "Money is coming." }, "texts.LOAN_PAID_OUT", "must have {sum}"],
	[{ ADMITTED: "Welcome {name}" }, "texts.ADMITTED", "has {name}, which this message is not filled with: there are {lender}"],
	[{ ADMITTED: "Welcome {" }, "texts.ADMITTED", "has a { without a name"],
	[{ CODE: "{code} {minutes, plural, one {#}}" }, "texts.CODE", "{minutes, plural needs the form other"],
	[{ ADMITTED: "x".repeat(501) }, "texts.ADMITTED", "500"],
	[{ ADMITTED: "a\u202eb" }, "texts.ADMITTED", "must not contain control characters"],
	[{ INVITATION: "{organization} {link}" }, "texts.INVITATION", "INVITATION"],
])("the texts %j are refused", async (texts, path, reason) => {
	const { status, body } = await put({ locale: "en", texts });
	expect(status).toBe(400);
	expect(JSON.stringify(body)).toContain(path);
	expect(JSON.stringify(body)).toContain(reason);
	expect((await get()).texts.every(({ own }) => own === null)).toBe(true);
});

it("a code for somebody whom nobody knows is worded by the lender whose app asks, in the lender's language", async () => {
	expectOk(await put({ locale: "sw", texts: { CODE: "{code} {lender} {minutes}" }, default_locale: "sw" }));
	const number = freshNumber();
	const body = { mobile_country_code: "254", mobile_number: number, organization: lender.slug };
	expectOk(await call(startPhoneVerification, { body }));
	const [sent] = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: number } })).data;
	expect(sent?.text).toBe(`${sent?.otp_code} Umoja 5`);
});

it("texts are changed by those who may change the brand, and are nobody else's", async () => {
	const viewer = await givenMember(lender.id, "organization-viewer");
	const path = { organizationId: lender.id };
	expect((await call(getOrganizationTexts, { as: viewer.token, path, query: {} })).status).toBe(200);
	const body = { locale: "en" as const, texts: {} };
	expect((await call(putOrganizationTexts, { as: viewer.token, path, body })).status).toBe(403);
	const stranger = await givenMember((await givenOrganization()).id, "organization-owner");
	expect([403, 404]).toContain((await call(putOrganizationTexts, { as: stranger.token, path, body })).status);
});
