// What serving operations needs from outside of `http`.

import type { Edge, JobServices, Services } from "../runtime/services";
import type { CallerLookup } from "./callers/caller-lookup";
import type { SentParts } from "./input";
import type { AnyOperation } from "./operation";

export type Ports = {
	servicesFor: (edge: Edge) => Promise<JobServices>;
	callerLookup: CallerLookup;
	/** Refuses an outdated client before authentication (426). */
	gate?: (request: Request, op: AnyOperation, services: Services) => Promise<void>;
	/** The operation that stores a call of this one, as it was sent, until a second operator decides it. */
	holding?: (op: AnyOperation, sent: SentParts) => Promise<AnyOperation>;
	/** Refuses callers over their limit (429); otherwise returns the headers that state the limit. */
	limit?: (counted: Counted, services: Services) => Promise<Record<string, string>>;
	/** Paths under which the router's own errors, too, carry `identifier` and `invalid_params`. */
	validationErrorsUnder?: readonly string[];
};

/** A request that is counted. `identity`: the subject of its credentials as one text. */
export type Counted = { readonly request: Request; readonly op: AnyOperation; readonly identity: string };
