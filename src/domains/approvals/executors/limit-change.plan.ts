// Sets a borrower's limit, or restores the computed one. Only operators decide, because the platform bears the risk.

import * as z from "zod";
import { first } from "../../../db/reads";
import { planLimitChange } from "../../loan-products/limit.plan";
import { findLimited } from "../../loan-products/limit.store";
import { findUser } from "../../users/model/store";
import { executor } from "./executor.plan";

export const limitChange = executor({
	entity: "USER",
	payload: z.strictObject({ limit: z.int().min(0).nullable() }),
	home: (userId) => userId,
	find: (orm, userId) => ({ user: first(findUser(orm, userId)), limited: findLimited(orm, userId) }),
	target(services, { user, limited }, _, { limit }) {
		if (!user) return undefined;
		const present = limited.profiles[0]?.limitOverride ?? null;
		return {
			organizationId: user.homeOrganizationId,
			decider: "OPERATOR",
			version: present === null ? "COMPUTED" : String(present),
			async plan() {
				if (present === limit) return { accepted: false, reason: "LIMIT_UNCHANGED" };
				return { accepted: true, writes: await planLimitChange(services, user, limited, limit) };
			},
		};
	},
});
