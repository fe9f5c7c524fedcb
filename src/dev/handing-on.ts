// Hands what `npm run listen` got to your receiver.

import type { IncomingHttpHeaders } from "node:http";
import { styleText } from "node:util";
import { contentOf, type Delivery, signedAgain, text } from "./own-requests.ts";
import { verifySignature } from "./receiver.ts";

/** Prints a line. */
export type Show = (line: string) => void;

/** Your receiver, and the secret by which it verifies. Without an address the deliveries are only shown. */
export type Receiver = { readonly forward?: string | undefined; readonly secret: string };

type Answer = { readonly status: number; readonly said?: string };

/**
 * Hands a delivery, signed with the receiver's secret, to the receiver and shows what came of it in one line. Answers as the receiver did; 200
 * without one.
 *
 * @param sender the secret with which the delivery came
 */
export async function hand({ forward, secret }: Receiver, delivery: Delivery, sender: string, show: Show): Promise<Answer> {
	const verdict = verifySignature(delivery.headers["x-service-signature"], delivery.body, [sender]);
	const { headers, body } = signedAgain(secret, delivery);
	const judged = verdict.valid ? styleText("green", "signature valid") : styleText("red", `signature refused: ${verdict.reason}`);
	const line = `${new Date().toISOString().slice(11, 19)}  ${contentOf(headers, body)}  ${judged}`;
	if (forward === undefined) {
		show(`${line}\n  ${body.toString("utf8")}`);
		return { status: 200 };
	}
	const started = performance.now();
	const outcome = await fetch(forward, {
		method: "POST",
		headers,
		body: new Uint8Array(body),
		redirect: "manual",
		signal: AbortSignal.timeout(25_000),
	}).catch((error: unknown) => error);
	const took = `${Math.round(performance.now() - started)} ms`;
	if (!(outcome instanceof Response)) {
		const { cause } = outcome as { cause?: { code?: unknown } };
		show(`${line}  ${styleText("red", `no answer (${text(cause?.code) || (outcome as Error).name})`)}  ${took}`);
		return { status: 502 };
	}
	const said = await outcome.text().catch(() => "");
	show(`${line}  ${styleText(outcome.ok ? "green" : "red", `answered ${outcome.status}`)}  ${took}`);
	return { status: outcome.status, said };
}

/** What a proxy may not pass on, and what `fetch` sets itself. */
const OWN_HEADERS = new Set([
	"host",
	"connection",
	"content-length",
	"transfer-encoding",
	"keep-alive",
	"expect",
	"upgrade",
	"accept-encoding",
]);

export const passedOn = (headers: IncomingHttpHeaders): Record<string, string> =>
	Object.fromEntries(
		Object.entries(headers).flatMap(([name, value]) => (OWN_HEADERS.has(name) || value === undefined ? [] : [[name, String(value)]])),
	);
