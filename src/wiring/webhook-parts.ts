// The parts of the list of domains that are webhooks.

import type { Part } from "./part";

export const webhookParts: readonly Part[] = [
	{
		tag: "Webhooks",
		paths: ["/v1/webhooks/deliveries", "/v1/webhooks/{webhook_id}/test"],
		operations: () => [import("../domains/webhooks/deliveries/operations"), import("../domains/webhooks/deliveries/test.operations")],
		events: () => import("../domains/webhooks/events"),
	},
	{ tag: "Sandbox", paths: ["/v1/sandbox/deliveries"], operations: () => [import("../domains/webhooks/deliveries/sandbox.operations")] },
	{ tag: "Webhooks", paths: ["/v1/webhooks/{webhook_id}/verify"], operations: () => [import("../domains/webhooks/diagnosis/operations")] },
	{ tag: "Webhooks", paths: ["/v1/webhooks"], operations: () => [import("../domains/webhooks/endpoints/operations")] },
	{ tag: "Webhooks", paths: ["/v1/webhooks/filters"], operations: () => [import("../domains/webhooks/endpoints/filter.operations")] },
	{ tag: "Webhooks", paths: ["/v1/webhooks/events"], operations: () => [import("../domains/webhooks/feed/operations")] },
	{ tag: "Webhooks", paths: ["/v1/webhooks/{webhook_id}/recover"], operations: () => [import("../domains/webhooks/recovery/operations")] },
	{ tag: "Webhooks", paths: ["/v1/webhooks/{webhook_id}/secrets"], operations: () => [import("../domains/webhooks/signing/operations")] },
	{
		tag: "Webhooks",
		paths: ["/v1/webhooks/{webhook_id}/stats", "/v1/webhooks/stats"],
		operations: () => [import("../domains/webhooks/statistics/operations")],
	},
];
