// Signatures meet the published vectors.

import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maskedSecret, mintSecret, secretTail } from "../../../../src/domains/webhooks/signing/policy";
import { signatureHeader, signatureHeaders, signerOf } from "../../../../src/domains/webhooks/signing/signer.crypto";
import vectors from "../../../vectors/signatures.json";

const { secretA, secretB } = vectors;
const signers = (...secrets: string[]) => Promise.all(secrets.map(signerOf));
const bytes = (text: string) => new TextEncoder().encode(text);
const hmac = (secret: string, t: number, body: Uint8Array) => createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");

describe("signatureHeader", () => {
	it("builds the header of the vectors", async () => {
		const [one, two] = vectors.cases;
		expect(await signatureHeader(await signers(secretA), bytes(one?.body ?? ""), 1_700_000_000_999)).toBe(one?.header);
		expect(await signatureHeader(await signers(secretB, secretA), bytes(two?.body ?? ""), 1_700_000_000_000)).toBe(two?.header);
	});

	it("signs the exact bytes of the body, newest key first, in lower case and without spaces", async () => {
		const body = new Uint8Array([0, 255, 254, 10]);
		const header = await signatureHeader(await signers(secretB, secretA), body, 1_800_000_000_500);
		expect(header).toBe(`t=1800000000,v1=${hmac(secretB, 1_800_000_000, body)},v1=${hmac(secretA, 1_800_000_000, body)}`);
		expect(header).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/);
	});

	it("differs between attempts only in t and the digests", async () => {
		const first = await signatureHeader(await signers(secretA), bytes("{}"), 1_700_000_000_000);
		expect(await signatureHeader(await signers(secretA), bytes("{}"), 1_700_000_000_001)).toBe(first);
		expect(await signatureHeader(await signers(secretA), bytes("{}"), 1_700_000_001_000)).not.toBe(first);
	});

	it("has entries only for the given keys", async () => {
		expect(await signatureHeader(await signers(), bytes("{}"), 5_000)).toBe("t=5");
	});
});

describe("signatureHeaders", () => {
	const body = new Uint8Array([123, 0, 255, 254, 125]);
	const standard = (secret: string) => {
		const key = Buffer.from(secret.slice("whsec_".length), "base64");
		return `v1,${createHmac("sha256", key).update("one.1700000000.").update(body).digest("base64")}`;
	};

	it("adds the headers of Standard Webhooks, with a signature for each key, newest first", async () => {
		const [older, newer] = [mintSecret(randomBytes(32)), mintSecret(randomBytes(32))];
		expect(await signatureHeaders(await signers(newer, older), { id: "one", body }, 1_700_000_000_999)).toEqual({
			"X-Service-Signature": await signatureHeader(await signers(newer, older), body, 1_700_000_000_999),
			"webhook-id": "one",
			"webhook-timestamp": "1700000000",
			"webhook-signature": `${standard(newer)} ${standard(older)}`,
		});
	});

	it("signs with older secrets, which are base64url without padding", async () => {
		const secret = `whsec_${Buffer.alloc(32, 0xfb).toString("base64url")}`;
		expect(secret).toMatch(/[-_]/);
		expect(await signatureHeaders(await signers(secret), { id: "one", body }, 1_700_000_000_000)).toMatchObject({
			"webhook-signature": standard(secret),
		});
	});
});

describe("secrets", () => {
	it("are whsec_ and 32 bytes in standard base64", () => {
		for (let round = 0; round < 200; round++) {
			const source = randomBytes(32);
			const secret = mintSecret(source);
			expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
			expect(Buffer.from(secret.slice(6), "base64")).toEqual(source);
		}
	});

	it("cannot be made of fewer bytes", () => {
		expect(() => mintSecret(new Uint8Array(16))).toThrow(RangeError);
	});

	it("are masked except for the last four characters", () => {
		expect(maskedSecret(secretTail(secretA))).toBe("whsec_...LaSw");
	});
});
