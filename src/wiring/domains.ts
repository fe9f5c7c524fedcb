// The list of domains: every file that defines operations or event types. A test fails for a file that is missing here.

import * as accounts from "../domains/accounts/operations";
import * as statements from "../domains/accounts/statement.operations";
import * as tenure from "../domains/accounts/tenure.operations";
import * as appSettings from "../domains/app-settings/operations";
import * as approvalEvents from "../domains/approvals/events";
import * as approvals from "../domains/approvals/operations";
import * as auditEvents from "../domains/audit/events";
import * as audit from "../domains/audit/operations";
import * as brandingEvents from "../domains/branding/events";
import * as branding from "../domains/branding/operations";
import * as commissionAdministration from "../domains/commissions/administration.operations";
import * as commissionEvents from "../domains/commissions/events";
import * as commissions from "../domains/commissions/operations";
import * as closing from "../domains/credit-accounts/closing.operations";
import * as creditAccountEvents from "../domains/credit-accounts/events";
import * as creditAccounts from "../domains/credit-accounts/operations";
import * as draws from "../domains/credit-accounts/payouts/draw.operations";
import * as freezing from "../domains/current-accounts/accounts/freezing.operations";
import * as currentAccounts from "../domains/current-accounts/accounts/operations";
import * as activations from "../domains/current-accounts/activations/operations";
import * as closures from "../domains/current-accounts/closures/operations";
import * as decisions from "../domains/current-accounts/custodian/decisions.operations";
import * as movements from "../domains/current-accounts/custodian/movements.operations";
import * as currentAccountsEvents from "../domains/current-accounts/events";
import * as health from "../domains/health/operations";
import * as invoiceEvents from "../domains/invoices/events";
import * as invoiceFinancing from "../domains/invoices/financing.operations";
import * as invoices from "../domains/invoices/operations";
import * as loanApply from "../domains/loans/applications/apply.operations";
import * as loanApplications from "../domains/loans/applications/operations";
import * as disbursements from "../domains/loans/disbursements/operations";
import * as loanEvents from "../domains/loans/events";
import * as loanProducts from "../domains/loans/products/operations";
import * as messages from "../domains/messages/operations";
import * as numberChangeCodes from "../domains/mobile-number-changes/code.operations";
import * as numberChangesEvents from "../domains/mobile-number-changes/events";
import * as numberChanges from "../domains/mobile-number-changes/operations";
import * as notifications from "../domains/notifications/operations";
import * as apiKeys from "../domains/organizations/api-keys/operations";
import * as organizationEvents from "../domains/organizations/events";
import * as acceptance from "../domains/organizations/invitations/acceptance.operations";
import * as invitations from "../domains/organizations/invitations/operations";
import * as members from "../domains/organizations/members/operations";
import * as merchantGrants from "../domains/organizations/merchant-grants/operations";
import * as organizations from "../domains/organizations/operations";
import * as otp from "../domains/otp/operations";
import * as payeeAccounts from "../domains/payees/account.operations";
import * as payees from "../domains/payees/operations";
import * as corrections from "../domains/repayments/correction.operations";
import * as daraja from "../domains/repayments/daraja.operations";
import * as repaymentEvents from "../domains/repayments/events";
import * as repayments from "../domains/repayments/operations";
import * as refunds from "../domains/repayments/refund.operations";
import * as transactions from "../domains/repayments/transactions.operations";
import * as unmatched from "../domains/repayments/unmatched.operations";
import * as walletRepayments from "../domains/repayments/wallet.operations";
import * as exchange from "../domains/tokens/exchange/operations";
import * as phone from "../domains/tokens/exchange/phone.operations";
import * as issuers from "../domains/tokens/issuers/operations";
import * as sandbox from "../domains/tokens/sandbox/operations";
import * as sessions from "../domains/tokens/sessions/operations";
import * as transfersEvents from "../domains/transfers/events";
import * as transfers from "../domains/transfers/operations";
import * as transferResults from "../domains/transfers/result.operations";
import * as userEvents from "../domains/users/events";
import * as users from "../domains/users/operations";
import * as deliveries from "../domains/webhooks/deliveries/operations";
import * as webhookTests from "../domains/webhooks/deliveries/test.operations";
import * as diagnosis from "../domains/webhooks/diagnosis/operations";
import * as endpoints from "../domains/webhooks/endpoints/operations";
import * as webhookEvents from "../domains/webhooks/events";
import * as feed from "../domains/webhooks/feed/operations";
import * as recovery from "../domains/webhooks/recovery/operations";
import * as signingKeys from "../domains/webhooks/signing/operations";
import * as webhookStatistics from "../domains/webhooks/statistics/operations";
import type { AnyOperation } from "../http/operation";
import type { EventType, EventTypes } from "../shared/event-type";
import * as clock from "./clock.operations";

const files = [
	accounts,
	statements,
	appSettings,
	approvalEvents,
	creditAccountEvents,
	creditAccounts,
	tenure,
	health,
	loanApply,
	loanApplications,
	disbursements,
	loanEvents,
	loanProducts,
	messages,
	apiKeys,
	organizationEvents,
	organizations,
	otp,
	corrections,
	repaymentEvents,
	repayments,
	transactions,
	unmatched,
	exchange,
	phone,
	issuers,
	sandbox,
	sessions,
	userEvents,
	users,
	deliveries,
	webhookTests,
	diagnosis,
	endpoints,
	webhookEvents,
	feed,
	recovery,
	signingKeys,
	webhookStatistics,
	clock,
	closing,
	approvals,
	currentAccounts,
	freezing,
	activations,
	closures,
	decisions,
	movements,
	numberChangeCodes,
	numberChanges,
	notifications,
	acceptance,
	invitations,
	members,
	walletRepayments,
	transfers,
	transferResults,
	currentAccountsEvents,
	numberChangesEvents,
	transfersEvents,
	invoiceEvents,
	commissionEvents,
	daraja,
	merchantGrants,
	invoices,
	invoiceFinancing,
	commissions,
	commissionAdministration,
	auditEvents,
	audit,
	refunds,
	draws,
	brandingEvents,
	branding,
	payees,
	payeeAccounts,
];

const defined = files.flatMap((file) => Object.values<unknown>(file));

export const operations: readonly AnyOperation[] = defined.filter(isOperation);

export const eventTypes: EventTypes = new Map(defined.filter(isEventType).map((eventType) => [eventType.type, eventType]));

function isOperation(value: unknown): value is AnyOperation {
	return typeof value === "object" && value !== null && "handle" in value && "access" in value;
}

function isEventType(value: unknown): value is EventType {
	return typeof value === "object" && value !== null && "category" in value && "data" in value;
}
