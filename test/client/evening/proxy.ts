// A network between an app and a running service, on this machine: it loses answers, and can end the service while a request is under way.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** `ends`: the service is ended while it handles the request, and no answer comes. */
export type Fault = "answer lost" | "portal" | "ends";

type Options = {
	/** Where the service is; awaited, because it may be starting. */
	readonly service: () => Promise<string>;
	/** What befalls the call, by its method and path and how often these were called before. */
	readonly befalls: (path: string, times: number) => Fault | undefined;
	/** Ends the service and starts it again. */
	readonly restart?: () => Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

const PASSED = [
	"accept",
	"accept-language",
	"authorization",
	"content-type",
	"idempotency-key",
	"if-none-match",
	"x-app-platform",
] as const;

export async function openProxy({ service, befalls, restart }: Options) {
	const seen: { readonly path: string; readonly fault: Fault | undefined }[] = [];
	const server = createServer(async (request, response) => {
		const lose = () => void request.socket.destroy();
		try {
			const body = await bodyOf(request);
			const { method = "", url = "" } = request;
			const path = `${method} ${url.split("?")[0]}`;
			const fault = befalls(path, seen.filter((one) => one.path === path).length);
			seen.push({ path, fault });
			if (fault === "portal") return void response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome to the hotel</html>");
			const headers = PASSED.flatMap((name) =>
				request.headers[name] === undefined ? [] : [[name, String(request.headers[name])] as const],
			);
			const answering = fetch(`${await service()}${url}`, {
				method,
				headers: [...headers, ["x-app-version", String(request.headers["x-app-version"] ?? "1.0.0")]],
				...(body.length > 0 && { body: new Uint8Array(body) }),
			});
			if (fault === "ends") {
				answering.catch(() => {});
				await restart?.();
				return lose();
			}
			const answer = await answering;
			const text = Buffer.from(await answer.arrayBuffer());
			if (fault === "answer lost") return lose();
			const given = [...answer.headers].filter(([name]) => !/^(content-length|content-encoding|transfer-encoding|connection)$/.test(name));
			response.writeHead(answer.status, Object.fromEntries(given)).end(text);
		} catch {
			lose();
		}
	});
	await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		async close(): Promise<void> {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
