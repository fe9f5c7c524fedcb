// The secret by which your receiver verifies what `npm run listen` hands on: one for each checkout, so that you configure it once.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createWhole } from "./whole-file.ts";

/** The secret of this checkout, which the first call makes. */
export function keptSecret(checkout: string): string {
	const file = path.join(checkout, ".local/listen-secret");
	mkdirSync(path.dirname(file), { recursive: true });
	createWhole(file, `whsec_${randomBytes(32).toString("base64")}\n`);
	return readFileSync(file, "utf8").trim();
}
