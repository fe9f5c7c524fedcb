// Makes the services of a home from what they have in common in all homes, and commits there: once for each request, queue batch and
// cron run.

import { CheckViolation, type Reader, type Results, StaleWrite, TriggerViolation, UniqueViolation, type Write } from "../db/database";
import { Databases } from "../db/databases";
import { reserveThenCommit } from "../db/names";
import { placesOf } from "../db/places";
import { QUOTA_CONSTRAINT } from "../db/rate-windows.table";
import { indexNamed } from "../db/unique";
import { ApiError, ORGANIZATION_SUSPENDED, organizationSuspended, writesAreOff } from "../shared/errors";
import { homeOf, uuidv7 } from "../shared/ids";
import type { CommitOptions, JobServices, Services } from "./services";

type Placed = "db" | "home" | "databases" | "newId" | "at" | "everywhere" | "primary";
/** What services have in common in all homes. */
export type Shared = Omit<Services, Placed>;

/** Makes the commits of a home. */
export type CommitsIn<C> = (home: number) => C;

/** The services in a home of these databases, with the commits that `commitsIn` makes there and in every other home. */
export function servicesIn<C extends object>(shared: Shared, databases: Databases, home: number, commitsIn: CommitsIn<C>): Services & C {
	const methods = {
		at(this: Services, place: string | number): Services {
			const there = typeof place === "number" ? place : homeOf(place);
			return there === this.home ? this : { ...this, ...placed(this.now, there) };
		},
		everywhere(this: Services): readonly Services[] {
			return databases.homes.map((each) => this.at(each));
		},
		primary(this: Services): Reader {
			return databases.primaryAt(this.home);
		},
	};
	const placed = (now: number, there: number) => ({
		home: there,
		db: databases.at(there),
		newId: () => uuidv7(now, there),
		...commitsIn(there),
	});
	return { ...shared, databases, ...methods, ...placed(shared.now, home) };
}

/** The services of a job in a home of these databases. */
export function jobServices(shared: Shared, databases: Databases, home: number): JobServices {
	return servicesIn(shared, databases, home, (there) => {
		const commit = <const W extends readonly Write[]>(writes: W, options?: CommitOptions) =>
			commitUnder({ databases, config: shared.config, now: shared.now }, { home: there, writes }, options);
		return { commit, commitRegardless: commit };
	}) as JobServices;
}

/** The services of a job that begins here, with databases of its own. */
export const jobFrom = (services: Services): JobServices => jobServices(services, new Databases(placesOf(services.env)), services.home);

/** `first`: the writes that come before all others in the home. */
type Commit<W> = { readonly home: number; readonly writes: W; readonly first?: readonly Write[] };

/** Commits in a home, and says by the options what a refusal of the database means. */
export async function commitUnder<const W extends readonly Write[]>(
	{ databases, config, now }: Pick<JobServices, "databases" | "config" | "now">,
	{ home, writes, first = [] }: Commit<W>,
	{ reserve = { names: [] }, unique = [], triggers = {}, overQuota }: CommitOptions = {},
): Promise<Results<W>> {
	if (config.WRITES === "off") throw writesAreOff();
	// Named before the commit, so that columns without a UNIQUE index fail at every use and not only in a race.
	const meanings = new Map(unique.map(([columns, meaning]) => [indexNamed(columns), meaning]));
	const meaningOf = (error: unknown) => {
		if (error instanceof CheckViolation) return error.constraint === QUOTA_CONSTRAINT ? overQuota : undefined;
		return error instanceof UniqueViolation ? meanings.get(error.columns) : undefined;
	};
	try {
		return await reserveThenCommit({ directory: databases.directory, home: databases.at(home), now }, reserve, { first, writes });
	} catch (error) {
		if (error instanceof TriggerViolation && error.reason === ORGANIZATION_SUSPENDED) throw organizationSuspended();
		const refused = error instanceof TriggerViolation ? triggers[error.reason] : undefined;
		if (refused) throw typeof refused === "string" ? new ApiError(refused) : refused;
		const meaning = meaningOf(error);
		if (meaning === undefined) throw error;
		if (meaning === "STALE") throw new StaleWrite("stale write", { cause: error });
		throw typeof meaning === "string" ? new ApiError(meaning) : meaning;
	}
}

/** The same services at the current time: work that continues beyond its request must not record the time at which it began. */
export function atPresent<S extends Services>(services: S): S {
	const realNow = Date.now();
	return atInstant(services, services.now + (realNow - services.realNow), realNow);
}

/** The same services with the service's clock at another instant. */
export const atInstant = <S extends Services>(services: S, now: number, realNow = services.realNow): S => ({
	...services,
	now,
	realNow,
	newId: () => uuidv7(now, services.home),
});
