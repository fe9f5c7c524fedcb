// Asks what became of prompts, and gives them up.

import { StaleWrite } from "../../../db/database";
import { MOST_CONNECTIONS } from "../../../runtime/connections";
import type { JobServices } from "../../../runtime/services";
import { stepNumbered } from "./lifecycle";
import { failPrompt } from "./plan";
import { findDuePrompts, takeStep } from "./store";
import type { PromptRow } from "./table";

/** Takes one portion of those that are due. Whether more may be waiting. */
export async function workOnPrompts(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const [due] = await db.read(findDuePrompts(db.orm, now, MOST_CONNECTIONS));
	await Promise.all(due.map((row) => workOn(services, row)));
	return due.length === MOST_CONNECTIONS;
}

async function workOn(services: JobServices, prompt: PromptRow): Promise<void> {
	const { db, providers, realNow } = services;
	const { organizationId, steps, checkoutId } = prompt;
	try {
		await services.commit([takeStep(db.orm, prompt)]);
	} catch (error) {
		// Another sweep does it, or the prompt has ended.
		if (error instanceof StaleWrite) return;
		throw error;
	}
	if (stepNumbered(steps) !== "ASK" || checkoutId === null) return;
	const failure = await providers.collections.whyUnpaid({ organizationId, checkoutId }, realNow);
	if (failure !== undefined) await services.commit(failPrompt(services, prompt, failure));
}
