// The receivers' module meets the published vectors and refuses what is malformed.

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { equalDigests, parseSignatureHeader, type Refusal, verifyWebhook } from "../../src/webhook-verify/verify";
import vectors from "../vectors/signatures.json";

const { secretA, secretB } = vectors;
const now = 1_700_000_000;
const body = '{"hello":"world"}';
const REASONS: Refusal[] = [
	"MISSING_HEADER",
	"MALFORMED_HEADER",
	"MISSING_TIMESTAMP",
	"INVALID_TIMESTAMP",
	"MISSING_SIGNATURE",
	"MALFORMED_SIGNATURE",
	"TIMESTAMP_TOO_OLD",
	"TIMESTAMP_IN_FUTURE",
	"NO_SECRET",
	"NO_MATCH",
];
const sign = (secret: string, text: string | Uint8Array, t: string | number = now) =>
	createHmac("sha256", secret).update(`${t}.`).update(text).digest("hex");

describe("the published vectors", () => {
	it.each(vectors.cases)("$name: $verdict", async ({ header, body, secrets, now, tolerance, verdict }) => {
		const result = await verifyWebhook(header, body, secrets, now, tolerance);
		if (verdict !== "either") expect(result.valid).toBe(verdict === "accept");
		if (!result.valid) expect(REASONS).toContain(result.reason);
	});
});

describe("verifyWebhook", () => {
	const good = `t=${now},v1=${sign(secretA, body)}`;

	it("says which of the secrets matched, and when the request was signed", async () => {
		expect(await verifyWebhook(good, body, [secretB, secretA], now)).toEqual({ valid: true, timestamp: now, keyIndex: 1 });
	});

	it("accepts both keys throughout a rotation", async () => {
		const both = `t=${now},v1=${sign(secretB, body)},v1=${sign(secretA, body)}`;
		for (const secrets of [[secretA], [secretB], [secretA, secretB]]) {
			expect(await verifyWebhook(both, body, secrets, now)).toMatchObject({ valid: true, keyIndex: 0 });
		}
	});

	it("reads a body that is not UTF-8, in any kind of buffer", async () => {
		const bytes = new Uint8Array([0, 0xff, 0xfe, 0x80, 10]);
		const header = `t=${now},v1=${sign(secretA, bytes)}`;
		const within = new Uint8Array([1, 1, ...bytes, 1]).subarray(2, 7);
		for (const form of [bytes, bytes.buffer, within, Buffer.from(bytes), new DataView(bytes.buffer)]) {
			expect(await verifyWebhook(header, form, [secretA], now)).toMatchObject({ valid: true });
		}
	});

	it("signs an empty body and characters outside ASCII", async () => {
		for (const text of ["", '{"name":"Wanjikũ 🦁"}']) {
			expect(await verifyWebhook(`t=${now},v1=${sign(secretA, text)}`, text, [secretA], now)).toMatchObject({ valid: true });
		}
	});

	it("accepts timestamps within the tolerance, to the second, in the past and in the future", async () => {
		const at = async (seconds: number, tolerance?: number) => {
			const result = await verifyWebhook(good, body, [secretA], seconds, tolerance);
			return result.valid ? "VALID" : result.reason;
		};
		expect(await at(now + 300)).toBe("VALID");
		expect(await at(now + 300.9)).toBe("VALID");
		expect(await at(now + 301)).toBe("TIMESTAMP_TOO_OLD");
		expect(await at(now - 300)).toBe("VALID");
		expect(await at(now - 301)).toBe("TIMESTAMP_IN_FUTURE");
		expect(await at(now + 11, 10)).toBe("TIMESTAMP_TOO_OLD");
	});

	it("refuses when now or the tolerance is not a number", async () => {
		expect(await verifyWebhook(good, body, [secretA], Number.NaN)).toMatchObject({ valid: false });
		expect(await verifyWebhook(good, body, [secretA], now, Number.NaN)).toMatchObject({ valid: false });
		expect(await verifyWebhook(good, body, [secretA], now * 1000)).toMatchObject({ valid: false });
	});

	it("never matches the empty secret, and ignores it in a list with a real one", async () => {
		const forged = `t=${now},v1=${sign("", body)}`;
		expect(await verifyWebhook(forged, body, [], now)).toEqual({ valid: false, reason: "NO_SECRET" });
		expect(await verifyWebhook(forged, body, ["", secretA], now)).toEqual({ valid: false, reason: "NO_MATCH" });
		expect(await verifyWebhook(good, body, ["", secretA], now)).toMatchObject({ valid: true, keyIndex: 1 });
	});

	it.each([
		[[undefined]],
		[[null]],
		[[0]],
		[[true]],
		[[{}]],
		[[[]]],
		[[""]],
		[undefined],
		[null],
		["whsec_alone"],
		[{ 0: "whsec_a", length: 1 }],
	])("refuses %j as secrets, also with a signature under their text", async (secrets) => {
		const [first] = Array.isArray(secrets) ? (secrets as unknown[]) : [secrets];
		const forged = `t=${now},v1=${sign(String(first), body)}`;
		expect(await verifyWebhook(forged, body, secrets as never, now)).toEqual({ valid: false, reason: "NO_SECRET" });
		expect(await verifyWebhook(good, body, secrets as never, now)).toEqual({ valid: false, reason: "NO_SECRET" });
	});

	it("ignores values that are no secrets in a list with a real one", async () => {
		const secrets = [undefined, null, secretA] as never;
		expect(await verifyWebhook(good, body, secrets, now)).toMatchObject({ valid: true, keyIndex: 2 });
		expect(await verifyWebhook(`t=${now},v1=${sign("null", body)}`, body, secrets, now)).toEqual({ valid: false, reason: "NO_MATCH" });
	});

	it("throws for a parsed body, which no signature can match", async () => {
		await expect(verifyWebhook(good, JSON.parse(body), [secretA], now)).rejects.toThrow(TypeError);
	});
});

describe("parseSignatureHeader", () => {
	const digest = "0".repeat(64);
	it.each([
		[undefined, "MISSING_HEADER"],
		[null, "MISSING_HEADER"],
		["", "MISSING_HEADER"],
		[[`t=1,v1=${digest}`], "MALFORMED_HEADER"],
		[17, "MALFORMED_HEADER"],
		[{}, "MALFORMED_HEADER"],
		[" ", "MALFORMED_HEADER"],
		[",", "MALFORMED_HEADER"],
		["=", "MALFORMED_HEADER"],
		["=1", "MALFORMED_HEADER"],
		["\u0000", "MALFORMED_HEADER"],
		[`t=1;v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=1,t=1,v1=${digest}`, "MALFORMED_HEADER"],
		[`t=1,v1=${digest},`, "MALFORMED_HEADER"],
		[`v1=${digest}`, "MISSING_TIMESTAMP"],
		[`T=1,v1=${digest}`, "MISSING_TIMESTAMP"],
		[`t=,v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=-1,v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=+1,v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=0x1,v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=1.0,v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=١,v1=${digest}`, "INVALID_TIMESTAMP"],
		[`t=9007199254740992,v1=${digest}`, "INVALID_TIMESTAMP"],
		["t=1", "MISSING_SIGNATURE"],
		["t=1,v0=a,v2=b", "MISSING_SIGNATURE"],
	])("answers %j with %s", (header, reason) => {
		expect(parseSignatureHeader(header)).toEqual({ valid: false, reason });
	});

	it("returns a result for any text", () => {
		const alphabet = ["t", "v1", "=", ",", "0", "a", " ", "\n", "é", "\ud800", "."];
		let seed = 7;
		for (let round = 0; round < 5000; round++) {
			let text = "";
			for (let length = seed % 12; length >= 0; length--) {
				seed = (seed * 48271) % 2147483647;
				text += alphabet[seed % alphabet.length];
			}
			expect(parseSignatureHeader(text)).toHaveProperty("valid");
		}
	});

	it("keeps the digits of t as they were written", () => {
		expect(parseSignatureHeader(`t=007,v1=${digest}`)).toMatchObject({ valid: true, timestamp: 7, timestampText: "007" });
	});
});

describe("equalDigests", () => {
	it("finds digests unequal that differ at any position or in length", () => {
		const digest = "0123456789abcdef".repeat(4);
		expect(equalDigests(digest, digest)).toBe(true);
		for (let i = 0; i < 64; i++) {
			expect(equalDigests(digest, `${digest.slice(0, i)}g${digest.slice(i + 1)}`)).toBe(false);
		}
		expect(equalDigests(digest, `${digest}0`)).toBe(false);
		expect(equalDigests(digest, digest.slice(0, 63))).toBe(false);
	});
});
