// Blocks a user, which ends their sessions, or lifts the block.

import * as z from "zod";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { endAllSessions } from "../../tokens/sessions/plan";
import { userBlocked, userUnblocked } from "../../users/model/events";
import { ERASED_TAG, findUser, setBlocked } from "../../users/model/store";
import { executor } from "./executor.plan";

export const blockChange = executor({
	entity: "USER",
	payload: z.strictObject({ blocked: z.boolean() }),
	home: (userId) => userId,
	find: (orm, userId) => ({ user: first(findUser(orm, userId)) }),
	target(services, { user }, _, { blocked }) {
		if (!user) return undefined;
		const isBlocked = user.blockedAt !== null;
		return {
			organizationId: user.homeOrganizationId,
			decider: "ORGANIZATION",
			version: isBlocked ? "BLOCKED" : "NOT_BLOCKED",
			plan({ approvalId }) {
				if (user.tag === ERASED_TAG) return { accepted: false, reason: "ERASED" };
				if (isBlocked === blocked) return { accepted: false, reason: blocked ? "ALREADY_BLOCKED" : "NOT_BLOCKED" };
				const { orm } = services.db;
				const event = { organizationId: user.homeOrganizationId, entityId: approvalId };
				return {
					accepted: true,
					writes: [
						setBlocked(orm, user, blocked ? services.now : null),
						...(blocked ? endAllSessions(orm, user.id, services.realNow) : []),
						raise(services, blocked ? userBlocked : userUnblocked, {
							...event,
							data: { user_id: user.id, approval_request_id: approvalId },
						}),
					],
				};
			},
		};
	},
});
