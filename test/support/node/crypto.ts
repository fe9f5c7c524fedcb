// Cryptography, remembered: plans ask for the same keys, signatures and digests thousands of times, and each costs a turn of Node's thread
// pool. Random texts (ECDSA, encryption) are left as they are.

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

const numberIn = (text: string | undefined) => BigInt(`0x0${Buffer.from(text ?? "", "base64url").toString("hex")}`);

/** workerd refuses a private RSA key whose numbers contradict each other, and Node takes it. */
function checkKey(format: unknown, { kty, n, e, d, p, q }: JsonWebKey): void {
	if (format !== "jwk" || kty !== "RSA" || d === undefined) return;
	const [first, second, product] = [numberIn(p), numberIn(q), numberIn(d) * numberIn(e)];
	const agree = first * second === numberIn(n) && product % (first - 1n) === 1n && product % (second - 1n) === 1n;
	if (!agree) throw new DOMException("Invalid RSA key in JSON Web Key; the numbers contradict each other.", "DataError");
}

function remembered(name: "importKey" | "deriveKey" | "digest" | "sign" | "verify"): void {
	const original = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
	const asked = async (...args: unknown[]) => {
		if (name === "importKey") checkKey(args[0], args[1] as JsonWebKey);
		return original(...args);
	};
	const remembering = (...args: unknown[]): Promise<unknown> => {
		const [algorithm] = args as [string | { readonly name: string }];
		if ((typeof algorithm === "string" ? algorithm : algorithm.name) === "ECDSA" && name === "sign") return original(...args);
		const text = `${name} ${textOf(args)}`;
		const result = results.get(text) ?? asked(...args);
		if (results.size >= MOST) results.clear();
		results.set(text, result);
		return result;
	};
	subtle[name] = remembering as Subtle[typeof name] & ((...args: never[]) => Promise<never>);
}

for (const name of ["importKey", "deriveKey", "digest", "sign", "verify"] as const) remembered(name);
