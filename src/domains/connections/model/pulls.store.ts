// Builds the statements on the search for payments that nobody has confirmed.

import { and, eq, lte } from "drizzle-orm";
import type { Effect, Orm } from "../../../db/database";
import { guarded } from "../../../db/guards";
import type { Pull } from "./pulls.policy";
import { type ConnectionRow, paymentConnections } from "./table";

const c = paymentConnections;

/** Connections whose payments are to be looked for, the first of them. */
export const findDuePulls = (orm: Orm, now: number, limit: number) =>
	orm
		.select({
			organizationId: c.organizationId,
			provider: c.provider,
			shortCode: c.shortCode,
			addressVersion: c.addressVersion,
			pull: c.pull,
			nextPullAt: c.nextPullAt,
		})
		.from(c)
		.where(lte(c.nextPullAt, now))
		.orderBy(c.nextPullAt)
		.limit(limit);

export type DuePull = Awaited<ReturnType<typeof findDuePulls>>[number];

/** Stale when another search has begun, or the connection has changed. */
export const recordPull = (
	orm: Orm,
	{ organizationId, provider, nextPullAt }: Pick<ConnectionRow, "organizationId" | "provider" | "nextPullAt">,
	after: { readonly pull: Pull; readonly nextPullAt: number },
): Effect =>
	guarded(
		orm
			.update(c)
			.set(after)
			.where(and(eq(c.organizationId, organizationId), eq(c.provider, provider), eq(c.nextPullAt, nextPullAt ?? 0))),
	);
