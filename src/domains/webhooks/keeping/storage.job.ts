// Keeps webhook deliveries from filling the database: the sweep looks how full it is, and what follows is in its row.

import { eq } from "drizzle-orm";
import { first } from "../../../db/reads";
import { storageLevels } from "../../../events/table";
import type { JobServices } from "../../../runtime/services";
import { levelOf, percentOf } from "../../../shared/storage-levels";

const current = ({ db }: JobServices) => db.read(first(db.orm.select().from(storageLevels).where(eq(storageLevels.id, 1))));

/** Records how full the database is when that has changed. */
export async function measureStorage(services: JobServices): Promise<boolean> {
	const { db, config, log, home } = services;
	const row = await current(services);
	const before = row?.level ?? "AMPLE";
	const level = levelOf(db.bytes, config.DATABASE_BYTES);
	if (level !== "AMPLE")
		log.error("a database is filling up", undefined, { home, percent: percentOf(db.bytes, config.DATABASE_BYTES), level });
	if (level !== before)
		await db.commit([
			db.orm.insert(storageLevels).values({ id: 1, level }).onConflictDoUpdate({ target: storageLevels.id, set: { level } }),
		]);
	return false;
}
