// Who asks for access to an operation: the credentials of a request, and what they are judged with.

import type { Context } from "hono";
import type { JobServices } from "../../runtime/services";
import type { Access } from "./access";
import type { CallerLookup } from "./caller-lookup";

export type Credentials = {
	method: string;
	authorization: string | undefined;
	apiKey: string | undefined;
	/** `X-Service-Signature`. */
	signature: string | undefined;
	/** The raw body, which a signature covers. */
	bytes: Uint8Array | undefined;
	organizationHeader: string | undefined;
	organizationInPath: string | undefined;
};

export const credentialsOf = (c: Context, bytes: Uint8Array | undefined): Credentials => ({
	method: c.req.method,
	authorization: c.req.header("authorization"),
	apiKey: c.req.header("x-api-key"),
	signature: c.req.header("x-service-signature"),
	bytes,
	organizationHeader: c.req.header("x-organization-id"),
	organizationInPath: c.req.param("organizationId"),
});

export type Asking = {
	readonly access: Access;
	readonly credentials: Credentials;
	readonly services: JobServices;
	readonly lookups: CallerLookup;
};
