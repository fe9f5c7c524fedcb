// The parts of the list of domains that know the providers of payments.

import type { Part } from "./part";

export const paymentParts: readonly Part[] = [
	{
		tag: "Loans",
		paths: ["/v1/integrations/disbursements", "/v1/integrations/mobile-money/daraja/results", "/v1/integrations/mobile-money/momo"],
		operations: () => [
			import("../domains/disbursements/result.operations"),
			import("../domains/disbursements/daraja.operations"),
			import("../domains/disbursements/momo.operations"),
		],
	},
	{
		tag: "Connections to providers",
		paths: [
			"/v1/organizations/{organizationId}/connections",
			"/v1/integrations/mobile-money/daraja/balances",
			"/v1/integrations/mobile-money/daraja/checks",
		],
		operations: () => [
			import("../domains/connections/daraja.operations"),
			import("../domains/connections/momo.operations"),
			import("../domains/connections/replacement.operations"),
			import("../domains/connections/balances.operations"),
		],
		events: () => import("../domains/connections/model/events"),
	},
	{
		tag: "Repayments",
		paths: ["/v1/repayments/{id}/return", "/v1/integrations/mobile-money/daraja/returns"],
		operations: () => [import("../domains/repayments/returns/operations"), import("../domains/repayments/returns/daraja.operations")],
		events: () => import("../domains/repayments/returns/events"),
	},
	{
		tag: "Repayments",
		paths: ["/v1/accounts/{accountId}/repayment-prompts", "/v1/integrations/mobile-money/daraja/prompts"],
		operations: () => [import("../domains/repayments/prompts/operations"), import("../domains/repayments/recording/prompts.operations")],
		events: () => import("../domains/repayments/prompts/events"),
	},
];
