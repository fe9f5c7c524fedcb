// Money that the custodian reports: it has come into an account, or left it. Each movement is posted once.

import * as z from "zod";
import { first } from "../../../db/reads";
import { secondsLeft, spend } from "../../../http/amount-windows";
import { held, oneOf, operator, signedBy } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { MAX_BALANCE } from "../../../runtime/current-account-terms";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput } from "../../../shared/errors";
import { referencePattern, uuidOf } from "../../../shared/ids";
import { Instant, refuseFuture } from "../../../shared/timestamp";
import { findAccountById } from "../accounts/store";
import { receive } from "../ledger/arrival.plan";
import { availableIn } from "../ledger/limits.policy";
import { credit, debit, post } from "../ledger/plan";
import { RECEIVING_STATES } from "../lifecycle";
import type { CurrentAccountRow } from "../table";
import { DIRECTIONS } from "./lifecycle";
import { findMovement, insertMovement } from "./store";
import { custodianMovements, type MovementRow } from "./table";

const Movement = z.object({
	movement_id: z.string().trim().min(1).max(255),
	account_id: z
		.string()
		.regex(referencePattern("acc"), "must be an id or a resource_id")
		.transform((reference) => uuidOf("acc", reference) ?? reference)
		.meta({ description: "The account's id or resource_id" }),
	direction: z.enum(DIRECTIONS),
	amount: z.int().min(1).max(MAX_BALANCE),
	currency: z.string().regex(/^[A-Z]{3}$/, "must be three capital letters"),
	occurred_at: Instant,
});

export const recordMovement = operation({
	id: "recordMovement",
	method: "POST",
	path: "/v1/integrations/custodian/movements",
	summary: "Report money that came into a current account or left it: the custodian, signed with CUSTODIAN_SECRET, or an operator",
	description:
		"The same movement with the same facts answers 200 and changes nothing. A refused movement is not recorded and can be sent again.",
	access: held(oneOf(operator, signedBy("CUSTODIAN_SECRET"))),
	home: ({ body }) => body.account_id,
	request: { body: Movement },
	response: z.object({
		movement_id: z.string(),
		account_id: z.uuid(),
		direction: z.enum(DIRECTIONS),
		amount: z.int(),
		currency: z.string(),
	}),
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT", "INVALID_STATE"],
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const { movement_id, account_id, direction, amount, currency, occurred_at: occurredAt } = body;
		refuseFuture("occurred_at", occurredAt, services);
		const answer = { movement_id, account_id, direction, amount, currency };
		const { known, account } = await db.read({
			known: first(findMovement(movement_id)),
			account: first(findAccountById(db.orm, account_id)),
		});
		const row: MovementRow = { id: movement_id, accountId: account_id, direction, amount, currency, occurredAt, createdAt: now };
		if (known) {
			if (!isSame(known, row)) throw new ApiError("DUPLICATE_CONFLICT");
			return answer;
		}
		if (!account) throw new ApiError("NOT_FOUND", { description: "There is no such current account" });
		if (currency !== account.currency) throw badInput("currency", "is not that of the account", "CURRENCY_MISMATCH");
		demandPostable(account, row);
		const posted =
			direction === "CREDIT"
				? await receive(services, account, credit("MOVEMENT", movement_id, amount), amount)
				: post(services, account, debit("MOVEMENT", movement_id, amount));
		const counted = caller.kind === "signer" && direction === "CREDIT";
		const overQuota = counted ? overCredits(services) : undefined;
		try {
			return await services.commit(
				[...(counted ? [spend(services, creditsOfDay(services, amount))] : []), insertMovement(row), ...posted],
				answer,
				{ unique: [[[custodianMovements.id], "STALE"]], overQuota },
			);
		} catch (error) {
			if (error === overQuota) services.log.error("the custodian's credits exceed CUSTODIAN_CREDITS_PER_DAY", error, { amount });
			throw error;
		}
	},
});

/** What a holder of the custodian's secret may pay in. */
const creditsOfDay = ({ config }: Services, amount: number) => ({
	name: "custodian-credits",
	credential: "CUSTODIAN_SECRET",
	amount,
	quota: config.CUSTODIAN_CREDITS_PER_DAY,
});

const overCredits = (services: Services): ApiError =>
	new ApiError("SERVICE_UNAVAILABLE", {
		description: "The credits of this day exceed what the service takes: an operator must look at them",
		headers: { "Retry-After": String(secondsLeft(services)) },
	});

const isSame = (known: MovementRow, row: MovementRow): boolean =>
	known.accountId === row.accountId &&
	known.direction === row.direction &&
	known.amount === row.amount &&
	known.currency === row.currency &&
	known.occurredAt === row.occurredAt;

function demandPostable(account: CurrentAccountRow, { direction, amount }: MovementRow): void {
	if (!RECEIVING_STATES.some((status) => status === account.status)) {
		throw new ApiError("INVALID_STATE", { description: `The account is ${account.status}` });
	}
	if (direction === "DEBIT" && amount > availableIn(account)) {
		throw new ApiError("INVALID_STATE", { description: "The account has less than that" });
	}
	if (direction === "CREDIT" && account.balance + amount > MAX_BALANCE) {
		throw new ApiError("INVALID_STATE", { description: "The account would hold more than it may" });
	}
}
