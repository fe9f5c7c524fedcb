// The pages: one row and one file each. A page is loaded when it is first opened, and the navigation shows the rows with a group.

import { call } from "./api.ts";
import type { Route } from "./route.ts";
import { borrowers, either, members, operators, permitted, sandboxOperators } from "./who.ts";

const lenders = permitted("org:lending:read");
const developers = permitted("org:webhooks:read");
const lendersAndOperators = either(lenders, operators);

export const ROUTES: readonly Route[] = [
	{ path: "/", title: "Home", group: "Home", key: "h", who: members, load: () => import("./pages/webhooks/home.tsx") },
	{ path: "/", title: "Home", group: "Home", key: "h", who: operators, load: () => import("./pages/platform/home.tsx") },
	{ path: "/", title: "Home", group: "Home", key: "h", who: borrowers, load: () => import("./pages/lending/home.tsx") },

	{ path: "/work", title: "Work", group: "Platform", key: "w", who: operators, load: () => import("./pages/platform/work.tsx") },
	{
		path: "/organizations",
		title: "Organizations",
		group: "Platform",
		key: "z",
		who: operators,
		load: () => import("./pages/platform/organizations.tsx"),
	},
	{
		path: "/sandbox",
		title: "Sandbox",
		group: "Platform",
		key: "x",
		who: sandboxOperators,
		load: () => import("./pages/sandbox/sandbox.tsx"),
	},

	{
		path: "/endpoints",
		title: "Endpoints",
		group: "Webhooks",
		key: "e",
		who: developers,
		load: () => import("./pages/webhooks/endpoints.tsx"),
	},
	{ path: "/endpoints/new", title: "New endpoint", who: developers, load: () => import("./pages/webhooks/endpoint-form.tsx") },
	{
		path: "/endpoints/:id",
		title: "Endpoint",
		who: developers,
		load: () => import("./pages/webhooks/endpoint.tsx"),
		finds: (webhook_id) => call("GET /v1/webhooks/{webhook_id}", { path: { webhook_id } }),
	},
	{ path: "/endpoints/:id/edit", title: "Settings", who: developers, load: () => import("./pages/webhooks/endpoint-form.tsx") },
	{
		path: "/events",
		title: "Live events",
		group: "Webhooks",
		key: "v",
		who: developers,
		load: () => import("./pages/webhooks/events.tsx"),
	},
	{
		path: "/events/:id",
		title: "Event",
		who: developers,
		load: () => import("./pages/webhooks/event.tsx"),
		finds: (event_id) => call("GET /v1/webhooks/events/{event_id}", { path: { event_id } }),
	},
	{
		path: "/deliveries",
		title: "Deliveries",
		group: "Webhooks",
		key: "d",
		who: developers,
		load: () => import("./pages/webhooks/deliveries.tsx"),
	},
	{
		path: "/deliveries/:id",
		title: "Delivery",
		who: developers,
		load: () => import("./pages/webhooks/delivery.tsx"),
		finds: (id) => call("GET /v1/webhooks/deliveries/{id}", { path: { id } }),
	},
	{
		path: "/signatures",
		title: "Signature debugger",
		group: "Webhooks",
		key: "s",
		who: developers,
		load: () => import("./pages/webhooks/signatures.tsx"),
	},

	{
		path: "/brand",
		title: "Brand",
		group: "Organization",
		key: "b",
		who: permitted("org:branding:write"),
		load: () => import("./pages/organization/brand.tsx"),
	},
	{
		path: "/members",
		title: "Members",
		group: "Organization",
		key: "m",
		who: permitted("org:members:read"),
		load: () => import("./pages/organization/members.tsx"),
	},
	{
		path: "/keys",
		title: "API keys",
		group: "Organization",
		key: "k",
		who: permitted("org:api-keys:write"),
		load: () => import("./pages/organization/keys.tsx"),
	},
	{
		path: "/invoices",
		title: "Invoices",
		group: "Organization",
		key: "i",
		who: permitted("org:financing.merchants:read"),
		load: () => import("./pages/organization/invoices.tsx"),
	},
	{
		path: "/approvals",
		title: "Approvals",
		group: "Organization",
		key: "a",
		who: either(permitted("org:approvals:read"), operators),
		load: () => import("./pages/organization/approvals.tsx"),
	},
	{
		path: "/audit",
		title: "Audit trail",
		group: "Organization",
		key: "t",
		who: either(permitted("org:audit:read"), operators),
		load: () => import("./pages/organization/audit.tsx"),
	},

	{ path: "/portfolio", title: "Portfolio", group: "Lending", key: "f", who: lenders, load: () => import("./pages/lending/portfolio.tsx") },
	{
		path: "/users",
		title: "Users",
		group: "Lending",
		key: "u",
		who: lendersAndOperators,
		load: () => import("./pages/platform/users.tsx"),
	},
	{
		path: "/users/:id",
		title: "User",
		who: lendersAndOperators,
		load: () => import("./pages/platform/user.tsx"),
		finds: (userId) => call("GET /v1/platform/users/{userId}", { path: { userId } }),
	},
	{
		path: "/accounts",
		title: "Accounts",
		group: "Borrowing",
		key: "c",
		who: borrowers,
		load: () => import("./pages/lending/accounts.tsx"),
	},
	{ path: "/accounts", title: "Accounts", group: "Lending", key: "c", who: lenders, load: () => import("./pages/lending/accounts.tsx") },
	{
		path: "/accounts/:id",
		title: "Account",
		who: either(lendersAndOperators, borrowers),
		load: () => import("./pages/lending/account.tsx"),
		finds: (accountId) => call("GET /v1/accounts/{accountId}", { path: { accountId } }),
	},
	{
		path: "/payments",
		title: "Payments",
		group: "Lending",
		key: "p",
		who: lendersAndOperators,
		load: () => import("./pages/lending/payments.tsx"),
	},
	{ path: "/payouts", title: "Payouts", group: "Lending", key: "o", who: lenders, load: () => import("./pages/lending/disbursements.tsx") },
	{
		path: "/products",
		title: "Products",
		group: "Borrowing",
		key: "r",
		who: borrowers,
		load: () => import("./pages/lending/products.tsx"),
	},
	{ path: "/products", title: "Products", group: "Lending", key: "r", who: lenders, load: () => import("./pages/lending/products.tsx") },
];
