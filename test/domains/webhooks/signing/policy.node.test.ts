import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maskedSecret, mintSecret, secretTail, signatureHeader } from "../../../../src/domains/webhooks/signing/policy";
import vectors from "../../../vectors/signatures.json";

const { secretA, secretB } = vectors;
const bytes = (text: string) => new TextEncoder().encode(text);
const hmac = (secret: string, t: number, body: Uint8Array) => createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");

describe("signatureHeader", () => {
	it("builds the header of the vectors", async () => {
		const [one, two] = vectors.cases;
		expect(await signatureHeader([secretA], bytes(one?.body ?? ""), 1_700_000_000_999)).toBe(one?.header);
		expect(await signatureHeader([secretB, secretA], bytes(two?.body ?? ""), 1_700_000_000_000)).toBe(two?.header);
	});

	it("signs the exact bytes of the body, newest key first, in lower case and without spaces", async () => {
		const body = new Uint8Array([0, 255, 254, 10]);
		const header = await signatureHeader([secretB, secretA], body, 1_800_000_000_500);
		expect(header).toBe(`t=1800000000,v1=${hmac(secretB, 1_800_000_000, body)},v1=${hmac(secretA, 1_800_000_000, body)}`);
		expect(header).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/);
	});

	it("differs between attempts only in t and the digests", async () => {
		const first = await signatureHeader([secretA], bytes("{}"), 1_700_000_000_000);
		expect(await signatureHeader([secretA], bytes("{}"), 1_700_000_000_001)).toBe(first);
		expect(await signatureHeader([secretA], bytes("{}"), 1_700_000_001_000)).not.toBe(first);
	});

	it("has entries only for the given keys", async () => {
		expect(await signatureHeader([], bytes("{}"), 5_000)).toBe("t=5");
	});
});

describe("secrets", () => {
	it("are whsec_ and 32 bytes in URL-safe base64", () => {
		for (let round = 0; round < 200; round++) {
			const source = randomBytes(32);
			const secret = mintSecret(source);
			expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
			expect(Buffer.from(secret.slice(6), "base64url")).toEqual(source);
		}
	});

	it("cannot be made of fewer bytes", () => {
		expect(() => mintSecret(new Uint8Array(16))).toThrow(RangeError);
	});

	it("are masked except for the last four characters", () => {
		expect(maskedSecret(secretTail(secretA))).toBe("whsec_...LaSw");
	});
});
