// Every move between the states of webhook endpoints and of deliveries. No state of a delivery is final: a manual retry moves even
// a DELIVERED one back to PENDING.

import type { DeliveryState, EndpointState } from "../../../shared/webhook-states";

type Transition<State> = { from: readonly State[]; to: State };

export const ENDPOINT_TRANSITIONS = {
	SUSPEND: { from: ["ACTIVE"], to: "SUSPENDED" },
	RESUME: { from: ["SUSPENDED"], to: "ACTIVE" },
} as const satisfies Record<string, Transition<EndpointState>>;

export const DELIVERY_TRANSITIONS = {
	/** Another attempt is scheduled, or the delivery is held while its endpoint is suspended. */
	POSTPONE: { from: ["PENDING"], to: "PENDING" },
	DELIVER: { from: ["PENDING"], to: "DELIVERED" },
	/** The sixth attempt failed, or the endpoint was deleted. */
	FAIL: { from: ["PENDING"], to: "FAILED" },
	RETRY: { from: ["DELIVERED", "FAILED"], to: "PENDING" },
} as const satisfies Record<string, Transition<DeliveryState>>;
