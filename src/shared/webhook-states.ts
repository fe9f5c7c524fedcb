// The states of webhook endpoints and of deliveries. Tables and the wire use the same lists; the moves between the states are the
// webhooks' own.

export const ENDPOINT_STATES = ["ACTIVE", "SUSPENDED"] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** Why an endpoint was suspended, as `webhook.suspended` names it. */
export const SUSPENSION_REASONS = ["MANUAL", "TEN_FAILED_DELIVERIES", "PRIVATE_ADDRESS", "GONE"] as const;
export type SuspensionReason = (typeof SUSPENSION_REASONS)[number];

/** In which order an endpoint gets the events of one entity: in any, or one after the other. */
export const ORDERINGS = ["NONE", "ENTITY"] as const;

export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What an attempt led to. */
export const OUTCOMES = [
	"DELIVERED",
	"HTTP_ERROR",
	"REDIRECT",
	"TIMEOUT",
	"CONNECTION_FAILED",
	"BLOCKED_ADDRESS",
	"INTERRUPTED",
	"ITEM_FAILED",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How a connection fails before there is an answer. */
export const CONNECTION_ERRORS = ["DNS", "TLS", "REFUSED", "RESET", "TIMEOUT"] as const;
export type ConnectionError = (typeof CONNECTION_ERRORS)[number];

/** Why an attempt failed. */
export const ERROR_CLASSES = [...CONNECTION_ERRORS, "STATUS", "REDIRECT", "BLOCKED", "INTERRUPTED", "ITEM"] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

export const ATTEMPT_TRIGGERS = ["AUTOMATIC", "MANUAL", "PROBE"] as const;
