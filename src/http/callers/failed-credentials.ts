// Counts failed credentials and guesses by client address. An address with too many in a minute gets 429 instead of the refusal, and
// its further ones cause no look-ups in D1. What the service itself signed is never affected, so a stranger cannot lock out others who
// share their address.

import type { Services } from "../../runtime/services";
import { BoundedCache } from "../../shared/cache";
import { ApiError } from "../../shared/errors";
import { POLICIES, refusal } from "../limit";
import type { Credentials } from "./asking";

type Counting = Pick<Services, "config" | "clientAddress" | "env" | "log" | "realNow">;

const POLICY = POLICIES.failure;

/** Addresses over the limit, for one window after the failure that exceeded it. */
const over = new BoundedCache<true>(5_000, POLICY.windowSeconds * 1000);

const tooMany = () => refusal("failure", POLICY.windowSeconds, {});

/** Refusals of what public operations take in place of credentials, or of names that somebody tries out. */
const guesses = new WeakSet<Error>();

/** Marks a refusal that counts as a failure of the address although the operation takes no credentials. */
export function refusalOfGuess<E extends Error>(error: E): E {
	guesses.add(error);
	return error;
}

/** Throws TOO_MANY_REQUESTS for an address over the limit. Called before a stranger's credential costs a look-up. */
export function refuseFailingAddress({ config, clientAddress, realNow }: Counting): void {
	if (config.RATE_LIMITS === "on" && over.get(clientAddress, realNow)?.fresh) throw tooMany();
}

function isFailure(error: unknown, credentials: Credentials | undefined): boolean {
	if (error instanceof Error && guesses.has(error)) return true;
	const sent = credentials?.authorization ?? credentials?.apiKey ?? credentials?.signature;
	return sent !== undefined && error instanceof ApiError && error.code === "UNAUTHORISED";
}

/** Counts a refusal of credentials or of a guess, and returns the error to answer: TOO_MANY_REQUESTS in its place once there were too many. */
export async function countFailure(error: unknown, credentials: Credentials | undefined, services: Counting): Promise<unknown> {
	const { config, clientAddress, env, log, realNow } = services;
	if (config.RATE_LIMITS === "off" || !isFailure(error, credentials)) return error;
	if (over.get(clientAddress, realNow)?.fresh) return tooMany();
	try {
		const within = (await env.FAILURE_LIMIT?.limit({ key: clientAddress }))?.success ?? true;
		if (within) return error;
	} catch (failure) {
		log.error("rate limit could not be counted", failure, { policy: "failure" });
		return error;
	}
	over.set(clientAddress, true, realNow);
	return tooMany();
}
