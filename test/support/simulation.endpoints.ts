// The endpoints of a simulation of webhooks, and how their receivers behave.

import { TYPES } from "./simulation.events";
import type { givenWebhookOwner } from "./webhooks";

export const MODES = ["ANSWERS", "ANSWERS", "PICKS", "FAILS", "BREAKS", "HANGS"] as const;

/** `PICKS`: of a batch it refuses some. */
export type Endpoint = {
	id: string;
	url: string;
	events: readonly string[];
	ordered: boolean;
	heals: boolean;
	batched: boolean;
	mode: (typeof MODES)[number];
	/** False once the owner has suspended or deleted it. */
	open: boolean;
	deleted: boolean;
	keys: Map<string, string>;
};

const one = <T>(of: readonly T[], random: () => number): T => of[Math.floor(random() * of.length)] as T;

type Register = Awaited<ReturnType<typeof givenWebhookOwner>>["register"];

export async function drawnEndpoint(register: Register, url: string, random: () => number): Promise<Endpoint> {
	const happens = (probability: number) => random() < probability;
	const events = happens(0.5) ? [...TYPES] : [one(TYPES, random)];
	const [ordered, heals, batched] = [happens(0.4), happens(0.4), happens(0.4)];
	const batch = batched ? { max_events: 1 + Math.floor(random() * 6), max_wait: one(["PT0S", "PT30S"], random) } : null;
	const max_in_flight = 1 + Math.floor(random() * 5);
	const webhook = await register({ url, events, ordering: ordered ? "ENTITY" : "NONE", batch, auto_recover: heals, max_in_flight });
	const keys = new Map(webhook.signing_keys.map(({ id }) => [id, webhook.secret]));
	return { id: webhook.id, url, events, ordered, heals, batched, mode: "ANSWERS", open: true, deleted: false, keys };
}

/** How the receiver answers a request that carries these deliveries, and which of them it takes. Throws where there is no answer. */
export function answerAs({ mode, batched }: Endpoint, ids: readonly string[], random: () => number) {
	switch (mode) {
		case "FAILS":
			return { accepted: [], response: new Response(null, { status: one([500, 302, 429], random) }) };
		case "BREAKS":
			throw new Error("Network connection lost.");
		case "HANGS":
			throw new DOMException("the time is over", "TimeoutError");
		case "PICKS":
		case "ANSWERS": {
			const failed = ids.filter(() => batched && mode === "PICKS" && random() < 0.5);
			return { accepted: ids.filter((id) => !failed.includes(id)), response: Response.json({ failed }) };
		}
	}
}
