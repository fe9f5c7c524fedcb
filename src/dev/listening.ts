// Forwards what an organization's webhooks would send to a receiver that is still being written. With a local service it registers an
// endpoint of its own and removes it at the end. Of a deployed service it reads the feed of events, which needs no way in.

import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { emitKeypressEvents } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { styleText } from "node:util";
import { type Api, createClient, isApiError } from "../../client/src/index.ts";
import { CannotStart } from "./cannot-start.ts";
import { hand, passedOn, type Show } from "./handing-on.ts";
import { batchOf, type Delivery, signed } from "./own-requests.ts";
import { readBody } from "./receiver.ts";
import { createWhole } from "./whole-file.ts";

export type Options = {
	readonly forward?: string | undefined;
	readonly events: readonly string[];
	readonly trigger: readonly string[];
	readonly organization: string;
	/** By which your receiver verifies what arrives. */
	readonly secret: string;
	/** How many events a request carries at most; without it each has a request of its own. */
	readonly batch?: number | undefined;
};

export type Listening = {
	/** Hands your receiver an example of this type. */
	trigger(type: string): Promise<void>;
	/** Takes the endpoint away. */
	close(): Promise<void>;
};

/** Of the types, those that a pattern names: `*` stands for any part of one. */
export function chosenTypes(types: readonly string[], patterns: readonly string[]): string[] {
	const expressions = patterns.map((pattern) => ({
		pattern,
		expression: new RegExp(`^${pattern.replaceAll(/[^\w*]/g, "\\$&").replaceAll("*", ".*")}$`),
	}));
	const idle = expressions.find(({ expression }) => !types.some((type) => expression.test(type)));
	if (idle) throw new CannotStart(`no event type is like ${idle.pattern}; the types are ${types.join(", ")}`);
	return types.filter((type) => expressions.length === 0 || expressions.some(({ expression }) => expression.test(type)));
}

const typesOf = async (api: Api, patterns: readonly string[]): Promise<string[]> => {
	const types = await api.listEventTypes();
	return chosenTypes(
		types.map(({ event }) => event),
		patterns,
	);
};

/** Hands examples of these types to the receiver, as the API reference shows them. */
async function trigger(
	baseUrl: string,
	types: readonly string[],
	give: (delivery: Delivery) => Promise<unknown>,
	secret: string,
): Promise<void> {
	if (types.length === 0) return;
	type Exampled = { examples: [unknown] };
	type Envelope = { properties: { organization_id: Exampled; payload_version: Exampled } };
	type Choice = { discriminator: { mapping: { readonly [type: string]: string } } };
	type Document = {
		components: { schemas: { EventDelivery: Envelope; DeliveredEvent: Choice } & { readonly [name: string]: unknown } };
	};
	const response = await fetch(`${baseUrl}/openapi.json`, { signal: AbortSignal.timeout(30_000) });
	if (!response.ok) throw new CannotStart(`${baseUrl}/openapi.json was answered ${response.status}`);
	const { schemas } = ((await response.json()) as Document).components;
	const { organization_id, payload_version } = schemas.EventDelivery.properties;
	for (const type of types) {
		const event = schemas.DeliveredEvent.discriminator.mapping[type];
		if (event === undefined) throw new CannotStart(`there is no event type ${type}`);
		const [data] = (schemas[`${event.split("/").at(-1)}Data`] as Exampled).examples;
		const envelope = { event_type: type, payload_version: payload_version.examples[0], organization_id: organization_id.examples[0] };
		await give(signed(secret, { delivery_id: randomUUID(), ...envelope, sent_at: new Date().toISOString(), data }));
	}
}

/** For company. */
const BATCHES_WAIT = "PT2S";

/** Registers an endpoint at a local service, and hands on what it is sent. */
export async function listenAt(
	baseUrl: string,
	{ forward, events, trigger: examples, organization, batch, secret }: Options,
	show: Show,
): Promise<Listening> {
	const signedOut = createClient({ baseUrl });
	// Asked again when a token is refused, because a person who listens for hours outlives a token.
	const token = async () => (await signedOut.createSandboxToken({ body: { kind: "operator", subject: "listen" } })).token;
	const api = createClient({ baseUrl, token, organization });
	await api.createOrganization({ body: { name: organization, slug: organization } }).catch((error: unknown) => {
		if (!isApiError(error, "createOrganization") || error.code !== "ORGANIZATION_SLUG_TAKEN") throw error;
	});
	const types = await typesOf(api, events);

	let sender = "";
	const server = createServer((request, response) => {
		void (async () => {
			const body = await readBody(request);
			const { status, said } = body
				? await hand({ forward, secret }, { headers: passedOn(request.headers), body }, sender, show)
				: { status: 413 };
			// The answer to a batch may name those that failed.
			response.writeHead(status).end(said);
		})().catch(() => response.destroy());
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	const close = async () => {
		server.close();
		server.closeAllConnections();
		await once(server, "close");
	};
	try {
		// Its name is free unless an earlier one was killed, so the endpoints of several at once do not meet.
		const name = `listen on port ${port}`;
		const inBatches = batch === undefined ? {} : { batch: { max_events: batch, max_wait: BATCHES_WAIT } };
		const { id, signing_keys } = await api.createWebhook({ body: { name, url: `http://127.0.0.1:${port}`, events: types, ...inBatches } });
		sender = signing_keys[0]?.secret ?? "";
		show(`Listening for ${types.length} event types of the organization ${organization}. ${verifiedBy(secret)}`);
		const example = async (event_type: string) => void (await api.testWebhook({ path: { webhook_id: id }, body: { event_type } }));
		for (const type of examples) await example(type);
		return {
			trigger: example,
			async close() {
				await api.deleteWebhook({ path: { webhook_id: id } }).finally(close);
			},
		};
	} catch (error) {
		await close();
		throw error;
	}
}

/** Reads the feed of a deployed service from now on, and hands each event on until it is stopped. */
export async function follow(
	baseUrl: string,
	{ apiKey, everyMs = 2_000 }: { readonly apiKey: string; readonly everyMs?: number },
	{ forward, events, trigger: examples, batch, secret }: Options,
	show: Show,
): Promise<Listening> {
	const api = createClient({ baseUrl, apiKey });
	const types = new Set(await typesOf(api, events));
	const me = await api.getMe();
	if (!("organization" in me)) throw new CannotStart("This is no API key of an organization.");
	const { organization } = me;
	const stopped = new AbortController();
	const { signal } = stopped;
	// A position in the feed is one of this list, so every page asks for the same beginning.
	const created_from = new Date().toISOString();
	const read = (after?: string) => api.listEvents({ query: { size: 100, created_from, ...(after !== undefined && { after }) }, signal });
	let page = await read();
	show(`Reading the feed of ${baseUrl}. ${verifiedBy(secret)}`);
	const give = (delivery: Delivery) => hand({ forward, secret }, delivery, secret, show);
	await trigger(baseUrl, examples, give, secret);
	const reading = (async () => {
		while (!signal.aborted) {
			const envelopes = page.data.flatMap(({ id, event_type, payload_version, created_at, data }) =>
				types.has(event_type)
					? [{ delivery_id: id, event_type, payload_version, sent_at: created_at, organization_id: organization.id, data }]
					: [],
			);
			for (let from = 0; from < envelopes.length; from += batch ?? 1) {
				const some = envelopes.slice(from, from + (batch ?? 1));
				for (const envelope of batch === undefined ? some : [batchOf(some)]) await give(signed(secret, envelope));
			}
			// The position is kept, so a read that fails is only read again.
			if (page.data.length === 0) await sleep(everyMs, undefined, { signal }).catch(() => {});
			if (signal.aborted) return;
			page = await read(page.next).catch((error: unknown) => {
				if (!signal.aborted) show(styleText("red", error instanceof Error ? error.message : String(error)));
				return { ...page, data: [] };
			});
		}
	})();
	return {
		trigger: (type) => trigger(baseUrl, [type], give, secret),
		async close() {
			stopped.abort();
			await reading;
		},
	};
}

const verifiedBy = (secret: string): string => `Your receiver verifies what arrives by this secret:\n\n  ${secret}\n`;

/** The secret by which your receiver verifies what is handed on: one for each checkout, so that you configure it once. The first call makes it. */
export function keptSecret(checkout: string): string {
	const file = path.join(checkout, ".local/listen-secret");
	mkdirSync(path.dirname(file), { recursive: true });
	createWhole(file, `whsec_${randomBytes(32).toString("base64")}\n`);
	return readFileSync(file, "utf8").trim();
}

/** Calls this at each `t` that somebody types, until the signal; raw, so that no line is waited for. Ctrl-C is passed on as a signal. */
export function onT(stdin: NodeJS.ReadStream, work: () => void, signal: AbortSignal): void {
	if (!stdin.isTTY) return;
	emitKeypressEvents(stdin);
	stdin.setRawMode(true);
	const typed = (_: string, key: { readonly name?: string; readonly ctrl?: boolean }) => {
		if (key.ctrl && key.name === "c") process.kill(process.pid, "SIGINT");
		else if (key.name === "t") work();
	};
	stdin.on("keypress", typed);
	signal.addEventListener("abort", () => {
		stdin.off("keypress", typed);
		stdin.setRawMode(false);
		stdin.pause();
	});
}
