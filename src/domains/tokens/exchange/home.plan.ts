// The home organization of a new user: the one in the issuer's record, or in the sandbox the one in the token.

import type { SQL } from "drizzle-orm";
import { refuseIf } from "../../../db/guards";
import type { Reserve } from "../../../db/names";
import type { Owed } from "../../../runtime/home-messages";
import type { Services } from "../../../runtime/services";
import { ORGANIZATION_SUSPENDED } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { Slug } from "../../../shared/slug";
import { newOrganization } from "../../organizations/copies.plan";
import { isSuspended } from "../../organizations/store";
import type { Issuer } from "../issuers/own.plan";
import { refused, shown } from "../model/refusal.policy";
import { type Claims, originOf } from "../model/token.policy";
import type { Verified } from "../verification.procedure";

/** The reference of new users' organization; undefined if they get none; null if the token's `org_id` is not a reference. */
export function homeReference(issuer: Issuer, { all }: Claims): string | null | undefined {
	if (!issuer.organizationFromToken) return issuer.organization_id;
	const { org_id } = all;
	if (org_id === undefined) return undefined;
	return typeof org_id === "string" && (isUuid(org_id) || Slug.safeParse(org_id).success) ? org_id : null;
}

/** Aborts the exchange while the issuer's organization is suspended. */
export const refuseSuspended = (reference: string | null | undefined): SQL[] =>
	typeof reference === "string" ? [refuseIf(isSuspended(reference), ORGANIZATION_SUSPENDED)] : [];

/** What the directory reserves for the organization, and what is done once it has. */
export type HomeOrganization = { id: string | null; reserve: Reserve; carry: Owed["carry"] };

/**
 * The organization's id, and what creates it when its slug is used for the first time. `known` is the id that
 * was found for the reference. Undefined when the reference is an id that no organization has.
 */
export function resolveHome(services: Services, reference: string | undefined, known: string | undefined): HomeOrganization | undefined {
	if (reference === undefined || known !== undefined) return { id: known ?? null, reserve: { names: [] }, carry: async () => {} };
	if (isUuid(reference)) return undefined;
	const { row, name, owed } = newOrganization(services, { slug: reference, name: reference });
	return { id: row.id, reserve: { names: [name], writes: owed.writes }, carry: owed.carry };
}

/** Only the sandbox's tokens name their organization. */
export const noSuchOrganization = ({ token, all }: Verified) => ({
	...refused("ORGANIZATION_INVALID", "org_id of an organization, or a slug", shown(all.org_id)),
	origin: originOf(token),
});
