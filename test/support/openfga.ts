// A fake OpenFGA that answers from its tuples, or as the test defines.

import { vi } from "vitest";
import { environmentWith } from "./environments";
import { answerOutbound, servicesFor } from "./outbound";

const OPENFGA = {
	OPENFGA_URL: "https://fga.example/",
	OPENFGA_STORE_ID: "store-1",
	OPENFGA_MODEL_ID: "model-1",
	OPENFGA_TOKEN: "fga-secret",
};

/** Variables that select OpenFGA as the authorization provider. */
export const vars = { AUTHORIZATION_PROVIDER: "openfga", ...OPENFGA };

type Check = {
	tuple_key: { user: string; relation: string; object: string };
	authorization_model_id: string;
	consistency?: string;
	/** Of a request for several. */
	checks?: { tuple_key: { user: string; relation: string; object: string }; correlation_id: string }[];
};

type Answering = (check: Check, init: RequestInit, url: string) => Response | Promise<Response>;

export const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

export class FakeOpenFga {
	readonly asked: { url: string; check: Check; init: RequestInit }[] = [];
	/** Each is written as `user relation object`. */
	readonly tuples = new Set<string>();
	answer: Answering = (check, _, url) =>
		url.endsWith("/batch-check")
			? json({ result: Object.fromEntries((check.checks ?? []).map((one) => [one.correlation_id, { allowed: this.#has(one) }])) })
			: json({ allowed: this.#has(check), resolution: "" });

	#has({ tuple_key: { user, relation, object } }: Pick<Check, "tuple_key">): boolean {
		return this.tuples.has(`${user} ${relation} ${object}`);
	}
}

/** A fake that answers every outbound request. */
export function fakeOpenFga(): FakeOpenFga {
	const fga = new FakeOpenFga();
	answerOutbound(async (url, init = {}) => {
		const check = JSON.parse(String(init.body)) as Check;
		fga.asked.push({ url: String(url), check, init });
		return fga.answer(check, init, String(url));
	});
	return fga;
}

/** Services whose clock stands at `realNow`, with OpenFGA as the authorization provider. */
export async function servicesAt(realNow = Date.now()) {
	vi.useFakeTimers({ now: realNow, toFake: ["Date"] });
	const built = await servicesFor({ env: environmentWith(vars), ctx: { waitUntil: () => {} } });
	vi.useRealTimers();
	return built;
}
