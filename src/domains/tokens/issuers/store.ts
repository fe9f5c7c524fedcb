// Builds the statements on registered issuers.

import { eq } from "drizzle-orm";
import type { Orm } from "../../../db/database";
import { trustedIssuers } from "../table";

/** Every registered kind of an issuer. */
export const findRegistered = (orm: Orm, issuer: string) => orm.select().from(trustedIssuers).where(eq(trustedIssuers.issuer, issuer));
