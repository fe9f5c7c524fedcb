// Sends the table's valid requests, by the caller for whom they are valid or by another.

import { isPublic } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";
import { CALLBACK_SECRET, naming, type Sent, signed } from "../support/doors";
import { operatorToken } from "../support/factories";
import { type Probed, probe } from "../support/probe";
import { CALLBACKS, type Parties, type ValidRequest } from "./valid-requests";

export type Credentials = Pick<Sent, "as" | "headers">;

export async function send(op: AnyOperation, request: ValidRequest, { as, headers }: Credentials, vars: Partial<Env>): Promise<Probed> {
	const path = op.path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? "")) + (request.query ?? "");
	const named = as?.startsWith("sk_") && request.borrower ? { ...request.body, ...request.borrower } : request.body;
	const body = named && JSON.stringify(named);
	const sent = { path, headers: { "content-type": "application/json", ...headers }, ...(body !== undefined && { body }) };
	return probe(
		[op],
		{ ...sent, ...(as !== undefined && { as }) },
		{ vars: { ...(op.access.signature && CALLBACKS), ...vars, ...request.vars } },
	);
}

/** The caller for whom the request is valid. */
export async function permitted(op: AnyOperation, { organization, owner, user }: Parties, { body }: ValidRequest): Promise<Credentials> {
	if (isPublic(op.access)) return {};
	if (op.access.signature) return { headers: await signed(JSON.stringify(body), CALLBACK_SECRET) };
	if (op.access.user) return { as: user.token };
	if (!op.access.organization) return { as: await operatorToken() };
	const { headers = {} } = naming(op, organization.id);
	return { as: owner.token, headers };
}
