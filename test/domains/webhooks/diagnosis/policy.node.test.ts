// Which rule a signature breaks, as a pure rule.

import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DIAGNOSES, diagnose } from "../../../../src/domains/webhooks/diagnosis/policy";
import { mintSecret } from "../../../../src/domains/webhooks/signing/policy";
import vectors from "../../../vectors/signatures.json";

const { secretA, secretB } = vectors;
const minted = mintSecret(new Uint8Array(32).fill(0xfb));
const t = 1_700_000_000;
const envelope = {
	delivery_id: "0198",
	event_type: "approval.outcome",
	payload_version: 1,
	sent_at: "2026-11-20T12:00:00Z",
	organization_id: "o/1",
	data: { decision: "APPROVED", name: "Wanjikũ 🦁" },
};
const body = JSON.stringify(envelope);

const hmac = (key: string | Uint8Array, text: string) => createHmac("sha256", key).update(text).digest("hex");
const header = (digest: string, timestamp: string | number = t) => `t=${timestamp},v1=${digest}`;
const signed = (text: string, secret = secretA, timestamp: string | number = t) => header(hmac(secret, `${timestamp}.${text}`), timestamp);

const ask = (request: Partial<Parameters<typeof diagnose>[0]>) =>
	diagnose({ header: signed(body), body, activeSecrets: [secretB, secretA], revokedSecrets: [], now: t * 1000, ...request });
const reason = async (request: Parameters<typeof ask>[0]) => (await ask(request)).reason;

describe("diagnose", () => {
	it("finds nothing wrong with a valid request, under either active key", async () => {
		expect(await ask({})).toEqual({ valid: true, reason: "VALID", message: "The signature is valid." });
		expect(await ask({ header: signed(body, secretB) })).toMatchObject({ valid: true });
		expect(await ask({ header: `t=${t},v1=${"0".repeat(64)},v1=${hmac(secretA, `${t}.${body}`)}` })).toMatchObject({ valid: true });
	});

	it.each([
		["", "MISSING_HEADER"],
		["nonsense", "MALFORMED_HEADER"],
		[",,,,", "MALFORMED_HEADER"],
		[`t=1,t=${t},v1=${"0".repeat(64)}`, "MALFORMED_HEADER"],
		[`v1=${"0".repeat(64)}`, "MISSING_TIMESTAMP"],
		[`t=now,v1=${"0".repeat(64)}`, "INVALID_TIMESTAMP"],
		[`t=${t}`, "MISSING_SIGNATURE"],
		[`t=${t},v2=${"0".repeat(64)}`, "MISSING_SIGNATURE"],
		[`t=${t},v1=`, "MALFORMED_SIGNATURE"],
		[`t=${t},v1=${"0".repeat(32)}`, "MALFORMED_SIGNATURE"],
		[`t=${t},v1=${"z".repeat(64)}`, "MALFORMED_SIGNATURE"],
		[`t=${t},v1=${"0".repeat(64)}`, "UNKNOWN"],
	])("reads %j as %s", async (header, expected) => expect(await reason({ header })).toBe(expected));

	it("names a wrong clock when everything else is right", async () => {
		expect(await reason({ now: (t + 300) * 1000 })).toBe("VALID");
		expect(await ask({ now: (t + 301) * 1000 })).toMatchObject({
			reason: "TIMESTAMP_TOO_OLD",
			message: expect.stringContaining("301 seconds"),
		});
		expect(await reason({ now: (t - 300) * 1000 })).toBe("VALID");
		expect(await ask({ now: (t - 301) * 1000 })).toMatchObject({
			reason: "TIMESTAMP_IN_FUTURE",
			message: expect.stringContaining("301 seconds"),
		});
	});

	it("names the mistake in an old signature rather than its age", async () => {
		expect(await reason({ now: (t + 9_000) * 1000, body: `${body}\n` })).toBe("BODY_RESERIALIZED");
		const unknown = await ask({ now: (t + 9_000) * 1000, header: header("0".repeat(64)) });
		expect(unknown).toMatchObject({ reason: "UNKNOWN", message: expect.stringContaining("In addition") });
	});

	it("recognizes a revoked key while revoked keys are stored", async () => {
		const request = { header: signed(body, secretB), activeSecrets: [secretA] };
		expect(await reason({ ...request, revokedSecrets: [minted, secretB] })).toBe("REVOKED_KEY");
		expect(await reason({ ...request, activeSecrets: [], revokedSecrets: [secretB] })).toBe("REVOKED_KEY");
		expect(await reason({ ...request, revokedSecrets: undefined })).toBe("UNKNOWN");
	});

	it("says when there is no key to check with", async () => expect(await reason({ activeSecrets: [] })).toBe("NO_ACTIVE_KEY"));

	it("recognizes upper-case hexadecimal", async () => {
		expect(await reason({ header: header(hmac(secretA, `${t}.${body}`).toUpperCase()) })).toBe("UPPERCASE_HEX");
	});

	describe("with a body that was changed before the check", () => {
		const { data, ...rest } = envelope;
		it.each([
			["a line feed was added", `${body}\n`],
			["a carriage return and line feed were added", `${body}\r\n`],
			["spaces were added around it", `  ${body} `],
			["a byte order mark was added", `\ufeff${body}`],
			["it was indented by two spaces", JSON.stringify(envelope, null, 2)],
			["it was indented by tabs, with a line feed", `${JSON.stringify(envelope, null, "\t")}\n`],
			["a space was added after each colon", body.replaceAll('":', '": ')],
			["its members were put into another order", JSON.stringify({ data, ...rest })],
			["characters outside ASCII were escaped", body.replace("ũ", "\\u0169")],
			["slashes were escaped", body.replaceAll("/", "\\/")],
		])("%s", async (_, changed) => {
			expect(changed).not.toBe(body);
			expect(await reason({ body: changed })).toBe("BODY_RESERIALIZED");
		});

		it.each([
			["indented by two spaces", JSON.stringify(envelope, null, 2)],
			["indented by four spaces", JSON.stringify(envelope, null, 4)],
			["indented, with a line feed", `${JSON.stringify(envelope, null, 2)}\n`],
			["with a line feed", `${body}\n`],
			["with its members sorted", JSON.stringify({ data, ...Object.fromEntries(Object.entries(rest).sort()) })],
			["escaped to ASCII", body.replace("ũ", "\\u0169").replace("🦁", "\\ud83e\\udd81")],
			["with escaped slashes", body.replaceAll("/", "\\/")],
		])("recognizes a body signed %s", async (_, text) => {
			expect(await reason({ header: signed(text) })).toBe("BODY_RESERIALIZED");
		});

		it("recognizes the change even if the body is not JSON", async () => {
			expect(await reason({ header: signed("a\nb"), body: "a\r\nb" })).toBe("BODY_RESERIALIZED");
			expect(await reason({ header: signed("a\r\nb"), body: "a\nb" })).toBe("BODY_RESERIALIZED");
			expect(await reason({ header: signed("a"), body: "b" })).toBe("UNKNOWN");
		});

		it("does not recognize a body with other content", async () => {
			expect(await reason({ body: body.replace("APPROVED", "REJECTED") })).toBe("UNKNOWN");
		});

		it("survives a body that is nested extremely deeply", async () => {
			expect(await reason({ body: "[".repeat(50_000) + "]".repeat(50_000) })).toBe("UNKNOWN");
		});
	});

	it.each([
		[":", "a colon"],
		["", "nothing"],
		[",", "a comma"],
		["\n", "a line feed"],
	])("recognizes %j in place of the full stop", async (separator, name) => {
		const answer = await ask({ header: header(hmac(secretA, t + separator + body)) });
		expect(answer).toMatchObject({ valid: false, reason: "WRONG_SEPARATOR", message: expect.stringContaining(name) });
	});

	it("recognizes the comma of the vectors", async () => {
		const comma = vectors.cases.find(({ name }) => name.startsWith("comma"));
		expect(await reason({ header: comma?.header ?? "", body: comma?.body ?? "" })).toBe("WRONG_SEPARATOR");
	});

	it.each([secretA, secretB, minted])("recognizes the decoded or shortened key of %s", async (secret) => {
		const cut = secret.slice("whsec_".length);
		const request = { activeSecrets: [secret] };
		expect(await reason({ ...request, header: header(hmac(Buffer.from(cut, "base64"), `${t}.${body}`)) })).toBe("KEY_BASE64_DECODED");
		expect(await reason({ ...request, header: header(hmac(cut, `${t}.${body}`)) })).toBe("KEY_WITHOUT_PREFIX");
	});

	it("recognizes milliseconds in the header, in the signed text, and in both", async () => {
		expect(await reason({ header: signed(body, secretA, t * 1000 + 7) })).toBe("TIMESTAMP_IN_MILLISECONDS");
		expect(await reason({ header: header(hmac(secretA, `${t}.${body}`), t * 1000 + 7) })).toBe("TIMESTAMP_IN_MILLISECONDS");
		expect(await reason({ header: header(hmac(secretA, `${t}000.${body}`)) })).toBe("TIMESTAMP_IN_MILLISECONDS");
	});

	it("recognizes a digest of the body only", async () => {
		expect(await reason({ header: header(hmac(secretA, body)) })).toBe("BODY_ALONE");
	});

	it("gives every vector a documented reason, and never shows a digest or a secret", async () => {
		for (const { header, body, secrets, now, verdict } of vectors.cases) {
			const answer = await ask({ header: header ?? "", body, activeSecrets: secrets.filter((secret) => secret !== ""), now: now * 1000 });
			expect(DIAGNOSES).toContain(answer.reason);
			if (verdict === "accept") expect(answer.valid).toBe(true);
			if (verdict === "refuse") expect(answer.valid).toBe(false);
			expect(answer.message).not.toMatch(/[0-9a-f]{20}|whsec_\w/);
		}
	});
});
