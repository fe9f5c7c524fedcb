// Gives back the claims of attempts that have not begun: they leave no trace, and their deliveries are due as before.

import { sql } from "drizzle-orm";
import { bareList } from "../../../db/columns";
import { webhookDeliveries } from "../../../events/table";
import { webhookAttempts } from "../table";
import type { Claimed } from "./claim.store";

const { attempts, roundAttempts, attemptPosition, claim, claimedUntil } = webhookDeliveries;

export function giveBack(claimed: readonly Claimed[]) {
	const claims = JSON.stringify(claimed.map(({ id, claim }) => ({ id, claim })));
	const ids = JSON.stringify(claimed.map(({ id }) => id));
	return [
		sql`
			update ${webhookDeliveries} set
				(${bareList(claim, claimedUntil, attempts, roundAttempts, attemptPosition)})
					= (select null, null, ${attempts} - 1, ${roundAttempts} - 1, ${attemptPosition} - 1),
				(${bareList(
					webhookDeliveries.attemptNumber,
					webhookDeliveries.attemptTrigger,
					webhookDeliveries.attemptStartedAt,
					webhookDeliveries.attemptDurationMs,
					webhookDeliveries.attemptOutcome,
					webhookDeliveries.attemptErrorClass,
					webhookDeliveries.responseStatus,
					webhookDeliveries.responseBody,
				)}) = (
					select ${webhookAttempts.number}, ${webhookAttempts.trigger}, ${webhookAttempts.startedAt}, ${webhookAttempts.durationMs},
						${webhookAttempts.outcome}, ${webhookAttempts.errorClass}, ${webhookAttempts.responseStatus}, ${webhookAttempts.responseBody}
					from ${webhookAttempts} where ${webhookAttempts.deliveryId} = ${webhookDeliveries.id} and ${webhookAttempts.position} = ${attemptPosition} - 1)
			where (${webhookDeliveries.id}, ${claim}) in (select value ->> 'id', value ->> 'claim' from json_each(${claims}))`,
		// The last attempt is in the delivery's row again. Of a delivery that was not given back, the table has no attempt at this position.
		sql`
			delete from ${webhookAttempts} where (${webhookAttempts.deliveryId}, ${webhookAttempts.position}) in (
				select ${webhookDeliveries.id}, ${attemptPosition} from ${webhookDeliveries} where ${webhookDeliveries.id} in (select value from json_each(${ids})))`,
	];
}
