// The health check: whether D1 responds, and how far webhook deliveries are behind.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { lacksTables } from "../../db/database";
import { isOlderSchema, SCHEMA_HASH } from "../../db/schema";
import { schemaVersion } from "../../db/schema-version.table";
import { longestOverdue } from "../../events/backlog";
import { anyone } from "../../http/callers/access";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { ApiError } from "../../shared/errors";

const OLDER_SCHEMA =
	"the database is older than this version of the service: apply the migrations, as npm start and npm run deploy do at their beginning";
const OTHER_SCHEMA =
	"the database has the schema of a later or another version of the service: run that version, or delete the local data (npm run reset) and start again";

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
		oldest_overdue_seconds: z
			.int()
			.meta({ description: "How long the oldest overdue webhook delivery has been due, in seconds; 0 when none is overdue" }),
	}),
	description: "At most five seconds old.",
	reads: "primary",
	async handle(_, services) {
		const known = recent.get(KEY, services.realNow);
		const outcome = known?.fresh ? known.value : await check(services);
		if (!known?.fresh) recent.set(KEY, outcome, services.realNow);
		if (outcome === "UNAVAILABLE") throw new ApiError("SERVICE_UNAVAILABLE");
		return outcome;
	},
});

/** Anybody may call this, so an isolate asks D1 at most once in five seconds, even while D1 is down. */
const recent = new BoundedCache<Outcome>(1, 5_000);
const KEY = "health";

type Outcome = { status: "ok"; oldest_overdue_seconds: number } | "UNAVAILABLE";

/** Asks all databases at once. */
async function check(services: Services): Promise<Outcome> {
	const overdue = await Promise.all(services.everywhere().map(overdueSecondsIn));
	return overdue.includes(undefined) ? "UNAVAILABLE" : { status: "ok", oldest_overdue_seconds: Math.max(...overdue.map((s) => s ?? 0)) };
}

/** How long the oldest overdue delivery of one database has been due; undefined when the database cannot serve. */
async function overdueSecondsIn({ db, now, log }: Services): Promise<number | undefined> {
	try {
		const [[version], [waiting]] = await db.read(
			db.orm.select().from(schemaVersion).where(eq(schemaVersion.id, 1)),
			longestOverdue(db.orm, now),
		);
		if (version?.hash === SCHEMA_HASH) return Math.floor((now - (waiting?.due ?? now)) / 1000);
		const found = version?.hash ?? null;
		log.error(isOlderSchema(found) ? OLDER_SCHEMA : OTHER_SCHEMA, undefined, { expected: SCHEMA_HASH, found });
	} catch (error) {
		log.error(lacksTables(error) ? OLDER_SCHEMA : "D1 does not answer", error);
	}
	return undefined;
}
