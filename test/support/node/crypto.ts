// Cryptography, remembered: plans ask for the same keys, signatures and digests thousands of times, and each costs a turn of Node's thread
// pool. What is drawn at random (ECDSA, encryption) is left as it is.

import { webcrypto } from "node:crypto";

const { subtle } = webcrypto;
type Subtle = typeof subtle;

const MOST = 20_000;
const results = new Map<string, Promise<unknown>>();
const keys = new WeakMap<object, number>();
let named = 0;

/** The arguments as a text: bytes by what they hold, keys by which they are. */
const textOf = (args: readonly unknown[]): string =>
	JSON.stringify(args, (_, value: unknown) => {
		if (value instanceof ArrayBuffer) return Buffer.from(value).toString("latin1");
		if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1");
		if (!(value instanceof CryptoKey)) return value;
		const known = keys.get(value) ?? ++named;
		keys.set(value, known);
		return `key ${known}`;
	});

function remembered(name: "importKey" | "deriveKey" | "digest" | "sign" | "verify"): void {
	const original = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
	const remembering = (...args: unknown[]): Promise<unknown> => {
		const [algorithm] = args as [string | { readonly name: string }];
		if ((typeof algorithm === "string" ? algorithm : algorithm.name) === "ECDSA" && name === "sign") return original(...args);
		const text = `${name} ${textOf(args)}`;
		const result = results.get(text) ?? original(...args);
		if (results.size >= MOST) results.clear();
		results.set(text, result);
		return result;
	};
	subtle[name] = remembering as Subtle[typeof name] & ((...args: never[]) => Promise<never>);
}

for (const name of ["importKey", "deriveKey", "digest", "sign", "verify"] as const) remembered(name);
