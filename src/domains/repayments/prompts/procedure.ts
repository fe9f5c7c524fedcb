// Sends a prompt, once: the provider would not recognize a repetition. The commit that made it comes before, so that what dies in between
// leaves a prompt of which nothing is known, and none that is sent twice.

import type { Sending } from "../../../runtime/outbox";
import type { Prompted } from "../../../runtime/ports";
import { failPrompt } from "./plan";
import { markSent } from "./store";
import type { PromptRow } from "./table";

export const prompting: Sending<{ readonly prompt: PromptRow; readonly mobileNumber: string }, Prompted> = {
	what: "prompts",
	said: ({ outcome }) => outcome,
	send({ providers, realNow }, { prompt: { id, organizationId, amount, reference }, mobileNumber }) {
		return providers.collections.prompt({ id, organizationId, amount, reference, mobileNumber }, realNow);
	},
	outcome(services, { prompt }, told) {
		switch (told.outcome) {
			case "SENT":
				return [markSent(services.db.orm, prompt.id, told.checkoutId)];
			case "NOT_SENT":
				return failPrompt(services, prompt, told.reason);
			case "UNKNOWN":
				return [];
		}
	},
};
