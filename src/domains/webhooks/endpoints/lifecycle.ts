/**
 * The states of webhook endpoints and deliveries, and every move between them. No state of a delivery is final: a manual retry takes
 * even a DELIVERED one back to PENDING.
 */
export const ENDPOINT_STATES = ["ACTIVE", "SUSPENDED"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** Why an endpoint was suspended, as `webhook.suspended` reports it. */
export const SUSPENSION_REASONS = ["MANUAL", "TEN_FAILED_DELIVERIES", "PRIVATE_ADDRESS"] as const;
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

export const ENDPOINT_TRANSITIONS = {
	SUSPEND: { from: ["ACTIVE"], to: "SUSPENDED" },
	RESUME: { from: ["SUSPENDED"], to: "ACTIVE" },
} as const satisfies Record<string, Transition<EndpointState>>;

export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DELIVERY_TRANSITIONS = {
	/** Another attempt is scheduled, or the delivery is held while its endpoint is suspended. */
	POSTPONE: { from: ["PENDING"], to: "PENDING" },
	DELIVER: { from: ["PENDING"], to: "DELIVERED" },
	/** The sixth attempt failed, or the endpoint was deleted. */
	FAIL: { from: ["PENDING"], to: "FAILED" },
	RETRY: { from: ["DELIVERED", "FAILED"], to: "PENDING" },
} as const satisfies Record<string, Transition<DeliveryState>>;

type Transition<State> = { from: readonly State[]; to: State };
