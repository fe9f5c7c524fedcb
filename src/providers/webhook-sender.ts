// Sends webhooks to their receivers. The address has been judged before: this only makes the request.

import * as z from "zod";
import { ConnectionFailed, type Fetch, type WebhookSender } from "../runtime/ports";
import { SERVICE_VERSION } from "../runtime/version";
import { CONNECTION_ERRORS, type ConnectionError } from "../shared/webhook-states";

const USER_AGENT = `financial-account-service/${SERVICE_VERSION}`;

/**
 * A connection that breaks so soon was most likely kept from an earlier request, and the receiver closed it at that moment. Another
 * request opens a new one. Cloudflare answers 520 for such a connection, other platforms throw.
 */
const BROKEN_WITHIN_MS = 1_000;
const BROKEN = 520;

/** What Cloudflare answers in the place of a receiver that it cannot reach. */
const REACHED_NOBODY: ReadonlyMap<number, readonly [ConnectionError, reason: string]> = new Map([
	[BROKEN, ["RESET", "it closed the connection, or its answer was not HTTP"]],
	[521, ["REFUSED", "nothing accepts connections there"]],
	[522, ["TIMEOUT", "no connection could be made in time"]],
	[523, ["DNS", "no route leads there"]],
	[524, ["TIMEOUT", "it did not answer in time"]],
	[525, ["TLS", "the TLS handshake failed"]],
	[526, ["TLS", "its certificate is not trusted"]],
	[530, ["DNS", "its address is unknown"]],
]);

/** How the connection failed that an answer stands for; undefined for one of the receiver. */
async function failureBehind(response: Response): Promise<ConnectionFailed | undefined> {
	const known = REACHED_NOBODY.get(response.status);
	if (!known || !(response.headers.get("Server") === "cloudflare" || (await saysErrorCode(response)))) return undefined;
	await response.body?.cancel();
	return new ConnectionFailed(...known);
}

/** Whether the body begins as Cloudflare's own errors do. The receiver's may be long, so only its first bytes are looked at. */
async function saysErrorCode(response: Response): Promise<boolean> {
	if (!response.headers.get("Content-Type")?.startsWith("text/plain")) return false;
	const reader = response.clone().body?.getReader();
	const first = await reader?.read();
	// Not awaited: by the standard this ends only when the response itself has been read or cancelled.
	reader?.cancel().catch(() => {});
	return first?.value !== undefined && new TextDecoder().decode(first.value).startsWith("error code: ");
}

const Diagnosis = z.object({ kind: z.enum(CONNECTION_ERRORS), reason: z.string() });

/** @param diagnosis says why a connection fails, where the platform's own error does not */
export const webhookSenderBy = (fetch: Fetch, diagnosis?: { fetch: Fetch }): WebhookSender => ({
	async send({ url, headers, body, signal }) {
		// A redirect would lead to an address that was not judged.
		const post = () => fetch(url, { method: "POST", headers: { ...headers, "User-Agent": USER_AGENT }, body, redirect: "manual", signal });
		const answered = async () => {
			const response = await post();
			const failure = await failureBehind(response);
			if (failure) throw failure;
			return response;
		};
		const began = Date.now();
		const brokeAtOnce = (error: unknown) =>
			!signal.aborted && Date.now() - began < BROKEN_WITHIN_MS && (!(error instanceof ConnectionFailed) || error.kind === "RESET");
		try {
			return await answered().catch((error: unknown) => {
				if (!brokeAtOnce(error)) throw error;
				return answered();
			});
		} catch (error) {
			if (!diagnosis || signal.aborted || error instanceof ConnectionFailed) throw error;
			const answer = await diagnosis.fetch("http://diagnosis", { method: "POST", body: url });
			if (!answer.ok) throw error;
			const { kind, reason } = Diagnosis.parse(await answer.json());
			throw new ConnectionFailed(kind, reason, { cause: error });
		}
	},
});

type Connect = (address: { hostname: string; port: number }) => { opened: Promise<unknown>; close(): Promise<void> };

/**
 * A diagnosis by a bare connection to an address, where the runtime's own error is the same for both: it is refused, or TLS fails on it.
 * For `local`, where alone URLs may have addresses, or name this machine; of other names it says nothing.
 */
export const diagnosisBy = (connect: Connect): { fetch: Fetch } => ({
	async fetch(_, init) {
		const { hostname, port } = new URL(String(init?.body));
		if (!/^[\d.]+$|^\[|^localhost$/.test(hostname)) return new Response(null, { status: 404 });
		const socket = connect({ hostname, port: Number(port || 443) });
		try {
			await socket.opened;
			await socket.close();
			return Response.json({ kind: "TLS", reason: "the connection was accepted, and TLS failed on it" });
		} catch {
			return Response.json({ kind: "REFUSED", reason: "nothing accepts connections there" });
		}
	},
});
