// A bucket of R2 in Node.

import { createHash } from "node:crypto";
import { arrival } from "./clock";

type Kept = { readonly bytes: Uint8Array<ArrayBuffer>; readonly uploaded: Date; readonly options: R2PutOptions };
type Body = Parameters<R2Bucket["put"]>[1];

const MOST_LISTED = 1_000;

async function bytesOf(body: Body): Promise<Uint8Array<ArrayBuffer>> {
	return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
}

class Described {
	readonly key: string;
	readonly size: number;
	readonly etag: string;
	readonly uploaded: Date;
	readonly httpMetadata: R2PutOptions["httpMetadata"];
	readonly customMetadata: R2PutOptions["customMetadata"];

	constructor(key: string, { bytes, uploaded, options }: Kept) {
		this.key = key;
		this.size = bytes.length;
		this.etag = createHash("md5").update(bytes).digest("hex");
		this.uploaded = uploaded;
		this.httpMetadata = options.httpMetadata ?? {};
		this.customMetadata = options.customMetadata ?? {};
	}
}

/** Its body is read once. */
class Fetched extends Described {
	readonly #response: Response;

	constructor(key: string, kept: Kept) {
		super(key, kept);
		this.#response = new Response(kept.bytes);
	}

	get body(): ReadableStream {
		return this.#response.body as unknown as ReadableStream;
	}

	get bodyUsed(): boolean {
		return this.#response.bodyUsed;
	}

	text(): Promise<string> {
		return this.#response.text();
	}

	json(): Promise<unknown> {
		return this.#response.json();
	}

	arrayBuffer(): Promise<ArrayBuffer> {
		return this.#response.arrayBuffer();
	}
}

export class Bucket {
	readonly #kept = new Map<string, Kept>();

	async put(key: string, body: Body, options: R2PutOptions = {}): Promise<Described> {
		const kept = { bytes: await bytesOf(body), uploaded: new Date(), options };
		await arrival();
		this.#kept.set(key, kept);
		return new Described(key, kept);
	}

	async get(key: string): Promise<Fetched | null> {
		await arrival();
		const kept = this.#kept.get(key);
		return kept ? new Fetched(key, kept) : null;
	}

	async head(key: string): Promise<Described | null> {
		await arrival();
		const kept = this.#kept.get(key);
		return kept ? new Described(key, kept) : null;
	}

	async delete(keys: string | string[]): Promise<void> {
		await arrival();
		for (const key of [keys].flat()) this.#kept.delete(key);
	}

	/** A page in the order of the keys; its cursor names the last of them. */
	async list({ prefix = "", limit = MOST_LISTED, cursor }: R2ListOptions = {}) {
		await arrival();
		const after = cursor === undefined ? undefined : Buffer.from(cursor, "base64").toString();
		const keys = [...this.#kept.keys()].filter((key) => key.startsWith(prefix) && (after === undefined || key > after)).sort();
		const objects = keys.slice(0, Math.min(limit, MOST_LISTED)).map((key) => new Described(key, this.#kept.get(key) as Kept));
		const last = objects.at(-1);
		return keys.length > objects.length && last
			? { objects, delimitedPrefixes: [], truncated: true, cursor: Buffer.from(last.key).toString("base64") }
			: { objects, delimitedPrefixes: [], truncated: false };
	}

	clear(): void {
		this.#kept.clear();
	}
}
