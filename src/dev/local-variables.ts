// The local values of the configuration: `.dev.vars`, in the form that wrangler's own dotenv parser reads.
// An existing file is never touched, whatever it lacks: it may hold the only key that decrypts somebody's data.

import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";

/** A private key set as `SERVICE_KEYS` wants it. */
export function freshServiceKeys(): string {
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	return JSON.stringify({ keys: [{ ...privateKey.export({ format: "jwk" }), kid: randomUUID(), alg: "RS256", use: "sig" }] });
}

export const freshMasterKey = (): string => randomBytes(32).toString("base64");

export function localVariables(): Record<string, string> {
	return {
		ENVIRONMENT: "local",
		SERVICE_KEYS: freshServiceKeys(),
		MASTER_KEY: freshMasterKey(),
		MESSAGE_SENDER: "outbox",
		CUSTODIAN: "sandbox",
		DISBURSER: "sandbox",
		AUTHORIZATION_PROVIDER: "embedded",
		// So that a receiver on this machine can be registered.
		WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
		WEBHOOK_ALLOWED_PORTS: "*",
		RATE_LIMITS: "on",
	};
}

/** Single quotes are the one form that dotenv takes as it stands: no escapes, no `#`. */
export function dotenv(variables: Record<string, string>): string {
	return Object.entries(variables)
		.map(([name, value]) => {
			if (/['\r\n]/.test(value)) throw new Error(`${name} cannot be written to .dev.vars: it holds a quote or a line break`);
			return `${name}='${value}'\n`;
		})
		.join("");
}

/** Writes `.dev.vars` with fresh secrets, unless there is one. Answers whether it did. */
export function ensureLocalVariables(directory: string): boolean {
	try {
		// "wx": of two starts at once one writes, and the other keeps what it wrote.
		writeFileSync(path.join(directory, ".dev.vars"), dotenv(localVariables()), { flag: "wx", mode: 0o600 });
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
		throw error;
	}
}
