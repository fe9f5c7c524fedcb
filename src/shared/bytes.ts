// Bytes as text: UTF-8, base64, base64url and hex, and digests over them.

const encoder = new TextEncoder();

export const utf8 = (text: string) => encoder.encode(text) as Uint8Array<ArrayBuffer>;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
	let hex = "";
	for (const byte of new Uint8Array(bytes)) hex += HEX[byte];
	return hex;
}

/** Expects an even number of hex digits. */
export const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** How many bytes one call takes as arguments: the runtime refuses more than some 125,000. */
const ARGUMENTS = 8_192;

export function toBase64(bytes: ArrayBuffer | Uint8Array): string {
	const all = new Uint8Array(bytes);
	let binary = "";
	for (let at = 0; at < all.length; at += ARGUMENTS) binary += String.fromCharCode(...all.subarray(at, at + ARGUMENTS));
	return btoa(binary);
}

export const toBase64Url = (bytes: ArrayBuffer | Uint8Array): string =>
	toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Accepts base64 and base64url, padded or not; returns undefined for anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	try {
		const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
		const bytes = new Uint8Array(binary.length);
		for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
		return bytes;
	} catch {
		return undefined;
	}
}

export const sha256Hex = async (text: string): Promise<string> => toHex(await crypto.subtle.digest("SHA-256", utf8(text)));

/** Compares in constant time: the duration depends on the lengths only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
	let difference = a.length ^ b.length;
	for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
	return difference === 0;
}
