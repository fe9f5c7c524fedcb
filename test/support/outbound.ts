// Replaces the network: every outbound request of the service ends here. A test defines the answers, and without any a request fails
// as if the host were down.

import type { Fetch } from "../../src/runtime/ports";
import type { Edge, JobServices } from "../../src/runtime/services";
import { createWorker } from "../../src/wiring/create-worker";
import { servicesFor as servicesWith } from "../../src/wiring/services";

const nobody: Fetch = async (input) => {
	throw new Error(`unexpected request to ${input instanceof Request ? input.url : String(input)}`);
};

let answering = nobody;

export const outbound: Fetch = (input, init) => answering(input, init);

/** Answers every outbound request until the test ends. */
export function answerOutbound(by: Fetch): void {
	answering = by;
}

let bound = outbound;

/** Work that begins from here on asks this, also when others have come after it. */
export function bindOutbound(to: Fetch): void {
	bound = to;
}

/** Drops the answers; runs after every test. */
export function forgetOutbound(): void {
	answering = nobody;
	bound = outbound;
}

/** The Worker, with the network replaced. */
export const worker = createWorker({
	get fetch() {
		return bound;
	},
});

/** Services, with the network replaced. */
export const servicesFor = (edge: Edge): Promise<JobServices> => servicesWith({ fetch: outbound, ...edge });
