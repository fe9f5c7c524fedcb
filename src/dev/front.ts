// The door of the local service. The Workers runtime closes a connection that was idle for five seconds, whatever its
// client is about to send: one that calls every five seconds is cut off now and then. The door keeps idle connections
// for longer than clients do, and its own connections inside for less than the runtime does.

import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

const idleMs = 75_000;
const idleInsideMs = 3_000;
// More than the service takes: up to here it is the service that says so.
const bodyLimit = 1_048_576;
const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding", "expect"]);

export interface Front {
	close(): Promise<void>;
}

/** Raw headers as they came, in their order, but for those that concern one connection. */
function passedOn(rawHeaders: readonly string[], dropped: ReadonlySet<string>): string[] {
	return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? "").toLowerCase()));
}

// A body of unknown length has to stay one.
const framing = new Set([...hopByHop].filter((name) => name !== "transfer-encoding"));

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		size += chunk.length;
		// Read to its end all the same: a client that is still sending would not hear the answer.
		if (size <= bodyLimit) chunks.push(chunk);
	}
	return size <= bodyLimit ? Buffer.concat(chunks) : undefined;
}

export async function openFront(listenTo: { readonly host: string; readonly port: number }, inside: URL): Promise<Front> {
	const agent = new Agent({ keepAlive: true, timeout: idleInsideMs, scheduling: "lifo" });

	const refuse = (outgoing: ServerResponse, status: number, code: string, description: string): void => {
		outgoing.writeHead(status, { "content-type": "application/json", ...(status === 503 && { "retry-after": "1" }) });
		outgoing.end(JSON.stringify({ code, description }));
	};

	const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
		const body = await readBody(incoming);
		if (!body) {
			refuse(outgoing, 413, "PAYLOAD_TOO_LARGE", "The body is larger than 256 KiB");
			return;
		}
		const { method, url: path, rawHeaders } = incoming;
		const headers = passedOn(rawHeaders, framing);
		const target = { host: inside.hostname, port: inside.port, method, path, headers, agent };
		const passing = request(target, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders, hopByHop));
			answer.on("error", () => outgoing.destroy());
			answer.pipe(outgoing);
		});
		passing.on("error", () => {
			// Once there is an answer it tells itself whether it is whole: a runtime that answers without reading the body
			// closes the connection in the middle of it.
			if (!outgoing.headersSent) refuse(outgoing, 503, "SERVICE_UNAVAILABLE", "The local runtime does not answer");
		});
		outgoing.on("close", () => passing.destroy());
		// In one piece: a second write to a connection that was closed fails before the answer on it is read.
		passing.end(body);
	};

	// As much as Cloudflare takes: 128 KB of headers.
	const server = createServer({ keepAliveTimeout: idleMs, maxHeaderSize: 131_072 }, (incoming, outgoing) => {
		// The client went away while it sent.
		pass(incoming, outgoing).catch(() => outgoing.destroy());
	});
	server.listen(listenTo.port, listenTo.host);
	await once(server, "listening");
	return {
		async close() {
			server.close();
			server.closeAllConnections();
			agent.destroy();
			await once(server, "close");
		},
	};
}
