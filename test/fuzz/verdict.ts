// Whether the service's own document allows an answer, within the bounds of time and memory.

import type { Caller, Cast } from "./cast.ts";
import type { ServiceDocument } from "./document.ts";
import type { Draft } from "./draft.ts";
import type { Answer, Sent } from "./exchange.ts";

const MOST_MS = 1_000;
const MOST_MB = 32;

/** Operations that wait by design; they are bound by what they wait for. */
const PATIENT: Readonly<Record<string, string>> = {
	advanceClock: "it makes the attempts that have fallen due before it answers",
};

/** Operations that answer everybody about any organization. */
const PUBLIC: Readonly<Record<string, string>> = {
	getBrand: "a brand is read before anybody signs in, and has its organization's name",
};

/** Operations that answer 503 to valid requests, because the fuzz has nobody who provides what they need. */
const UNPROVIDED: Readonly<Record<string, string>> = {
	promptRepayment: "no lender has a connection to M-Pesa",
};

/** Members of the problem form of an error (RFC 9457) in addition to those of the Error body. */
const PROBLEM_MEMBERS = ["type", "title", "status", "detail", "instance"];

/** What is wrong with the answer; nothing when it is as declared. */
export function complaints(document: ServiceDocument, draft: Draft, caller: Caller, cast: Cast, sent: Sent, answer: Answer): string[] {
	const { operation } = draft;
	const said = (name: string) => answer.headers[name];
	const has = (name: string) => sent.headers.some(([header]) => header.toLowerCase() === name);
	if (answer.status === 503 && said("x-request-id") === undefined) return ["the runtime did not answer"];
	const found: string[] = [];

	if (answer.status >= 500 && answer.status !== 503) found.push(`a ${answer.status}`);
	found.push(...undeclared(document, draft, answer));
	if (answer.status === 304 && !has("if-none-match")) found.push("a 304 that was not asked for");
	if (said("x-request-id") === undefined) found.push("no X-Request-Id");
	if (said("cache-control") === undefined) found.push("no Cache-Control");
	if (answer.status === 401 && said("www-authenticate") === undefined) found.push("a 401 without WWW-Authenticate");
	if ((answer.status === 429 || answer.status === 503) && !/^[1-9]\d*$/.test(said("retry-after") ?? "")) {
		found.push(`a ${answer.status} without Retry-After`);
	}
	const tellsOfOthers = answer.text.includes(cast.canary) && !sent.body?.includes(cast.canary);
	if (caller.stranger && tellsOfOthers && !(operation.id in PUBLIC)) found.push("tells a stranger of an organization");
	if (answer.ms > MOST_MS && !(operation.id in PATIENT)) found.push(`took more than ${MOST_MS} ms`);
	if ((answer.grownMb ?? 0) > MOST_MB) found.push(`took more than ${MOST_MB} MB`);
	return found;
}

/** What a hostile input must not bring about: a failure of the service, or more than its time or memory. */
export function outOfBounds(operation: string, { status, headers, ms, grownMb = 0 }: Answer): string[] {
	const refused = status === 503 && operation in UNPROVIDED && headers["x-request-id"] !== undefined;
	return [
		...(status >= 500 && !refused ? [`a ${status}`] : []),
		...(ms > MOST_MS ? [`${Math.round(ms)} ms`] : []),
		...(grownMb > MOST_MB ? [`${Math.round(grownMb)} MB`] : []),
	];
}

function undeclared(document: ServiceDocument, { operation }: Draft, answer: Answer): string[] {
	const declared = operation.answers.get(answer.status);
	if (!declared) return [`an undeclared status: ${answer.status}`];
	if (!declared.schema) return answer.text === "" ? [] : ["a body where none is declared"];
	const type = answer.headers["content-type"] ?? "";
	const problem = type.startsWith("application/problem+json");
	if (!type.startsWith("application/json") && !(problem && answer.status >= 400)) return [`an undeclared content type: ${type || "none"}`];
	let body: unknown;
	try {
		body = JSON.parse(answer.text);
	} catch {
		return ["a body that is not JSON"];
	}
	if (problem && typeof body === "object" && body !== null) {
		body = Object.fromEntries(Object.entries(body).filter(([name]) => !PROBLEM_MEMBERS.includes(name)));
	}
	const complaint = document.complaint(declared.schema, body);
	if (complaint !== undefined) {
		const replay = answer.headers["idempotent-replayed"] === "true" ? " of a replay" : "";
		return [`an undeclared body${replay}: ${complaint.replaceAll(/\s+/g, " ")}`];
	}
	return [];
}
