// Messages by a list of providers: who is asked in what order, what is stored of it, what providers report, and what that adds up to.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { sendMessages } from "../../../src/domains/messages/job";
import { queueMessage } from "../../../src/domains/messages/plan";
import { getMessageStatistics } from "../../../src/domains/messages/statistics.operations";
import { messages } from "../../../src/domains/messages/table";
import { toTimestamp } from "../../../src/shared/time";
import type { MessagesStandIn, StandInAnswer, StandInProvider } from "../../stand-ins/messages";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { db, operatorToken } from "../../support/factories";
import { LISTED, messagesStandIn } from "../../support/messages";
import { answerOutbound, servicesFor } from "../../support/outbound";
import { servePath } from "../../support/serve";

const KENYAN = "+254712345678";
let answers: Partial<Record<StandInProvider, StandInAnswer>>;
let standIn: MessagesStandIn;

beforeEach(() => {
	answers = {};
	standIn = messagesStandIn((provider) => answers[provider]);
});

async function servicesOf() {
	const pending: Promise<unknown>[] = [];
	const services = await servicesFor({ env: { ...env, ...LISTED } as Env, ctx: { waitUntil: (promise) => pending.push(promise) } });
	return { services, settled: () => Promise.all(pending) };
}

async function order(recipient = KENYAN, channel: "SMS" | "EMAIL" = "SMS") {
	const { services, settled } = await servicesOf();
	const message = {
		address: { channel, recipient },
		purpose: "TEST",
		category: null,
		content: { text: "hello" },
		expiresAt: services.now + 600_000,
	};
	await services.commit([await queueMessage(services, message)], undefined);
	await settled();
}
const sweep = async () => sendMessages((await servicesOf()).services);
const row = async () => (await db.select().from(messages))[0];
const statistics = async () => {
	const today = toTimestamp(Date.now()).slice(0, 10);
	const query = { from: today, to: today };
	return expectOk(await call(getMessageStatistics, { as: await operatorToken(), query, vars: LISTED }));
};
const recipients = (...Recipients: object[]) => ({ status: 201, body: { SMSMessageData: { Recipients } } });

describe("a list of providers", () => {
	it("sends by the first that serves the recipient, and stores what it says", async () => {
		await order();
		expect(standIn.sent).toMatchObject([{ provider: "africastalking", to: KENYAN, text: "hello" }]);
		const told = { status: "SENT", sealed: null, provider: "africastalking", cost: 8_000, costCurrency: "KES" };
		expect(await row()).toMatchObject({ ...told, providerMessageId: standIn.sent[0]?.reference, delivery: null });
		await order("+4915112345678");
		await order("anna@example.com", "EMAIL");
		expect(standIn.asked).toEqual(["africastalking", "twilio", "resend"]);
		expect((await statistics()).data).toMatchObject([
			{ provider: "twilio", sent: 1, cost: null, currency: null },
			{ provider: "resend", sent: 1 },
			{ provider: "africastalking", sent: 1, delivered: 0, failed: 0, cost: "0.8000", currency: "KES" },
		]);
	});

	it.each([
		["without money", recipients({ statusCode: 405 })],
		["that cannot route it", recipients({ statusCode: 407 })],
		["that refuses the sender's name", recipients()],
		["that refuses the key", { status: 401, body: {} }],
	])("leaves it to the next at once after one %s", async (_, refusal) => {
		answers.africastalking = refusal;
		await order();
		expect(standIn.asked).toEqual(["africastalking", "twilio"]);
		expect(await row()).toMatchObject({ status: "SENT", provider: "twilio", attempts: 1 });
	});

	it.each(["LOST", "DOWN"] as const)(
		"asks the next only after the back-off, and then the first again, where the answer is %s",
		async (how) => {
			answers = { africastalking: how, twilio: how };
			await order();
			await sweep();
			expect(standIn.asked).toEqual(["africastalking"]);
			await moveClock(5_000);
			await sweep();
			expect(standIn.asked).toEqual(["africastalking", "twilio"]);
			expect(await row()).toMatchObject({ status: "PENDING", provider: "twilio", providerMessageId: null });
			answers = {};
			await moveClock(15_000);
			await sweep();
			expect(standIn.asked).toEqual(["africastalking", "twilio", "africastalking"]);
			expect(await row()).toMatchObject({ status: "SENT", provider: "africastalking" });
		},
	);

	it.each([
		["africastalking", recipients({ statusCode: 403 })],
		["twilio", { status: 400, body: { code: 21_211 } }],
	] as const)("ends with a number that %s refuses", async (provider, refusal) => {
		answers[provider] = refusal;
		await order(provider === "twilio" ? "+4915112345678" : KENYAN);
		expect(await row()).toMatchObject({ status: "REFUSED", sealed: null });
		expect(standIn.asked).toEqual([provider]);
		expect((await statistics()).data).toEqual([]);
	});

	it.each(["sends", "fails to send"])("counts nothing for a sender whose answer comes after another one %s", async (what) => {
		const other = async () => {
			await moveClock(31_000);
			answers = what === "sends" ? {} : { africastalking: "DOWN" };
			await sweep();
		};
		let isFirst = true;
		answerOutbound(async (input, init) => {
			const answer = await standIn.handle(new Request(input as string, init as RequestInit));
			if (isFirst) {
				isFirst = false;
				await other();
			}
			return answer;
		});
		await order();
		expect(standIn.asked).toHaveLength(2);
		expect(await row()).toMatchObject({ status: what === "sends" ? "SENT" : "PENDING", attempts: 2 });
		expect((await statistics()).data.map(({ sent }) => sent)).toEqual(what === "sends" ? [1] : []);
	});

	it("sends mail under the message's id, so that a lost answer sends nothing twice", async () => {
		answers.resend = "LOST";
		await order("anna@example.com", "EMAIL");
		answers = {};
		await moveClock(5_000);
		await sweep();
		expect(standIn.asked).toEqual(["resend", "resend"]);
		expect(standIn.sent).toHaveLength(1);
		expect(await row()).toMatchObject({ status: "SENT", providerMessageId: standIn.sent[0]?.reference });
	});
});

describe("a provider's report", () => {
	const report = async (url: string, form: Record<string, string>) =>
		(await servePath(new URL(url).pathname, { method: "POST", body: new URLSearchParams(form) }, LISTED)).status;
	const byTwilio = (MessageStatus: string, MessageSid = standIn.sent[0]?.reference ?? "", reportsTo = standIn.sent[0]?.reportsTo) =>
		report(reportsTo ?? "", { MessageSid, MessageStatus, SmsSid: MessageSid, To: KENYAN, AccountSid: "AC" });

	it("by Twilio is taken at the address that it was given, once, and other statuses change nothing", async () => {
		await order("+4915112345678");
		for (const status of ["queued", "sent"]) expect(await byTwilio(status)).toBe(204);
		expect(await row()).toMatchObject({ delivery: null });
		expect(await byTwilio("delivered", "SMother")).toBe(204);
		expect(await row()).toMatchObject({ delivery: null });
		for (const status of ["undelivered", "delivered", "undelivered"]) expect(await byTwilio(status)).toBe(204);
		expect(await row()).toMatchObject({ delivery: "FAILED", reportedAt: expect.any(Number) });
		expect((await statistics()).data).toMatchObject([{ provider: "twilio", sent: 1, delivered: 0, failed: 1 }]);
		const forged = (standIn.sent[0]?.reportsTo ?? "").replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
		expect(await report(forged, { MessageSid: "a", MessageStatus: "delivered" })).toBe(404);
	});

	it("that comes while the message is sent again counts it once", async () => {
		answers.twilio = "LOST";
		await order("+4915112345678");
		answers = {};
		answerOutbound(async (input, init) => {
			const answer = await standIn.handle(new Request(input as string, init as RequestInit));
			expect(await byTwilio("delivered")).toBe(204);
			return answer;
		});
		await moveClock(5_000);
		await sweep();
		expect(await row()).toMatchObject({ status: "SENT", delivery: "DELIVERED", attempts: 2 });
		expect((await statistics()).data).toMatchObject([{ provider: "twilio", sent: 1, delivered: 1 }]);
	});

	it("that comes before the answer to the first sending is kept", async () => {
		for (const status of ["undelivered", "delivered"]) {
			answerOutbound(async (input, init) => {
				const answer = await standIn.handle(new Request(input as string, init as RequestInit));
				expect(await byTwilio(status, standIn.sent.at(-1)?.reference, standIn.sent.at(-1)?.reportsTo)).toBe(204);
				return answer;
			});
			await order("+4915112345678");
		}
		const told = (await db.select().from(messages)).map(({ status, delivery, attempts }) => ({ status, delivery, attempts }));
		expect(told).toContainEqual({ status: "SENT", delivery: "FAILED", attempts: 1 });
		expect(told).toContainEqual({ status: "SENT", delivery: "DELIVERED", attempts: 1 });
		expect((await statistics()).data).toMatchObject([{ provider: "twilio", sent: 2, delivered: 1, failed: 1 }]);
	});

	it("that a message was delivered counts after another provider has been asked, whose answer was lost", async () => {
		answers = { africastalking: "DOWN", twilio: "LOST" };
		await order();
		await moveClock(5_000);
		await sweep();
		answers = { africastalking: "LOST" };
		await moveClock(15_000);
		await sweep();
		expect(await row()).toMatchObject({ status: "PENDING", provider: "africastalking" });
		const { reference, reportsTo } = standIn.sent.find(({ provider }) => provider === "twilio") ?? {};
		expect(await byTwilio("failed", reference, reportsTo)).toBe(204);
		expect(await row()).toMatchObject({ delivery: null });
		expect(await byTwilio("delivered", reference, reportsTo)).toBe(204);
		expect(await row()).toMatchObject({ status: "SENT", provider: "twilio", providerMessageId: reference, delivery: "DELIVERED" });
	});

	it("that a message was delivered ends its sending, where the answer was lost", async () => {
		answers.twilio = "LOST";
		await order("+4915112345678");
		expect(await byTwilio("delivered")).toBe(204);
		expect(await row()).toMatchObject({ status: "SENT", sealed: null, delivery: "DELIVERED" });
		await moveClock(60_000);
		await sweep();
		expect(standIn.asked).toEqual(["twilio"]);
		expect((await statistics()).data).toMatchObject([{ sent: 1, delivered: 1 }]);
	});

	it("by Africa's Talking is taken at the address that operators read, by the id that it gave", async () => {
		await order();
		const address = (await statistics()).reports_to.africastalking ?? "";
		const id = standIn.sent[0]?.reference ?? "";
		const about = { id, phoneNumber: KENYAN, networkCode: "63902", retryCount: "0" };
		for (const status of ["Buffered", "Success", "Failed"]) expect(await report(address, { ...about, status })).toBe(204);
		expect(await report(address, { ...about, id: "ATXid_unknown", status: "Success" })).toBe(204);
		expect(await row()).toMatchObject({ delivery: "DELIVERED" });
		expect((await statistics()).data).toMatchObject([{ sent: 1, delivered: 1, failed: 0 }]);
		expect(
			await report(
				address.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
				{ id, status: "Failed" },
			),
		).toBe(404);
	});
});

it("a list of providers is configured with the secret of each provider", async () => {
	const { configuration } = await import("../../../src/runtime/config");
	const faults = (vars: object) =>
		configuration({ ...env, ...LISTED, ...vars } as never).then(
			() => ({}),
			(error: { variables: object }) => error.variables,
		);
	expect(await faults({})).toEqual({});
	expect(await faults({ MESSAGE_SENDERS: undefined })).toHaveProperty("MESSAGE_SENDERS");
	for (const name of ["AFRICASTALKING_API_KEY", "TWILIO_AUTH_TOKEN", "RESEND_API_KEY"]) {
		expect(await faults({ [name]: undefined })).toEqual({ [name]: "is required by MESSAGE_SENDERS" });
	}
	const twice = JSON.stringify([1, 2].map(() => ({ provider: "resend", from: "a@example.com" })));
	expect(await faults({ MESSAGE_SENDERS: twice })).toHaveProperty("MESSAGE_SENDERS");
});
