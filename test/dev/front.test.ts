// The proxy in front of a stand-in runtime that misbehaves in the ways the real one does.

import { once } from "node:events";
import { Agent, createServer, type RequestListener, type RequestOptions, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type Answered, type Front, hostSeen, openFront } from "../../src/dev/front.ts";
import { lineOfRequest } from "../../src/dev/log-lines.ts";
import { eventually } from "../support/eventually.ts";

let inside: Server | undefined;
let front: Front | undefined;
const answered: Answered[] = [];
afterEach(async () => {
	await front?.close();
	inside?.closeAllConnections();
	inside?.close();
});

async function listening(server: Server): Promise<number> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return (server.address() as AddressInfo).port;
}

async function open(runtime: RequestListener, options: { keepAliveTimeout?: number } = {}): Promise<string> {
	inside = createServer(options, runtime);
	const insideUrl = new URL(`http://127.0.0.1:${await listening(inside)}`);
	answered.length = 0;
	front = await openFront({ host: "127.0.0.1", port: 0 }, (one) => answered.push(one));
	front.passTo(insideUrl);
	return `http://127.0.0.1:${front.port}`;
}

/** The answer's body. Not by `fetch`, which can set neither Host nor the form of the target. */
const textOf = (options: RequestOptions): Promise<string> =>
	new Promise((resolve, reject) => {
		request(options, async (response) => {
			let text = "";
			for await (const chunk of response) text += chunk;
			resolve(text);
		})
			.on("error", reject)
			.end();
	});

describe("the local proxy", () => {
	it("passes on method, path, host, body and repeated headers", async () => {
		const url = await open(async (incoming, outgoing) => {
			let body = "";
			for await (const chunk of incoming) body += chunk;
			const { method, url: path, headers } = incoming;
			outgoing.setHeader("set-cookie", ["a=1", "b=2"]);
			outgoing.writeHead(201).end(JSON.stringify({ method, path, host: headers.host, body }));
		});
		const response = await fetch(`${url}/v1/things?size=1`, { method: "PUT", body: "{}" });
		expect(response.status).toBe(201);
		expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
		expect(await response.json()).toEqual({ method: "PUT", path: "/v1/things?size=1", host: new URL(url).host, body: "{}" });
	});

	it("drops headers that would make the runtime believe in another address", async () => {
		const url = await open((incoming, outgoing) => void outgoing.end(JSON.stringify(incoming.headers)));
		const forged = {
			"MF-Original-URL": "http://localhost/",
			"mf-proxy-shared-secret": "x",
			"X-Forwarded-Host": "localhost",
			"x-other": "y",
		};
		const seen = (await (await fetch(url, { headers: forged })).json()) as Record<string, string>;
		expect(Object.keys(seen).filter((name) => /^(mf-|x-)/.test(name))).toEqual(["x-other"]);
	});

	it.each([
		["http://localhost/v1/things?size=1", "/v1/things?size=1"],
		["http://localhost?size=1", "/?size=1"],
		["http://localhost", "/"],
	])("passes on the path alone of a target with a host: %s", async (target, expected) => {
		const url = new URL(await open((incoming, outgoing) => void outgoing.end(incoming.url)));
		expect(await textOf({ hostname: url.hostname, port: url.port, path: target })).toBe(expected);
	});

	it.each([
		["127.0.0.1", "localhost:8787", "localhost:8787"],
		["::1", "[::1]:8787", "[::1]:8787"],
		["::ffff:127.0.0.1", "127.0.0.1", "127.0.0.1"],
		["192.168.1.7", "192.168.1.5:8787", "192.168.1.5:8787"],
		["192.168.1.7", "localhost:8787", "192.168.1.5:8787"],
		["192.168.1.7", "LOCALHOST", "192.168.1.5:8787"],
		["192.168.1.7", "localhost.", "192.168.1.5:8787"],
		["192.168.1.7", "127.0.0.1:1", "192.168.1.5:8787"],
		["192.168.1.7", "127.1.2.3:1", "192.168.1.5:8787"],
		["192.168.1.7", "[::1]:8787", "192.168.1.5:8787"],
	])("gives the service, for a request from %s to %s, the host %s", (from, host, expected) => {
		expect(hostSeen(host, from, "192.168.1.5:8787")).toBe(expected);
	});

	it("has the runtime compress no answer, even for a caller that accepts it", async () => {
		const url = await open((incoming, outgoing) => void outgoing.end(JSON.stringify(incoming.headers)));
		const seen = await (await fetch(url, { headers: { "Accept-Encoding": "gzip, br" } })).json();
		expect(seen).not.toHaveProperty("accept-encoding");
	});

	it("never treats a request from another machine as one from this machine", async () => {
		const [address] = Object.values(networkInterfaces()).flatMap((all) =>
			(all ?? []).filter(({ internal, family }) => !internal && family === "IPv4"),
		);
		if (!address) return;
		inside = createServer((incoming, outgoing) => void outgoing.end(incoming.headers.host));
		const insideUrl = new URL(`http://127.0.0.1:${await listening(inside)}`);
		front = await openFront({ host: "0.0.0.0", port: 0 });
		front.passTo(insideUrl);
		const { port } = front;
		const hostSeenBy = (hostname: string) => textOf({ hostname, port, headers: { host: "localhost" } });
		expect(await hostSeenBy(address.address)).toBe(`${address.address}:${port}`);
		expect(await hostSeenBy("127.0.0.1")).toBe("localhost");
	});

	it("holds its port while the runtime starts, and passes on then what has come before", async () => {
		front = await openFront({ host: "127.0.0.1", port: 0 });
		const { port } = front;
		const refused = expect(openFront({ host: "127.0.0.1", port })).rejects.toMatchObject({ code: "EADDRINUSE" });
		const early = textOf({ port, path: "/early" });
		await refused;
		inside = createServer(({ url }, outgoing) => void outgoing.end(url));
		front.passTo(new URL(`http://127.0.0.1:${await listening(inside)}`));
		expect(await early).toBe("/early");
	});

	it("keeps an idle connection that the runtime would close", async () => {
		const url = await open((_, outgoing) => void outgoing.end("ok"), { keepAliveTimeout: 1 });
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const ask = (): Promise<boolean> =>
			new Promise((resolve, reject) => {
				const asking = request(url, { agent }, (response) => response.resume().on("end", () => resolve(asking.reusedSocket)));
				asking.on("error", reject).end();
			});
		expect(await ask()).toBe(false);
		await sleep(1_500);
		expect(await ask()).toBe(true);
		agent.destroy();
	});

	it("passes on the answer of a runtime that does not read the body", async () => {
		const url = await open((incoming, outgoing) => {
			outgoing.writeHead(413, { connection: "close" }).end("too large");
			outgoing.on("finish", () => incoming.socket.end());
		});
		const response = await fetch(url, { method: "POST", body: new Uint8Array(1_000_000) });
		expect([response.status, await response.text()]).toEqual([413, "too large"]);
	});

	it("does not reuse a connection after a large body, which the runtime may not have read", async () => {
		const sockets = new Set<unknown>();
		const url = await open((incoming, outgoing) => {
			sockets.add(incoming.socket);
			if (incoming.method === "GET") return void outgoing.end("ok");
			outgoing.writeHead(413).end("too large");
			// The next request may come before the runtime closes.
			outgoing.on("finish", () => setTimeout(() => incoming.socket.destroy(), 2));
		});
		for (let round = 0; round < 50; round++) {
			expect((await fetch(url, { method: "POST", body: new Uint8Array(300_000) })).status).toBe(413);
			expect((await fetch(url)).status).toBe(200);
		}
		expect(sockets.size).toBeGreaterThan(50);
	});

	it("does not reuse a connection after a body that the runtime may not have read, because it has no such path", async () => {
		const sockets = new Set<unknown>();
		const url = await open((incoming, outgoing) => {
			sockets.add(incoming.socket);
			if (incoming.method === "GET") return void outgoing.end("ok");
			outgoing.writeHead(404).end("{}");
			outgoing.on("finish", () => setTimeout(() => incoming.socket.destroy(), 2));
		});
		for (let round = 0; round < 50; round++) {
			expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(404);
			expect((await fetch(url)).status).toBe(200);
		}
		expect(sockets.size).toBeGreaterThan(50);
	});

	it("reuses a connection after a body that the service has taken", async () => {
		const sockets = new Set<unknown>();
		const url = await open(async (incoming, outgoing) => {
			sockets.add(incoming.socket);
			incoming.resume();
			await once(incoming, "end");
			outgoing.writeHead(201).end("{}");
		});
		for (let round = 0; round < 5; round++) await (await fetch(url, { method: "POST", body: "{}" })).text();
		expect(sockets.size).toBe(1);
	});

	it("informs the runtime that a change without a body and a length has none", async () => {
		const { port } = new URL(await open((incoming, outgoing) => void outgoing.end(JSON.stringify(incoming.headers))));
		const socket = connect(Number(port), "127.0.0.1");
		socket.write("POST /v1/things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
		let text = "";
		for await (const chunk of socket) text += chunk;
		expect(text).toContain('"content-length":"0"');
		expect(text).not.toContain('"transfer-encoding":');
	});

	it("reports method, path, status, time, code, description and request id of each answer, compressed or not, and no secret in a path", async () => {
		const url = await open((incoming, outgoing) => {
			outgoing.setHeader("x-request-id", "r-1");
			if (incoming.method === "POST") outgoing.statusCode = 409;
			outgoing.setHeader("content-encoding", "gzip");
			outgoing.end(gzipSync(JSON.stringify({ code: "INVALID_STATE", description: "It is CLOSED" })));
		});
		const secret = "/mobile-money/daraja/s3cret/confirmation";
		await (await fetch(`${url}${secret}?size=1`)).text();
		await (await fetch(`${url}/mobile-money/daraja/results/payout/an-id/${"0a".repeat(16)}`)).text();
		await (await fetch(`${url}/v1/things`, { method: "POST" })).text();
		await eventually(() => expect(answered).toHaveLength(3));
		const common = { ms: expect.any(Number), requestId: "r-1" };
		const refused = { method: "POST", path: "/v1/things", status: 409, code: "INVALID_STATE", description: "It is CLOSED", ...common };
		const printed = ["/mobile-money/daraja/***/confirmation", "/mobile-money/daraja/results/payout/an-id/***"];
		expect(answered).toEqual([...printed.map((path) => ({ method: "GET", path, status: 200, ...common })), refused]);
		expect(lineOfRequest({ ...refused, ms: 3 })).toBe('POST /v1/things 409 3 ms INVALID_STATE "It is CLOSED" r-1');
	});

	it.each(["/cdn-cgi/local/scheduled", "/v1/../cdn-cgi/local/scheduled", "//cdn-cgi/local/email", "/\\cdn-cgi/local"])(
		"keeps the runtime's own address from callers: %s",
		async (path) => {
			const { hostname, port } = new URL(await open(() => expect.unreachable()));
			expect(JSON.parse(await textOf({ hostname, port, path }))).toMatchObject({ code: "NOT_FOUND" });
		},
	);

	it("refuses a body over 1 MiB without calling the runtime", async () => {
		const url = await open(() => expect.unreachable());
		const response = await fetch(url, { method: "POST", body: new Uint8Array(4_000_000) });
		expect([response.status, await response.json()]).toMatchObject([413, { code: "PAYLOAD_TOO_LARGE" }]);
	});

	it("answers 400 to a Host that is the name of no host, without calling the runtime", async () => {
		let calls = 0;
		const { port } = new URL(
			await open((_, response) => {
				calls++;
				response.end("{}");
			}),
		);
		const hosts = ["localhost@evil", "a b", "localhost/x", "localhost:port", "[::1"];
		for (const host of hosts) expect(JSON.parse(await textOf({ port, headers: { host } })), host).toMatchObject({ code: "BAD_REQUEST" });
		expect([calls, answered.map(({ status }) => status)]).toEqual([0, hosts.map(() => 400)]);
		for (const host of ["localhost", "127.0.0.1:8787", "[::1]:8787", "my_host.example"]) await textOf({ port, headers: { host } });
		expect(calls).toBe(4);
	});

	it("answers 503 while the runtime is down", async () => {
		const url = await open(() => {});
		inside?.closeAllConnections();
		inside?.close();
		const response = await fetch(url);
		expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
		expect(await response.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
	});
});
