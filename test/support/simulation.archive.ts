// The archive of a simulation of webhooks, which fails now and then, and what it has in the end.

import { env } from "cloudflare:workers";
import { getDelivery } from "../../src/domains/webhooks/deliveries/operations";
import { archiveBy } from "../../src/providers/archive";
import type { Archive } from "../../src/runtime/ports";
import type { JobServices } from "../../src/runtime/services";
import { allDeliveries } from "./all-deliveries";
import { call, expectOk } from "./client";

const bucket = archiveBy(env.BUCKET) as Archive;

/** The bindings of requests that read the archive. */
export const ARCHIVED = { ARCHIVE: env.BUCKET };

/** The same services with an archive that may fail after an object: what that holds is still in the database too, and is written again. */
export function withArchive(made: JobServices, fails: () => boolean): JobServices {
	const archive: Archive = {
		...bucket,
		write: async (...object) => {
			await bucket.write(...object);
			if (fails()) throw new Error("gone");
		},
	};
	const providers = new Proxy(made.providers, { get: (real, name) => (name === "archive" ? archive : Reflect.get(real, name, real)) });
	return { ...made, providers };
}

/** Those of the deliveries that have left the database: all of them can still be read. */
export async function archivedAmong(ids: Iterable<string>, as: string) {
	const kept = new Set((await allDeliveries()).map(({ id }) => id));
	const gone = [...ids].filter((id) => !kept.has(id));
	const found = await Promise.all(gone.map(async (id) => expectOk(await call(getDelivery, { as, vars: ARCHIVED, path: { id } }))));
	return found.map(({ id, event_id, webhook_id, status, last_error }) => ({
		...{ id, status, eventId: event_id, webhookId: webhook_id, lastError: last_error },
	}));
}
