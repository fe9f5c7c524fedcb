// The list of domains, in parts: one for each folder with operations. Each names the paths that it serves, its files of operations and
// those of event types. Its modules run when one of its paths is first called, because running all modules would take most of the start
// of an isolate. Tests fail for a file that is missing here, and for an operation whose path its part does not name.

import { accountingParts } from "./accounting-parts";
import type { Part } from "./part";
import { paymentParts } from "./payment-parts";
import { webhookParts } from "./webhook-parts";

export const parts: readonly Part[] = [
	...accountingParts,
	{
		tag: "Accounts",
		paths: ["/v1/accounts"],
		operations: () => [
			import("../domains/accounts/operations"),
			import("../domains/accounts/statement.operations"),
			import("../domains/accounts/statements/operations"),
			import("../domains/accounts/tenure.operations"),
		],
	},
	{ tag: "App settings", paths: ["/v1/app", "/v1/platform/app"], operations: () => [import("../domains/app-settings/operations")] },
	{
		tag: "Approvals",
		paths: ["/v1/approvals"],
		operations: () => [import("../domains/approvals/operations")],
		events: () => import("../domains/approvals/events"),
	},
	{
		tag: "Audit trail",
		paths: ["/v1/audit"],
		operations: () => [import("../domains/audit/operations")],
		events: () => import("../domains/audit/events"),
	},
	{
		tag: "Branding",
		paths: ["/v1/branding"],
		operations: () => [import("../domains/branding/operations")],
		events: () => import("../domains/branding/events"),
	},
	{ tag: "Console", paths: ["/console/config.json"], operations: () => [import("./console.operations")] },
	{
		tag: "Collections",
		paths: ["/v1/collections/calls", "/v1/collections/follow-ups"],
		operations: () => [import("../domains/collections/operations"), import("../domains/collections/calls.operations")],
	},
	{
		tag: "Agents and commissions",
		paths: ["/v1/agents", "/v1/platform/commission-models"],
		operations: () => [import("../domains/commissions/operations"), import("../domains/commissions/administration.operations")],
		events: () => import("../domains/commissions/events"),
	},
	{
		tag: "Credit accounts",
		paths: [
			"/v1/accounts/{accountId}/explain",
			"/v1/accounts/{accountId}/installments",
			"/v1/accounts/{accountId}/payoff",
			"/v1/platform/accounts/{accountId}/close",
		],
		operations: () => [import("../domains/credit-accounts/operations"), import("../domains/credit-accounts/closing.operations")],
		events: () => import("../domains/credit-accounts/events"),
	},
	{
		tag: "Credit accounts",
		paths: [
			"/v1/accounts/{accountId}/reschedule",
			"/v1/platform/accounts/{accountId}/reschedules",
			"/v1/platform/accounts/{accountId}/settlements",
		],
		operations: () => [import("../domains/credit-accounts/changes/operations")],
		events: () => import("../domains/credit-accounts/changes/events"),
	},
	{
		tag: "Credit accounts",
		paths: ["/v1/accounts/{accountId}/draws"],
		operations: () => [import("../domains/loans/draws.operations")],
	},
	{
		tag: "Current accounts",
		paths: [
			"/v1/me/current-account",
			"/v1/platform/accounts/{accountId}/freeze",
			"/v1/platform/accounts/{accountId}/unfreeze",
			"/v1/user/accounts/current",
		],
		operations: () => [
			import("../domains/current-accounts/accounts/operations"),
			import("../domains/current-accounts/accounts/freezing.operations"),
		],
		events: () => import("../domains/current-accounts/events"),
	},
	{
		tag: "Current accounts",
		paths: ["/v1/user/accounts/current/transactions"],
		operations: () => [import("../domains/transfers/transaction.operations")],
	},
	{
		tag: "Current accounts",
		paths: ["/v1/user/accounts/current/activations"],
		operations: () => [import("../domains/current-accounts/activations/operations")],
	},
	{
		tag: "Current accounts",
		paths: ["/v1/user/accounts/current/close"],
		operations: () => [import("../domains/current-accounts/closures/operations")],
	},
	{
		tag: "Current accounts",
		paths: ["/v1/integrations/custodian"],
		operations: () => [
			import("../domains/current-accounts/custodian-reports/decisions.operations"),
			import("../domains/current-accounts/custodian-reports/movements.operations"),
		],
	},
	{ tag: "Health", paths: ["/healthz"], operations: () => [import("./health.operations")] },
	{
		tag: "Imports",
		paths: ["/v1/platform/imports"],
		operations: () => [import("../domains/imports/operations")],
		events: () => import("../domains/imports/events"),
	},
	{
		tag: "Invoice financing",
		paths: ["/v1/financing/invoices", "/v1/financing/merchants/{merchantId}/invoices"],
		operations: () => [import("../domains/invoices/operations"), import("../domains/invoices/financing.operations")],
		events: () => import("../domains/invoices/events"),
	},
	{
		tag: "Loans",
		paths: ["/v1/accounts/loan/applications"],
		operations: () => [import("../domains/loans/operations"), import("../domains/loans/apply.operations")],
		events: () => import("../domains/loans/model/events"),
	},
	{ tag: "Loans", paths: ["/v1/disbursements"], operations: () => [import("../domains/disbursements/operations")] },
	...paymentParts,
	{
		tag: "Loans",
		paths: ["/v1/accounts/loan/quotes", "/v1/loan/products", "/v1/platform/loan-products", "/v1/platform/users/{userId}/credit-profile"],
		operations: () => [import("../domains/loan-products/operations"), import("../domains/loan-products/administration.operations")],
	},
	{ tag: "Messages", paths: ["/v1/me/messages"], operations: () => [import("../domains/messages/inbox.operations")] },
	{ tag: "Messages", paths: ["/v1/me/devices"], operations: () => [import("../domains/messages/devices/operations")] },
	{ tag: "Messages", paths: ["/v1/platform/messages"], operations: () => [import("../domains/messages/statistics.operations")] },
	{ tag: "Messages", paths: ["/v1/integrations/messages"], operations: () => [import("../domains/messages/reports.operations")] },
	{
		tag: "Sandbox",
		paths: ["/v1/sandbox/payments"],
		operations: () => [import("../domains/repayments/recording/sandbox.operations")],
	},
	{ tag: "Sandbox", paths: ["/v1/sandbox/messages"], operations: () => [import("../domains/messages/operations")] },
	{
		tag: "Mobile-number changes",
		paths: ["/v1/me/phone", "/v1/user/accounts/current/phone"],
		operations: () => [
			import("../domains/mobile-number-changes/operations"),
			import("../domains/mobile-number-changes/code.operations"),
			import("../domains/mobile-number-changes/first.operations"),
		],
		events: () => import("../domains/mobile-number-changes/events"),
	},
	{
		tag: "Mobile-number changes",
		paths: ["/v1/platform/users/{userId}/recoveries"],
		operations: () => [import("../domains/approvals/recovery.operations"), import("../domains/mobile-number-changes/recovery.operations")],
	},
	{
		tag: "Notification preferences",
		paths: ["/v1/user/notifications"],
		operations: () => [import("../domains/messages/preferences/operations")],
	},
	{
		tag: "Organizations",
		paths: ["/v1/platform/organizations", "/v1/organizations/{organizationId}"],
		operations: () => [
			import("../domains/organizations/operations"),
			import("../domains/organizations/quota.operations"),
			import("../domains/organizations/texts/operations"),
		],
		events: () => import("../domains/organizations/events"),
	},
	{
		tag: "Organizations",
		paths: ["/v1/organizations/{organizationId}/api-keys"],
		operations: () => [import("../domains/organizations/api-keys/operations")],
	},
	{
		tag: "Invitations",
		paths: ["/v1/invitations", "/v1/organizations/{organizationId}/members/invitations"],
		operations: () => [
			import("../domains/organizations/invitations/operations"),
			import("../domains/organizations/invitations/acceptance.operations"),
		],
	},
	{
		tag: "Organizations",
		paths: ["/v1/organizations/{organizationId}/members", "/v1/platform/organizations/{organizationId}/members"],
		operations: () => [import("../domains/organizations/members/operations")],
	},
	{
		tag: "Invoice financing",
		paths: ["/v1/financing/merchants/{merchantId}/grants"],
		operations: () => [import("../domains/organizations/merchant-grants/operations")],
	},
	{ tag: "Tokens and sign-in", paths: ["/v1/auth/public/phone"], operations: () => [import("../domains/otp/operations")] },
	{
		tag: "Payees",
		paths: ["/v1/user/payees"],
		operations: () => [import("../domains/payees/operations"), import("../domains/payees/account.operations")],
	},
	{
		tag: "Repayments",
		paths: [
			"/v1/accounts/{accountId}/installments",
			"/v1/accounts/{accountId}/repayments",
			"/v1/disbursements/{id}/returned",
			"/v1/integrations/mobile-money",
			"/v1/platform/accounts/{accountId}/overpayment",
			"/v1/platform/accounts/{accountId}/transactions",
			"/v1/platform/accounts/{accountId}/waivers",
			"/v1/platform/confirmations",
			"/v1/platform/unmatched-payments",
			"/v1/repayments",
		],
		operations: () => [
			import("../domains/repayments/operations"),
			import("../domains/repayments/recording/operations"),
			import("../domains/repayments/corrections/operations"),
			import("../domains/repayments/corrections/payments.operations"),
			import("../domains/repayments/recording/daraja.operations"),
			import("../domains/repayments/recording/confirmations.operations"),
			import("../domains/repayments/corrections/refund.operations"),
			import("../domains/repayments/corrections/returned.operations"),
			import("../domains/repayments/transactions.operations"),
			import("../domains/repayments/unmatched/operations"),
			import("../domains/repayments/recording/unverified.operations"),
			import("../domains/repayments/recording/wallet.operations"),
		],
		events: () => import("../domains/repayments/events"),
	},
	{
		tag: "Tokens and sign-in",
		paths: ["/v1/auth/exchange", "/v1/auth/identity", "/v1/auth/public/exchange"],
		operations: () => [
			import("../domains/tokens/exchange/operations"),
			import("../domains/tokens/exchange/identity.operations"),
			import("../domains/tokens/exchange/phone.operations"),
		],
	},
	{ tag: "Tokens and sign-in", paths: ["/v1/auth/sign-in"], operations: () => [import("../domains/tokens/sign-in.operations")] },
	{
		tag: "Trusted issuers",
		paths: ["/v1/platform/issuers"],
		operations: () => [import("../domains/tokens/issuers/operations"), import("../domains/tokens/trial/operations")],
	},
	{ tag: "Sandbox", paths: ["/v1/sandbox/tokens"], operations: () => [import("../domains/tokens/sandbox/operations")] },
	{
		tag: "Tokens and sign-in",
		paths: ["/.well-known/jwks.json", "/v1/auth/sign-out", "/v1/auth/token", "/v1/platform/users/{userId}/sessions"],
		operations: () => [import("../domains/tokens/sessions/operations")],
	},
	{
		tag: "Transfers",
		paths: ["/v1/integrations/transfers", "/v1/user/transfers"],
		operations: () => [import("../domains/transfers/operations"), import("../domains/transfers/result.operations")],
		events: () => import("../domains/transfers/events"),
	},
	{
		tag: "Users",
		paths: ["/v1/me/export", "/v1/platform/users/{userId}/erasure", "/v1/platform/users/{userId}/export"],
		operations: () => [import("../domains/people/erasure.operations"), import("../domains/people/export.operations")],
		events: () => import("../domains/people/events"),
	},
	{
		tag: "Payees",
		paths: ["/v1/user/payees/{payeeId}/combine"],
		operations: () => [import("../domains/transfers/payee-combination.operations")],
	},
	{
		tag: "Users",
		paths: ["/v1/me", "/v1/platform/users/{userId}"],
		operations: () => [import("../domains/users/profile.operations")],
	},
	{
		tag: "Users",
		paths: ["/v1/platform/users"],
		operations: () => [import("../domains/users/identity.operations"), import("../domains/users/lender.operations")],
		events: () => import("../domains/users/model/events"),
	},
	...webhookParts,
	{ tag: "Collections", paths: ["/v1/collections/owners", "/v1/work"], operations: () => [import("../domains/work/owners.operations")] },
	{ tag: "Work", paths: ["/v1/attention"], operations: () => [import("../domains/work/lender.operations")] },
	{ tag: "Work", paths: ["/v1/platform/attention", "/v1/platform/work"], operations: () => [import("../domains/work/operations")] },
	{ tag: "Work", paths: ["/v1/search"], operations: () => [import("../domains/search/operations")] },
	{ tag: "Sandbox", paths: ["/v1/sandbox/clock"], operations: () => [import("./clock.operations")] },
];
