// The parts of the list of domains that a lender's accountant uses.

import type { Part } from "./part";

export const accountingParts: readonly Part[] = [
	{
		tag: "Portfolio",
		paths: ["/v1/portfolio"],
		operations: () => [import("../domains/portfolio/operations")],
		events: () => import("../domains/portfolio/events"),
	},
	{
		tag: "Ledger",
		paths: ["/v1/ledger"],
		operations: () => [
			import("../domains/ledger/operations"),
			import("../domains/ledger/closings.operations"),
			import("../domains/ledger/treasury.operations"),
			import("../domains/ledger/tariffs.operations"),
			import("../domains/approvals/closing.operations"),
			import("../domains/ledger/provisions.operations"),
			import("../domains/approvals/provisioning.operations"),
			import("../domains/approvals/treasury.operations"),
			import("../domains/approvals/tariff.operations"),
			import("../domains/ledger/mapping.operations"),
			import("../domains/ledger/journals.operations"),
			import("../domains/approvals/mapping.operations"),
		],
	},
	{
		tag: "Credit bureau",
		paths: ["/v1/credit-bureau"],
		operations: () => [
			import("../domains/credit-bureau/operations"),
			import("../domains/credit-bureau/disputes.operations"),
			import("../domains/credit-bureau/identities.operations"),
		],
	},
	{
		tag: "Reconciliation",
		paths: ["/v1/reconciliation", "/v1/integrations/mobile-money/daraja/breaks"],
		operations: () => [
			import("../domains/reconciliation/operations"),
			import("../domains/reconciliation/breaks.operations"),
			import("../domains/reconciliation/asking.operations"),
			import("../domains/reconciliation/daraja.operations"),
		],
	},
];
