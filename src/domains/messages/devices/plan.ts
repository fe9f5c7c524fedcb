// Pushes are part of the commit that keeps a message in the inbox, and follow what its user wants there. They are sent after that commit.

import { type Effect, effect, type Step } from "../../../db/database";
import type { JobServices, Services } from "../../../runtime/services";
import { sendPushes } from "./job";
import { insertPushes, type Only } from "./pushes.store";

/** The statement that keeps the message, with a push to each device of its user. */
export function withPushes(services: Services, keep: Step, message: Only): Effect {
	const { db, now, providers } = services;
	const platforms = providers.pushSender?.platforms;
	if (!platforms) return { statements: [keep] };
	return effect([keep, insertPushes(db.orm, message, platforms, now)], ([, inserted]) => {
		if ((inserted as D1Result).meta.changes > 0) services.afterwards((job) => sendAll(job, message));
	});
}

/** As many portions as a user's devices take. */
async function sendAll(job: JobServices, message: Only): Promise<void> {
	while (await sendPushes(job, message));
}
