// In which language users read their messages, and who sends them.

import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { startActivation } from "../../../src/domains/current-accounts/activations/operations";
import { createLoanApplication } from "../../../src/domains/loans/operations";
import { listMyMessages } from "../../../src/domains/messages/inbox.operations";
import { notifyUser } from "../../../src/domains/messages/notices.plan";
import { listMessages } from "../../../src/domains/messages/operations";
import { organizations } from "../../../src/domains/organizations/table";
import { organizationTexts } from "../../../src/domains/organizations/texts/table";
import { refreshSession } from "../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { users } from "../../../src/domains/users/model/table";
import { getMe, updateMe } from "../../../src/domains/users/profile.operations";
import { refusalText } from "../../../src/messages/texts";
import { LOCALES, type Locale } from "../../../src/shared/locale";
import { call, expectOk } from "../../support/client";
import { freshNumber, givenOpened } from "../../support/current-accounts";
import { db, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { jobsFor } from "../../support/jobs";
import { answerOutbound, servicesFor } from "../../support/outbound";
import { customToken } from "../../support/phone-sign-in";
import { expectUser } from "../../support/profiles";

const PAID = { key: "LOAN_PAID_OUT", values: { sum: { amount: 1_234_567, currency: "KES" } } } as const;
const IN: Readonly<Record<"en" | "sw" | "fr", string>> = {
	en: "Umoja SACCO: KES 12,345.67 of your loan have been paid out to you.",
	sw: "Umoja SACCO: Umelipwa KES 12,345.67 za mkopo wako.",
	fr: "Umoja SACCO : 12 345,67 KES de votre prêt vous ont été versés.",
};

let organizationId: string;
let user: Awaited<ReturnType<typeof givenUser>>;
let mobileNumber: string;
beforeEach(async () => {
	organizationId = (await givenOrganization()).id;
	await db.update(organizations).set({ name: "Umoja SACCO" }).where(eq(organizations.id, organizationId));
	mobileNumber = freshNumber();
	user = await givenUser({ organizationId, mobileNumber });
});

const tell = async () => {
	const services = await jobsFor(user.id);
	await services.commit(await notifyUser(services, user.id, "PAYMENTS", PAID));
};
const read = async () => expectOk(await call(listMyMessages, { as: user.token, query: {} })).data.map(({ text }) => text);
const localeOfMe = async () => expectUser(await call(getMe, { as: user.token })).locale;
const choose = async (locale: Locale | null) => expectOk(await call(updateMe, { as: user.token, body: { locale } })).locale;
const lenderSpeaks = (locale: Locale) => db.insert(organizationTexts).values({ organizationId, locale, texts: {}, updatedAt: 0 });

it("a message is read in the language that the user has chosen, else in that of their app, else in their lender's", async () => {
	await tell();
	expect([await localeOfMe(), await read()]).toEqual(["en", [IN.en]]);
	await lenderSpeaks("sw");
	expect([await localeOfMe(), await read()]).toEqual(["sw", [IN.sw]]);
	await db.update(users).set({ signInLocale: "fr" }).where(eq(users.id, user.id));
	expect([await localeOfMe(), await read()]).toEqual(["fr", [IN.fr]]);
	expect(await choose("en")).toBe("en");
	expect([await localeOfMe(), await read()]).toEqual(["en", [IN.en]]);
	expect(await choose(null)).toBe("fr");
	expect(await read()).toEqual([IN.fr]);
	expect(await call(updateMe, { as: user.token, body: { locale: "de" as Locale } })).toMatchObject({ status: 400 });
});

it("a message is sent in the user's language, and names their lender", async () => {
	const sent: string[] = [];
	answerOutbound(async (_, init) => {
		sent.push((JSON.parse(String(init?.body)) as { text: string }).text);
		return new Response(null, { status: 202 });
	});
	await choose("sw");
	const gateway = { ...env, MESSAGE_SENDER: "http", MESSAGE_SENDER_URL: "https://sms.example/send" } as Env;
	const ctx = createExecutionContext();
	const services = (await servicesFor({ env: gateway, ctx })).at(user.id);
	await services.commit(await notifyUser(services, user.id, "PAYMENTS", PAID));
	await waitOnExecutionContext(ctx);
	expect(sent).toEqual([IN.sw]);
});

it("the language of the app at a sign-in is kept, and a later one without a language keeps it", async () => {
	const headers = (language: string) => ({ "accept-language": language });
	const custom_token = await customToken();
	const session = expectOk(await call(signIn, { body: { custom_token }, headers: headers("pt-MZ") }));
	const me = async () => expectUser(await call(getMe, { as: session.access_token })).locale;
	expect(await me()).toBe("pt");
	const again = expectOk(await call(refreshSession, { body: { refresh_token: session.refresh_token } }));
	expect(await me()).toBe("pt");
	expectOk(await call(refreshSession, { body: { refresh_token: again.refresh_token }, headers: headers("am") }));
	expect(await me()).toBe("am");
});

it("a code that a user asks for comes in their language from their lender, else in the one in which they ask", async () => {
	await givenOpened(user.token);
	const text = async () => {
		expectOk(await call(startActivation, { as: user.token, headers: { "accept-language": "fr" } }));
		const [last] = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: mobileNumber } })).data;
		return last?.text?.replace(/\d{6}/, "…");
	};
	expect(await text()).toBe("Umoja SACCO : … est votre code. Il est valable 5 minutes. Ne le communiquez à personne.");
	await choose("sw");
	expect(await text()).toBe("Umoja SACCO: … ni msimbo wako. Unatumika kwa dakika 5. Usimpe mtu yeyote.");
});

it("a refusal is in the language that the user has chosen, else in that of the request, else in their app's or lender's", async () => {
	await db.update(users).set({ status: "WAITING_LIST" }).where(eq(users.id, user.id));
	const told = async (language?: string) => {
		const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
		const refused = await call(createLoanApplication, { as: user.token, body: {}, headers });
		expect(refused).toMatchObject({ status: 403, body: { reason: "WAITING_LIST" } });
		return LOCALES.find((locale) => !refused.ok && refused.body.user_message === refusalText(locale, ["WAITING_LIST"]));
	};
	expect([await told(), await told("pt")]).toEqual(["en", "pt"]);
	await lenderSpeaks("am");
	expect([await told(), await told("pt")]).toEqual(["am", "pt"]);
	await db.update(users).set({ signInLocale: "fr" }).where(eq(users.id, user.id));
	expect([await told(), await told("pt")]).toEqual(["fr", "pt"]);
	await choose("sw");
	expect([await told(), await told("pt")]).toEqual(["sw", "sw"]);
});
