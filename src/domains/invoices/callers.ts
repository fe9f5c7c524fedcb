// Who may see and upload invoices: API keys, operators, and members who have the permission for the whole organization or for the
// invoice's merchant.

import * as z from "zod";
import { apiKey, type KeyCaller, memberAsking, type OrganizationCaller, oneOf, orIdentity } from "../../http/callers/access";
import { isBound, memberMay } from "../../http/callers/member-may";
import type { AuthorizationProvider, Membership } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { type ApiError, forbidden } from "../../shared/errors";
import type { Permission } from "../../shared/permissions";

export type InvoiceCaller = KeyCaller | OrganizationCaller;

export const invoiceId = z.uuid().toLowerCase();

/** Callers of operations whose handler calls `permitted`, because a member may have the permission for some merchants only. */
export const invoiceWriter = oneOf(orIdentity(memberAsking("org:financing.invoices:write")), apiKey("invoices:write"));
export const invoiceReader = oneOf(orIdentity(memberAsking("org:financing.merchants:read")), apiKey("invoices:read", "invoices:write"));

/**
 * Whether the caller has the permission for all of these merchants: for the organization, by its authorization provider, or for each
 * merchant, by the resource-access provider of the issuer that signed the caller's token, else by that of organizations. Rejects when a
 * provider does not answer.
 */
export async function permitted(
	services: Services,
	caller: InvoiceCaller,
	permission: Permission,
	merchantIds: readonly string[],
	write: boolean,
): Promise<boolean> {
	// A key has passed the check of its scope, and operators may do everything.
	if (caller.kind !== "member") return true;
	const { userId, organizationId, membership } = caller;
	if (!membership) throw new Error("the access of the operation leaves the permission to the handler");
	if ((await memberMay(services, { userId, membership, permission, write })) === "ALLOW") return true;
	const about = { subject: { userId }, permission, write };
	const named = [...new Set(merchantIds)];
	if (named.length === 0) return false;
	const deciding = decidingFor(services, caller, membership).map((name) => services.providers.resourceAccess(name));
	const decisions = await Promise.all(
		deciding.map((provider) => provider.checkMerchants({ ...about, organizationId, merchantIds: named })),
	);
	return decisions.every((decision) => decision === "ALLOW");
}

type Deciding = AuthorizationProvider["name"];

/** Who must allow single merchants. They may inherit from the organization in the outside provider, which may still know an earlier role. */
function decidingFor(
	services: Services,
	{ resourceAccess }: Extract<OrganizationCaller, { kind: "member" }>,
	membership: Membership,
): readonly Deciding[] {
	const { authorization } = services.providers;
	const chosen = resourceAccess ?? authorization.name;
	if (authorization.fromMemberships || !isBound(services, membership) || chosen === "embedded") return [chosen];
	return services.config.OPENFGA_TUPLES === "service" ? ["embedded", chosen] : ["embedded"];
}

export const lacksMerchants = (permission: Permission): ApiError =>
	forbidden(`You have the permission ${permission} neither for the organization nor for every merchant that the request names`);
