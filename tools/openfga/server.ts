// Asks the OpenFGA that the variables of the environment name.

import * as z from "zod";

/** An error that ends the command; only its text is printed. */
export class Failed extends Error {
	/** The exit status of the process. */
	readonly code: 1 | 3;
	constructor(problem: string, code: 1 | 3 = 1) {
		super(problem);
		this.code = code;
	}
}

/** The exit status when no server answers, so that nothing is known of the store. */
export const UNREACHABLE = 3;

const TIMEOUT_MS = 10_000;

/** What OpenFGA answers at this path. */
export async function ask<T>(schema: z.ZodType<T>, path: string, body?: object): Promise<T> {
	const { OPENFGA_TOKEN, OPENFGA_URL = "" } = process.env;
	const url = `${OPENFGA_URL.replace(/\/+$/, "")}${path}`;
	const response = await fetch(url, {
		method: body ? "POST" : "GET",
		headers: { "Content-Type": "application/json", ...(OPENFGA_TOKEN && { Authorization: `Bearer ${OPENFGA_TOKEN}` }) },
		...(body && { body: JSON.stringify(body) }),
		redirect: "manual",
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch((error: unknown) => {
		throw new Failed(`${url} does not answer: ${error instanceof Error ? error.message : error}`, UNREACHABLE);
	});
	const text = await response.text();
	if (!response.ok) throw new Failed(`${url} answers ${response.status}: ${text.slice(0, 1_000)}`);
	try {
		return schema.parse(JSON.parse(text));
	} catch {
		throw new Failed(`${url} answers what OpenFGA would not: ${text.slice(0, 200)}`);
	}
}

export const storePath = (id: string) => `/stores/${encodeURIComponent(id)}`;

const Tuples = z.object({
	tuples: z.array(z.object({ key: z.object({ user: z.string(), relation: z.string(), object: z.string() }) })),
	continuation_token: z.string(),
});

/** Every tuple of the store, page by page. */
export async function* tuplesOf(store: string): AsyncGenerator<Tuple> {
	for (let token = ""; ; ) {
		const page = await ask(Tuples, `${storePath(store)}/read`, { page_size: 100, ...(token && { continuation_token: token }) });
		for (const { key } of page.tuples) yield { user: key.user, relation: key.relation, object: key.object };
		token = page.continuation_token;
		if (token === "") return;
	}
}

export type Tuple = { readonly user: string; readonly relation: string; readonly object: string };

/** As many as a server takes in one request, by default. */
const PORTION = 100;

/** Writes and removes; what is there or gone already does no harm. */
export async function change(store: string, model: string, writes: readonly Tuple[], deletes: readonly Tuple[]): Promise<void> {
	const both = [...writes.map((tuple) => ({ tuple, written: true })), ...deletes.map((tuple) => ({ tuple, written: false }))];
	for (let from = 0; from < both.length; from += PORTION) {
		const portion = both.slice(from, from + PORTION);
		const keys = (written: boolean) => portion.flatMap((one) => (one.written === written ? [one.tuple] : []));
		await ask(z.looseObject({}), `${storePath(store)}/write`, {
			authorization_model_id: model,
			...(keys(true).length > 0 && { writes: { tuple_keys: keys(true), on_duplicate: "ignore" } }),
			...(keys(false).length > 0 && { deletes: { tuple_keys: keys(false), on_missing: "ignore" } }),
		});
	}
}
