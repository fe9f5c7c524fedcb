// A world for an operation: parties, an endpoint for all types of events, a valid request and its caller. It is read from the operation's
// value and from the table of valid requests, so a new operation is in it without being listed.

import { createWebhook } from "../../src/domains/webhooks/endpoints/operations";
import { type AnyOperation, honoursIdempotencyKey } from "../../src/http/operation";
import { DECISIONS } from "../contract/approvals";
import { permitted, requestOf } from "../contract/senders";
import { CALLBACKS, givenParties, type Parties, VALID_REQUESTS, validRequest } from "../contract/valid-requests";
import { call, expectOk } from "../support/client";
import { eventTypes, operations } from "../support/domains";
import { accessToken } from "../support/factories";
import { ORIGIN, requestsEnded } from "../support/serve";
import type { ValidRequest } from "../support/valid-request";

/** Providers outside the service, in the place of those of the sandbox. */
const OUTSIDE = {
	...CALLBACKS,
	CUSTODIAN: "http",
	CUSTODIAN_URL: "https://custodian.example/",
	MESSAGE_SENDER: "http",
	MESSAGE_SENDER_URL: "https://messages.example/",
	MESSAGE_SENDER_TOKEN: "token",
	NAME_LOOKUP_URL: "https://names.example/",
	NAME_LOOKUP_TOKEN: "token",
};

const EVERY_TYPE = [...eventTypes.values()].filter(({ subscribable }) => subscribable).map(({ type }) => type);

/** An operation with its request, as it is sent each time. */
export type Sending = {
	readonly op: AnyOperation;
	readonly keyed: boolean;
	readonly vars: object;
	request(): Promise<Request>;
};

const REQUESTS = { ...VALID_REQUESTS, ...DECISIONS };

/** The operations that change something, with the variants of their requests. */
export const CASES: readonly string[] = operations
	.filter(({ method }) => method !== "GET")
	.flatMap(({ id }) => [id, ...Object.keys(REQUESTS).filter((key) => key.startsWith(`${id}@`))])
	.sort();

const SESSION = crypto.randomUUID();
const userToken = (id: string) => accessToken(id, { sid: SESSION });

let laid: Promise<Parties> | undefined;

/** The parties of all worlds. They are laid down once, after `begin`, or again after `forgetWorld`. */
export function givenWorld(begin: () => void): Promise<Parties> {
	laid ??= layDown(begin);
	return laid;
}

export function forgetWorld(): void {
	laid = undefined;
}

async function layDown(begin: () => void): Promise<Parties> {
	begin();
	const parties = await givenParties();
	const user = { ...parties.user, token: await userToken(parties.user.id) };
	const body = { name: "everything", url: "https://hooks.example/in", events: EVERY_TYPE };
	expectOk(await call(createWebhook, { as: parties.owner.token, body }));
	// A process that starts also sweeps.
	await requestsEnded();
	return { ...parties, user };
}

/** Lays down what the operation needs, and says how it is called. */
export async function givenSending(name: string, parties: Parties, outside: boolean): Promise<Sending> {
	const [id = ""] = name.split("@");
	const op = operations.find((each) => each.id === id);
	if (!op) throw new Error(`there is no operation ${id}`);
	const valid: ValidRequest = name.includes("@") ? await variantOf(name, parties) : await validRequest(op, parties);
	const credentials = await permitted(op, parties, valid);
	const { path, headers, body } = requestOf(op, valid, credentials);
	const keyed = honoursIdempotencyKey(op);
	const sent: Record<string, string> = { ...headers, ...(keyed && { "idempotency-key": `${name} once` }) };
	return {
		op,
		keyed,
		vars: { ...(op.access.signature && CALLBACKS), ...(outside && OUTSIDE), ...valid.vars },
		async request() {
			// A client that has waited for long gets a new token before it asks again.
			const isUser = sent.authorization === `Bearer ${parties.user.token}`;
			const renewed = isUser && { authorization: `Bearer ${await userToken(parties.user.id)}` };
			return new Request(`${ORIGIN}${path}`, { method: op.method, headers: { ...sent, ...renewed }, ...(body !== undefined && { body }) });
		},
	};
}

async function variantOf(name: string, parties: Parties): Promise<ValidRequest> {
	const made = await REQUESTS[name]?.(parties);
	if (!made) throw new Error(`there is no variant ${name}`);
	return made;
}
