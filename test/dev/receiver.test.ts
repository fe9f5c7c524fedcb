// The receiver over real sockets. Certificates are verified: no test turns that off.

import { execFile } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as requestPlainly } from "node:http";
import { request } from "node:https";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Certificate, loopbackCertificate } from "../../src/dev/certificate.ts";
import { type Receiver, type ReceiverOptions, startReceiver, verifySignature } from "../../src/dev/receiver.ts";

const secret = "whsec_c2VjcmV0";
const body = '{"event_type":"loan.disbursed","amount":1}';
const seconds = (ms: number): string => String(Math.floor(ms / 1000));
const sign = (t: string, key = secret, text = body): string => createHmac("sha256", key).update(`${t}.${text}`).digest("hex");

let directory: string;
let certificate: Certificate;
let receiver: Receiver | undefined;
beforeAll(() => {
	directory = mkdtempSync(path.join(os.tmpdir(), "certificate-"));
	certificate = loopbackCertificate(directory);
});
afterEach(() => receiver?.close());
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function start(options: ReceiverOptions = {}): Promise<Receiver> {
	receiver = await startReceiver(options);
	return receiver;
}

interface Sent {
	readonly url: string;
	readonly id?: string;
	readonly signature?: string;
	readonly ca?: string;
	readonly timeoutMs?: number;
}

function send({ url, id = randomUUID(), signature, ca = certificate.cert, timeoutMs = 2_000 }: Sent) {
	const headers = {
		"content-type": "application/json",
		"x-service-delivery-id": id,
		"x-service-event-type": "loan.disbursed",
		...(signature !== undefined && { "x-service-signature": signature }),
	};
	return new Promise<number>((resolve, reject) => {
		const options = { method: "POST", ca, headers, signal: AbortSignal.timeout(timeoutMs), agent: false } as const;
		const sending = (url.startsWith("https:") ? request : requestPlainly)(url, options, (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		});
		sending.on("error", reject);
		sending.end(body);
	});
}

describe("the receiver's certificate", () => {
	it.each(["127.0.0.1", "localhost"])("is valid for %s", async (host) => {
		const { url } = await start({ certificate });
		expect(await send({ url: url.replace("127.0.0.1", host) })).toBe(200);
	});

	it("is made once, and again when it has gone or is damaged", () => {
		expect(loopbackCertificate(directory)).toEqual(certificate);
		const other = mkdtempSync(path.join(os.tmpdir(), "certificate-"));
		const made = loopbackCertificate(other);
		expect(made).not.toEqual(certificate);
		writeFileSync(path.join(other, "certificate.pem"), made.cert.slice(0, 500));
		const next = loopbackCertificate(other);
		expect(next).not.toEqual(made);
		expect(loopbackCertificate(other)).toEqual(next);
		rmSync(other, { recursive: true, force: true });
	});

	it("is the same for all processes that start at once", async () => {
		const other = mkdtempSync(path.join(os.tmpdir(), "certificate-"));
		const module = path.resolve(import.meta.dirname, "../../src/dev/certificate.ts");
		const ask = `const { loopbackCertificate } = await import(${JSON.stringify(module)}); console.log(loopbackCertificate(${JSON.stringify(other)}).cert);`;
		const run = promisify(execFile);
		const all = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, ["--input-type=module", "-e", ask])));
		expect(new Set(all.map(({ stdout }) => stdout.trim()))).toEqual(new Set([loopbackCertificate(other).cert.trim()]));
		rmSync(other, { recursive: true, force: true });
	});

	it("is rejected by a client that does not trust it", async () => {
		const other = mkdtempSync(path.join(os.tmpdir(), "certificate-"));
		const { url } = await start({ certificate });
		await expect(send({ url, ca: loopbackCertificate(other).cert })).rejects.toThrow(/certificate/);
		rmSync(other, { recursive: true, force: true });
	});
});

describe("the receiver", () => {
	it("accepts a signed delivery and acknowledges a duplicate without processing it", async () => {
		const { url, deliveries } = await start({ secrets: [secret] });
		const t = seconds(Date.now());
		const sent = { url, id: randomUUID(), signature: `t=${t},v1=${sign(t)}` };
		expect([await send(sent), await send(sent)]).toEqual([200, 200]);
		expect(deliveries.map(({ attempt, duplicate, verdict }) => ({ attempt, duplicate, verdict }))).toEqual([
			{ attempt: 1, duplicate: false, verdict: { valid: true } },
			{ attempt: 2, duplicate: true, verdict: { valid: true } },
		]);
	});

	it("rejects a delivery signed with another secret", async () => {
		const { url } = await start({ secrets: [secret] });
		const t = seconds(Date.now());
		expect(await send({ url, signature: `t=${t},v1=${sign(t, "whsec_other")}` })).toBe(401);
	});

	it("fails the first requests on demand and does not count their repetition as a duplicate", async () => {
		const { url, deliveries } = await start({ failures: 2, failStatus: 503 });
		const id = randomUUID();
		expect([await send({ url, id }), await send({ url, id }), await send({ url, id })]).toEqual([503, 503, 200]);
		expect(deliveries.map((delivery) => delivery.duplicate)).toEqual([false, false, false]);
	});

	it("hangs on demand and records the request", async () => {
		const { url, waitFor } = await start({ hang: true });
		const id = randomUUID();
		await expect(send({ url, id, timeoutMs: 200 })).rejects.toThrow();
		expect(await waitFor((delivery) => delivery.id === id)).toMatchObject({ answered: undefined });
	});

	it("answers late on demand", async () => {
		const { url } = await start({ delayMs: 300 });
		const before = performance.now();
		await send({ url });
		expect(performance.now() - before).toBeGreaterThan(290);
	});
});

describe("a signature", () => {
	const now = 1_800_000_000_000;
	const t = seconds(now);
	const verify = (header: string | undefined) => verifySignature(header, Buffer.from(body), [secret], { now });

	it("is accepted when one of its entries matches, as during a rotation", () => {
		expect(verify(`t=${t},v1=${sign(t, "whsec_new")},v1=${sign(t)}`)).toEqual({ valid: true });
	});

	it("is accepted at 300 s of age and rejected after that", () => {
		const edge = seconds(now - 300_000);
		const late = seconds(now - 301_000);
		expect(verify(`t=${edge},v1=${sign(edge)}`)).toEqual({ valid: true });
		expect(verify(`t=${late},v1=${sign(late)}`)).toEqual({ valid: false, reason: "TOO_OLD" });
	});

	it.each([[undefined], [null], [""], [0]])("is rejected when the only secret is %j", (none) => {
		const header = `t=${t},v1=${sign(t, String(none))}`;
		const rejected = { valid: false, reason: "NO_SECRET" };
		expect(verifySignature(header, Buffer.from(body), [none] as never, { now })).toEqual(rejected);
		expect(verifySignature(header, Buffer.from(body), [none, secret] as never, { now })).toEqual({ valid: false, reason: "NO_MATCH" });
	});

	it("is rejected for another body", () => {
		expect(verify(`t=${t},v1=${sign(t, secret, `${body} `)}`)).toEqual({ valid: false, reason: "NO_MATCH" });
	});

	it.each([
		["nothing", undefined, "MISSING"],
		["an empty header", "", "MISSING"],
		["no t", `v1=${sign(t)}`, "MALFORMED"],
		["a t that is not a number", `t=soon,v1=${sign(t)}`, "MALFORMED"],
		["two ts", `t=${t},t=${t},v1=${sign(t)}`, "MALFORMED"],
		["no v1", `t=${t}`, "MALFORMED"],
		["uppercase hex", `t=${t},v1=${sign(t).toUpperCase()}`, "MALFORMED"],
		["a truncated digest", `t=${t},v1=${sign(t).slice(2)}`, "MALFORMED"],
		["commas only", ",,,", "MALFORMED"],
	])("is rejected for %s", (_, header, reason) => {
		expect(verify(header)).toEqual({ valid: false, reason });
	});
});
