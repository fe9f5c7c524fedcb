// The proxy in front of the local runtime. The Workers runtime closes a connection after five idle seconds, even when a
// request is on its way, so a client that calls every five seconds sees failures. The proxy keeps its clients' idle
// connections longer than clients do, and its own connections to the runtime shorter than the runtime does.

import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

const idleMs = 75_000;
const idleInsideMs = 3_000;
// Above the service's own limit, so that up to here the service itself refuses a large body.
const bodyLimit = 1_048_576;
const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding", "expect"]);

// The runtime may answer a large body without reading it, and then closes the connection, possibly while another request is
// already on its way. Such a body gets a connection of its own.
const keptUpTo = 65_536;

export interface Answered {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly status: number;
	readonly ms: number;
	/** The code and the description of an Error body. */
	readonly code?: string;
	readonly description?: string;
	readonly requestId?: string;
}

export interface Front {
	readonly port: number;
	/** Passes requests on to the runtime, also those that have come before. */
	passTo(inside: URL, own?: Own): void;
	close(): Promise<void>;
}

/** The raw headers in their order, without those that concern one connection only. */
function passedOn(rawHeaders: readonly string[], dropped: ReadonlySet<string>): string[] {
	return rawHeaders.filter((_, index) => !dropped.has((rawHeaders[index - (index % 2)] ?? "").toLowerCase()));
}

// Of a request, transfer-encoding is passed on: a body of undeclared length must reach the service as one.
const framing = new Set([...hopByHop].filter((name) => name !== "transfer-encoding"));

// Headers that make the runtime believe a request to have another address, and that by which it compresses its answers: within this machine
// that takes longer than to send them as they are.
const ofRuntime = /^(?:mf-|x-forwarded-host$|accept-encoding$)/i;

const loopback = /^(?:127(?:\.\d+){3}|localhost|\[?::1\]?|::ffff:127(?:\.\d+){3})$/i;

/** The runtime makes a URL of it, and fails if that is none, or has a user or a path. */
const isHost = (host: string): boolean => !/[@/\\?#\s]/.test(host) && URL.canParse(`http://${host}/`);

const hostnameOf = (host: string): string => host.replace(/:\d*$/, "").replace(/\.$/, "");

/**
 * The Host that the service sees. It trusts callers from this machine, and knows them by a loopback name; so one from elsewhere that
 * claims such a name gets the address that it reached.
 */
export function hostSeen(host: string, from: string | undefined, reached: string): string {
	return from !== undefined && !loopback.test(from) && loopback.test(hostnameOf(host)) ? reached : host;
}

/** The headers to send to the runtime: the caller's, except those by which the caller could pass for another one. */
function trusted({ rawHeaders, socket }: IncomingMessage): string[] {
	const { remoteAddress, localAddress = "", localPort } = socket;
	const reached = `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
	return passedOn(rawHeaders, framing).flatMap((value, index, headers) => {
		const name = headers[index - (index % 2)] ?? "";
		if (ofRuntime.test(name)) return [];
		return [index % 2 === 1 && name.toLowerCase() === "host" ? hostSeen(value, remoteAddress, reached) : value];
	});
}

/** Of a change without a body, which would be sent on as one of undeclared length. */
const lengthOfNone = ({ method = "", headers }: IncomingMessage): string[] =>
	headers["content-length"] === undefined && headers["transfer-encoding"] === undefined && !BODILESS.has(method)
		? ["content-length", "0"]
		: [];

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		size += chunk.length;
		// Read on past the limit: a client that is still sending would not read the refusal.
		if (size <= bodyLimit) chunks.push(chunk);
	}
	return size <= bodyLimit ? Buffer.concat(chunks) : undefined;
}

/** The methods whose calls the service takes no body of, though it answers 2xx. */
const BODILESS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether the runtime has surely read the body. It answers by the path or the method alone where there is no operation, and then closes the
 * connection, possibly while another request is already on its way.
 */
const hasRead = (method: string, status: number): boolean => status < 300 && !BODILESS.has(method);

type Refusal = Pick<Answered, "code" | "description">;

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
	gzip: gunzipSync,
	br: brotliDecompressSync,
	deflate: inflateSync,
};

/** What an Error body says, which is short. The runtime compresses it for clients that accept that. */
function readRefusal(answer: IncomingMessage, found: (refusal: Refusal) => void): void {
	const chunks: Buffer[] = [];
	answer.on("data", (chunk: Buffer) => chunks.push(chunk));
	answer.on("end", () => {
		const decode = DECODERS[answer.headers["content-encoding"] ?? ""] ?? ((body) => body);
		try {
			const { code, description } = JSON.parse(decode(Buffer.concat(chunks)).toString()) as Record<string, unknown>;
			if (typeof code === "string") found({ code, ...(typeof description === "string" && { description }) });
		} catch {
			// Another body than the service's own.
		}
	});
}

/** Whether the runtime itself has the address, by which it runs crons and more. */
const isOfPlatform = (target: string): boolean => /^\/+cdn-cgi(?![\w-])/i.test(URL.parse(`http://localhost${target}`)?.pathname ?? "");

/** The path as it is printed: a segment in it that may be a secret is not. Providers post to addresses that end with a code in hex. */
const printable = (target: string): string =>
	(target.split("?", 1)[0] ?? "")
		.replace(/(\/mobile-money\/[^/]+\/)(?!results\/|confirmations\/)[^/]+/, "$1***")
		.replaceAll(/\/[0-9a-f]{32}(?=\/|$)/gi, "/***");

/** Answers what is for it itself, and says whether it did. */
type Own = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * Listens at once, so that nobody else takes the port while the runtime starts. Requests wait until it is known where to pass them.
 * @param listenTo port 0 is any free one
 * @param onAnswer is called with each answer after it has been passed on
 */
export async function openFront(
	listenTo: { readonly host: string; readonly port: number },
	onAnswer: (answered: Answered) => void = () => {},
): Promise<Front> {
	const started = Promise.withResolvers<{ inside: URL; own: Own | undefined }>();
	const agent = new Agent({ keepAlive: true, timeout: idleInsideMs, scheduling: "lifo" });

	const refusals = new WeakMap<ServerResponse, Refusal>();
	const requestIds = new WeakMap<ServerResponse, string>();

	const refuse = (outgoing: ServerResponse, status: number, code: string, description: string): void => {
		outgoing.writeHead(status, { "content-type": "application/json", ...(status === 503 && { "retry-after": "1" }) });
		outgoing.end(JSON.stringify({ code, description }));
		refusals.set(outgoing, { code, description });
	};

	const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
		const { inside, own } = await started.promise;
		if (await own?.(incoming, outgoing)) return;
		const body = await readBody(incoming);
		if (!body) {
			refuse(outgoing, 413, "PAYLOAD_TOO_LARGE", "The body is larger than 256 KiB");
			return;
		}
		const { method, headers: named } = incoming;
		if (!isHost(named.host ?? "localhost")) return refuse(outgoing, 400, "BAD_REQUEST", "The Host header is not the name of a host");
		// A proxy's form of the target carries a host of its own.
		const path = (incoming.url ?? "/").replace(/^\w+:\/\/[^/?]*/, "").replace(/^(?!\/)/, "/");
		if (isOfPlatform(path)) return refuse(outgoing, 404, "NOT_FOUND", "No operation has this path");
		const headers = [...trusted(incoming), ...lengthOfNone(incoming)];
		const target = { host: inside.hostname, port: inside.port, method, path, headers, agent: body.length > keptUpTo ? false : agent };
		const isFramed = body.length > 0 || named["transfer-encoding"] !== undefined;
		const passing = request(target, (answer) => {
			if (isFramed && !hasRead(method ?? "", answer.statusCode ?? 502)) passing.shouldKeepAlive = false;
			requestIds.set(outgoing, String(answer.headers["x-request-id"] ?? ""));
			outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders, hopByHop));
			answer.on("error", () => outgoing.destroy());
			if (outgoing.statusCode >= 400) readRefusal(answer, (refusal) => refusals.set(outgoing, refusal));
			answer.pipe(outgoing);
		});
		passing.on("error", () => {
			// A runtime that answers without reading the body closes the connection while we send. Its answer stands then.
			if (!outgoing.headersSent) refuse(outgoing, 503, "SERVICE_UNAVAILABLE", "The local runtime does not answer");
		});
		outgoing.on("close", () => passing.destroy());
		// In one write: a second one on a connection that the runtime has closed fails before its answer is read.
		passing.end(body);
	};

	// Cloudflare's limit for headers, 128 KB.
	const server = createServer({ keepAliveTimeout: idleMs, maxHeaderSize: 131_072 }, (incoming, outgoing) => {
		const began = performance.now();
		outgoing.on("finish", () => {
			const requestId = requestIds.get(outgoing);
			onAnswer({
				method: incoming.method ?? "",
				path: printable(incoming.url ?? ""),
				status: outgoing.statusCode,
				ms: Math.round(performance.now() - began),
				...refusals.get(outgoing),
				...(requestId && { requestId }),
			});
		});
		// Fails when the client disconnects while it sends.
		pass(incoming, outgoing).catch(() => outgoing.destroy());
	});
	server.listen(listenTo.port, listenTo.host);
	await once(server, "listening");
	const address = server.address();
	return {
		port: typeof address === "object" && address ? address.port : listenTo.port,
		passTo: (inside, own) => started.resolve({ inside, own }),
		async close() {
			server.close();
			server.closeAllConnections();
			agent.destroy();
			await once(server, "close");
		},
	};
}
