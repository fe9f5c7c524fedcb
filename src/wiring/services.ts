// Builds what a request, a queue message or a cron run works with: the one place that chooses the adapters of the ports.

import { connect } from "cloudflare:sockets";
import { Databases } from "../db/databases";
import { placesOf } from "../db/places";
import { first } from "../db/reads";
import { isPaused } from "../domains/connections/model/lifecycle";
import { openSecrets } from "../domains/connections/model/plan";
import { findConnection } from "../domains/connections/model/store";
import { findGuarded, guardsNothing } from "../domains/current-accounts/caution.store";
import { boundByGrants, embedded } from "../domains/organizations/authorization/embedded.adapter";
import { readerOf } from "../domains/organizations/texts/store";
import { webhookQueueBy } from "../events/queue";
import { heldFrom } from "../http/execution";
import { mayBeHeld } from "../http/operation";
import { archiveBy } from "../providers/archive";
import { backupBy } from "../providers/backup";
import { collectionsBy } from "../providers/collections";
import { custodianBy } from "../providers/custodian";
import { type AccountOf, disburserBy } from "../providers/disburser";
import { keySetsBy } from "../providers/jwks";
import { lenderAccountsBy } from "../providers/lender-accounts";
import { messageSenderBy } from "../providers/messages";
import { metricsBy } from "../providers/metrics";
import { nameLookupBy } from "../providers/name-lookup";
import { nameResolverBy } from "../providers/name-resolution";
import { openFga } from "../providers/openfga/authorization";
import { openFgaTuples } from "../providers/openfga/tuples";
import { pagerBy } from "../providers/pager";
import { payoutBy } from "../providers/payout";
import { pushSenderBy } from "../providers/push";
import { simSwapBy } from "../providers/sim-swap";
import { diagnosisBy, webhookSenderBy } from "../providers/webhook-sender";
import { clockOffset } from "../runtime/clock";
import { type Config, ConfigurationError, configuration } from "../runtime/config";
import { askBy, connectionsOf } from "../runtime/connections";
import { type Log, logger } from "../runtime/log";
import { jobFrom, jobServices } from "../runtime/making-services";
import { demandOldestKey } from "../runtime/oldest-key";
import type { Ask, AuthorizationProvider, Fetch, OpenedConnection, Providers } from "../runtime/ports";
import type { Edge, HeldOperation, JobServices, Services } from "../runtime/services";
import { homeOf } from "../shared/ids";
import type { Keyring } from "../shared/keyring";
import { originOf } from "../shared/origin";
import type { PaymentProvider } from "../shared/payment-providers";
import { allEventTypes, operationsByTag } from "./loading";

/** Called as a function of its own, because workerd refuses its fetch as a method of another object. */
const platformFetch: Fetch = (input, init) => fetch(input, init);

/** Throws `ConfigurationError`. */
export async function servicesFor({
	env,
	ctx,
	url,
	clientAddress = "unknown",
	requestId = crypto.randomUUID(),
	locale,
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
	await demandOldestKey(places.directory.database, config.keyring);
	const now = realNow + offset;
	const databases = new Databases(places, sessions);
	const connections = connectionsOf(ctx, config);
	const local = "http://localhost";
	const baseUrl = config.BASE_URL ?? (url ? originOf(url) : local);
	const services = {
		env,
		config,
		now,
		realNow,
		requestId,
		url: url ?? local,
		clientAddress,
		locale,
		baseUrl,
		issuer: config.ENVIRONMENT === "local" ? local : (config.BASE_URL ?? local),
		eventTypes: allEventTypes,
		heldOperation,
		guarded: { find: findGuarded, hasNone: guardsNothing },
		lenders: { readerOf },
		providers: new ChosenProviders({
			config,
			dataset: env.METRICS,
			bucket: env.ARCHIVE,
			backups: env.BACKUP,
			fetch,
			ask: askBy(fetch, connections),
			databases,
			baseUrl,
			now,
			realNow,
			log,
			diagnosis: env.CONNECTION_DIAGNOSIS ?? diagnosisIn(config),
		}),
		connections,
		queue: webhookQueueBy(env, requestId),
		afterwards(this: Services, work: (job: JobServices) => Promise<unknown>) {
			ctx.waitUntil(work(jobFrom(this)).catch((error: unknown) => log.error("background work failed", error)));
		},
		log,
	};
	return jobServices(services, databases, place.firstHome);
}

/** Under `npm start` the launcher reports why a connection failed. */
const diagnosisIn = ({ ENVIRONMENT }: Config) => (ENVIRONMENT === "local" ? diagnosisBy(connect) : undefined);

type Given = {
	config: Config;
	dataset: AnalyticsEngineDataset | undefined;
	bucket: R2Bucket | undefined;
	backups: R2Bucket | undefined;
	/** For what counts its own connections, and for the keys and the authorization of a request. */
	fetch: Fetch;
	ask: Ask;
	databases: Databases;
	baseUrl: string;
	now: number;
	realNow: number;
	log: Log;
	diagnosis: { fetch: Fetch } | undefined;
};

/** Chooses the adapters by configuration. Getters of a class, so that a request builds none that it does not use. */
class ChosenProviders implements Providers {
	readonly #given: Given;
	constructor(given: Given) {
		this.#given = given;
	}
	get #connected() {
		const { config, ask, databases, baseUrl, now } = this.#given;
		const account = { databases, keyring: config.keyring, now };
		return { config, ask, baseUrl, accountOf: ((...named) => accountBehind(account, ...named)) satisfies AccountOf as AccountOf };
	}
	get collections() {
		return collectionsBy(this.#connected);
	}
	get lenderAccounts() {
		return lenderAccountsBy(this.#connected);
	}
	get disburser() {
		return disburserBy(this.#connected);
	}
	get custodian() {
		return custodianBy(this.#given.config, this.#given.ask);
	}
	get simSwap() {
		return simSwapBy(this.#given.config, this.#given.ask);
	}
	get nameLookup() {
		return nameLookupBy(this.#given.config, this.#given.ask);
	}
	get payout() {
		return payoutBy(this.#given.config, this.#given.ask);
	}
	get messageSender() {
		return messageSenderBy(this.#given.config, this.#given.ask);
	}
	get pushSender() {
		return pushSenderBy(this.#given.config, this.#given.ask, this.#given);
	}
	get metrics() {
		return metricsBy(this.#given.config, this.#given.dataset);
	}
	get archive() {
		return archiveBy(this.#given.bucket);
	}
	get backup() {
		return backupBy(this.#given.config, this.#given.backups, this.#given.ask);
	}
	get pager() {
		return pagerBy(this.#given.config, this.#given.ask);
	}
	get nameResolver() {
		return nameResolverBy(this.#given.config, this.#given.fetch);
	}
	get keySets() {
		const { config, fetch, realNow, log } = this.#given;
		return keySetsBy({ fetch, nameResolver: this.nameResolver, realNow, log }, config.ENVIRONMENT === "local");
	}
	get webhookSender() {
		const { config, fetch, diagnosis } = this.#given;
		return webhookSenderBy(fetch, config.ENVIRONMENT === "local" ? diagnosis : undefined);
	}
	get authorization() {
		return this.resourceAccess(this.#given.config.AUTHORIZATION_PROVIDER);
	}
	resourceAccess(name: AuthorizationProvider["name"]): AuthorizationProvider {
		const { config, fetch, databases, realNow, log } = this.#given;
		if (name === "embedded") return embedded(databases);
		const openfga = openFga(config, fetch, realNow, log);
		return this.authorizationTuples ? boundByGrants(openfga, databases, realNow) : openfga;
	}
	get authorizationTuples() {
		const { config, fetch, log } = this.#given;
		return config.OPENFGA_URL !== undefined && config.OPENFGA_TUPLES === "service" ? openFgaTuples(config, fetch, log) : undefined;
	}
}

type Kept = { readonly databases: Databases; readonly keyring: Keyring; readonly now: number };

/** The account behind the connection; undefined while there is none, or it is paused and that matters. */
async function accountBehind(
	{ databases, keyring, now }: Kept,
	organizationId: string,
	provider: PaymentProvider,
	which: "UNPAUSED" | "EVEN_PAUSED" = "UNPAUSED",
): Promise<OpenedConnection | undefined> {
	const db = databases.at(homeOf(organizationId));
	const row = await db.read(first(findConnection(db.orm, { organizationId, provider })));
	if (!row || (which === "UNPAUSED" && isPaused(row, now))) return undefined;
	const secrets = await openSecrets(keyring, row);
	const { environment, shortCode, facts } = row;
	return secrets && { environment, shortCode, facts, pausedReason: isPaused(row, now) ? row.pausedReason : null, secrets };
}

/** The operation with this id, as an approved call of it is run. */
async function heldOperation(id: string): Promise<HeldOperation | undefined> {
	const operations = [...(await operationsByTag()).values()].flatMap((group) => group.operations);
	const op = operations.find((each) => each.id === id && mayBeHeld(each));
	return op && heldFrom(op);
}
