// The subkeys of MASTER_KEY, derived by HKDF: one per purpose, for sealing (AES-256-GCM) and tagging (HMAC-SHA256).
// Every sealed text and tag names its master key, so that keys rotate without rewriting stored data.

import { equalBytes, fromBase64, toBase64Url, toHex, utf8 } from "./bytes";

export type SealPurpose =
	| "webhook-secret"
	| "webhook-headers"
	| "message"
	| "refresh-answer"
	| "recovery"
	| "erasure"
	| "connection"
	| "confirmation"
	| "push-token"
	| "shown-once"
	| "kept-answer";
export type TagPurpose = "cursor" | "otp" | "api-key" | "refresh-token" | "challenge" | "actor" | "callback" | "first-refresh-token";
/** What is stored as a digest: names in the directory, and texts in the audit trail. */
export type DigestPurpose = "phone" | "identity" | "audit" | "tag" | "oldest";

const CHECK_BYTES = 8;

type MasterKey = { id: string; material: CryptoKey };

/** What identifies a master key: its id, as sealed texts name it, and a digest by which it is known again. */
export type KeyMark = { readonly id: string; readonly digest: string };

/** A text's digest under the oldest key, and under the key that takes its place while the oldest is retired. */
export type Digest = { readonly value: string; readonly next?: { readonly value: string; readonly keyId: string } };

/** Stands before the last key while it is retired. */
const RETIRED = "retire:";

export class Keyring {
	readonly #masters: readonly [MasterKey, ...MasterKey[]];
	/** The key that takes the place of the last, while that is retired. */
	readonly #successor: MasterKey | undefined;
	readonly #subkeys = new Map<string, CryptoKey>();
	/** Every request and every batch of messages asks for them. */
	readonly #marks = new Map<string, KeyMark>();

	private constructor(masters: readonly [MasterKey, ...MasterKey[]], successor: MasterKey | undefined) {
		this.#masters = masters;
		this.#successor = successor;
	}

	/**
	 * Reads `MASTER_KEY`: 32 bytes in base64, several separated by commas; the first encrypts, all decrypt. The last makes the digests; with
	 * `retire:` before it, they move to the one before it.
	 */
	static async parse(text: string): Promise<Keyring> {
		const parts = text.split(",").map((part) => part.trim());
		const isRetiring = parts.length > 1 && (parts.at(-1) ?? "").startsWith(RETIRED);
		const keys = parts.map((part, index) => (isRetiring && index === parts.length - 1 ? part.slice(RETIRED.length) : part));
		const [first, ...rest] = await Promise.all(keys.map(importMaster));
		if (!first) throw new Error("no key");
		const masters = [first, ...rest] as const;
		if (new Set(masters.map(({ id }) => id)).size < masters.length) throw new Error("the same key twice");
		return new Keyring([first, ...rest], isRetiring ? masters.at(-2) : undefined);
	}

	/** Encrypts. `context` (row, owner) is authenticated: a ciphertext moved to another row does not open. */
	async seal(purpose: SealPurpose, context: string, plain: string): Promise<string> {
		const [master] = this.#masters;
		return this.#seal(master, await this.#subkey(master, "AES-GCM", purpose), { context, plain });
	}

	/** Encrypts so that it takes what the holder has, as well as the master key, to decrypt. */
	async sealFor(holder: string, purpose: SealPurpose, context: string, plain: string): Promise<string> {
		const [master] = this.#masters;
		return this.#seal(master, await this.#heldKey(master, purpose, holder), { context, plain });
	}

	async #seal(master: MasterKey, key: CryptoKey, { context, plain }: { context: string; plain: string }): Promise<string> {
		const iv = crypto.getRandomValues(new Uint8Array(12));
		const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: utf8(context) }, key, utf8(plain));
		return `${master.id}.${toBase64Url(iv)}.${toBase64Url(sealed)}`;
	}

	/** Decrypts what `seal` returned; undefined when it was changed, moved, or sealed with a key that is no longer configured. */
	async open(purpose: SealPurpose, context: string, sealed: string): Promise<string | undefined> {
		return this.#open(sealed, context, (master) => this.#subkey(master, "AES-GCM", purpose));
	}

	/** Decrypts what `sealFor` returned. */
	async openFor(holder: string, purpose: SealPurpose, context: string, sealed: string): Promise<string | undefined> {
		return this.#open(sealed, context, (master) => this.#heldKey(master, purpose, holder));
	}

	async #open(sealed: string, context: string, keyOf: (master: MasterKey) => Promise<CryptoKey>): Promise<string | undefined> {
		const [id, iv, body] = sealed.split(".");
		const master = this.#masters.find((each) => each.id === id);
		const ivBytes = fromBase64(iv ?? "");
		const bodyBytes = fromBase64(body ?? "");
		if (!master || !ivBytes || !bodyBytes) return undefined;
		const key = await keyOf(master);
		try {
			return new TextDecoder().decode(
				await crypto.subtle.decrypt({ name: "AES-GCM", iv: ivBytes, additionalData: utf8(context) }, key, bodyBytes),
			);
		} catch {
			return undefined;
		}
	}

	/** A keyed digest of `text`, for values that are only compared and never read back. */
	async tag(purpose: TagPurpose, text: string): Promise<string> {
		const [master] = this.#masters;
		return `${master.id}.${toBase64Url(await this.#hmac(master, purpose, text))}`;
	}

	/** Whether `tag` was made for `text`, compared in constant time. */
	async verifyTag(purpose: TagPurpose, text: string, tag: string): Promise<boolean> {
		const [id, digest] = tag.split(".");
		const master = this.#masters.find((key) => key.id === id);
		const given = fromBase64(digest ?? "");
		if (!master || !given) return false;
		return equalBytes(new Uint8Array(await this.#hmac(master, purpose, text)), given);
	}

	/**
	 * The one keyed digest of `text`, for look-ups and uniqueness: made with the oldest key held, so that putting a new key in
	 * front changes none. A key must stay in the list as long as digests made with it are kept.
	 */
	async digest(purpose: DigestPurpose, text: string): Promise<string> {
		return toBase64Url(await this.#hmac(this.#oldest, purpose, text));
	}

	/** The digest by which `text` is looked up; two while the oldest key is retired. */
	async digests(purpose: DigestPurpose, text: string): Promise<Digest> {
		const value = await this.digest(purpose, text);
		if (!this.#successor) return { value };
		return { value, next: { value: toBase64Url(await this.#hmac(this.#successor, purpose, text)), keyId: this.#successor.id } };
	}

	get #oldest(): MasterKey {
		return this.#masters.at(-1) ?? this.#masters[0];
	}

	/** The key of digests. */
	oldest(): Promise<KeyMark> {
		return this.#markOf(this.#oldest);
	}

	/** The key to which digests move; undefined unless the oldest is retired. */
	async successor(): Promise<KeyMark | undefined> {
		return this.#successor && this.#markOf(this.#successor);
	}

	async #markOf(master: MasterKey): Promise<KeyMark> {
		const known = this.#marks.get(master.id);
		if (known) return known;
		const mark = { id: master.id, digest: toBase64Url(await this.#hmac(master, "oldest", "")) };
		this.#marks.set(master.id, mark);
		return mark;
	}

	/** A short keyed digest for texts that carry it themselves: it shows that this service made the text. */
	async check(purpose: TagPurpose, text: string, bytes = CHECK_BYTES): Promise<string> {
		return this.#check(this.#masters[0], purpose, text, bytes);
	}

	/** Whether `check` was made for `text` under any of the master keys, compared in constant time. */
	async verifyCheck(purpose: TagPurpose, text: string, check: string, bytes = CHECK_BYTES): Promise<boolean> {
		const expected = await Promise.all(this.#masters.map((master) => this.#check(master, purpose, text, bytes)));
		return expected.some((one) => equalBytes(utf8(one), utf8(check)));
	}

	async #check(master: MasterKey, purpose: TagPurpose, text: string, bytes: number): Promise<string> {
		return toBase64Url((await this.#hmac(master, purpose, text)).slice(0, bytes));
	}

	async #hmac(master: MasterKey, purpose: TagPurpose | DigestPurpose, text: string): Promise<ArrayBuffer> {
		return crypto.subtle.sign("HMAC", await this.#subkey(master, "HMAC", purpose), utf8(text));
	}

	async #subkey(master: MasterKey, algorithm: "AES-GCM" | "HMAC", purpose: string): Promise<CryptoKey> {
		const name = `${master.id}:${algorithm}:${purpose}`;
		const known = this.#subkeys.get(name);
		if (known) return known;
		const derived = await derive(master, algorithm, purpose);
		this.#subkeys.set(name, derived);
		return derived;
	}

	/** Not remembered: each holder has another. */
	#heldKey(master: MasterKey, purpose: SealPurpose, holder: string): Promise<CryptoKey> {
		return derive(master, "AES-GCM", `${purpose}\n${holder}`);
	}
}

const derive = (master: MasterKey, algorithm: "AES-GCM" | "HMAC", info: string): Promise<CryptoKey> =>
	crypto.subtle.deriveKey(
		{ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: utf8(info) },
		master.material,
		algorithm === "HMAC" ? { name: "HMAC", hash: "SHA-256", length: 256 } : { name: "AES-GCM", length: 256 },
		false,
		algorithm === "HMAC" ? ["sign"] : ["encrypt", "decrypt"],
	);

async function importMaster(text: string): Promise<MasterKey> {
	const bytes = fromBase64(text);
	if (bytes?.length !== 32) throw new Error("not 32 bytes of base64");
	const id = toHex(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 8);
	return { id, material: await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]) };
}
