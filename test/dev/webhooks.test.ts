// Deliveries between real processes over real connections, across a restart.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loopbackCertificate } from "../../src/dev/certificate.ts";
import { databaseFile } from "../../src/dev/databases.ts";
import { lineOfLog } from "../../src/dev/log-lines.ts";
import { type Receiver, startReceiver } from "../../src/dev/receiver.ts";
import { type Service, startService } from "../../src/dev/service.ts";
import { eventually } from "../support/eventually.ts";

/** Served by one service after the other: each test makes an organization of its own. */
const statePath = mkdtempSync(path.join(tmpdir(), "webhooks-"));
let service: Service;
let receiver: Receiver;

const lines: string[] = [];
const start = () => startService({ port: 0, statePath, onLog: ({ message }) => lines.push(lineOfLog(message) ?? "") });

beforeAll(async () => {
	service = await start();
});

beforeEach(async () => {
	receiver = await startReceiver();
});

afterEach(() => receiver.close());

afterAll(async () => {
	await service.stop();
	rmSync(statePath, { recursive: true, force: true });
});

/** Makes every retry due while the service is stopped. */
function passRetryDelay(): void {
	const database = new DatabaseSync(databaseFile(statePath));
	try {
		database.exec("update webhook_deliveries set next_attempt_at = created_at where next_attempt_at is not null");
	} finally {
		database.close();
	}
}

async function post(pathname: string, body?: unknown, token?: string, organization?: string): Promise<Record<string, unknown>> {
	const response = await fetch(`${service.url}${pathname}`, {
		method: "POST",
		headers: {
			...(body !== undefined && { "content-type": "application/json" }),
			...(token && { authorization: `Bearer ${token}` }),
			...(organization && { "x-organization-id": organization }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	expect(response.ok, pathname).toBe(true);
	return (await response.json()) as Record<string, unknown>;
}

it("delivers signed webhooks, and after a restart those that were still pending", async () => {
	const { token } = await post("/v1/sandbox/tokens", { kind: "operator", subject: "root" });
	const as = String(token);
	const { id: organization } = await post("/v1/platform/organizations", { name: "Acme", slug: "delivers" }, as);
	const url = `${receiver.url}/in`.replace("127.0.0.1", "localhost");
	const webhook = await post("/v1/webhooks", { name: "a", url, events: ["user.admitted"] }, as, String(organization));
	const [key] = webhook.signing_keys as { secret: string }[];
	receiver.behaviour.secrets = [key?.secret ?? ""];

	const first = await post(`/v1/webhooks/${webhook.id}/test`, undefined, as, String(organization));
	expect(await receiver.waitFor(({ id }) => id === first.id, 60_000)).toMatchObject({ verdict: { valid: true }, answered: 200 });

	receiver.behaviour.failures = 1;
	const second = await post(`/v1/webhooks/${webhook.id}/test`, undefined, as, String(organization));
	await receiver.waitFor(({ id }) => id === second.id, 60_000);
	// Wait until the outcome is recorded: otherwise the delivery is due only after its claim has expired.
	const outcomeOfSecond = async () => {
		const headers = { authorization: `Bearer ${as}`, "x-organization-id": String(organization) };
		const delivery = (await (await fetch(`${service.url}/v1/webhooks/deliveries/${second.id}`, { headers })).json()) as {
			attempt_log: { outcome: string | null }[];
		};
		return delivery.attempt_log[0]?.outcome;
	};
	await expect.poll(outcomeOfSecond, { timeout: 60_000, interval: 100 }).toBe("HTTP_ERROR");
	await service.stop();
	passRetryDelay();
	service = await start();
	const again = await receiver.waitFor(({ id, attempt }) => id === second.id && attempt > 1, 100_000);
	expect(again).toMatchObject({ verdict: { valid: true }, answered: 200 });
	const [one, two] = receiver.deliveries.filter(({ id }) => id === second.id);
	expect(two?.body).toBe(one?.body);
});

it("an endpoint says in last_error why a receiver cannot be reached, and prints a line for each request and each attempt", async () => {
	const stranger = path.join(statePath, "stranger");
	const untrusted = createServer(loopbackCertificate(stranger)).listen(0, "127.0.0.1");
	// An address that the certificate does not name, and that every system but macOS has.
	const misnamed = createServer(loopbackCertificate()).listen(0, process.platform === "darwin" ? "127.0.0.1" : "127.0.0.2");
	const plain = createHttpServer().listen(0, "127.0.0.1");
	const closed = createHttpServer().listen(0, "127.0.0.1");
	const servers = [untrusted, misnamed, plain, closed];
	await Promise.all(servers.map((server) => once(server, "listening")));
	const at = (server: (typeof servers)[number], scheme = "https") => {
		const { address, port } = server.address() as AddressInfo;
		return `${scheme}://${address}:${port}/in`;
	};
	const reasons = new Map([
		[at(untrusted), ["TLS", "the receiver's certificate is not trusted; one on this machine needs none when it is registered with http:"]],
		...(process.platform === "darwin" ? [] : [[at(misnamed), ["TLS", "the receiver's certificate is for another host"]] as const]),
		[at(plain), ["TLS", "the receiver does not speak TLS"]],
		[at(closed), ["REFUSED", "nothing listens there"]],
		[at(closed, "http"), ["REFUSED", "nothing listens there"]],
		// It answers a request without TLS by closing the connection.
		[at(untrusted, "http"), ["RESET", "the receiver broke off the connection"]],
	]);
	const sentences: Record<string, string> = {
		TLS: "No secure connection to the endpoint could be made",
		REFUSED: "The endpoint refused the connection",
		RESET: "The connection to the endpoint broke off before it answered",
	};
	closed.close();
	try {
		const as = String((await post("/v1/sandbox/tokens", { kind: "operator", subject: "root" })).token);
		const organization = String((await post("/v1/platform/organizations", { name: "Acme", slug: "fails" }, as)).id);
		lines.length = 0;
		for (const [url, [errorClass = "", reason]] of reasons) {
			const webhook = await post("/v1/webhooks", { name: url, url, events: ["user.admitted"] }, as, organization);
			const { id } = await post(`/v1/webhooks/${webhook.id}/test`, undefined, as, organization);
			const headers = { authorization: `Bearer ${as}`, "x-organization-id": organization };
			const errorOf = async () => {
				const delivery = await (await fetch(`${service.url}/v1/webhooks/deliveries/${id}`, { headers })).json();
				const { last_error, attempt_log } = delivery as { last_error: string | null; attempt_log: { error_class: string | null }[] };
				return [attempt_log[0]?.error_class, last_error];
			};
			await expect.poll(errorOf, { timeout: 60_000, interval: 100 }).toEqual([errorClass, `${sentences[errorClass]}: ${reason}.`]);
			const attempt = new RegExp(`^-> POST ${new URL(url).host} \\d+ ms CONNECTION_FAILED ${id}$`);
			expect(lines.filter((line) => attempt.test(line))).toHaveLength(1);
		}
		expect(lines.filter((line) => /^POST \/v1\/webhooks 201 \d+ ms [0-9a-f-]{36}$/.test(line))).toHaveLength(reasons.size);
		expect(lines.filter((line) => line.length > 300)).toEqual([]);
	} finally {
		for (const server of servers) server.close();
	}
});

const MEGABYTE = 1_048_576;

/** A receiver that answers 200 immediately, and then 100 MB as fast as possible (/flood) or one byte every 100 ms without end (/drip). */
async function startTalker() {
	const sent = new Map<string, number>();
	const closed = new Set<string>();
	const server = createHttpServer((request, response) => {
		const path = request.url ?? "";
		request.resume();
		response.writeHead(200, { "content-type": "text/plain" });
		const write = (bytes: number) => {
			sent.set(path, (sent.get(path) ?? 0) + bytes);
			return response.write("x".repeat(bytes));
		};
		const flood = () => {
			while ((sent.get(path) ?? 0) < 100 * MEGABYTE) if (!write(65_536)) return void response.once("drain", flood);
			response.end();
		};
		if (path === "/flood") flood();
		const dripping = path === "/drip" ? setInterval(() => write(1), 100) : undefined;
		response.on("close", () => {
			clearInterval(dripping);
			closed.add(path);
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		sent,
		closed,
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, "close");
		},
	};
}

it("an attempt reads only 1 KiB of a 100 MB answer and of an endless one, and counts both deliveries as successful", async () => {
	const talker = await startTalker();
	try {
		const { token } = await post("/v1/sandbox/tokens", { kind: "operator", subject: "root" });
		const as = String(token);
		const organization = String((await post("/v1/platform/organizations", { name: "Acme", slug: "long-answers" }, as)).id);
		const deliver = async (path: string) => {
			const url = `${talker.url}${path}`;
			const webhook = await post("/v1/webhooks", { name: path, url, events: ["user.admitted"], timeout: "PT2S" }, as, organization);
			const { id } = await post(`/v1/webhooks/${webhook.id}/test`, undefined, as, organization);
			return vi.waitFor(
				async () => {
					const headers = { authorization: `Bearer ${as}`, "x-organization-id": organization };
					const delivery = (await (await fetch(`${service.url}/v1/webhooks/deliveries/${id}`, { headers })).json()) as {
						status: string;
						attempt_log: { response_body: string }[];
					};
					expect(delivery.status).toBe("DELIVERED");
					return delivery.attempt_log[0]?.response_body;
				},
				{ timeout: 60_000, interval: 50 },
			);
		};
		const [flood, drip] = await Promise.all([deliver("/flood"), deliver("/drip")]);
		expect(flood).toBe("x".repeat(1_024));
		expect(drip).toMatch(/^x+$/);
		await eventually(() => expect([...talker.closed].sort()).toEqual(["/drip", "/flood"]));
		// The sockets between the two buffer a part of the 100 MB.
		expect(talker.sent.get("/flood")).toBeLessThan(30 * MEGABYTE);
	} finally {
		await talker.close();
	}
});
