// Holds the service's answers against its OpenAPI document, as a client would, who has nothing but the document.

import { Approval } from "../../src/domains/approvals/wire";
import { existsIn } from "../../src/http/operation";
import { openapi } from "../../src/http/reference/openapi";
import { ON_THE_WIRE } from "../../src/http/reference/openapi.responses";
import { OperationRouter } from "../../src/http/router";
import { operationsByTag } from "../../src/wiring/loading";
import { DocumentSchemas } from "./document-schemas";
import { eventTypes, operations } from "./domains";
import { isRecording, record } from "./recording";
import { inNode } from "./runtime";

type Answer = { headers?: Record<string, unknown>; content?: Record<string, unknown> };

export const document = openapi(await operationsByTag(), eventTypes, { baseUrl: "http://localhost", held: Approval });
export const schemas = new DocumentSchemas(document);

const router = new OperationRouter<(typeof operations)[number]>();
for (const op of operations) router.add(op.method, op.path.replaceAll(/{(\w+)}/g, ":$1"), op);

const HEADERS = Object.values(ON_THE_WIRE);

/** The operation that serves the request. */
export function operationAt({ method, url }: Request): (typeof operations)[number] | undefined {
	const [[found]] = router.match(method === "HEAD" ? "GET" : method, new URL(url).pathname);
	return found?.[0];
}

/**
 * Throws when the answer of an operation is not declared for it in the document.
 *
 * @param request its body unread, when examples are recorded
 */
export async function expectDocumented(request: Request, response: Response, environment: string): Promise<void> {
	const { method } = request;
	const op = operationAt(request);
	if (!op || !existsIn(op, environment)) return;
	const complaint = await complaintAbout(["paths", op.path, op.method.toLowerCase()], response, method === "HEAD");
	if (complaint !== undefined) throw new Error(`${op.id} answered ${response.status}, which its document does not allow: ${complaint}`);
	if (isRecording && method !== "HEAD") await record(op, request, response);
}

async function complaintAbout(operation: readonly string[], response: Response, isHead: boolean): Promise<string | undefined> {
	const { value, place } = schemas.at([...operation, "responses", String(response.status)]);
	if (!value) return "the status is not declared";
	const { headers = {}, content } = value as Answer;
	for (const name of HEADERS) if (response.headers.has(name) && !(name in headers)) return `the header ${name} is not declared`;
	if (isHead) return undefined;
	const type = (response.headers.get("content-type") ?? "").replace(/;.*/, "");
	if (content && !(type in content)) return `the content type ${type} is not declared`;
	if (content && !type.endsWith("/json") && !type.endsWith("+json")) return undefined;
	// In Node zod's own parse has held the body of what succeeds against the schema of which the document's is made. To compile the document's
	// schemas of each operation takes as long as two hundred tests: the same file in workerd, part of `.ci/run`, has them.
	if (content && inNode && response.ok) return undefined;
	const text = await response.clone().text();
	if (!content) return text === "" ? undefined : `a body is not declared: ${text}`;
	const complaint = schemas.complaint([...place, "content", type, "schema"], JSON.parse(text));
	return complaint && `${complaint}: ${text}`;
}
