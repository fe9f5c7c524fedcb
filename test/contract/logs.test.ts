// Nothing secret reaches the log. A word is planted in every part of each address, body and header that the service is called with, in what
// it calls and is answered, and in its own secrets, and looked for in every line.
// @module-tag thorough

import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as z from "zod";
import { type AnyOperation, existsIn } from "../../src/http/operation";
import { cron } from "../support/cron";
import { operations } from "../support/domains";
import { signed, title } from "../support/doors";
import { environmentWith } from "../support/environments";
import { answerOutbound } from "../support/outbound";
import { servePath } from "../support/serve";
import type { ValidRequest } from "../support/valid-request";
import { attemptAt, fakeWorld, givenWebhookOwner, raiseQuietly } from "../support/webhooks";
import { permitted, requestOf } from "./senders";
import { CALLBACKS, givenParties, validRequest } from "./valid-requests";

const PLANTED = "pl4nted";

/** Not `local`, where requests have no line. */
const SANDBOX: Partial<Env> = { ENVIRONMENT: "sandbox", BASE_URL: "http://localhost", RATE_LIMITS: "on", WEBHOOK_ALLOWED_NETWORKS: "" };

/** Only `local` takes the short secrets of the table of valid requests. */
const STRONG = "0123456789abcdefghijklmnopqrstuv";
const SIGNING = { ...CALLBACKS, DISBURSER_SECRET: STRONG, CUSTODIAN_SECRET: STRONG };

function withStrongSecret(request: ValidRequest): ValidRequest {
	const secret = request.path?.secret;
	return secret === undefined ? request : JSON.parse(JSON.stringify(request).replaceAll(secret, STRONG));
}

/** A database that is there and does not answer. */
const UNREACHABLE = {
	withSession: () => ({
		prepare: () => ({ bind: () => ({}) }),
		batch: async () => {
			throw new Error("D1_ERROR: Network connection lost.");
		},
		getBookmark: () => null,
	}),
} as unknown as D1Database;

let lines: string[];
beforeEach(() => {
	lines = [];
	for (const level of ["log", "info", "warn", "error", "debug"] as const) {
		vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.map(String).join(" ")));
	}
});

const withPlanted = () => lines.filter((line) => line.toLowerCase().includes(PLANTED));

/** The names of the query, and a name that no operation has. */
const queryNamesOf = ({ request: { query } }: AnyOperation): string[] => [
	...Object.keys((query as z.ZodObject | undefined)?.shape ?? {}),
	PLANTED,
];

/** The operation's address with the word in the place of every parameter, in every member of the query and in every name. */
const plantedIn = (op: AnyOperation, organization: string): string => {
	const path = op.path.replaceAll(/{(\w+)}/g, (_, name: string) =>
		name === "organizationId" && op.access.organization?.from === "path" ? organization : `${PLANTED}-${name}`,
	);
	return `${path}?${queryNamesOf(op)
		.map((name) => `${name}=${PLANTED}-${name}`)
		.join("&")}`;
};

/** The body with the word in every text. */
const plantedBody = (body: object): string =>
	JSON.stringify(body, (name, value: unknown) => (typeof value === "string" ? `${PLANTED}-${name}` : value));

/** Credentials of every kind that nobody gave, and what callers send with them. */
const PLANTED_HEADERS = [`Bearer ${PLANTED}.${PLANTED}.${PLANTED}`, `Bearer sk_${PLANTED}`, `Basic ${btoa(`${PLANTED}:${PLANTED}`)}`].map(
	(authorization) => ({
		authorization,
		"x-api-key": `sk_${PLANTED}`,
		"x-organization-id": PLANTED,
		"idempotency-key": `${PLANTED}-key`,
		"x-d1-bookmark": PLANTED,
		"x-request-id": `not an id ${PLANTED}`,
		cookie: `session=${PLANTED}`,
		referer: `https://${PLANTED}.test/`,
		"user-agent": PLANTED,
	}),
);

const planted = (host: string) => `https://${host}.test/${PLANTED}-path?token=${PLANTED}-query`;

/** Every address that a deployment can have in its variables. */
const OUTSIDE: Partial<Env> = {
	MESSAGE_SENDER: "http",
	MESSAGE_SENDER_URL: planted("messages"),
	MESSAGE_SENDER_TOKEN: `${PLANTED}-token-of-the-gateway-0123456789`,
	CUSTODIAN: "http",
	CUSTODIAN_URL: planted("custodian"),
	DISBURSER: "http",
	DISBURSER_URL: planted("disburser"),
	DISBURSER_SECRET: STRONG,
	OPENFGA_TOKEN: `${PLANTED}-token`,
	SIM_SWAP_URL: planted("swaps"),
	SIM_SWAP_TOKEN: `${PLANTED}-token-of-the-operator-012345678`,
	NAME_LOOKUP_URL: planted("names"),
	NAME_LOOKUP_TOKEN: `${PLANTED}-token-of-the-directory-01234`,
	DNS_OVER_HTTPS_URL: planted("dns"),
};

/** What those behind an address do, in turn. */
const FAILURES: ((address: string) => Response)[] = [
	(address) => {
		throw new TypeError(`fetch failed: ${address}`, { cause: new Error(`connect ECONNREFUSED ${address}`) });
	},
	(address) => new Response(`nothing is at ${address}`, { status: 500 }),
	(address) => new Response(null, { status: 302, headers: { location: address } }),
	(address) => new Response(`<a href="${address}">`, { status: 200 }),
];

const PRIVATE =
	/secret|passw|passkey|otp_code|token|(^|_)(number|phone|msisdn|email|recipient|identifier|credential|api_key)$|^(MSISDN|PartyA|PhoneNumber|to)$/i;

/** The texts of a body that are secret or say who somebody is. */
const privateIn = (body: unknown): string[] => {
	const found: string[] = [];
	JSON.stringify(body, (name, value: unknown) => {
		if (typeof value === "string" && value.length >= 6 && PRIVATE.test(name)) found.push(value);
		return value;
	});
	return found;
};

/** What is a secret in a valid request: the paths that providers are given, codes, what people are searched by, and who they are. */
const secretsIn = ({ path = {}, query, body }: ValidRequest): string[] => [
	...privateIn(body),
	...Object.entries(path).flatMap(([name, value]) => (/^(secret|code)$/.test(name) ? [value] : [])),
	...[...new URLSearchParams(query)].flatMap(([name, value]) => (/^(q|recipient)$/.test(name) ? [value] : [])),
];

describe("the log has nothing secret of what the service", () => {
	it.each(operations.map((op, index) => [title(op), op, index] as const))(
		"is called with, calls and is answered, in %s",
		async (_, op, index) => {
			fakeWorld();
			const parties = await givenParties();
			const request = withStrongSecret(await validRequest(op, parties));
			const credentials = op.access.signature
				? { headers: await signed(JSON.stringify(request.body), STRONG) }
				: await permitted(op, parties, request);
			const { headers, body, path } = requestOf(op, request, credentials);
			const vars = { ...SANDBOX, ...(op.access.signature && SIGNING), ...request.vars };
			const asked = { method: op.method, headers, ...(body !== undefined && { body }) };
			const address = plantedIn(op, parties.organization.id);
			lines = [];
			// As a stranger sends it, as the caller does for whom the request is valid, and while no database answers.
			await servePath(address, { method: op.method }, vars);
			await servePath(address, asked, vars);
			await servePath(address, asked, { ...vars, DB: UNREACHABLE });
			for (const planted of PLANTED_HEADERS) await servePath(path, { ...asked, headers: planted }, vars);
			if (body !== undefined) {
				const text = plantedBody(request.body ?? {});
				for (const sent of [text, text.slice(0, -1), `"${PLANTED}"`]) {
					await servePath(
						path,
						{ ...asked, headers: { ...headers, ...(op.access.signature && (await signed(sent, STRONG))) }, body: sent },
						vars,
					);
				}
			}
			if (existsIn(op, "sandbox") && !op.cached) expect(lines.join("\n")).toContain(`"operation":"${op.id}"`);
			// As it is valid, while the providers fail; and what the sweep makes of a change.
			const calls: string[] = [];
			answerOutbound(async (input) => {
				const called = new Request(input).url;
				calls.push(called);
				return (FAILURES[(index + calls.length) % FAILURES.length] as (address: string) => Response)(called);
			});
			await servePath(path, asked, { ...vars, ...OUTSIDE });
			await servePath(path, asked, { ...vars, DB: UNREACHABLE });
			if (op.method !== "GET") await cron(environmentWith({ ...vars, ...OUTSIDE }));
			expect(withPlanted()).toEqual([]);
			for (const secret of secretsIn(request)) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
		},
	);

	it("calls when it sends a webhook, but for the host", async () => {
		for (const answer of FAILURES) {
			const world = fakeWorld();
			world.answer = ({ url }) => answer(url);
			const { organization, register } = await givenWebhookOwner();
			const { id } = await register({ url: planted("hooks") });
			await raiseQuietly(organization.id);
			lines = [];
			await attemptAt(id);
			expect(lines.filter((line) => line.includes('"host":"hooks.test"') && line.includes(`"webhook_id":"${id}"`))).toHaveLength(1);
			expect(withPlanted()).toEqual([]);
		}
	});
});
