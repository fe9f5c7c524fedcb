// For any operation: credentials that open it, and a path that its schema takes.

import * as z from "zod";
import { signatureHeader } from "../../src/domains/webhooks/signing/policy";
import { isPublic } from "../../src/http/access";
import type { AnyOperation } from "../../src/http/operation";
import { utf8 } from "../../src/shared/bytes";
import { givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "./factories";

export const title = (op: AnyOperation) => `${op.method} ${op.path}`;

export type Sent = { as?: string; headers?: Record<string, string>; organization?: string };

/** Several organizations' members name theirs in the header, unless the path does. */
export const naming = (op: AnyOperation, id: string): Sent =>
	op.access.organization?.from === "header" ? { headers: { "x-organization-id": id } } : { organization: id };

export const CALLBACK_SECRET = "callback-secret";

/** The name of the secret under which the operation's callers sign, where no other credential opens it. */
export const signerOf = ({ access }: AnyOperation) => (access.operator ? undefined : access.signature);

/** The header that signs the body as a provider does. */
export const signed = async (body: string | Uint8Array, secret = CALLBACK_SECRET) => ({
	"x-service-signature": await signatureHeader([secret], typeof body === "string" ? utf8(body) : body, Date.now()),
});

/** The headers of somebody whom the operation lets in, and the organization he acts for. */
export async function admitted(op: AnyOperation): Promise<{ headers: Record<string, string>; organization: string }> {
	const { id } = await givenOrganization();
	const { user, apiKey, organization } = op.access;
	const { headers = {} } = organization && !user ? naming(op, id) : {};
	if (isPublic(op.access) || signerOf(op)) return { headers: {}, organization: id };
	if (apiKey) return { headers: { "x-api-key": await givenApiKey(id, [apiKey]) }, organization: id };
	const token = organization ? (await givenMember(id)).token : user ? (await givenUser()).token : await operatorToken();
	return { headers: { ...headers, authorization: `Bearer ${token}` }, organization: id };
}

type PathSchema = { properties?: Record<string, { format?: string; pattern?: string; enum?: string[] }> };

/** The operation's path with parameters of the form that its schema asks for. */
export function pathOf(op: AnyOperation, organization: string): string {
	const schema = op.request.path && (z.toJSONSchema(op.request.path, { io: "input", unrepresentable: "any" }) as PathSchema);
	return op.path.replaceAll(/{(\w+)}/g, (_, name: string) => {
		const { format, enum: values } = schema?.properties?.[name] ?? {};
		if (name === "organizationId") return organization;
		return values?.[0] ?? (format === "uuid" || /id$/i.test(name) ? crypto.randomUUID() : "x1");
	});
}
