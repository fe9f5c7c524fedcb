// Serves stand-ins for providers on loopback, for a service that runs on this machine.

import { createServer } from "node:http";
import { DarajaStandIn } from "./daraja.ts";
import { MomoStandIn } from "./momo.ts";
import { PushStandIn } from "./push.ts";

/** A provider as the service sees it. Its own reports wait until `deliver` is called. */
export interface StandIn {
	/** Rejects where an answer is lost. */
	handle(request: Request): Promise<Response>;
	deliver(): Promise<unknown>;
	/** Of a stand-in that pays nobody: with what variables the service finds it. */
	variables?(url: string): Promise<Readonly<Record<string, string>>>;
}

const now = () => Date.now();

/** By provider. The service finds each that pays at the address in its variable, such as `DARAJA_URL`. */
export const STAND_INS: Readonly<Record<string, () => StandIn>> = {
	daraja: () => new DarajaStandIn({ now }),
	momo: () => new MomoStandIn({ now }),
	push: () => new PushStandIn({ now, told: (line) => process.stdout.write(line) }),
};

/** How long a result takes to be reported. */
const DELAY_MS = 1_000;

/** The address at which it answers, until the process ends. */
export async function serve(standIn: StandIn): Promise<string> {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = "GET", url = "/", headers } = request;
		const sent = new Request(`http://127.0.0.1${url}`, {
			method,
			headers: Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as [string, string]] : [])),
			...(method === "POST" && { body: Buffer.concat(chunks) }),
		});
		try {
			const answer = await standIn.handle(sent);
			response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
		} catch {
			// An answer that is lost.
			response.destroy();
		}
		setTimeout(() => void standIn.deliver(), DELAY_MS).unref();
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	server.unref();
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
	return `http://127.0.0.1:${address.port}`;
}
