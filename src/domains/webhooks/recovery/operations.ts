// Recovery of the events that an endpoint missed.

import * as z from "zod";
import { first } from "../../../db/reads";
import { member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError, badInput } from "../../../shared/errors";
import { toTimestamp } from "../../../shared/time";
import { Instant } from "../../../shared/timestamp";
import { findEndpoint } from "../store";
import { afterPortion, isCounted, nextPortion, openRecoveryOf, type Portion, type Recovery, recoverPortion } from "./store";

export const recoverWebhook = operation({
	id: "recoverWebhook",
	method: "POST",
	path: "/v1/webhooks/{webhook_id}/recover",
	summary: "Deliver the events of a period that this endpoint missed",
	description:
		"Creates deliveries of the events that the endpoint never got, and retries those that FAILED. The first 200 events of the period are looked at in the call, the rest follow by themselves, unless the endpoint is suspended. The deliveries are due ten a second, or ten batches. While one recovery of the endpoint goes on, a call answers how far it is.",
	access: member("org:webhooks:write"),
	limit: "heavy",
	request: {
		path: z.object({ webhook_id: z.uuid().toLowerCase() }),
		body: z.strictObject({
			since: Instant.meta({ description: "Inclusive, not in the future" }),
			until: Instant.optional().meta({ description: "Exclusive; defaults to now" }),
			dry_run: z.boolean().optional().meta({ description: "Only counts what the call would do" }),
		}),
	},
	response: z.object({
		created: z.int().meta({ description: "New deliveries" }),
		retried: z.int().meta({ description: "FAILED deliveries that are PENDING again" }),
		remaining: z
			.int()
			.meta({ description: "At least so many deliveries follow: those of the next 200 events. Later events are not counted" }),
		counted_until: z.iso.datetime().nullable().optional().meta({
			description:
				"Of a dry run: null if it has looked at all events of the period. Otherwise it has counted what was missed before this instant: call it again with the instant as `since` for what follows",
		}),
	}),
	status: 202,
	errors: ["NOT_FOUND", "WEBHOOK_SUSPENDED"],
	async handle({ path, body, caller: { organizationId } }, services) {
		const { db, now } = services;
		if (body.since > now) throw badInput("since", "must not be in the future", "OUT_OF_RANGE");
		const recovery = {
			id: services.newId(),
			organizationId,
			webhookId: path.webhook_id,
			since: body.since,
			until: body.until ?? now + 1,
			position: 0,
			...{ created: 0, retried: 0, remaining: 0, dueUntil: 0 },
		};
		const { endpoint, open, portion } = await db.read({
			endpoint: first(findEndpoint(db.orm, organizationId, path.webhook_id)),
			open: first(openRecoveryOf(db.orm, path.webhook_id)),
			portion: first(nextPortion(services, recovery, !body.dry_run)),
		});
		if (!endpoint) throw new ApiError("NOT_FOUND");
		if (endpoint.status === "SUSPENDED") throw new ApiError("WEBHOOK_SUSPENDED");
		const progress = ({ created, retried, remaining }: Recovery) => ({ created, retried, remaining });
		if (open && !body.dry_run) {
			if (isCounted(open)) return progress(open);
			const next = await db.read(first(nextPortion(services, open)));
			return progress({ ...open, remaining: next ? next.created + next.retried + next.follows : 0 });
		}
		if (!portion) return { ...progress(recovery), ...(body.dry_run && { counted_until: null }) };
		if (body.dry_run) return counted(portion);
		return services.commit(recoverPortion(services, recovery, portion), progress(afterPortion(recovery, portion, now)));
	},
});

/** What a dry run has counted, without the events of the last instant that it has looked at: there may be more of these. */
function counted({ created, retried, follows, edge, followsBeforeEdge, lastAt }: Portion) {
	if (edge === null) return { created, retried, remaining: follows, counted_until: null };
	return edge > (lastAt ?? 0)
		? { created, retried, remaining: followsBeforeEdge, counted_until: toTimestamp(edge) }
		: { created, retried, remaining: follows, counted_until: toTimestamp(edge + 1) };
}
