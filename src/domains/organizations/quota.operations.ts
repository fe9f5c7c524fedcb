// How many webhook deliveries an organization may hold, and holds.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { first } from "../../db/reads";
import { deliveryHoldings } from "../../events/table";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { findByReference } from "./store";

const path = z.object({ organizationId: z.uuid().toLowerCase() });

const own = z.int().min(1).max(1_000_000_000).nullable();

const DeliveryQuota = z
	.object({
		organization_id: z.uuid(),
		held: z.int().meta({ description: "Deliveries that are kept, in any state" }),
		quota: z.int().meta({ description: "How many may be kept" }),
		own_quota: own.meta({ description: "The quota that an operator has set; null: as configured" }),
	})
	.meta({ id: "DeliveryQuota" });

async function look({ db }: Services, organizationId: string) {
	const { organization, holding } = await db.read({
		organization: first(findByReference(db.orm, organizationId)),
		holding: first(db.orm.select().from(deliveryHoldings).where(eq(deliveryHoldings.organizationId, organizationId))),
	});
	if (!organization) throw new ApiError("NOT_FOUND");
	return { held: holding?.held ?? 0, quota: holding?.quota ?? null };
}

const toDeliveryQuota = ({ config }: Services, organizationId: string, { held, quota }: Awaited<ReturnType<typeof look>>) => ({
	organization_id: organizationId,
	held,
	quota: quota ?? config.WEBHOOK_QUOTA,
	own_quota: quota,
});

export const getDeliveryQuota = operation({
	id: "getDeliveryQuota",
	method: "GET",
	path: "/v1/platform/organizations/{organizationId}/delivery-quota",
	summary: "How many webhook deliveries an organization holds, and may hold",
	access: operator,
	home: ({ path }) => path.organizationId,
	request: { path },
	response: DeliveryQuota,
	errors: ["NOT_FOUND"],
	async handle({ path: { organizationId } }, services) {
		return toDeliveryQuota(services, organizationId, await look(services, organizationId));
	},
});

export const setDeliveryQuota = operation({
	id: "setDeliveryQuota",
	method: "PUT",
	path: "/v1/platform/organizations/{organizationId}/delivery-quota",
	summary: "Set how many webhook deliveries an organization may hold",
	description: "Beyond it finished deliveries go early, then no new ones are made; the feed has all events. null: as configured.",
	access: held(operator),
	home: ({ path }) => path.organizationId,
	request: { path, body: z.strictObject({ own_quota: own }).meta({ examples: [{ own_quota: 5_000_000 }] }) },
	response: DeliveryQuota,
	errors: ["NOT_FOUND"],
	async handle({ path: { organizationId }, body: { own_quota: quota } }, services) {
		const holding = await look(services, organizationId);
		return services.commit(
			[
				services.db.orm
					.insert(deliveryHoldings)
					.values({ organizationId, quota })
					.onConflictDoUpdate({ target: deliveryHoldings.organizationId, set: { quota } }),
			],
			toDeliveryQuota(services, organizationId, { ...holding, quota }),
		);
	},
});
