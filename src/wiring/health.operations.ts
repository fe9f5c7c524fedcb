// The health check: whether D1 responds, and how far webhook deliveries are behind.

import { desc, lte } from "drizzle-orm";
import * as z from "zod";
import { lacksTables } from "../db/database";
import { first } from "../db/reads";
import { schemaVersion } from "../db/schema-version.table";
import { SCHEMA_VERSIONS } from "../db/schema-versions";
import { longestOverdue } from "../events/backlog";
import { anyone } from "../http/callers/access";
import { operation } from "../http/operation";
import type { Services } from "../runtime/services";
import { SERVICE_VERSION } from "../runtime/version";
import { BoundedCache } from "../shared/cache";
import { ApiError } from "../shared/errors";
import { percentOf } from "../shared/storage-levels";
import { toTimestamp } from "../shared/time";

const hashes = Object.values(SCHEMA_VERSIONS);

/** The number of the last migration of this version, under which it leaves its hash. */
export const OWN_MIGRATION = Number.parseInt(Object.keys(SCHEMA_VERSIONS).at(-1) ?? "", 10);

/** What the last migration writes into the database. */
export const SCHEMA_HASH = hashes.at(-1) ?? "";

/** Whether a database with this hash, null for none, lacks later migrations only. */
export const isOlderSchema = (hash: string | null): boolean => hash === null || (hash !== SCHEMA_HASH && hashes.includes(hash));

const OLDER_SCHEMA =
	"the database is older than this version of the service: apply the migrations, as npm start and npm run deploy do at their beginning";
const OTHER_SCHEMA =
	"the database has the schema of another version of the service, and not what this one adds: run that version, or delete the local data (npm run reset) and start again";

export const getHealth = operation({
	id: "getHealth",
	method: "GET",
	path: "/healthz",
	summary: "Health of the service",
	access: anyone,
	home: "directory",
	gated: false,
	request: {},
	response: z.object({
		status: z.literal("ok"),
		now: z.iso.datetime().meta({ description: "The service's clock, which in a sandbox may be ahead" }),
		version: z.string().meta({ description: "The version of the service" }),
		release: z.string().nullable().meta({ description: "The deployment, as `npm run deploy` has named it; null for another" }),
		schema: z.string().meta({
			description: "The beginning of the hash of the migrations that this version needs, and all databases have, perhaps with later ones",
		}),
		oldest_overdue_seconds: z
			.int()
			.meta({ description: "How long the oldest overdue webhook delivery has been due, in seconds; 0 when none is overdue" }),
		storage_percent: z.int().meta({
			description:
				"How full the fullest database is. From 90 finished webhook deliveries are kept for a week at most; from 95 for a day, and no new ones are made",
		}),
	}),
	description: "At most five seconds old, except `now`.",
	reads: "primary",
	async handle(_, services) {
		const known = recent.get(KEY, services.realNow);
		const outcome = known?.fresh ? known.value : await check(services);
		if (!known?.fresh) recent.set(KEY, outcome, services.realNow);
		if (outcome === "UNAVAILABLE") throw new ApiError("SERVICE_UNAVAILABLE");
		const built = { version: SERVICE_VERSION, release: services.config.RELEASE ?? null, schema: SCHEMA_HASH.slice(0, SCHEMA_SHOWN) };
		return { ...outcome, now: toTimestamp(services.now), ...built };
	},
});

/** `npm run deploy` compares as much. */
const SCHEMA_SHOWN = 12;

/** Anybody may call this, so an isolate asks D1 at most once in five seconds, even while D1 is down. */
const recent = new BoundedCache<Outcome>(1, 5_000);
const KEY = "health";

type State = { overdueSeconds: number; percent: number };
type Outcome = { status: "ok"; oldest_overdue_seconds: number; storage_percent: number } | "UNAVAILABLE";

/** Asks all databases at once. */
async function check(services: Services): Promise<Outcome> {
	const states = await Promise.all(services.everywhere().map(stateOf));
	const known = states.filter((state) => state !== undefined);
	if (known.length < states.length) return "UNAVAILABLE";
	return {
		status: "ok",
		oldest_overdue_seconds: Math.max(...known.map(({ overdueSeconds }) => overdueSeconds)),
		storage_percent: Math.max(...known.map(({ percent }) => percent)),
	};
}

/** How long the oldest overdue delivery of one database has been due, and how full it is; undefined when the database cannot serve. */
async function stateOf({ db, now, log, config }: Services): Promise<State | undefined> {
	try {
		// Later migrations only extend what this version uses: it serves on after they were applied, and when it is rolled back to.
		const { version, waiting } = await db.read({
			version: first(
				db.orm.select().from(schemaVersion).where(lte(schemaVersion.id, OWN_MIGRATION)).orderBy(desc(schemaVersion.id)).limit(1),
			),
			waiting: first(longestOverdue(db.orm, now)),
		});
		if (version?.hash === SCHEMA_HASH)
			return { overdueSeconds: Math.floor((now - (waiting?.due ?? now)) / 1000), percent: percentOf(db.bytes, config.DATABASE_BYTES) };
		const found = version?.hash ?? null;
		log.error(isOlderSchema(found) ? OLDER_SCHEMA : OTHER_SCHEMA, undefined, { expected: SCHEMA_HASH, found });
	} catch (error) {
		log.error(lacksTables(error) ? OLDER_SCHEMA : "D1 does not answer", error);
	}
	return undefined;
}
