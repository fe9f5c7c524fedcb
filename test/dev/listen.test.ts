// `npm run listen` between a real service and a receiver of one's own.

import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { chosenTypes, follow, keptSecret, type Listening, listenAt, onT } from "../../src/dev/listening.ts";
import { verifySignature } from "../../src/dev/receiver.ts";
import { type Service, startService } from "../../src/dev/service.ts";
import { eventually } from "../support/eventually.ts";

const statePath = mkdtempSync(path.join(tmpdir(), "listen-"));
let service: Service;
let listening: Listening | undefined;

/** By which the receiver verifies. */
const secret = "whsec_bGlzdGVuLXRvLXdoYXQtYXJyaXZlcw==";

type Arrived = { type: string; body: string; signature: string };
const arrived: Arrived[] = [];
const receiver = createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
	const header = (name: string) => String(request.headers[name]);
	arrived.push({ type: header("x-service-event-type"), body: Buffer.concat(chunks).toString(), signature: header("x-service-signature") });
	response.writeHead(204).end();
});
let forward: string;

beforeAll(async () => {
	receiver.listen(0, "127.0.0.1");
	await once(receiver, "listening");
	forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
	service = await startService({ port: 0, statePath, onLog() {} });
});

afterAll(async () => {
	receiver.close();
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
});

afterEach(async () => {
	await listening?.close();
	listening = undefined;
	arrived.length = 0;
});

async function call<T>(method: string, pathname: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
	const response = await fetch(`${service.url}${pathname}`, {
		method,
		headers: { ...headers, ...(body && { "content-type": "application/json" }) },
		...(body && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${pathname}: ${response.status} ${text}`);
	return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function asOperator(slug: string): Promise<Record<string, string>> {
	const { token } = await call<{ token: string }>("POST", "/v1/sandbox/tokens", { kind: "operator", subject: "olivia" });
	return { authorization: `Bearer ${token}`, "x-organization-id": slug };
}

const invite = async (slug: string, email: string) =>
	call("POST", `/v1/organizations/${slug}/members/invitations`, { email, role: "organization-viewer" }, await asOperator(slug));

describe("listening", () => {
	it("at a local service hands on what its own endpoint is sent, signed with the receiver's secret, and takes the endpoint away", async () => {
		const lines: string[] = [];
		const options = { forward, events: ["loan.*", "invitation.*"], trigger: ["loan.disbursed"], organization: "listening", secret };
		listening = await listenAt(service.url, options, (line) => lines.push(line));
		const { close, trigger } = listening;
		const endpoints = async () => call<{ id: string }[]>("GET", "/v1/webhooks", undefined, await asOperator("listening"));
		const [endpoint] = await endpoints();
		await call("POST", `/v1/webhooks/${endpoint?.id}/test`, {}, await asOperator("listening"));
		await eventually(() => expect(arrived.map(({ type }) => type)).toEqual(["loan.disbursed", "webhook.test"]));
		await trigger("loan.disbursed");
		await eventually(() => expect(arrived).toHaveLength(3));
		for (const { signature, body } of arrived) {
			expect(verifySignature(signature, Buffer.from(body), [secret])).toEqual({ valid: true });
		}
		await eventually(() => expect(lines.filter((line) => line.includes("answered 204"))).toHaveLength(3));
		expect(lines.filter((line) => line.includes("signature valid"))).toHaveLength(3);
		expect(lines.join("")).toContain(secret);
		listening = undefined;
		await close();
		expect(await endpoints()).toEqual([]);
	});

	it("at a service that cannot reach it hands on what its feed has from now on, in batches if it is asked to", async () => {
		const as = await asOperator("listening");
		const { key } = await call<{ key: string }>(
			"POST",
			"/v1/organizations/listening/api-keys",
			{ name: "Listen", scopes: ["events:read"] },
			as,
		);
		await invite("listening", "before@example.com");
		const lines: string[] = [];
		listening = await follow(
			service.url,
			{ apiKey: key, everyMs: 50 },
			{ forward, events: ["*"], trigger: [], organization: "", batch: 10, secret },
			(line) => lines.push(line),
		);
		await invite("listening", "after@example.com");
		const types = () =>
			arrived.flatMap(({ body }) => JSON.parse(body).deliveries.map((delivery: { event_type: string }) => delivery.event_type));
		await eventually(() => expect(types()).toEqual(["invitation.created"]));
		await eventually(() => expect(lines.at(-1)).toContain("batch of 1: invitation.created"));
		const [{ signature, body } = { signature: "", body: "" }] = arrived;
		expect(verifySignature(signature, Buffer.from(body), [secret])).toEqual({ valid: true });
	});
});

it("`npm run listen` has one secret for each checkout, which only its owner may read", () => {
	const [one, other] = [mkdtempSync(path.join(tmpdir(), "checkout-")), mkdtempSync(path.join(tmpdir(), "checkout-"))];
	try {
		expect(keptSecret(one)).toMatch(/^whsec_[\w+/=]{44}$/);
		expect(keptSecret(one)).toBe(keptSecret(one));
		expect(keptSecret(other)).not.toBe(keptSecret(one));
		expect(statSync(path.join(one, ".local/listen-secret")).mode & 0o777).toBe(0o600);
	} finally {
		for (const checkout of [one, other]) rmSync(checkout, { recursive: true, force: true });
	}
});

it("`npm run listen` takes the event types that a pattern names, and refuses a pattern that names none", () => {
	const types = ["loan.disbursed", "loan_application.submitted", "invoice.financed"];
	expect(chosenTypes(types, [])).toEqual(types);
	expect(chosenTypes(types, ["loan.*", "*.financed"])).toEqual(["loan.disbursed", "invoice.financed"]);
	expect(() => chosenTypes(types, ["loan.x*"])).toThrow("no event type is like loan.x*");
});

it("a `t` on the terminal of `npm run listen` triggers at once, and Ctrl-C still ends it", async () => {
	const raw: boolean[] = [];
	const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
	const ends = vi.spyOn(process, "kill").mockReturnValue(true);
	const stopped = new AbortController();
	let times = 0;
	onT(terminal as unknown as NodeJS.ReadStream, () => times++, stopped.signal);
	terminal.write("txt");
	await eventually(() => expect(times).toBe(2));
	terminal.write("\x03");
	await eventually(() => expect(ends).toHaveBeenCalledWith(process.pid, "SIGINT"));
	stopped.abort();
	terminal.write("t");
	expect([times, raw]).toEqual([2, [true, false]]);
	ends.mockRestore();
});
