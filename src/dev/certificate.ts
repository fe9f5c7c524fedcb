// One self-signed certificate for receivers on this machine, so that webhooks can be tried over real TLS. It is made once and kept in
// `.local/`: a service started today trusts a receiver started tomorrow.

import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import forge from "node-forge";
import { createWhole, writeWhole } from "./whole-file.ts";

const DAY_MS = 86_400_000;
const LIFE_DAYS = 3650;
const RENEWED_BEFORE_DAYS = 30;

/** In PEM. */
export type Certificate = { readonly key: string; readonly cert: string };

// Node makes the keys: forge's own generator is slow and draws from its own random source.
function create(): string {
	const { publicKey, privateKey } = generateKeyPairSync("rsa", {
		modulusLength: 2048,
		publicKeyEncoding: { type: "spki", format: "pem" },
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
	});
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
	// A serial number must be positive: the leading byte keeps the sign bit clear.
	certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
	certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
	certificate.validity.notAfter = new Date(Date.now() + LIFE_DAYS * DAY_MS);
	// A random name: TLS clients find an issuer by name and would confuse two certificates with the same one.
	const subject = [{ name: "commonName", value: `Local webhook receivers ${randomBytes(4).toString("hex")}` }];
	certificate.setSubject(subject);
	certificate.setIssuer(subject);
	certificate.setExtensions([
		{ name: "basicConstraints", critical: true, cA: false },
		{ name: "extKeyUsage", serverAuth: true },
		// 7 is an IP address, 2 a DNS name (RFC 5280, GeneralName).
		{
			name: "subjectAltName",
			altNames: [
				{ type: 7, ip: "127.0.0.1" },
				{ type: 7, ip: "::1" },
				{ type: 2, value: "localhost" },
			],
		},
	]);
	certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
	return `${privateKey}${forge.pki.certificateToPem(certificate)}`;
}

/** undefined where the file does not exist. */
function textOf(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw error;
	}
}

/** undefined where there is none in it that is valid for some time. */
function certificateIn(text: string | undefined): Certificate | undefined {
	if (text === undefined) return undefined;
	try {
		const cert = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*/.exec(text)?.[0] ?? "";
		const expires = Date.parse(new X509Certificate(cert).validTo);
		return expires > Date.now() + RENEWED_BEFORE_DAYS * DAY_MS ? { key: text.replace(cert, ""), cert } : undefined;
	} catch {
		return undefined;
	}
}

/** The certificate kept in this directory, by default the checkout's `.local`; made at the first call. */
export function loopbackCertificate(directory = path.resolve(import.meta.dirname, "../../.local")): Certificate {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	// Key and certificate stand in one file, so that two processes never take them from two certificates.
	const file = path.join(directory, "certificate.pem");
	const text = textOf(file);
	const known = certificateIn(text);
	if (known) return known;
	// Another process may make the first one meanwhile; then that is the one.
	if (text === undefined) createWhole(file, create());
	else writeWhole(file, create());
	const made = certificateIn(textOf(file));
	if (!made) throw new Error(`the certificate in ${file} cannot be read`);
	return made;
}
