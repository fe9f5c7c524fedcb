// One request, followed through the log by its id: from its own line through the queue's message and the attempts to what sweeps do.

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import guide from "../../docs/operations.md?raw";
import { placesOf } from "../../src/db/places";
import { waitBy } from "../../src/db/transient";
import { uploadInvoice } from "../../src/domains/invoices/operations";
import { startPhoneVerification } from "../../src/domains/otp/operations";
import { call, expectOk, ORIGIN } from "../support/client";
import { cron } from "../support/cron";
import { everyDatabase, withBatches } from "../support/databases";
import { environmentWith } from "../support/environments";
import { givenMember } from "../support/factories";
import { invoiceBody } from "../support/invoices";
import { answerOutbound, worker } from "../support/outbound";
import { serveToTheEnd } from "../support/serve";
import { claimOnly, fakeWorld, givenWebhookOwner, onlyDelivery, type World } from "../support/webhooks";

const RAY = "8f1c2d3e4a5b6c7d-NBO";
type Line = { readonly message: string; readonly request_id: string; readonly [field: string]: unknown };
type Sent = { readonly body: unknown };

let world: World;
let lines: Line[];
let queued: Sent[];
let vars: Partial<Env>;
const bindings = () => environmentWith(vars);

beforeEach(() => {
	world = fakeWorld();
	answerOutbound((input, init) => world.fetch(input, init));
	[lines, queued] = [[], []];
	for (const level of ["log", "error"] as const)
		vi.spyOn(console, level).mockImplementation((text: string) => void lines.push(JSON.parse(text) as Line));
	const queue = { sendBatch: async (messages: Iterable<Sent>) => void queued.push(...messages) } as never;
	const deployed = {
		ENVIRONMENT: "sandbox",
		BASE_URL: "http://localhost",
		RELEASE: "1.2.3",
		WEBHOOK_ALLOWED_NETWORKS: "",
		WEBHOOK_ALLOWED_PORTS: "443",
		RATE_LIMITS: "on",
	};
	vars = { ...deployed, WEBHOOK_QUEUE: queue, WEBHOOK_SLOW_QUEUE: queue };
});

/** Uploads an invoice, of which the endpoint is to hear. */
async function givenRequest(requestId: string) {
	const owner = await givenWebhookOwner();
	const webhook = await owner.register({ events: ["invoice.uploaded"] });
	lines.length = 0;
	const headers = { "x-request-id": requestId, "cf-ray": RAY };
	expectOk(
		await call(uploadInvoice, {
			as: (await givenMember(owner.organization.id, "organization-financing-admin")).token,
			body: invoiceBody(),
			headers,
			vars,
		}),
	);
	return { webhook, delivery: await onlyDelivery(webhook.id) };
}

/** Hands the consumer what is queued, as the platform does. */
async function consumed(): Promise<void> {
	const messages = queued.splice(0).map(({ body }, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body }));
	const batch = createMessageBatch("webhook-deliveries", messages);
	const ctx = createExecutionContext();
	await worker.queue(batch as never, bindings(), ctx);
	await getQueueResult(batch, ctx);
}

const swept = () => cron(bindings());

/** The lines of the request, and those that name it as their cause. */
const traceOf = (id: string): Line[] =>
	lines.filter(
		(line) =>
			line.request_id === id ||
			String(line.causes ?? "")
				.split(",")
				.includes(id),
	);

/** The lines of the request as docs/operations.md prints them. */
const printed = (id: string): Record<string, unknown>[] =>
	[...guide.matchAll(/^(request_id|causes)=(\S+) +(\S.*?) {2,}(\S.*)$/gm)].flatMap(([, name = "", of, message, fields = ""]) =>
		of === id ? [{ [name]: id, message, ...Object.fromEntries(fields.split(" ").map((field) => fieldOf(field))) }] : [],
	);
const fieldOf = (field: string): [string, unknown] => {
	const [name = "", value = ""] = field.split("=");
	return [name, /^\d+$/.test(value) ? Number(value) : value];
};

it("follows a request from its line through the message to the attempt", async () => {
	const { webhook, delivery } = await givenRequest("trace-1");
	expect(queued.map(({ body }) => body)).toEqual([{ webhookId: webhook.id, lane: "QUICK", cause: "trace-1" }]);
	await consumed();
	expect(traceOf("trace-1").map(({ message }) => message)).toEqual(["request", "webhook attempt", "webhook batch"]);
	expect(traceOf("trace-1")).toMatchObject([
		{ request_id: "trace-1", operation: "uploadInvoice", status: 201, cf_ray: RAY, version: "1.2.3", d1_failures: 0 },
		{ causes: "trace-1", delivery_id: delivery.id, outcome: "DELIVERED" },
		{ causes: "trace-1", endpoints: 1 },
	]);
});

it("follows it through sweeps where its message was lost and an attempt broke off", async () => {
	const { webhook, delivery } = await givenRequest("trace-2");
	queued.length = 0;
	await swept();
	expect(queued).toHaveLength(1);
	// A consumer dies between its claim and the end.
	await claimOnly({ id: delivery.id, webhookId: webhook.id });
	queued.length = 0;
	await everyDatabase.prepare("update webhook_deliveries set claimed_until = 1 where claimed_until is not null").run();
	await swept();
	await everyDatabase.prepare("update webhook_deliveries set next_attempt_at = created_at where next_attempt_at is not null").run();
	await swept();
	const trace = traceOf("trace-2");
	expect(trace.map(({ message }) => message)).toEqual([
		"request",
		"deliveries that are due are queued again",
		"attempts were interrupted",
		"deliveries that are due are made by the sweep",
		"webhook attempt",
	]);
	expect(new Set(trace.slice(1).map(({ causes }) => causes))).toEqual(new Set(["trace-2"]));
	expect(trace.at(-1)).toMatchObject({ outcome: "DELIVERED" });
	expect(trace).toMatchObject(printed("trace-2"));
});

it("follows what a request has ordered of a provider, through the attempt that fails and that of the sweep", async () => {
	vars = {
		...vars,
		...{ MESSAGE_SENDER: "http", MESSAGE_SENDER_URL: "https://gateway.example/messages", MESSAGE_SENDER_TOKEN: "a token of the gateway" },
	};
	world.answer = () => new Response(null, { status: 503 });
	const body = { mobile_country_code: "254", mobile_number: "711223344" };
	expectOk(await call(startPhoneVerification, { body, headers: { "x-request-id": "trace-3" }, vars }));
	await vi.waitFor(() => expect(traceOf("trace-3").some(({ message }) => message === "provider attempt")).toBe(true));
	world.answer = () => new Response(null, { status: 204 });
	await everyDatabase.prepare("update messages set next_attempt_at = created_at where next_attempt_at is not null").run();
	await swept();
	const attempts = traceOf("trace-3").filter(({ message }) => message === "provider attempt");
	expect(attempts).toMatchObject([
		{ causes: "trace-3", what: "messages", outcome: "FAILED", request_id: "trace-3" },
		{ causes: "trace-3", what: "messages", outcome: "SENT" },
	]);
	expect(attempts[1]?.request_id).not.toBe("trace-3");
	expect(traceOf("trace-3")).toMatchObject(printed("trace-3"));
});

it("names the data centre of the request, the region of the database, and how often the database failed", async () => {
	waitBy(async () => {});
	onTestFinished(() => waitBy());
	const { organization } = await givenWebhookOwner();
	const { token } = await givenMember(organization.id, "organization-financing-admin");
	const lost = [new Error("D1_ERROR: Network connection lost.")];
	const answered = async (run: () => Promise<D1Result[]>): Promise<D1Result[]> => {
		const [error] = lost.splice(0);
		if (error) throw error;
		return (await run()).map((result) => ({ ...result, meta: { ...result.meta, served_by_region: "EEUR" } }));
	};
	const failing = placesOf(env).all.map(({ name, database }) => [name, withBatches(database, (_, run) => answered(run))] as const);
	const request = new Request(`${ORIGIN}${uploadInvoice.path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-request-id": "trace-4" },
		body: JSON.stringify(invoiceBody()),
	});
	Object.defineProperty(request, "cf", { value: { colo: "NBO" } });
	expect((await serveToTheEnd(request, { ...vars, ...Object.fromEntries(failing) })).status).toBe(201);
	expect(traceOf("trace-4").find(({ message }) => message === "request")).toMatchObject({ colo: "NBO", d1_region: "EEUR", d1_failures: 1 });
});

it("names no ray that is none, and no failure of the database where there was none", async () => {
	const owner = await givenWebhookOwner();
	await call(uploadInvoice, { as: owner.as, body: invoiceBody(), headers: { "cf-ray": "a secret" }, vars });
	const line = lines.find(({ message }) => message === "request");
	expect(line).toMatchObject({ d1_failures: 0 });
	expect(line).not.toHaveProperty("cf_ray");
});
