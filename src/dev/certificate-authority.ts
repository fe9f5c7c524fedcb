// A throw-away certificate authority for this checkout, so that a receiver on this machine can serve real HTTPS.
// It is created once and kept in `.local/`: a service started today trusts a receiver started tomorrow.

import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import forge from "node-forge";
import { createWhole, writeWhole } from "./whole-file.ts";

/** Where this checkout keeps its authority. */
export const authorityDirectory = path.resolve(import.meta.dirname, "../../.local");

const dayMs = 86_400_000;
const authorityDays = 3650;
const certificateDays = 30;

export interface CertificateAuthority {
	/** PEM of the authority's certificate, and the file that holds it. */
	readonly certificate: string;
	readonly certificatePath: string;
	/** A fresh key and a certificate for these host names and addresses. */
	issue(hosts: readonly string[]): { readonly key: string; readonly cert: string };
}

interface KeyPair {
	readonly publicKey: string;
	readonly privateKey: string;
}

// Node makes the keys: forge's own generator is slow and draws from its own random source.
function newKeyPair(): KeyPair {
	return generateKeyPairSync("rsa", {
		modulusLength: 2048,
		publicKeyEncoding: { type: "spki", format: "pem" },
		privateKeyEncoding: { type: "pkcs8", format: "pem" },
	});
}

interface Subject {
	readonly name: string;
	readonly publicKey: string;
	readonly days: number;
	readonly extensions: readonly object[];
}

function certify(subject: Subject, issuer: { readonly name: string; readonly privateKey: string }): string {
	const certificate = forge.pki.createCertificate();
	certificate.publicKey = forge.pki.publicKeyFromPem(subject.publicKey);
	// A serial number must be positive: the leading byte keeps the sign bit clear.
	certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
	certificate.validity.notBefore = new Date(Date.now() - dayMs);
	certificate.validity.notAfter = new Date(Date.now() + subject.days * dayMs);
	certificate.setSubject([{ name: "commonName", value: subject.name }]);
	certificate.setIssuer([{ name: "commonName", value: issuer.name }]);
	certificate.setExtensions([...subject.extensions, { name: "subjectKeyIdentifier" }]);
	certificate.sign(forge.pki.privateKeyFromPem(issuer.privateKey), forge.md.sha256.create());
	return forge.pki.certificateToPem(certificate);
}

function create(): string {
	const keys = newKeyPair();
	// A random name: TLS clients find an issuer by name and would confuse two authorities with the same one.
	const name = `Local webhook receivers ${randomBytes(4).toString("hex")}`;
	const extensions = [
		{ name: "basicConstraints", critical: true, cA: true, pathLenConstraint: 0 },
		{ name: "keyUsage", critical: true, keyCertSign: true, cRLSign: true },
	];
	const certificate = certify({ name, publicKey: keys.publicKey, days: authorityDays, extensions }, { name, privateKey: keys.privateKey });
	return `${keys.privateKey}${certificate}`;
}

/** The key and the certificate stand in one file, so that two processes never take them from two authorities. */
function read(file: string): { certificate: string; privateKey: string } | undefined {
	try {
		const text = readFileSync(file, "utf8");
		const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*/.exec(text)?.[0] ?? "";
		const expires = Date.parse(new X509Certificate(certificate).validTo);
		return expires > Date.now() + certificateDays * dayMs ? { certificate, privateKey: text.replace(certificate, "") } : undefined;
	} catch {
		return undefined;
	}
}

function readOrCreate(file: string): { certificate: string; privateKey: string } {
	const known = read(file);
	if (known) return known;
	rmSync(file, { force: true });
	// Another process may create it first; then its authority is the one.
	createWhole(file, create());
	const fresh = read(file);
	if (!fresh) throw new Error(`the certificate authority in ${file} cannot be read`);
	return fresh;
}

/** The authority kept in this directory, created at the first call. */
export function openAuthority(directory: string): CertificateAuthority {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	const certificatePath = path.join(directory, "authority.pem");
	const { certificate, privateKey } = readOrCreate(path.join(directory, "authority.key.pem"));
	writeWhole(certificatePath, certificate);
	const name = new X509Certificate(certificate).subject.replace(/^CN=/, "");
	return {
		certificate,
		certificatePath,
		issue(hosts) {
			const keys = newKeyPair();
			const extensions = [
				{ name: "basicConstraints", critical: true, cA: false },
				{ name: "keyUsage", critical: true, digitalSignature: true, keyEncipherment: true },
				{ name: "extKeyUsage", serverAuth: true },
				// 7 is an IP address, 2 a DNS name (RFC 5280, GeneralName).
				{ name: "subjectAltName", altNames: hosts.map((host) => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host })) },
			];
			const subject = { name: hosts[0] ?? "localhost", publicKey: keys.publicKey, days: certificateDays, extensions };
			return { key: keys.privateKey, cert: certify(subject, { name, privateKey }) };
		},
	};
}
