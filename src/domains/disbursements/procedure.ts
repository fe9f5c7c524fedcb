// Instructs the outside disburser. The commit that orders a payout writes the row; the instruction is sent afterwards, and
// again until the disburser accepts it. Each attempt is counted and the next one scheduled before it is made, so that a crash only
// delays an instruction and never loses it.

import { and, eq } from "drizzle-orm";
import type { Instruction } from "../../runtime/ports";
import type { JobServices } from "../../runtime/services";
import { disbursements } from "./table";

/** Sends an instruction whose attempt is counted already. Whatever the answer, only the disburser's report ends the matter. */
export async function instruct(services: JobServices, instruction: Instruction): Promise<void> {
	const { disburser } = services.providers;
	if (disburser?.kind !== "remote") return;
	if ((await disburser.instruct(instruction, services.realNow)) !== "ACCEPTED") return;
	const { db } = services;
	await services.commit([
		db.orm
			.update(disbursements)
			.set({ status: "ACCEPTED" })
			.where(and(eq(disbursements.id, instruction.reference), eq(disbursements.status, "PENDING"))),
	]);
}
