// A new endpoint with its first signing key.

import type * as z from "zod";
import type { Write } from "../../../db/database";
import { webhookEndpoints } from "../../../events/table";
import type { Services } from "../../../runtime/services";
import { mintSigningKey } from "../signing/store";
import { webhookSigningKeys } from "../table";
import type { EndpointRow } from "../wire";
import { orTooManyEndpoints, sealHeaders } from "./store";
import { batchColumns, type NewEndpoint } from "./wire";

/** @param urlOf the URL, which may name the endpoint */
export async function newEndpoint(
	services: Services,
	organizationId: string,
	{ urlOf, ...wanted }: Omit<z.output<typeof NewEndpoint>, "url"> & { urlOf: (webhookId: string) => string },
) {
	const { db, now } = services;
	const id = services.newId();
	const row: EndpointRow = {
		id,
		organizationId,
		name: wanted.name,
		description: wanted.description ?? null,
		url: urlOf(id),
		status: "ACTIVE",
		events: wanted.events,
		filter: wanted.filter,
		timeoutMs: wanted.timeout,
		maxInFlight: wanted.max_in_flight,
		rateLimit: wanted.rate_limit,
		ordering: wanted.ordering,
		...batchColumns(wanted.batch),
		...(await sealHeaders(services, { organizationId, webhookId: id }, wanted.headers)),
		failuresInRow: 0,
		slow: false,
		rateUsedUntil: null,
		wakesAt: null,
		hintedAt: null,
		releasedUntil: null,
		troubledSince: null,
		suspendedAt: null,
		suspensionReason: null,
		autoRecover: wanted.auto_recover,
		probeAt: null,
		createdAt: now,
		updatedAt: now,
	};
	const key = await mintSigningKey(services, organizationId, id);
	const writes: Write[] = [
		db.orm.insert(webhookEndpoints).values(row),
		db.orm.insert(webhookSigningKeys).values(key.row),
		orTooManyEndpoints(organizationId),
	];
	return { row, key, writes };
}
