// One data directory, one service: two runtimes on the same files would fire the same alarms twice. The claim is a socket
// on which its holder listens. It ends with the holder's process, however that dies, and tells clients where the service is.

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";

export interface Holder {
	readonly pid: number;
	readonly url: string;
}

/** Under the temporary directory: a socket's path is limited to about 100 characters, which a deep checkout exceeds. */
function socketPath(statePath: string): string {
	const name = `financial-account-service-${createHash("sha256").update(path.resolve(statePath)).digest("hex").slice(0, 16)}`;
	return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : path.join(os.tmpdir(), `${name}.sock`);
}

/** The process that serves this data now, if any. */
export function holderOf(statePath: string): Promise<Holder | undefined> {
	return new Promise((resolve) => {
		let text = "";
		const socket = connect(socketPath(statePath));
		socket.setEncoding("utf8").setTimeout(2_000, () => socket.destroy());
		socket.on("data", (chunk) => {
			text += chunk;
		});
		socket.on("error", () => {});
		socket.on("close", () => {
			try {
				resolve(JSON.parse(text) as Holder);
			} catch {
				resolve(undefined);
			}
		});
	});
}

function listen(statePath: string, holder: Holder): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer((socket) => socket.on("error", () => {}).end(JSON.stringify(holder)));
		server.once("error", reject);
		server.listen(socketPath(statePath), () => resolve(server.unref()));
	});
}

/** Claims the data, or returns its present holder. */
export async function claim(statePath: string, holder: Holder): Promise<{ release: () => void } | { holder: Holder }> {
	const server = await listen(statePath, holder).catch(() => undefined);
	if (server) return { release: releaser(statePath, server) };
	const other = await holderOf(statePath);
	if (other) return { holder: other };
	// Nothing answers: a killed process left the socket file behind.
	rmSync(socketPath(statePath), { force: true });
	return { release: releaser(statePath, await listen(statePath, holder)) };
}

function releaser(statePath: string, server: Server): () => void {
	const remove = (): void => rmSync(socketPath(statePath), { force: true });
	// Closing removes the file, but `process.exit` does not wait for that.
	if (process.platform !== "win32") process.once("exit", remove);
	return () => {
		process.off("exit", remove);
		server.close();
	};
}
