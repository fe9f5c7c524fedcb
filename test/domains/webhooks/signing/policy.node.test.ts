import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maskedSecret, mintSecret, secretTail, signatureHeader } from "../../../../src/domains/webhooks/signing/policy";
import vectors from "../../../vectors/signatures.json";

const { secretA, secretB } = vectors;
const bytes = (text: string) => new TextEncoder().encode(text);
const hmac = (secret: string, t: number, body: Uint8Array) => createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");

describe("signatureHeader", () => {
	it("writes the header of the vectors", async () => {
		const [one, two] = vectors.cases;
		expect(await signatureHeader([secretA], bytes(one?.body ?? ""), 1_700_000_000_999)).toBe(one?.header);
		expect(await signatureHeader([secretB, secretA], bytes(two?.body ?? ""), 1_700_000_000_000)).toBe(two?.header);
	});

	it("signs the very bytes of the body, newest key first, in lower case and without a space", async () => {
		const body = new Uint8Array([0, 255, 254, 10]);
		const header = await signatureHeader([secretB, secretA], body, 1_800_000_000_500);
		expect(header).toBe(`t=1800000000,v1=${hmac(secretB, 1_800_000_000, body)},v1=${hmac(secretA, 1_800_000_000, body)}`);
		expect(header).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/);
	});

	it("differs between attempts in nothing but what follows from t", async () => {
		const first = await signatureHeader([secretA], bytes("{}"), 1_700_000_000_000);
		expect(await signatureHeader([secretA], bytes("{}"), 1_700_000_000_001)).toBe(first);
		expect(await signatureHeader([secretA], bytes("{}"), 1_700_000_001_000)).not.toBe(first);
	});

	it("has no entry but for the keys that it was given", async () => {
		expect(await signatureHeader([], bytes("{}"), 5_000)).toBe("t=5");
	});
});

describe("secrets", () => {
	it("are whsec_ and 32 bytes in the alphabet that is safe in URLs and shells", () => {
		for (let round = 0; round < 200; round++) {
			const source = randomBytes(32);
			const secret = mintSecret(source);
			expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
			expect(Buffer.from(secret.slice(6), "base64url")).toEqual(source);
		}
	});

	it("are not made of fewer bytes", () => {
		expect(() => mintSecret(new Uint8Array(16))).toThrow(RangeError);
	});

	it("are shown by their last four characters alone", () => {
		expect(maskedSecret(secretTail(secretA))).toBe("whsec_...LaSw");
	});
});
