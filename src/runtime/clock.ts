// How far the service's clock runs ahead of real time: always zero in production, movable in the sandbox.

import { repeated } from "../db/transient";
import { BoundedCache } from "../shared/cache";
import type { Config } from "./config";

/** Used in `local` only, where one isolate serves everything. A deployed sandbox has many isolates and asks D1 each time. */
const offsets = new BoundedCache<number>(1, Number.POSITIVE_INFINITY);

/** In ms. */
export async function clockOffset(database: D1Database, environment: Config["ENVIRONMENT"]): Promise<number> {
	if (environment === "production") return 0;
	const known = environment === "local" ? offsets.get("offset", 0) : undefined;
	if (known) return known.value;
	const found = () => database.prepare("select offset_ms from sandbox_clock where id = 1").first<number>("offset_ms");
	const offset = (await repeated(found)) ?? 0;
	offsets.set("offset", offset, 0);
	return offset;
}

/** Gives this isolate the offset that was committed. */
export function rememberOffset(offsetMs: number): void {
	offsets.set("offset", offsetMs, 0);
}
