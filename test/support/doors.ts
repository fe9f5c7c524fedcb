// For any operation: credentials that it accepts, and a path that matches its schema.

import * as z from "zod";
import { isPublic } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";
import { webhookDigest } from "../../src/webhook-verify/verify";
import { givenApiKey, givenMember, givenOrganization, givenUser, oneTrip, operatorToken } from "./factories";

export const title = (op: AnyOperation) => `${op.method} ${op.path}`;

/** One operation of each kind: the first of those with the same `kindOf`. */
export const oneOfEach = (operations: readonly AnyOperation[], kindOf: (op: AnyOperation) => unknown): AnyOperation[] => [
	...new Map(operations.toReversed().map((op) => [JSON.stringify(kindOf(op)), op])).values(),
];

export type Sent = { as?: string; headers?: Record<string, string>; organization?: string };

/** Names the organization in the header or in the path, as the operation reads it. */
export const naming = (op: AnyOperation, id: string): Sent =>
	op.access.organization?.from === "header" ? { headers: { "x-organization-id": id } } : { organization: id };

export const CALLBACK_SECRET = "callback-secret";

/** The name of the secret with which callers sign, for an operation that only a signature opens. */
export const signerOf = ({ access }: AnyOperation) => (access.operator ? undefined : access.signature);

async function signatureOf(body: string | Uint8Array, secret: string): Promise<string> {
	const timestamp = String(Math.floor(Date.now() / 1000));
	return `t=${timestamp},v1=${await webhookDigest(secret, timestamp, body)}`;
}

/** The signature header of a provider's callback with this body. */
export const signed = async (body: string | Uint8Array, secret = CALLBACK_SECRET) => ({
	"x-service-signature": await signatureOf(body, secret),
});

/** The headers of a caller that the operation accepts, and the organization they act for. */
export async function admitted(op: AnyOperation): Promise<{ headers: Record<string, string>; organization: string }> {
	const { write, written } = oneTrip();
	const { id } = await givenOrganization(undefined, write);
	const { user, apiKey, organization } = op.access;
	const { headers = {} } = organization && !user ? naming(op, id) : {};
	const credentials = async (): Promise<Record<string, string>> => {
		if (isPublic(op.access) || signerOf(op)) return {};
		if (apiKey && !user) return { "x-api-key": await givenApiKey(id, apiKey, {}, write) };
		const member = () => givenMember(id, undefined, {}, write);
		const token = user ? (await givenUser({}, write)).token : organization ? (await member()).token : await operatorToken();
		return { ...headers, authorization: `Bearer ${token}` };
	};
	const sent = await credentials();
	await written();
	return { headers: sent, organization: id };
}

type PathSchema = { properties?: Record<string, { format?: string; pattern?: string; enum?: string[] }> };

/** The operation's path with parameters that match its schema. */
export function pathOf(op: AnyOperation, organization: string): string {
	const schema = op.request.path && (z.toJSONSchema(op.request.path, { io: "input", unrepresentable: "any" }) as PathSchema);
	return op.path.replaceAll(/{(\w+)}/g, (_, name: string) => {
		const { format, enum: values } = schema?.properties?.[name] ?? {};
		if (name === "organizationId") return organization;
		return values?.[0] ?? (format === "uuid" || /id$/i.test(name) ? crypto.randomUUID() : "x1");
	});
}
