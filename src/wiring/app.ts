// All operations, as one Hono app.

import { type Context, Hono } from "hono";
import * as appSettings from "../domains/app-settings/operations";
import * as approvals from "../domains/approvals/operations";
import * as audit from "../domains/audit/operations";
import * as branding from "../domains/branding/operations";
import * as commissionAdministration from "../domains/commissions/administration.operations";
import * as commissions from "../domains/commissions/operations";
import * as closing from "../domains/credit-accounts/closing.operations";
import * as creditAccounts from "../domains/credit-accounts/operations";
import * as draws from "../domains/credit-accounts/payouts/draw.operations";
import * as tenure from "../domains/credit-accounts/tenure.operations";
import * as currentAccounts from "../domains/current-accounts/accounts/operations";
import * as activations from "../domains/current-accounts/activations/operations";
import * as closures from "../domains/current-accounts/closures/operations";
import * as decisions from "../domains/current-accounts/custodian/decisions.operations";
import * as movements from "../domains/current-accounts/custodian/movements.operations";
import * as health from "../domains/health/operations";
import * as invoiceFinancing from "../domains/invoices/financing.operations";
import * as invoices from "../domains/invoices/operations";
import * as loanApply from "../domains/loans/applications/apply.operations";
import * as loanApplications from "../domains/loans/applications/operations";
import * as disbursements from "../domains/loans/disbursements/operations";
import * as loanProducts from "../domains/loans/products/operations";
import * as messages from "../domains/messages/operations";
import * as numberChangeCodes from "../domains/mobile-number-changes/code.operations";
import * as numberChanges from "../domains/mobile-number-changes/operations";
import * as notifications from "../domains/notifications/operations";
import * as apiKeys from "../domains/organizations/api-keys/operations";
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
import * as transfers from "../domains/transfers/operations";
import * as transferResults from "../domains/transfers/result.operations";
import * as users from "../domains/users/operations";
import * as deliveries from "../domains/webhooks/deliveries/operations";
import * as diagnosis from "../domains/webhooks/diagnosis/operations";
import * as endpoints from "../domains/webhooks/endpoints/operations";
import * as events from "../domains/webhooks/feed/operations";
import * as recovery from "../domains/webhooks/recovery/operations";
import * as signingKeys from "../domains/webhooks/signing/operations";
import { limit } from "../http/limits";
import { mount, type Ports } from "../http/mount";
import { openapi } from "../http/openapi";
import type { AnyOperation } from "../http/operation";
import { reference } from "../http/reference";
import { BoundedCache } from "../shared/cache";
import { callerLookup } from "./caller-lookup";
import * as clock from "./clock.operations";
import { eventTypes } from "./events";
import { gate } from "./version-gate";

const domains = [
	activations,
	acceptance,
	apiKeys,
	approvals,
	appSettings,
	audit,
	branding,
	clock,
	closing,
	closures,
	commissionAdministration,
	commissions,
	corrections,
	creditAccounts,
	currentAccounts,
	decisions,
	daraja,
	deliveries,
	diagnosis,
	disbursements,
	draws,
	endpoints,
	events,
	health,
	invoiceFinancing,
	invoices,
	loanApplications,
	loanApply,
	loanProducts,
	numberChangeCodes,
	numberChanges,
	merchantGrants,
	organizations,
	exchange,
	recovery,
	invitations,
	refunds,
	issuers,
	members,
	messages,
	movements,
	notifications,
	otp,
	payeeAccounts,
	payees,
	phone,
	repayments,
	sandbox,
	sessions,
	signingKeys,
	tenure,
	transactions,
	transferResults,
	transfers,
	unmatched,
	users,
	walletRepayments,
];

export const operations: readonly AnyOperation[] = domains.flatMap((domain) => Object.values<unknown>(domain).filter(isOperation));

export type App = Hono<{ Bindings: Env }>;

export function createApp(servicesFor: Ports["servicesFor"]): App {
	const app = mount(new Hono<{ Bindings: Env }>(), operations, {
		servicesFor,
		callerLookup,
		gate,
		limit,
		validationErrorsUnder: VALIDATION_ERRORS_UNDER,
	});
	app.get("/openapi.json", (c) => c.json(documentOf(c), 200, publicPage));
	app.get("/docs", (c) => c.html(reference(documentOf(c)), 200, { ...publicPage, "Content-Security-Policy": DOCS_CONTENT_POLICY }));
	return app;
}

/** The specification gives every error of branding and invoice financing the validation variant's members. */
const VALIDATION_ERRORS_UNDER = ["/v1/branding", "/v1/financing"];

const DOCS_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const publicPage = { "Cache-Control": "public, max-age=300" };

/** Made once for each base address, because that takes longer than most operations. A deployed Worker has one. */
const documents = new BoundedCache<ReturnType<typeof openapi>>(4, Number.POSITIVE_INFINITY);

function documentOf(c: Context<{ Bindings: Env }>) {
	const baseUrl = c.env.BASE_URL ?? new URL(c.req.url).origin;
	const known = documents.get(baseUrl, 0)?.value;
	const document = known ?? openapi(operations, eventTypes, baseUrl);
	if (!known) documents.set(baseUrl, document, 0);
	return document;
}

function isOperation(value: unknown): value is AnyOperation {
	return typeof value === "object" && value !== null && "handle" in value && "access" in value;
}
