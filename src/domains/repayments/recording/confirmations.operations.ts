// What Daraja says when it is asked whether a confirmed payment was made. Only then is the payment recorded.

import * as z from "zod";
import { first } from "../../../db/reads";
import { atCodedAddress, codedPath, noSuchAddress } from "../../../http/callers/coded-address";
import { operation } from "../../../http/operation";
import { type DarajaResult, type Judged, judgeReceipt, madeAt, resultIn } from "../../../providers/daraja/answers";
import { connectedBy, isCodeOf } from "../../../providers/daraja/callback-address";
import { ACCEPTED, Accepted, accountNumberIn, Confirmation, type Confirmation as Told } from "../../../providers/daraja/callbacks";
import type { HandlerServices } from "../../../runtime/services";
import { shortAmountText } from "../../../shared/currency";
import { ApiError } from "../../../shared/errors";
import { canVerify } from "../../connections/model/plan";
import { findConnection } from "../../connections/model/store";
import type { ConnectionRow } from "../../connections/model/table";
import { findAccountNumbered } from "../../credit-accounts/store";
import { referenceIn } from "../prompts/policy";
import { findPromptReferred } from "../prompts/store";
import { findReceived } from "../store";
import { holds, learntOf, openConfirmation } from "./confirmations.procedure";
import { contradict, endConfirmation, findConfirmation, organizationOfConfirmation } from "./confirmations.store";
import type { ConfirmationRow } from "./confirmations.table";
import { accountOfTyped, isPaymentOf, isRecordedOtherwise, recordConfirmation } from "./daraja.procedure";

export const verifyDarajaConfirmation = operation({
	id: "verifyDarajaConfirmation",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/confirmations/{id}/{code}",
	summary: "Say whether a confirmed payment was made: Daraja, at the address that it was given",
	description: "The code is good for the question about one confirmation. A payment that was made, of the same amount, is recorded.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath,
		body: z
			.looseObject({})
			.meta({ id: "DarajaAnswer", examples: [{ Result: { ResultType: 0, ResultCode: 0, TransactionID: "SG632NMUAB" } }] }),
	},
	response: Accepted,
	async handle({ path: { id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, "confirmed", id, code))) throw noSuchAddress();
		const { db } = services;
		const { confirmation, connection } = await db.read({
			confirmation: first(findConfirmation(id)),
			connection: first(findConnection(db.orm, { organizationId: organizationOfConfirmation(id), provider: "daraja" })),
		});
		if (!confirmation) throw new ApiError("NOT_FOUND");
		if (confirmation.status !== "WAITING") return ACCEPTED;
		const result = resultIn(body);
		const judged = judge(confirmation, connection, result);
		if (judged === "UNKNOWN") return services.commit(connection && result ? learntOf(services, connection, result) : [], ACCEPTED);
		if (connection?.statusOutcome === "FAILED") {
			services.afterwards((job) => job.commit([canVerify(job, { organizationId: connection.organizationId, provider: "daraja" })]));
		}
		if (judged === "MADE") return recordVerified(services, confirmation, result && madeAt(result));
		services.log.error("a confirmation is of a payment that was not made so", undefined, { confirmation_id: id });
		return services.commit([endConfirmation(id, "REFUTED")], ACCEPTED);
	},
});

function judge(
	{ transactionId, amount }: ConfirmationRow,
	connection: ConnectionRow | undefined,
	result: DarajaResult | undefined,
): Judged {
	if (!result || !connection) return "UNKNOWN";
	return judgeReceipt(result, { receipt: transactionId, amount, shortCode: connection.shortCode });
}

/** Records the payment, and with it that the question has ended. */
async function recordVerified(services: HandlerServices, confirmation: ConfirmationRow, at: number | undefined) {
	const { organizationId, amount, id, contradictedAt } = confirmation;
	const told = await openConfirmation(services.config.keyring, confirmation);
	const body = told ?? { TransID: confirmation.transactionId, TransTime: "", TransAmount: shortAmountText(amount, "KES") };
	const ends = endConfirmation(id, "VERIFIED");
	const received = {
		...{ organizationId, body, amount: { value: amount, isExact: true }, verified: { ends, at } },
		...(contradictedAt !== null && { unmatched: "CONTRADICTED" as const }),
	};
	try {
		return await recordConfirmation(services, received);
	} catch (error) {
		if (!isRecordedOtherwise(error)) throw error;
		const contradiction = (await isRecordedAs(services, confirmation, body)) ? [] : [contradict(id, services.now)];
		if (contradiction.length > 0) {
			services.log.error("a verified payment is recorded with other facts", undefined, { confirmation_id: id });
		}
		await services.commitRegardless([ends, ...contradiction]);
		return ACCEPTED;
	}
}

/** Whether the payment with this receipt is the payment that the provider has verified: of its amount, and to its account. */
async function isRecordedAs(
	services: HandlerServices,
	{ organizationId, transactionId, amount }: ConfirmationRow,
	body: Told,
): Promise<boolean> {
	const there = services.at(organizationId);
	const known = await there.db.read(first(findReceived(there.db.orm, organizationId, transactionId)));
	return known !== undefined && isPaymentOf(there, known, { body, amount });
}

export const validateDarajaPayment = operation({
	id: "validateDarajaPayment",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/{secret}/validation",
	summary: "Ask whether a payment may be made: Daraja, by the secret path of a connection",
	description:
		"It accepts every payment, unless nobody has the account number and the connection has `reject_unknown_accounts`. If the service cannot decide, it accepts the payment.",
	...atCodedAddress,
	home: "directory",
	request: { path: z.object({ secret: z.string().min(1).max(255) }), body: Confirmation },
	response: z.object({ ResultCode: z.enum(["0", "C2B00012"]), ResultDesc: z.enum(["Accepted", "Rejected"]) }),
	async handle({ path, body }, services) {
		const connected = await connectedBy(services.config.keyring, path.secret);
		if (!connected) throw noSuchAddress();
		const { organizationId, version } = connected;
		const { db, log } = services.moveTo(organizationId);
		try {
			const number = accountNumberIn(String(body.BillRefNumber ?? ""));
			const reference = referenceIn(number);
			const { connection, account } = await db.read({
				connection: first(findConnection(db.orm, { organizationId, provider: "daraja" })),
				account: first(
					reference === undefined
						? findAccountNumbered(db.orm, number, organizationId)
						: findPromptReferred(db.orm, reference, organizationId),
				),
			});
			const isKnown = account !== undefined || (await accountOfTyped(services.at(organizationId), organizationId, number)) !== undefined;
			if (!isKnown && connection?.rejectUnknownAccounts && holds(version, connection)) {
				return { ResultCode: "C2B00012", ResultDesc: "Rejected" } as const;
			}
		} catch (error) {
			log.error("a payment could not be validated", error);
		}
		return { ResultCode: "0", ResultDesc: "Accepted" } as const;
	},
});
