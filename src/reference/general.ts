// The pages in addition to those of tags and guides: start, errors, events, roles.

import { html } from "hono/html";
import { ERRORS, type ErrorCode, REASONS } from "../shared/errors";
import { PERMISSIONS, ROLES, roleHolds, rolePermits, SCOPES } from "../shared/permissions";
import { EVENTS, type Schema } from "./contents";
import type { Page, Site } from "./layout";
import { fileHref, hrefOf } from "./links";
import { code, heading, json, linkOf, modelSections } from "./operation";
import { members, prose, row } from "./schema";

export function startPage({ contents, guides, sandbox }: Site): Page {
	const { address } = contents;
	const request = sandbox
		? `API=${address}
field() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }

PARTNER=$(curl -s $API/v1/sandbox/tokens -H 'Content-Type: application/json' \\
  -d '{"kind":"partner","subject":"alice"}' | field token)
TOKEN=$(curl -s $API/v1/auth/exchange -H 'Content-Type: application/json' \\
  -d "{\\"partner_token\\":\\"$PARTNER\\"}" | field access_token)
curl -s $API/v1/me -H "Authorization: Bearer $TOKEN"`
		: `API=${address}
curl -s $API/v1/auth/exchange -H 'Content-Type: application/json' \\
  -d "{\\"partner_token\\":\\"$PARTNER_TOKEN\\"}"`;
	return {
		path: "",
		title: "Lending and accounts, as an API",
		sections: [
			["first-request", "A first request"],
			["guides", "Guides"],
			["operations", "Operations"],
		],
		body: html`<p class="lead">Loans from the offer to the last repayment, current accounts with transfers and payees, organizations with members and approvals, and webhooks that lose nothing. JSON over HTTPS, amounts in whole minor units, instants in UTC.</p>
${heading(2, "first-request", "A first request")}<p>${
			sandbox
				? html`The sandbox stands in for an identity provider, and signs anybody in. A partner's token is exchanged for a token of the service, with which a user calls.`
				: html`A token of your identity provider is exchanged for a token of the service, with which a user calls. <a href="${hrefOf("", "guides/sign-your-users-in")}">Sign your users in</a> says how the provider is registered.`
		}</p>${code("Request", request)}
<p>Every refusal has a <a href="${hrefOf("", "errors")}">code</a>, and with <code>Accept: application/problem+json</code> each fault, the remedy and a link to its explanation. Every change takes an <a href="${hrefOf("", "guides/idempotency-and-retries")}">Idempotency-Key</a>. The document that all of this is made of is <a href="${fileHref("", "openapi.json")}">openapi.json</a>; <a href="${hrefOf("", "guides/first-webhook")}">your first webhook</a> takes a minute.</p>
${heading(2, "guides", "Guides")}<ul class="cards">${guides.map(({ path, title, about }) => html`<li><a href="${hrefOf("", path)}">${title}</a><p>${about}</p></li>`)}</ul>
${heading(2, "operations", "Operations")}<ul class="cards">${contents.tags.map(({ slug, name, about }) => html`<li><a href="${hrefOf("", slug)}">${name}</a><p>${about}</p></li>`)}</ul>`,
	};
}

/** Where a code is explained at length. */
const EXPLAINED: readonly (readonly [guide: string, codes: readonly ErrorCode[]])[] = [
	[
		"guides/sign-your-users-in",
		[
			"INVALID_TOKEN",
			"MALFORMED_TOKEN",
			"INVALID_TOKEN_CLAIMS",
			"UNAUTHORISED",
			"TOKEN_EXPIRED",
			"INVALID_TOKEN_SIGNATURE",
			"UNKNOWN_TOKEN_ISSUER",
			"WAITING_LIST",
		],
	],
	[
		"guides/organizations-roles-keys",
		["FORBIDDEN", "SELF_APPROVAL", "APPROVAL_PENDING", "LAST_OWNER", "INVITATION_PENDING", "ORGANIZATION_SLUG_TAKEN", "TOO_MANY_API_KEYS"],
	],
	[
		"guides/idempotency-and-retries",
		[
			"IDEMPOTENCY_KEY_REUSED",
			"IDEMPOTENCY_IN_PROGRESS",
			"TOO_MANY_REQUESTS",
			"SERVICE_UNAVAILABLE",
			"INTERNAL_SERVER_ERROR",
			"INTERNAL_ERROR",
			"DUPLICATE_CONFLICT",
			"PRECONDITION_FAILED",
		],
	],
	["guides/from-offer-to-repayment", ["APPLICATION_EXPIRED", "INVALID_STATE"]],
	[
		"guides/current-accounts-and-transfers",
		["ACCOUNT_HAS_NON_ZERO_BALANCE", "CLOSURE_IN_PROGRESS", "PAYEE_CHANGED", "MOBILE_NUMBER_IN_USE"],
	],
	[
		"guides/receiving-webhooks",
		[
			"WEBHOOK_NAME_TAKEN",
			"WEBHOOK_SUSPENDED",
			"DELIVERY_IN_PROGRESS",
			"LAST_SIGNING_KEY",
			"NO_SIGNING_KEY",
			"TOO_MANY_SIGNING_KEYS",
			"TOO_MANY_WEBHOOKS",
		],
	],
];

/** A list of more operations than this says nothing. */
const MOST_OPERATIONS = 12;

export function errorsPage(site: Site): Page {
	const { contents, guides } = site;
	const place = { ...site, page: "errors" };
	const codes = Object.entries(ERRORS) as [ErrorCode, (typeof ERRORS)[ErrorCode]][];
	const statuses = [...Map.groupBy(codes, ([, { status }]) => status)];
	const answering = (one: string) =>
		contents.tags.flatMap(({ slug, operations }) =>
			operations
				.filter(({ refusals }) => refusals.some(([, some]) => some.includes(one)))
				.map(({ id, summary }) => html`<li><a href="${hrefOf("errors", `${slug}#${id}`)}">${summary}</a></li>`),
		);
	const guideOf = (one: ErrorCode) => {
		const path = EXPLAINED.find(([, some]) => some.includes(one))?.[0];
		const guide = guides.find((known) => known.path === path);
		return guide ? html` <a href="${hrefOf("errors", guide.path)}">${guide.title}</a> has more.` : "";
	};
	return {
		path: "errors",
		title: "Errors",
		sections: [
			["reasons", "Reasons"] as const,
			...statuses.map(([status]) => [`status-${status}`, String(status)] as const),
			["models", "Models"] as const,
		],
		body: html`<p>A refusal is an <a href="#model-ApiError">ApiError</a>: a code and a <a href="#reasons">reason</a> for programs, a description for developers, which says what to send instead or what is missing, each fault of the input in <code>invalid_params</code>, and where a person can do something a <code>user_message</code> in the language that they have chosen, else in that of <code>Accept-Language</code>: English, Swahili, French, Portuguese or Amharic. With <code>Accept: application/problem+json</code> it is a <a href="#model-Problem">Problem</a> (RFC 9457), whose <code>type</code> is the address of the code on this page.</p>
${code("A refusal as a problem document", json(contents.problems.get("INVALID_PARAMS") ?? [...contents.problems.values()][0]), "json")}
<section>${heading(2, "reasons", "Reasons")}<p>The code leaves open what an app does next; <code>reason</code> says it. Without a closer one it is the code, and of bad input the <code>sub_code</code> of the first fault. New ones may come: treat an unknown one as its code.</p><ul class="members">${Object.entries(REASONS).map(([reason, about]) => html`<li><p><code>${reason}</code></p><p>${prose(about)}</p></li>`)}</ul></section>
${statuses.map(
	([status, some]) =>
		html`<section>${heading(2, `status-${status}`, String(status))}${some.map(([one, { description, remedy }]) => {
			const operations = answering(one);
			return html`<section class="error">${heading(3, one, one)}<p>${description}. <b>${remedy}.</b>${guideOf(one)}</p>${
				operations.length > 0 && operations.length <= MOST_OPERATIONS
					? html`<details><summary>Answered by ${operations.length === 1 ? "one operation" : `${operations.length} operations`}</summary><ul>${operations}</ul></details>`
					: ""
			}</section>`;
		})}</section>`,
)}${modelSections(place)}`,
	};
}

export function eventsPage(site: Site): Page {
	const { contents } = site;
	const place = { ...site, page: EVENTS };
	const link = linkOf(place);
	const families = [...Map.groupBy(contents.events, ({ type }) => type.split(".")[0] ?? "")];
	const { data: _, ...properties } = (contents.envelope.properties ?? {}) as Record<string, Schema>;
	const envelope = { ...contents.envelope, properties: { ...properties, event_type: { type: "string" } } };
	return {
		path: EVENTS,
		title: "Events",
		sections: [["delivery", "A delivery"], ...families.map(([family]) => [family, family] as const)],
		body: html`<p>An endpoint receives the types to which it subscribes: <a href="${hrefOf(EVENTS, "guides/receiving-webhooks")}">Receiving webhooks</a> says how, and <a href="${hrefOf(EVENTS, "webhooks")}">Webhooks</a> has the operations. The <a href="${hrefOf(EVENTS, "webhooks#listEvents")}">feed</a> gives the same events without gaps.</p>
${heading(2, "delivery", "A delivery")}<p>A <code>POST</code> with this body and these headers. The members of <code>data</code> are those of its type, below.</p>
<p>To an endpoint with <code>batch</code>, requests have the body <code>{"batch_id": "…", "deliveries": […]}</code> with such bodies in the list, <code>X-Service-Batch-Id</code> instead of <code>X-Service-Event-Type</code> and <code>X-Service-Delivery-Id</code>, and the batch id as <code>webhook-id</code>.</p>
<h3>Body</h3>${members(envelope, link)}<h3>Headers</h3><ul class="members">${contents.deliveryHeaders.map(({ schema: { const: __, ...schema }, ...header }) => row({ ...header, schema }, link))}</ul>
${code("Body", json(contents.events.find(({ type }) => type === "loan.disbursed")?.example), "json")}
${families.map(
	([family, some]) =>
		html`<section>${heading(2, family, family)}${some.map(({ type, summary, description, data }) => html`<section class="event">${heading(3, type, type)}<p>${summary}.${description ? html` ${prose(description)}` : ""}</p><details><summary>Members of data</summary>${members(data, link)}</details></section>`)}</section>`,
)}${modelSections(place)}`,
	};
}

const short = (role: string): string => role.replace(/^organization-/, "");

export function rolesPage({ contents }: Site): Page {
	const table = (rows: readonly (readonly [string, (role: (typeof ROLES)[number]) => boolean])[], what: string) =>
		html`<div class="wide" tabindex="0" role="region" aria-label="${what} by role"><table><thead><tr><th scope="col">${what}</th>${ROLES.map((role) => html`<th scope="col">${short(role)}</th>`)}</tr></thead><tbody>${rows.map(
			([name, has]) =>
				html`<tr><th scope="row" id="${name}"><a href="#${name}">${name}</a></th>${ROLES.map((role) => html`<td>${has(role) ? "yes" : html`<span class="no">no</span>`}</td>`)}</tr>`,
		)}</tbody></table></div>`;
	const operations = (name: string) =>
		contents.tags.flatMap(({ slug, operations: some }) =>
			some
				.filter(({ credentials }) => new RegExp(`(^|\\s)${name.replaceAll(".", "\\.")}($|[\\s,.])`).test(credentials))
				.map(({ id, summary }) => html`<li><a href="${hrefOf("roles", `${slug}#${id}`)}">${summary}</a></li>`),
		);
	return {
		path: "roles",
		title: "Roles and scopes",
		sections: [
			["permissions", "Which role has which permission"],
			["scopes", "Which role's keys have which scope"],
			["operations", "What each allows"],
		],
		body: html`<p>Members of an organization call with their own token and may what their role permits. API keys act for the organization and may what their scopes allow, and a key never may what the role of its maker may not. <a href="${hrefOf("roles", "guides/organizations-roles-keys")}">Organizations, roles, keys</a> shows both at work. The names of the roles begin with <code>organization-</code>.</p>
${heading(2, "permissions", "Which role has which permission")}${table(
	PERMISSIONS.map((permission) => [permission, (role) => rolePermits(role, permission)] as const),
	"Permission",
)}<p>The financing and lending roles decide approvals of their own kind only.</p>
${heading(2, "scopes", "Which role's keys have which scope")}${table(
	SCOPES.map((scope) => [scope, (role) => roleHolds(role, scope)] as const),
	"Scope",
)}
${heading(2, "operations", "What each allows")}${[...PERMISSIONS, ...SCOPES].map(
	(name) => html`<details><summary>${name}</summary><ul>${operations(name)}</ul></details>`,
)}`,
	};
}
