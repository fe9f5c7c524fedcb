// Asks what became of prompts, and gives them up.

import { type Outbox, sendDue } from "../../../runtime/outbox";
import { stepNumbered } from "./lifecycle";
import { failPrompt } from "./plan";
import { findDuePrompts, takeStep } from "./store";
import type { PromptRow } from "./table";

type Unpaid = { readonly outcome: "NOT_ASKED" | "UNKNOWN" } | { readonly outcome: "UNPAID"; readonly reason: string };

/** Why prompts have not been paid. A prompt that is given up is no longer open, and no longer asked about. */
const questions: Outbox<PromptRow, PromptRow, Unpaid> = {
	what: "questions about prompts",
	said: ({ outcome }) => outcome,
	async due({ db, now }, most) {
		const due = await db.read(findDuePrompts(db.orm, now, most));
		return due;
	},
	claim: ({ db }, prompt) => takeStep(db.orm, prompt),
	async send({ providers, realNow }, { organizationId, steps, checkoutId }) {
		if (stepNumbered(steps) !== "ASK" || checkoutId === null) return { outcome: "NOT_ASKED" };
		const reason = await providers.collections.whyUnpaid({ organizationId, checkoutId }, realNow);
		return reason === undefined ? { outcome: "UNKNOWN" } : { outcome: "UNPAID", reason };
	},
	outcome: (services, prompt, answer) => (answer.outcome === "UNPAID" ? failPrompt(services, prompt, answer.reason) : []),
};

/** Takes one portion of those that are due. Whether more may be waiting. */
export const workOnPrompts = sendDue(questions);
