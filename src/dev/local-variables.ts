// The local configuration: `.dev.vars`, in the form that wrangler's dotenv parser reads.
// An existing file is never changed, even when it is incomplete: it may hold the only key that decrypts local data.

import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { createWhole } from "./whole-file.ts";

/** A new private key set in the form of `SERVICE_KEYS`. */
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
		// Lets webhooks call receivers on this machine.
		WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
		WEBHOOK_ALLOWED_PORTS: "*",
		RATE_LIMITS: "on",
	};
}

/** In single quotes, the only form in which dotenv reads a value literally, without escapes or comments. */
export function dotenv(variables: Record<string, string>): string {
	return Object.entries(variables)
		.map(([name, value]) => {
			if (/['\r\n]/.test(value)) throw new Error(`${name} cannot be written to .dev.vars: it holds a quote or a line break`);
			return `${name}='${value}'\n`;
		})
		.join("");
}

/** Writes `.dev.vars` with fresh secrets unless it exists. Returns whether it wrote the file. */
export function ensureLocalVariables(directory: string): boolean {
	const file = path.join(directory, ".dev.vars");
	return !existsSync(file) && createWhole(file, dotenv(localVariables()));
}
