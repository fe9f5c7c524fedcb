// Builds what a request, a queue message or a cron run works with: the one place that chooses the adapters of the ports.

import { Databases } from "../db/databases";
import { placesOf } from "../db/places";
import { embedded } from "../domains/organizations/authorization";
import { webhookQueueBy } from "../events/queue";
import { openFga } from "../providers/authorization.openfga";
import { custodianBy } from "../providers/custodian";
import { disburserBy } from "../providers/disburser";
import { keySetsBy } from "../providers/jwks";
import { messageSenderBy } from "../providers/messages";
import { nameLookupBy } from "../providers/name-lookup";
import { nameResolverBy } from "../providers/name-resolution";
import { payoutBy } from "../providers/payout";
import { simSwapBy } from "../providers/sim-swap";
import { webhookSenderBy } from "../providers/webhook-sender";
import { clockOffset } from "../runtime/clock";
import { type Config, ConfigurationError, configuration } from "../runtime/config";
import { type Log, logger } from "../runtime/log";
import type { AuthorizationProvider, Fetch, Providers } from "../runtime/ports";
import { type Edge, type JobServices, jobServices } from "../runtime/services";
import { eventTypes } from "./events";

/** Called as a function of its own, because workerd refuses its fetch as a method of another object. */
const platformFetch: Fetch = (input, init) => fetch(input, init);

/** Throws `ConfigurationError`. */
export async function servicesFor({
	env,
	ctx,
	url,
	clientAddress = "unknown",
	requestId = crypto.randomUUID(),
	sessions,
	place = placesOf(env).directory,
	fetch = platformFetch,
}: Edge): Promise<JobServices> {
	const config = await configuration(env);
	const log = logger({ request_id: requestId });
	const realNow = Date.now();
	const places = placesOf(env);
	const offset = await clockOffset(places.directory.database, config.ENVIRONMENT).catch(() => {
		// The database is out of reach, or it has no migrations yet.
		throw new ConfigurationError({ DB: "cannot be read, or has no migrations yet" });
	});
	const now = realNow + offset;
	const databases = new Databases(places, sessions);
	const local = "http://localhost";
	const services = {
		env,
		config,
		now,
		realNow,
		requestId,
		url: url ?? local,
		clientAddress,
		baseUrl: config.BASE_URL ?? (url ? new URL(url).origin : local),
		issuer: config.ENVIRONMENT === "local" ? local : (config.BASE_URL ?? local),
		eventTypes,
		providers: providersFor({ config, fetch, databases, realNow, log, diagnosis: env.CONNECTION_DIAGNOSIS }),
		queue: webhookQueueBy(env),
		afterwards(work: Promise<unknown>) {
			ctx.waitUntil(work.catch((error: unknown) => log.error("background work failed", error)));
		},
		log,
	};
	return jobServices(services, databases, place.firstHome);
}

type Given = { config: Config; fetch: Fetch; databases: Databases; realNow: number; log: Log; diagnosis: Env["CONNECTION_DIAGNOSIS"] };

/** Chooses the adapters by configuration. Getters, so that a request builds none that it does not use. */
function providersFor({ config, fetch, databases, realNow, log, diagnosis }: Given): Providers {
	const authorizationBy = (name: AuthorizationProvider["name"]): AuthorizationProvider =>
		name === "openfga" ? openFga(config, fetch, realNow, log) : embedded(databases);
	return {
		get disburser() {
			return disburserBy(config, fetch);
		},
		get custodian() {
			return custodianBy(config, fetch);
		},
		get simSwap() {
			return simSwapBy(config, fetch);
		},
		get nameLookup() {
			return nameLookupBy(config, fetch);
		},
		get payout() {
			return payoutBy(config, fetch);
		},
		get messageSender() {
			return messageSenderBy(config, fetch);
		},
		get nameResolver() {
			return nameResolverBy(config, fetch);
		},
		get keySets() {
			return keySetsBy(fetch, realNow);
		},
		get webhookSender() {
			return webhookSenderBy(fetch, config.ENVIRONMENT === "local" ? diagnosis : undefined);
		},
		get authorization() {
			return authorizationBy(config.AUTHORIZATION_PROVIDER);
		},
		resourceAccess: authorizationBy,
	};
}
