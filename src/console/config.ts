// What this installation offers, asked once.

import { call } from "./api.ts";
import type { BodyOf } from "./typed.ts";

export type Config = BodyOf<"GET /console/config.json">;

let asked: Promise<Config> | undefined;

export function config(): Promise<Config> {
	asked ??= call("GET /console/config.json").catch((error: unknown) => {
		asked = undefined;
		throw error;
	});
	return asked;
}
