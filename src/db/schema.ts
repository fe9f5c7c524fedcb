// Which tables this version of the service expects of a database: those that its migrations make, up to the last.

import { SCHEMA_VERSIONS } from "./schema-versions";

const hashes = Object.values(SCHEMA_VERSIONS);

/** The number of the last migration of this version, under which it leaves its hash. */
export const OWN_MIGRATION = Number.parseInt(Object.keys(SCHEMA_VERSIONS).at(-1) ?? "", 10);

/** What the last migration writes into the database. */
export const SCHEMA_HASH = hashes.at(-1) ?? "";

/** Whether a database with this hash, null for none, lacks later migrations only. */
export const isOlderSchema = (hash: string | null): boolean => hash === null || (hash !== SCHEMA_HASH && hashes.includes(hash));
