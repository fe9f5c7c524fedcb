// Builds what a request, a queue message or a cron run works with: the one place that chooses the adapters of the ports.

import { Database, Meter } from "../db/database";
import { embedded } from "../domains/organizations/authorization";
import type { AuthorizationProvider } from "../providers/authorization";
import { openFga } from "../providers/authorization.openfga";
import { clockOffset } from "../runtime/clock";
import { ConfigurationError, configuration } from "../runtime/config";
import { logger } from "../runtime/log";
import { type Edge, type JobServices, jobServices } from "../runtime/services";
import { uuidv7 } from "../shared/ids";

/** Throws `ConfigurationError`. */
export async function servicesFor({
	env,
	ctx,
	url,
	clientAddress = "unknown",
	requestId = crypto.randomUUID(),
	constraint = "first-primary",
}: Edge): Promise<JobServices> {
	const config = await configuration(env);
	const log = logger({ request_id: requestId });
	const realNow = Date.now();
	const offset = await clockOffset(env.DB, config.ENVIRONMENT).catch(() => {
		// Out of reach, or the migrations were never applied to it.
		throw new ConfigurationError(["DB"]);
	});
	const now = realNow + offset;
	const meter = new Meter();
	const db = new Database(env.DB, constraint, meter);
	const authorizationBy = (name: AuthorizationProvider["name"]) => (name === "openfga" ? openFga(config, realNow, log) : embedded(db));
	const local = "http://localhost";
	const services = {
		env,
		config,
		primary: () => new Database(env.DB, "first-primary", meter),
		now,
		realNow,
		newId: () => uuidv7(now),
		requestId,
		url: url ?? local,
		clientAddress,
		baseUrl: config.BASE_URL ?? (url ? new URL(url).origin : local),
		issuer: config.ENVIRONMENT === "local" ? local : (config.BASE_URL ?? local),
		authorization: authorizationBy(config.AUTHORIZATION_PROVIDER),
		resourceAccess: authorizationBy,
		afterwards(work: Promise<unknown>) {
			ctx.waitUntil(work.catch((error: unknown) => log.error("background work failed", error)));
		},
		log,
	};
	return jobServices(services, db);
}
