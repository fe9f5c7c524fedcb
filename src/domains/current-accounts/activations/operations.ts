// Activates a current account: its owner proves by a code that they can be reached, and the custodian agrees.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { orStaleUnless } from "../../../db/guards";
import { first } from "../../../db/reads";
import { user } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { sendAfter } from "../../../runtime/outbox";
import type { Services } from "../../../runtime/services";
import { ApiError, invalidState, wrongState } from "../../../shared/errors";
import { channelOf, destinationOf, resendCode } from "../../otp/plan";
import { askCode, carryOut, codeCaps, tryCode } from "../../otp/procedure";
import { consumeChallenge, findChallengeOf } from "../../otp/store";
import { OtpConfirmation, RESEND_REASONS, SEND_REASONS, TRY_REASONS } from "../../otp/wire";
import { lendingReader } from "../../users/model/callers";
import { findUser } from "../../users/model/store";
import { findAccountById, findOpenAccount } from "../accounts/store";
import { orderInstruction } from "../custodian/plan";
import { custodianOutbox } from "../custodian/procedure";
import { isActivatable, NO_OPEN_ACCOUNT } from "../lifecycle";
import type { CurrentAccountRow } from "../table";
import { ACTIVATION_VALIDITY_MS, statusAfter, statusAt } from "./lifecycle";
import { activate } from "./plan";
import { findOpenActivation, findOwnActivation, findReachedActivation, moveActivation } from "./store";
import { type ActivationRow, activations } from "./table";
import { Activation, toActivation } from "./wire";

const PURPOSE = "ACTIVATION";
const PATH = "/v1/user/accounts/current/activations";
const path = z.object({ activationId: z.uuid().toLowerCase() });

const bindingOf = ({ id, userId }: Pick<ActivationRow, "id" | "userId">) => ({ purpose: PURPOSE, subject: userId, resource: id });

export const startActivation = operation({
	id: "startActivation",
	method: "POST",
	path: PATH,
	summary: "Start the activation of the caller's current account",
	description: "Sends a code by the channel, by SMS if none is named. An activation that waits for its code is cancelled.",
	access: user,
	request: { body: z.object({ channel: z.enum(["SMS", "EMAIL"]).optional() }).optional() },
	response: Activation,
	status: 201,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: SEND_REASONS,
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const { userId } = caller;
		const { owner, account, open } = await db.read({
			owner: first(findUser(db.orm, userId)),
			account: first(findOpenAccount(userId)),
			open: first(findOpenActivation(db.orm, userId)),
		});
		if (!owner || !account) throw new ApiError("NOT_FOUND", { description: NO_OPEN_ACCOUNT });
		if (!isActivatable(account.status, account.walletOnboardingStatus)) throw notActivatable(account);
		// A confirmed one waits for the custodian and cannot be taken back.
		if (open && !statusAfter(open, "cancel")) throw invalidState("An activation is confirmed, and waits for the custodian");
		const destination = destinationOf(owner, body?.channel);
		const id = services.newId();
		const { challenge, writes, reserve } = await askCode(services, bindingOf({ id, userId }), destination);
		const row: ActivationRow = {
			id,
			accountId: account.id,
			userId,
			channel: destination.channel,
			status: "AWAITING_OTP",
			challengeId: challenge.id,
			rejectionReason: null,
			createdAt: now,
			expiresAt: now + ACTIVATION_VALIDITY_MS,
			otpConfirmedAt: null,
			completedAt: null,
		};
		const ended = open ? [moveActivation(db.orm, open, [statusAt(open, now) === "EXPIRED" ? "expire" : "cancel"]).write] : [];
		return services.commit([...ended, db.orm.insert(activations).values(row), ...writes], toActivation(row, now), {
			reserve,
			unique: [[[activations.accountId], "STALE"]],
		});
	},
});

async function findOwn({ db }: Services, id: string, userId: string) {
	const activation = await db.read(first(findOwnActivation(db.orm, id, userId)));
	if (!activation) throw new ApiError("NOT_FOUND");
	return activation;
}

export const getActivation = operation({
	id: "getActivation",
	method: "GET",
	path: `${PATH}/{activationId}`,
	summary: "An activation of a current account",
	access: lendingReader,
	home: ({ path }) => path.activationId,
	request: { path },
	response: Activation,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, { db, now }) {
		const activation = await db.read(first(findReachedActivation(db.orm, path.activationId, caller)));
		if (!activation) throw new ApiError("NOT_FOUND");
		return toActivation(activation, now);
	},
});

export const resendActivationCode = operation({
	id: "resendActivationCode",
	method: "POST",
	path: `${PATH}/{activationId}/otp/resend`,
	summary: "Send a new code for an activation",
	description: "The code before it is no longer valid. Tries that are used up stay used up.",
	access: user,
	request: { path },
	response: Activation,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: RESEND_REASONS,
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const own = findOwnActivation(db.orm, path.activationId, caller.userId);
		const { activation, challenge } = await db.read({
			activation: first(own),
			challenge: first(findChallengeOf(db.orm, own)),
		});
		if (!activation) throw new ApiError("NOT_FOUND");
		if (!challenge || statusAt(activation, now) !== "AWAITING_OTP") throw notAwaited(activation, now);
		const caps = await codeCaps(services, challenge.recipient);
		const { writes, reserve } = await resendCode(services, challenge, channelOf(challenge), caps);
		const waiting = sql`exists (select 1 from ${activations} where ${activations.id} = ${activation.id} and ${activations.status} = 'AWAITING_OTP')`;
		return services.commit([orStaleUnless(waiting), ...writes], toActivation(activation, now), { reserve });
	},
});

const notActivatable = ({ status, walletOnboardingStatus }: CurrentAccountRow) =>
	status === "PENDING"
		? wrongState("The custodian's opening of the account", walletOnboardingStatus, ["ACCOUNT_OPENED"])
		: wrongState("The account", status, ["PENDING"]);

const notAwaited = (activation: ActivationRow, now: number) => wrongState("The activation", statusAt(activation, now), ["AWAITING_OTP"]);

export const confirmActivation = operation({
	id: "confirmActivation",
	method: "POST",
	path: `${PATH}/{activationId}/confirm`,
	summary: "Confirm an activation with the one-time password",
	description: "The account becomes ACTIVE once the custodian agrees, in the sandbox at once.",
	access: user,
	request: { path, body: OtpConfirmation },
	response: Activation,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: TRY_REASONS,
	async handle({ path, body, caller }, services) {
		const seen = await findOwn(services, path.activationId, caller.userId);
		if (statusAt(seen, services.now) !== "AWAITING_OTP") throw notAwaited(seen, services.now);
		const challenge = await tryCode(services, seen.challengeId, bindingOf(seen), body.otp_code);
		return carryOut(services, challenge, async () => {
			const { db, now, providers } = services;
			const { activation, account } = await db.read({
				activation: first(findOwnActivation(db.orm, seen.id, caller.userId)),
				account: first(findAccountById(db.orm, seen.accountId)),
			});
			const { custodian } = providers;
			if (!custodian) throw new ApiError("SERVICE_UNAVAILABLE");
			if (!activation || !account) throw new ApiError("NOT_FOUND");
			if (statusAt(activation, now) !== "AWAITING_OTP") throw notAwaited(activation, now);
			if (!isActivatable(account.status, account.walletOnboardingStatus)) throw notActivatable(account);
			const consumed = consumeChallenge(db.orm, challenge, now);
			if (custodian.kind === "embedded") {
				const { moved, write } = moveActivation(db.orm, activation, ["confirm", "approve"], { otpConfirmedAt: now, completedAt: now });
				return services.commit([consumed, write, ...activate(services, account, activation.id)], toActivation(moved, now));
			}
			const { moved, write } = moveActivation(db.orm, activation, ["confirm"], { otpConfirmedAt: now });
			const facts = { account_id: account.id, activation_id: activation.id };
			const order = orderInstruction(services, { kind: "ACTIVATE", subjectId: activation.id, facts });
			const sent = sendAfter(services, custodianOutbox, order.instruction);
			return services.commit([consumed, write, order.write, sent], toActivation(moved, now));
		});
	},
});
