// The operations as the console calls them: by method and path, with the client's generated types. A wrong path, parameter or member
// does not compile, and no table of operations is loaded.

import type { Api, Lines } from "../../client/src/generated.ts";

export type * from "../../client/src/generated.ts";

/** `GET /v1/webhooks/{webhook_id}` */
export type Line = Lines[keyof Api];
export type ReadLine = Extract<Line, `GET ${string}`>;

type Ids = { [Id in keyof Api as Lines[Id]]: Id };
/** A list that is also a table has a second signature, for its text. */
type Signature<F> = F extends { (...args: infer A): infer R; (...args: infer B): infer S }
	? unknown[] extends A
		? [B, S]
		: [A, R]
	: never;
type Parts<L extends Line> = Signature<Api[Ids[L]]>;

type OwnRequest<L extends Line> = Omit<NonNullable<Parts<L>[0] extends readonly [(infer R)?, ...unknown[]] ? R : never>, "organization">;

/** `organization`: another than the chosen one, or null for none. `token`: another than the person's. */
export type RequestOf<L extends Line> = OwnRequest<L> & { readonly organization?: string | null; readonly token?: string };
export type BodyOf<L extends Line> = Awaited<Parts<L>[1]>;

/** The arguments after the line: none are needed where the operation needs none. */
export type Rest<L extends Line> = object extends OwnRequest<L> ? [request?: RequestOf<L>] : [request: RequestOf<L>];
