// Sends a prompt, once: the provider would not recognize a repetition. The commit that made it comes before, so that what dies in between
// leaves a prompt of which nothing is known, and none that is sent twice.

import type { JobServices } from "../../../runtime/services";
import { failPrompt } from "./plan";
import { markSent } from "./store";
import type { PromptRow } from "./table";

export async function sendPrompt(services: JobServices, prompt: PromptRow, mobileNumber: string): Promise<void> {
	const { db, providers, realNow } = services;
	const { id, organizationId, amount, reference } = prompt;
	const told = await providers.collections.prompt({ id, organizationId, amount, reference, mobileNumber }, realNow);
	switch (told.outcome) {
		case "SENT":
			await services.commit([markSent(db.orm, id, told.checkoutId)]);
			return;
		case "NOT_SENT":
			await services.commit(failPrompt(services, prompt, told.reason));
			return;
		case "UNKNOWN":
	}
}
