// What single members may do for single merchants, beyond their role: the embedded resource-access provider decides by these grants.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Orm } from "../../../db/database";
import { insertAll } from "../../../db/insert-all";
import { first } from "../../../db/reads";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { list } from "../../../shared/bounded";
import { ApiError } from "../../../shared/errors";
import { MERCHANT_PERMISSIONS } from "../../../shared/permissions";
import { syncGrant } from "../authorization/job";
import { memberships, merchantGrants } from "../table";

const path = z.object({ merchantId: z.string().trim().min(1).max(255), userId: z.uuid().toLowerCase() });
const access = member("org:members:write");

const MerchantGrant = z
	.object({ merchant_id: z.string(), user_id: z.uuid(), permissions: z.array(z.enum(MERCHANT_PERMISSIONS)) })
	.meta({ id: "MerchantGrant" });

type Named = { organizationId: string; merchantId: string; userId: string };

const ofMerchant = ({ organizationId, merchantId, userId }: Named) =>
	and(eq(merchantGrants.userId, userId), eq(merchantGrants.organizationId, organizationId), eq(merchantGrants.merchantId, merchantId));

const removeGrants = (orm: Orm, named: Named) => orm.delete(merchantGrants).where(ofMerchant(named));
const findGrants = (orm: Orm, named: Named) => orm.select().from(merchantGrants).where(ofMerchant(named));

export const getMerchantGrant = operation({
	id: "getMerchantGrant",
	method: "GET",
	path: "/v1/financing/merchants/{merchantId}/grants/{userId}",
	summary: "Get the grants of a member for a merchant, in addition to their role",
	access,
	home: ({ path }) => path.userId,
	request: { path },
	response: MerchantGrant,
	errors: ["NOT_FOUND"],
	validationErrors: true,
	async handle({ caller: { organizationId }, path: { merchantId, userId } }, { db }) {
		const found = await db.read(findGrants(db.orm, { organizationId, merchantId, userId }));
		const permissions = MERCHANT_PERMISSIONS.filter((one) => found.some(({ permission }) => permission === one));
		if (permissions.length === 0) throw new ApiError("NOT_FOUND");
		return { merchant_id: merchantId, user_id: userId, permissions };
	},
});

export const putMerchantGrant = operation({
	id: "putMerchantGrant",
	method: "PUT",
	path: "/v1/financing/merchants/{merchantId}/grants/{userId}",
	summary: "Let a member act for a merchant; replaces what they were granted before",
	access,
	home: ({ path }) => path.userId,
	request: {
		path,
		body: z.strictObject({ permissions: list(z.enum(MERCHANT_PERMISSIONS), { min: 1, max: MERCHANT_PERMISSIONS.length }) }),
	},
	response: MerchantGrant,
	errors: ["NOT_FOUND"],
	validationErrors: true,
	async handle({ caller: { organizationId }, path: { merchantId, userId }, body }, services) {
		const { db, now } = services;
		const named = { organizationId, merchantId, userId };
		const membership = await db.read(
			first(
				db.orm
					.select({ id: memberships.id })
					.from(memberships)
					.where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId))),
			),
		);
		if (!membership) throw new ApiError("NOT_FOUND", { description: "The organization has no such member" });
		const permissions = MERCHANT_PERMISSIONS.filter((one) => body.permissions.includes(one));
		const rows = permissions.map((permission) => ({ ...named, permission, createdAt: now, reachedAt: null }));
		const answer = { merchant_id: merchantId, user_id: userId, permissions };
		return services.commit([removeGrants(db.orm, named), ...insertAll(merchantGrants, rows), ...syncGrant(services, named)], answer);
	},
});

export const deleteMerchantGrant = operation({
	id: "deleteMerchantGrant",
	method: "DELETE",
	path: "/v1/financing/merchants/{merchantId}/grants/{userId}",
	summary: "Take back what a member was granted for a merchant",
	access,
	home: ({ path }) => path.userId,
	request: { path },
	response: null,
	errors: ["NOT_FOUND"],
	validationErrors: true,
	async handle({ caller: { organizationId }, path: { merchantId, userId } }, services) {
		const { db } = services;
		const named = { organizationId, merchantId, userId };
		const grant = await db.read(first(findGrants(db.orm, named)));
		if (!grant) throw new ApiError("NOT_FOUND");
		return services.commit([removeGrants(db.orm, named), ...syncGrant(services, named)], undefined);
	},
});
