// All operations, as one Hono app.

import { type Context, Hono } from "hono";
import { directory } from "./directory";
import * as appSettings from "./domains/app-settings/operations";
import * as loanApplications from "./domains/loans/application.operations";
import * as loanApply from "./domains/loans/apply.operations";
import * as disbursements from "./domains/loans/disbursement.operations";
import * as loanProducts from "./domains/loans/product.operations";
import * as messages from "./domains/messages/operations";
import * as apiKeys from "./domains/organizations/api-key.operations";
import * as organizations from "./domains/organizations/operations";
import * as otp from "./domains/otp/operations";
import * as clock from "./domains/sandbox/clock.operations";
import * as sandbox from "./domains/sandbox/operations";
import * as exchange from "./domains/tokens/exchange.operations";
import * as issuers from "./domains/tokens/issuer.operations";
import * as phone from "./domains/tokens/phone.operations";
import * as sessions from "./domains/tokens/session.operations";
import * as users from "./domains/users/operations";
import * as deliveries from "./domains/webhooks/delivery.operations";
import * as diagnosis from "./domains/webhooks/diagnosis.operations";
import * as endpoints from "./domains/webhooks/endpoint.operations";
import * as events from "./domains/webhooks/event.operations";
import * as health from "./domains/webhooks/health.operations";
import * as signingKeys from "./domains/webhooks/signing-key.operations";
import { gate } from "./gate";
import { limit } from "./http/limits";
import { mount } from "./http/mount";
import { openapi } from "./http/openapi";
import type { AnyOperation } from "./http/operation";
import { reference } from "./http/reference";
import { Recent } from "./shared/recent";

const domains = [
	apiKeys,
	appSettings,
	clock,
	deliveries,
	diagnosis,
	disbursements,
	endpoints,
	events,
	health,
	loanApplications,
	loanApply,
	loanProducts,
	organizations,
	exchange,
	issuers,
	messages,
	otp,
	phone,
	sandbox,
	sessions,
	signingKeys,
	users,
];

export const operations: readonly AnyOperation[] = domains.flatMap((domain) => Object.values<unknown>(domain).filter(isOperation));

export const app = mount(new Hono<{ Bindings: Env }>(), operations, { directory, gate, limit });

const publicPage = { "Cache-Control": "public, max-age=300" };

/** Made once for each base address, of which a deployed Worker has one: it takes longer than most operations. */
const documents = new Recent<ReturnType<typeof openapi>>(4, Number.POSITIVE_INFINITY);

function documentOf(c: Context<{ Bindings: Env }>) {
	const baseUrl = c.env.BASE_URL ?? new URL(c.req.url).origin;
	const known = documents.get(baseUrl, 0)?.value;
	const document = known ?? openapi(operations, baseUrl);
	if (!known) documents.set(baseUrl, document, 0);
	return document;
}

app.get("/openapi.json", (c) => c.json(documentOf(c), 200, publicPage));

app.get("/docs", (c) =>
	c.html(reference(documentOf(c)), 200, {
		...publicPage,
		"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	}),
);

function isOperation(value: unknown): value is AnyOperation {
	return typeof value === "object" && value !== null && "handle" in value && "access" in value;
}
