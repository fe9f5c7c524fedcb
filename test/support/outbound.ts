// The outside world of the tests: every request that leaves the service ends here. A test says who answers; a request
// that no test expects fails like one to a host that is down.

import type { Fetch } from "../../src/runtime/ports";
import type { Edge, JobServices } from "../../src/runtime/services";
import { createWorker } from "../../src/wiring/create-worker";
import { servicesFor as servicesWith } from "../../src/wiring/services";

const nobody: Fetch = async (input) => {
	throw new Error(`unexpected request to ${input instanceof Request ? input.url : String(input)}`);
};

let answering = nobody;

export const outbound: Fetch = (input, init) => answering(input, init);

/** Lets this answer every request that leaves the service until the test ends. */
export function answerOutbound(by: Fetch): void {
	answering = by;
}

/** Runs after every test. */
export function forgetOutbound(): void {
	answering = nobody;
}

/** The Worker, with this outside world. */
export const worker = createWorker({ fetch: outbound });

/** Services with this outside world. */
export const servicesFor = (edge: Edge): Promise<JobServices> => servicesWith({ fetch: outbound, ...edge });
