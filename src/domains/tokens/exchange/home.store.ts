// The home organization of a user whom an issuer creates: that of the issuer's record, or in the sandbox the token's.

import type { Statement } from "../../../db/database";
import type { Services } from "../../../runtime/services";
import { isUuid } from "../../../shared/ids";
import { Slug } from "../../../shared/slug";
import { organizations } from "../../organizations/table";
import type { Issuer } from "../issuers/store";
import type { Claims } from "../token.policy";

/** The reference by which new users' organization is looked up; undefined when they have none; null when a token's is no reference. */
export function homeReference(issuer: Issuer, { all }: Claims): string | null | undefined {
	if (!issuer.organizationFromToken) return issuer.organization_id;
	const { org_id } = all;
	if (org_id === undefined) return undefined;
	return typeof org_id === "string" && (isUuid(org_id) || Slug.safeParse(org_id).success) ? org_id : null;
}

/** The organization's id (`known` when there is one), and the write that creates it when it is a slug used for the first time; undefined for an id of nothing. */
export function resolveHome(
	services: Services,
	reference: string | undefined,
	known: string | undefined,
): { id: string | null; writes: Statement[] } | undefined {
	if (reference === undefined) return { id: null, writes: [] };
	if (known !== undefined) return { id: known, writes: [] };
	if (isUuid(reference)) return undefined;
	const row = { id: services.newId(), slug: reference, name: reference, createdAt: services.now };
	return { id: row.id, writes: [services.db.orm.insert(organizations).values(row)] };
}
