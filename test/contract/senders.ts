// Sends the table's valid requests, by the caller for whom they are valid or by another.

import { isPublic } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";
import { CALLBACK_SECRET, naming, type Sent, signed } from "../support/doors";
import { operatorToken } from "../support/factories";
import { type Probed, probe } from "../support/probe";
import type { ValidRequest } from "../support/valid-request";
import { CALLBACKS, type Parties } from "./valid-requests";

/** `isStaff`: whether the caller works for the lender, and so names the borrower; by default whether it is an API key. */
export type Credentials = Pick<Sent, "headers"> & { as?: string | undefined; isStaff?: boolean };

/** The request as it is sent: path, headers and body. */
export function requestOf(op: AnyOperation, request: ValidRequest, { as, headers, isStaff = as?.startsWith("sk_") }: Credentials) {
	const path = op.path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? "")) + (request.query ?? "");
	const named = isStaff && request.borrower ? { ...request.body, ...request.borrower } : request.body;
	const body = named && JSON.stringify(named);
	const bearing: Record<string, string> =
		as === undefined ? {} : as.startsWith("sk_") ? { "x-api-key": as } : { authorization: `Bearer ${as}` };
	return { path, headers: { "content-type": "application/json", ...bearing, ...headers }, ...(body !== undefined && { body }) };
}

export const send = (op: AnyOperation, request: ValidRequest, credentials: Credentials, vars: Partial<Env>): Promise<Probed> =>
	probe([op], requestOf(op, request, credentials), {
		// The same object where it can be, because the configuration of each is read once.
		vars: op.access.signature || request.vars ? { ...(op.access.signature && CALLBACKS), ...vars, ...request.vars } : vars,
	});

/** The caller for whom the request is valid. */
export async function permitted(
	op: AnyOperation,
	{ organization, owner, user }: Parties,
	{ body, as }: ValidRequest,
): Promise<Credentials> {
	if (as !== undefined) return { as };
	if (isPublic(op.access)) return {};
	if (op.access.signature) return { headers: await signed(JSON.stringify(body), CALLBACK_SECRET) };
	if (op.access.user) return { as: user.token };
	if (!op.access.organization) return { as: await operatorToken() };
	const { headers = {} } = naming(op, organization.id);
	return { as: owner.token, headers };
}
