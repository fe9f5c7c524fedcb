// A fake OpenFGA that answers from its tuples, or as the test defines.

import { vi } from "vitest";
import { PERMISSIONS, ROLES, relationOf, relationOfRole, rolePermits } from "../../src/shared/permissions";
import { environmentWith } from "./environments";
import { answerOutbound, servicesFor } from "./outbound";

const OPENFGA = {
	OPENFGA_URL: "https://fga.example/",
	OPENFGA_STORE_ID: "store-1",
	OPENFGA_MODEL_ID: "model-1",
	OPENFGA_TOKEN: "fga-secret",
};

/** Variables that select OpenFGA as the authorization provider, whose tuples the service writes. */
export const tupleVars = { AUTHORIZATION_PROVIDER: "openfga", ...OPENFGA };

/** The same, with tuples that only the test writes. */
export const vars = { ...tupleVars, OPENFGA_TUPLES: "yours" };

type Check = {
	tuple_key: { user: string; relation: string; object: string };
	authorization_model_id: string;
	consistency?: string;
	/** Of a request for several. */
	checks?: { tuple_key: { user: string; relation: string; object: string }; correlation_id: string }[];
};

type Key = { user: string; relation: string; object: string };
export type Change = { writes?: { tuple_keys: Key[] }; deletes?: { tuple_keys: Key[] } };

type Answering = (check: Check, init: RequestInit, url: string) => Response | Promise<Response>;

export const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

export class FakeOpenFga {
	readonly asked: { url: string; check: Check; init: RequestInit }[] = [];
	/** Each is written as `user relation object`. */
	readonly tuples = new Set<string>();
	/** Every change that it got. */
	readonly received: Change[] = [];
	answer: Answering = (check, _, url) =>
		url.endsWith("/batch-check")
			? json({ result: Object.fromEntries((check.checks ?? []).map((one) => [one.correlation_id, { allowed: this.#has(one) }])) })
			: json({ allowed: this.#has(check), resolution: "" });

	/** How it takes a change. */
	write: (change: Change) => Response | Promise<Response> = (change) => this.apply(change);

	apply({ writes, deletes }: Change): Response {
		for (const { user, relation, object } of deletes?.tuple_keys ?? []) this.tuples.delete(`${user} ${relation} ${object}`);
		for (const { user, relation, object } of writes?.tuple_keys ?? []) this.tuples.add(`${user} ${relation} ${object}`);
		return json({});
	}

	/** What it says about the user, without their id. */
	of(userId: string): string[] {
		const own = `user:${userId} `;
		return [...this.tuples].flatMap((tuple) => (tuple.startsWith(own) ? [tuple.slice(own.length)] : [])).sort();
	}

	/** By a tuple of its own, or by a role that gives it. */
	#has({ tuple_key: { user, relation, object } }: Pick<Check, "tuple_key">): boolean {
		const permission = PERMISSIONS.find((one) => relationOf(one) === relation);
		const givenBy = ROLES.filter((role) => permission && rolePermits(role, permission)).map(relationOfRole);
		return [relation, ...givenBy].some((one) => this.tuples.has(`${user} ${one} ${object}`));
	}
}

/** A fake that answers every outbound request. */
export function fakeOpenFga(): FakeOpenFga {
	const fga = new FakeOpenFga();
	answerOutbound(async (url, init = {}) => {
		if (String(url).endsWith("/write")) {
			const change = JSON.parse(String(init.body)) as Change;
			fga.received.push(change);
			return fga.write(change);
		}
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
