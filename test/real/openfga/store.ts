// The store of the real server: made and compared by the commands of the repository, read and changed by hand.

import { execFile } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { repository } from "../../../src/dev/service.ts";
import { KEY } from "./server.ts";
import type { Person, Results } from "./world.ts";

type Ran = { readonly code: unknown; readonly stdout: string; readonly stderr: string };

/** `npm run -s openfga -- …` */
export const command = (words: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ran> =>
	new Promise((resolve) => {
		const env = { ...process.env, OPENFGA_TOKEN: KEY, ...variables };
		execFile(process.execPath, [path.join(repository, "tools/openfga.ts"), ...words], { env }, (error, stdout, stderr) =>
			resolve({ code: error ? error.code : 0, stdout, stderr }),
		);
	});

export type Ids = { readonly OPENFGA_STORE_ID: string; readonly OPENFGA_MODEL_ID: string };
type Key = { user: string; relation: string; object: string };

export class Store {
	readonly url: string;
	readonly ids: Ids;

	private constructor(url: string, ids: Ids) {
		this.url = url;
		this.ids = ids;
	}

	/** A new store with the model, by the command. */
	static async load(url: string): Promise<Store> {
		const { stdout, stderr } = await command(["load"], { OPENFGA_URL: url });
		if (stderr !== "") throw new Error(stderr);
		return new Store(
			url,
			Object.fromEntries(
				stdout
					.trim()
					.split("\n")
					.map((line) => line.split("=")),
			) as Ids,
		);
	}

	async ask<T>(what: string, body: object): Promise<T> {
		const response = await fetch(`${this.url}/stores/${this.ids.OPENFGA_STORE_ID}/${what}`, {
			method: "POST",
			headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${what} answered ${response.status} ${await response.text()}`);
		return (await response.json()) as T;
	}

	/** Every tuple as `user relation object`. */
	async all(): Promise<string[]> {
		const tuples: string[] = [];
		for (let token = ""; ; ) {
			const page = await this.ask<{ tuples: { key: Key }[]; continuation_token: string }>("read", {
				page_size: 100,
				...(token && { continuation_token: token }),
			});
			tuples.push(...page.tuples.map(({ key }) => `${key.user} ${key.relation} ${key.object}`));
			token = page.continuation_token;
			if (token === "") return tuples.sort();
		}
	}

	/** What it says of somebody. */
	async of({ id }: Person): Promise<string[]> {
		const own = `user:${id} `;
		return (await this.all()).flatMap((tuple) => (tuple.startsWith(own) ? [tuple.slice(own.length)] : []));
	}

	async change(writes: readonly string[], deletes: readonly string[]): Promise<void> {
		const keys = (texts: readonly string[]) =>
			texts.map((text) => text.split(" ")).map(([user, relation, object]) => ({ user, relation, object }));
		await this.ask("write", {
			...(writes.length > 0 && { writes: { tuple_keys: keys(writes) } }),
			...(deletes.length > 0 && { deletes: { tuple_keys: keys(deletes) } }),
		});
	}
}

/** Work that follows a commit is awaited. */
export async function comesToBe<T>(results: Results, what: string, read: () => Promise<T>, expected: T, seconds = 15): Promise<void> {
	const until = Date.now() + seconds * 1_000;
	let found = await read();
	while (JSON.stringify(found) !== JSON.stringify(expected) && Date.now() < until) {
		await sleep(50);
		found = await read();
	}
	results.is(what, found, expected);
}
