// The examples of the OpenAPI document: requests and answers that the tests have seen (`npm run examples`).

import type { ErrorCode } from "../../shared/errors";
import type { AnyOperation } from "../operation";
import recorded from "./examples.json?raw";

type JsonSchema = { [member: string]: unknown };
type Sent = { readonly path?: Members; readonly query?: Members; readonly body?: unknown };
type Members = { readonly [name: string]: unknown };

export type Examples = {
	/** By operation: a request that succeeds, and the bodies of answers by their status. */
	readonly operations: { readonly [id: string]: { readonly request: Sent; readonly answers: { readonly [status: string]: unknown } } };
	/** The answer to a call that waits for a second operator. */
	readonly held?: unknown;
	/** Whether events have theirs. */
	readonly events?: boolean;
	/** Refusals by their codes: as Error bodies, and as problem documents. */
	readonly refusals: { readonly [form in "Error" | "Problem"]: { readonly [code in ErrorCode]?: unknown } };
};

export const RECORDED: Examples = JSON.parse(recorded);

/** `example` of a body; nothing where none was recorded. */
export const exampled = (value: unknown): JsonSchema => (value === undefined ? {} : { example: value });

export const requestExample = ({ operations }: Examples, { id }: AnyOperation): Sent => operations[id]?.request ?? {};

export const answerExample = ({ operations }: Examples, { id }: AnyOperation, status: number): JsonSchema =>
	exampled(operations[id]?.answers[status]);

const pascal = (code: string) => code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Those that nearly every operation names: the document says each some 250 times. */
const SHORT: { readonly [code: string]: string } = {
	APPROVAL_PENDING: "Pending",
	FORBIDDEN: "Denied",
	INTERNAL_SERVER_ERROR: "Fault",
	INVALID_PARAMS: "Invalid",
	INVALID_STATE: "State",
	NOT_FOUND: "Absent",
	PAYLOAD_TOO_LARGE: "Large",
	SERVICE_UNAVAILABLE: "Down",
	TOO_MANY_REQUESTS: "Limit",
	UNAUTHORISED: "SignIn",
	UPGRADE_REQUIRED: "Upgrade",
};

/** The name of a refusal with these codes, among the document's components. */
export function nameOf(codes: readonly ErrorCode[]): string {
	// The refusals of every call with an Idempotency-Key.
	const others = codes.filter((code) => code !== "IDEMPOTENCY_IN_PROGRESS" && code !== "IDEMPOTENCY_KEY_REUSED");
	return `${others.map((code) => SHORT[code] ?? pascal(code)).join("Or")}${codes.length - others.length === 2 ? "OrKey" : ""}`;
}

/** References to the examples of refusals with these codes. */
export function refusalExamples({ refusals }: Examples, form: "Error" | "Problem", codes: readonly ErrorCode[]): JsonSchema {
	const recorded = codes.filter((code) => refusals[form][code] !== undefined);
	if (recorded.length === 0) return {};
	return { examples: Object.fromEntries(recorded.map((code) => [code, { $ref: `#/components/examples/${pascal(code)}${form}` }])) };
}

/** The examples that the document names, by their place in its components. */
export const exampleComponents = ({ refusals }: Examples): { [name: string]: JsonSchema } =>
	Object.fromEntries(
		(["Error", "Problem"] as const).flatMap((form) =>
			Object.entries(refusals[form]).map(([code, value]) => [`${pascal(code)}${form}`, { value }] as const),
		),
	);
