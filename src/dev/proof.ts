// The proof of a deployment: what was deployed serves, lets its first operator in, and delivers a webhook.

import { CannotStart } from "./cannot-start.ts";
import type { Release } from "./deployment.ts";

export type Proving = {
	readonly baseUrl: string;
	readonly release: Release;
	/** Without it nobody signs in. */
	readonly operatorToken: string | undefined;
	/** Whether the service has a receiver of its own, as in the sandbox. */
	readonly delivers: boolean;
};

type Outside = { readonly fetch: typeof fetch; sleep(ms: number): Promise<void>; say(line: string): void };
type Answer = { readonly status: number; readonly body: { readonly [name: string]: unknown } };

/** How often something is looked at that takes a while, and how long it may take. A new version needs some seconds to be everywhere. */
const EVERY_MS = 2_000;
const WITHIN_MS = 120_000;

/** Throws `CannotStart` with what is not as it must be. */
export async function prove({ baseUrl, release, operatorToken, delivers }: Proving, outside: Outside): Promise<void> {
	const { say } = outside;
	const api = callerOf(baseUrl, outside);
	await until(
		outside,
		() => api("GET", "/healthz"),
		({ status, body }) =>
			status === 200 && body.release === release.name && (release.schema === undefined || body.schema === release.schema),
		`${baseUrl}/healthz does not say that ${release.name} serves`,
	);
	say(`${baseUrl} serves ${release.name}, with the schema ${release.schema}`);
	if (operatorToken === undefined) return say("Nobody signed in, because OPERATOR_TOKEN is not set.");
	const me = await api("GET", "/v1/me", { token: operatorToken });
	if (me.status !== 200 || me.body.kind !== "OPERATOR") throw new CannotStart(`The operator could not sign in: ${told(me)}`);
	say(`${me.body.subject} of ${me.body.issuer} signed in as an operator`);
	if (delivers) await proveDelivery(api, operatorToken, outside);
}

type Api = (
	method: "GET" | "POST",
	pathname: string,
	by?: { readonly token: string; readonly organization?: string; readonly body?: object },
) => Promise<Answer>;

/** For whom the test is sent. */
const ORGANIZATION = { name: "Deployments", slug: "deployments" };

/** A delivery that the service's own receiver takes only if its signature is valid. It goes through D1, the queue and the consumer. */
async function proveDelivery(api: Api, token: string, outside: Outside): Promise<void> {
	const made = await api("POST", "/v1/platform/organizations", { token, body: ORGANIZATION });
	if (![201, 409].includes(made.status)) throw new CannotStart(`The organization of the test could not be made: ${told(made)}`);
	const by = { token, organization: ORGANIZATION.slug };
	const sent = await api("POST", "/v1/sandbox/deliveries", by);
	const { id } = sent.body;
	if (sent.status !== 202 || typeof id !== "string") throw new CannotStart(`No webhook could be sent: ${told(sent)}`);
	const ended = await until(
		outside,
		() => api("GET", `/v1/webhooks/deliveries/${id}`, by),
		// After a failed attempt the next one would be minutes later.
		({ body }) => body.status !== "PENDING" || body.last_error !== null,
		"The webhook is not even attempted. Are both queues consumed?",
	);
	if (ended.body.status !== "DELIVERED") throw new CannotStart(`The webhook did not arrive: ${told(ended)}`);
	outside.say("a signed webhook arrived at the service's own receiver");
}

const callerOf =
	(baseUrl: string, { fetch }: Outside): Api =>
	async (method, pathname, by) => {
		try {
			const response = await fetch(`${baseUrl}${pathname}`, {
				method,
				headers: {
					...(by && { authorization: `Bearer ${by.token}` }),
					...(by?.organization !== undefined && { "x-organization-id": by.organization }),
					...(by?.body && { "content-type": "application/json" }),
				},
				...(by?.body && { body: JSON.stringify(by.body) }),
				signal: AbortSignal.timeout(30_000),
			});
			const text = await response.text();
			return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : { text } };
		} catch (error) {
			// The name of a new custom domain may not be known yet.
			return { status: 0, body: { text: error instanceof Error ? String(error.cause ?? error.message) : String(error) } };
		}
	};

async function until(
	outside: Outside,
	ask: () => Promise<Answer>,
	enough: (answer: Answer) => boolean,
	otherwise: string,
): Promise<Answer> {
	for (let waited = 0; ; waited += EVERY_MS) {
		const answer = await ask();
		if (enough(answer)) return answer;
		if (waited >= WITHIN_MS) throw new CannotStart(`${otherwise}: ${told(answer)}`);
		await outside.sleep(EVERY_MS);
	}
}

const told = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)}`.slice(0, 400);
