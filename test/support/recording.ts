// Gives `npm run examples` the requests and answers that may become examples of the API's document. Otherwise it does nothing.

import { env } from "cloudflare:workers";
import type { AnyOperation } from "../../src/http/operation";

const MOST_CHARACTERS = 200_000;

const { EXAMPLES_URL } = env as { EXAMPLES_URL?: string };
export const isRecording = Boolean(EXAMPLES_URL);

export type Exchange = {
	readonly id: string;
	readonly path: string;
	readonly url: string;
	readonly sent: string;
	readonly status: number;
	readonly type: string;
	/** Empty where the answer has no body. */
	readonly answer: string;
	/** The day on which it was recorded (ms). */
	readonly now: number;
};

/** Whether the refusal as a problem document is not known yet: nearly no test asks for one. */
export async function wantsProblem(request: Request, response: Response): Promise<boolean> {
	if (!isRecording || response.status < 400 || response.status >= 500 || response.headers.get("content-type") !== "application/json")
		return false;
	if (request.method === "OPTIONS" || request.method === "HEAD") return false;
	const { code } = (await response.clone().json()) as { code: string };
	return !most.has(`${code} ${response.status} application/problem+json`);
}

/** The most members that an answer like it has had. */
const most = new Map<string, number>();

export async function record(op: AnyOperation, request: Request, response: Response): Promise<void> {
	const type = response.headers.get("content-type") ?? "";
	if (!EXAMPLES_URL || response.status >= 500 || (type !== "" && !/\/(.+\+)?json$/.test(type))) return;
	const answer = await response.clone().text();
	if ((answer === "" && !response.ok) || answer.length > MOST_CHARACTERS) return;
	const sent = response.status < 400 ? await request.text() : "";
	if (sent.length > MOST_CHARACTERS) return;
	const code = response.status < 400 ? op.id : (JSON.parse(answer) as { code: string }).code;
	const key = `${code} ${response.status} ${type}`;
	const members = new Set(`${sent}${answer}`.match(/"\w+":(?!null|\[\]|"")/g)).size;
	if (members <= (most.get(key) ?? -1)) return;
	most.set(key, members);
	const exchange: Exchange = { id: op.id, path: op.path, url: request.url, sent, status: response.status, type, answer, now: Date.now() };
	await fetch(EXAMPLES_URL, { method: "POST", body: JSON.stringify({ key, members, ...exchange }) });
}
