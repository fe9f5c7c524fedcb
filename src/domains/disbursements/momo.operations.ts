// What MTN MoMo reports of payouts. It signs nothing: the code in the path shows that it was asked for, and about what. Its report is a
// hint all the same, since MTN MoMo can be asked: only its answer ends a payout.

import * as z from "zod";
import { first } from "../../db/reads";
import { atCodedAddress, codedPath, noSuchAddress } from "../../http/callers/coded-address";
import { operation } from "../../http/operation";
import { hintIn, secondIn } from "../../providers/momo/answers";
import { isCodeOf } from "../../providers/momo/callback-address";
import { afterCommit } from "../../runtime/outbox";
import type { HandlerServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { inquireAbout } from "./job";
import { hasEnded } from "./model/lifecycle";
import { askSoon, findDisbursement } from "./model/store";
import { keepSecond } from "./result.procedure";

const body = z.looseObject({}).meta({ id: "MomoResult", examples: [{ status: "SUCCESSFUL", financialTransactionId: "363440463" }] });

/** MTN MoMo posts or puts, and repeats what is not answered within two seconds. */
const told = {
	path: "/v1/integrations/mobile-money/momo/results/{id}/{code}",
	description: "The code is good for one payout. This callback is a hint: the service asks MTN MoMo for the final status.",
	...atCodedAddress,
	home: ({ path }: { path: { id: string } }) => path.id,
	request: { path: codedPath, body },
	response: z.object({ received: z.literal(true) }),
} as const;

export const postMomoResult = operation({
	...told,
	id: "postMomoResult",
	method: "POST",
	summary: "Report that a payout has ended: called by MTN MoMo",
	handle: async (input, services) => hear(input, services),
});

export const putMomoResult = operation({
	...told,
	id: "putMomoResult",
	method: "PUT",
	summary: "Report that a payout has ended, by the other method that MTN MoMo may use",
	handle: async (input, services) => hear(input, services),
});

type Heard = { readonly path: z.output<typeof codedPath>; readonly body: z.output<typeof body> };

async function hear({ path: { id, code }, body }: Heard, services: HandlerServices) {
	const { db, config, log, now } = services;
	if (!(await isCodeOf(config.keyring, id, code))) throw noSuchAddress();
	const disbursement = await db.read(first(findDisbursement(db.orm, id)));
	if (!disbursement) throw new ApiError("NOT_FOUND");
	const answer = { received: true } as const;
	const { status } = disbursement;
	if (hasEnded(status)) {
		const hint = hintIn(body);
		const other = secondIn(body, disbursement.mobileMoneyTransactionId);
		if (other !== undefined) return services.commit([keepSecond(services, disbursement, other, now)], answer);
		if (hint && hint !== status) {
			log.error("a result of a payout contradicts an earlier one", undefined, { disbursement_id: id, status: hint });
			if (status === "FAILED") services.afterwards((job) => inquireAbout(job, id));
		}
		return answer;
	}
	return services.commit([askSoon(db.orm, id, now), afterCommit(services, (job) => inquireAbout(job, id))], answer);
}
