// The app of the guide over a bad network: requests that do not arrive, answers that are lost, a hotel's sign-in page, a day offline.
// @module-tag thorough

import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ClientOptions, ConnectionError } from "../../../client/src/index.ts";
import { creditCycles } from "../../../src/domains/credit-accounts/table";
import { loanApplications } from "../../../src/domains/loans/model/table";
import { payments } from "../../../src/domains/repayments/table";
import { sessions } from "../../../src/domains/tokens/table";
import { admitUser } from "../../../src/domains/users/profile.operations";
import { HOUR_MS, SECOND_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { codeSentTo } from "../../support/current-accounts";
import { db, givenOrganization, operatorToken } from "../../support/factories";
import { givenLoanProduct } from "../../support/loans";
import { ORIGIN, serve } from "../../support/serve";
import { App, type Device, newDevice } from "./app";

const NUMBER = "+254712345678";
/** How long the client waits for an answer. */
const PATIENCE_MS = 8 * SECOND_MS;

type Fault = "request lost" | "answer lost" | "portal" | "offline";

/** A network between the app and the service; `fault` says what befalls the call of its path that it is, from 0 on. */
function network(fault: (times: number, path: string) => Fault | undefined = () => undefined) {
	const air = { fault, seen: [] as string[] };
	const fetch: ClientOptions["fetch"] = async (url, init) => {
		const path = `${init.method} ${new URL(url).pathname}`;
		const befalls = air.fault(air.seen.filter((one) => one === path).length, path);
		air.seen.push(path);
		if (befalls === "portal") return new Response("<html>Welcome to the hotel</html>", { headers: { "content-type": "text/html" } });
		const response = befalls === "offline" || befalls === "request lost" ? undefined : await serve(new Request(url, init));
		if (response && befalls === undefined) return response;
		if (befalls !== "offline") vi.setSystemTime(Date.now() + PATIENCE_MS);
		throw new TypeError("no answer");
	};
	return { air, given: { baseUrl: ORIGIN, fetch } };
}

let slug: string;

beforeEach(async () => {
	vi.useFakeTimers({ toFake: ["Date"] });
	const organization = await givenOrganization();
	slug = organization.slug;
	await givenLoanProduct({ organization_id: organization.id });
});

/** Taps until it has worked. */
async function tap<T>(step: () => Promise<T>): Promise<T> {
	for (let times = 1; ; times++)
		try {
			return await step();
		} catch (error) {
			if (!(error instanceof ConnectionError) || times === 3) throw error;
		}
}

/** Signed in and admitted. */
async function signedIn(app: App): Promise<void> {
	const { id: verification } = await tap(() => app.askForCode(NUMBER, slug));
	await app.signIn(verification, await codeSentTo(NUMBER));
	const me = await app.me();
	expectOk(await call(admitUser, { as: await operatorToken(), path: { userId: me.id } }));
}

/** From the number to the inbox, as the guide goes. The app is closed and opened twice, so that it must renew its session. */
async function evening(open: () => App): Promise<void> {
	const app = open();
	await app.settings();
	await app.brand(slug);
	await signedIn(app);
	await app.speak("sw");
	const offer = await app.offer();
	await app.quote(offer.loan_product_id, 60_000);
	const again = open();
	await again.apply(offer.id, 60_000);
	await again.application(offer.id);
	await again.account(offer.account_id);
	await again.installments(offer.account_id);
	const last = open();
	await last.pay(offer.account_id, 20_000);
	await last.account(offer.account_id);
	const { data: messages } = await last.inbox();
	await last.read(messages[0]?.id ?? "");
	expect((await last.inbox()).unread).toBe(0);
	await last.signOut();
}

/** What has become of it all. */
async function left(device: Device) {
	return {
		applications: (await db.select().from(loanApplications)).map(({ status }) => status),
		borrowed: (await db.select().from(creditCycles)).map(({ principal }) => principal),
		paid: (await db.select().from(payments)).map(({ amount, status }) => [amount, status]),
		sessions: (await db.select().from(sessions)).map(({ revokedAt }) => revokedAt !== null),
		waiting: device.changes.length,
	};
}

const ONCE = { applications: ["DISBURSED"], borrowed: [60_000], paid: [[20_000, "POSTED"]], sessions: [true], waiting: 0 };

describe("an evening of the app", () => {
	it.each<[string, (times: number, path: string) => Fault | undefined]>([
		["where all answers come", () => undefined],
		["where the first answer to each call is lost", (times) => (times === 0 ? "answer lost" : undefined)],
		["where every other answer to each call is lost", (times) => (times % 2 === 0 ? "answer lost" : undefined)],
		["where the first request of each call does not arrive", (times) => (times === 0 ? "request lost" : undefined)],
		["where a hotel's page answers the first request of each call", (times) => (times === 0 ? "portal" : undefined)],
	])("does each thing once %s", async (_, fault) => {
		const { given } = network(fault);
		const device = newDevice();
		await evening(() => new App(device, given));
		expect(await left(device)).toEqual(ONCE);
	});
});

describe("an app that loses its network for most of a day", () => {
	const tunnel = async () => {
		const { air, given } = network();
		const device = newDevice();
		const open = () => new App(device, given);
		await signedIn(open());
		const offer = await open().offer();
		const app = open();
		await app.me();
		air.fault = () => "answer lost";
		return { air, device, open, app, offer };
	};

	it("takes the loan once that was asked for before, also when it was closed meanwhile, and is still signed in", async () => {
		const { air, device, open, app, offer } = await tunnel();
		await expect(app.apply(offer.id, 60_000)).rejects.toThrow(ConnectionError);
		expect(device.changes).toHaveLength(1);
		air.fault = () => "offline";
		vi.setSystemTime(Date.now() + 22 * HOUR_MS);
		await expect(open().resume()).rejects.toThrow(ConnectionError);
		air.fault = () => undefined;
		await open().resume();
		expect(await left(device)).toEqual({ ...ONCE, paid: [], sessions: [false] });
	});

	it("is still signed in when the answers to its renewal were lost", async () => {
		const { air, open } = await tunnel();
		await expect(open().me()).rejects.toThrow(ConnectionError);
		vi.setSystemTime(Date.now() + 22 * HOUR_MS);
		air.fault = () => undefined;
		expect((await open().me()).status).toBe("ACTIVE");
	});

	it("shows what it has shown, and asks for it again without its body", async () => {
		const { air, given } = network();
		const device = newDevice();
		const app = new App(device, given);
		await signedIn(app);
		const { id, account_id } = await app.offer();
		await app.apply(id, 60_000);
		const shown = await app.account(account_id);
		air.fault = () => "offline";
		await expect(new App(device, given).account(account_id)).rejects.toThrow(ConnectionError);
		expect(new App(device, given).lastShown(account_id)).toEqual(shown);
		air.fault = () => undefined;
		expect(await new App(device, given).account(account_id)).toEqual(shown);
	});
});

it("an app behind a hotel's page learns that there is no network, and does not take the page for an answer", async () => {
	const { air, given } = network();
	const device = newDevice();
	await signedIn(new App(device, given));
	air.fault = () => "portal";
	const app = new App(device, given);
	await expect(app.me()).rejects.toThrow(ConnectionError);
	await expect(app.brand(slug)).rejects.toThrow(ConnectionError);
	expect(device.refreshToken).toBeDefined();
	air.fault = () => undefined;
	expect((await app.me()).kind).toBe("USER");
});
