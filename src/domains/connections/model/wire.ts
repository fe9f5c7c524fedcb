// Connections to providers of payments on the wire. No answer holds a secret. Their common members; each provider's own is in a file
// of its name.

import * as z from "zod";
import { InvalidInput } from "../../../shared/errors";
import { PAYMENT_PROVIDERS, type PaymentProvider } from "../../../shared/payment-providers";
import { MINUTE_MS, toTimestamp } from "../../../shared/time";
import { CHECK_OUTCOMES, CONNECTION_STATES, ENVIRONMENTS, isPaused } from "./lifecycle";
import type { ConnectionRow, Secrets } from "./table";

/** What a provider's adapter needs of the organization, as `PUT` takes it and as it is stored. */
export type ConnectionKind<Body, Wire> = {
	readonly provider: PaymentProvider;
	/** Which account with the provider it is: with another one nothing that was ordered by this one may be repeated. */
	accountOf(body: Body): Pick<ConnectionRow, "shortCode" | "facts">;
	/** The secrets as they are stored; a secret that is left out stays as it is `known`. Throws `InvalidInput` for missing secrets. */
	secretsOf(body: Body, known: Secrets | undefined): Secrets;
	/** By which lost confirmations are looked for; null where the lender wants that not, or the provider cannot. */
	nominatedNumberOf(body: Body): string | null;
	/** What else is stored of it. */
	columnsOf(body: Body, secrets: Secrets): Pick<ConnectionRow, "hasPasskey" | "hasInitiator" | "rejectUnknownAccounts">;
	toWire(row: ConnectionRow, now: number): Wire;
};

/** Members of the body of every `PUT`. */
export const common = { environment: z.enum(ENVIRONMENTS), payouts: z.boolean() };
export type CommonBody = z.output<z.ZodObject<typeof common>>;

export const secret = (most: number) => z.string().trim().min(1).max(most);

const memberOf = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** Throws for the secrets of which none was sent, none is known and one is needed. Their members are theirs names with underscores. */
export function keepSecrets<Name extends string>(
	sent: Readonly<Record<Name, string | undefined>>,
	known: Secrets | undefined,
	isNeeded: (name: Name, kept: Readonly<Record<Name, string | null>>) => boolean,
): Readonly<Record<Name, string | null>> {
	const names = Object.keys(sent) as Name[];
	const kept = Object.fromEntries(names.map((name) => [name, sent[name] ?? known?.[name] ?? null])) as Record<Name, string | null>;
	const missing = names.filter((name) => kept[name] === null && isNeeded(name, kept));
	if (missing.length > 0) {
		throw new InvalidInput(missing.map((name) => ({ path: memberOf(name), reason: "is required", sub_code: "REQUIRED" as const })));
	}
	return kept;
}

/** Members of every answer. */
export const answered = {
	provider: z.enum(PAYMENT_PROVIDERS).meta({ title: "PaymentProvider" }),
	environment: z.enum(ENVIRONMENTS),
	payouts: z.boolean().meta({ description: "Whether loans, draws and refunds are paid out by it" }),
	status: z.enum(CONNECTION_STATES).meta({ description: "PAUSED: new payouts answer 503, and ordered ones wait" }),
	paused_reason: z.string().nullable(),
	paused_until: z.iso.datetime().nullable().meta({ description: "null while PAUSED: until it is resumed, or has other credentials" }),
	replacement: z
		.object({
			environment: z.enum(ENVIRONMENTS),
			account: z.string().meta({ description: "The shortcode, or the API user" }),
			requested_by: z.string().meta({ description: "The user or operator who wants it" }),
			acts_at: z.iso.datetime(),
		})
		.meta({ id: "ConnectionReplacement" })
		.nullable()
		.meta({
			description: "Another account that takes this one's place once another person agrees to it, or at `acts_at` if nobody discards it",
		}),
	created_at: z.iso.datetime(),
	updated_at: z.iso.datetime(),
};

const Question = z.object({
	outcome: z.enum(CHECK_OUTCOMES).meta({ title: "ConnectionCheckOutcome" }),
	result_code: z.string().nullable().meta({ description: "Of FAILED: the provider's code" }),
	at: z.iso.datetime(),
});

/** Members of the answers of providers that report balances. */
export const checked = {
	last_check: z
		.object({
			outcome: z.enum(CHECK_OUTCOMES),
			result_code: z.string().nullable().meta({ description: "Of FAILED: the provider's code" }),
			at: z.iso.datetime(),
			balance: Question.nullable().meta({ description: "The outcome of the balance query" }),
			transaction_status: Question.nullable().meta({
				description:
					"Whether the initiator may ask what became of a transaction. Without that no payment is verified. Each later question counts too, not those of a check alone",
			}),
		})
		.nullable()
		.meta({
			description:
				"The outcome of the last check: SUCCEEDED only if both queries succeeded. WAITING: its result has not come. CREDENTIALS_REFUSED: consumer key or secret are wrong. PRODUCT_NOT_ALLOWED: the app lacks the product. NO_ANSWER: the provider did not answer; nothing is known",
		}),
	balances: z
		.array(z.object({ account: z.string(), available: z.int(), currency: z.string() }))
		.nullable()
		.meta({ description: "The balances of the accounts as the provider last reported them, in minor units" }),
	balances_at: z.iso.datetime().nullable(),
};

/** After so long a question has no answer. */
const ANSWERED_WITHIN_MS = 10 * MINUTE_MS;

type Outcome = (typeof CHECK_OUTCOMES)[number];

/** Of two questions the outcome that somebody has to see. */
const WORST_FIRST: readonly Outcome[] = ["CREDENTIALS_REFUSED", "FAILED", "PRODUCT_NOT_ALLOWED", "WAITING", "NO_ANSWER", "SUCCEEDED"];

function lastCheck({ checkOutcome, checkResult, checkedAt, statusOutcome, statusResult, statusAt }: ConnectionRow, now: number) {
	const question = (outcome: Outcome | null, result_code: string | null, at: number | null) =>
		outcome === null || at === null
			? null
			: {
					outcome: outcome === "WAITING" && at <= now - ANSWERED_WITHIN_MS ? ("NO_ANSWER" as const) : outcome,
					...{ result_code, at: toTimestamp(at) },
				};
	const balance = question(checkOutcome, checkResult, checkedAt);
	const transaction_status = question(statusOutcome, statusResult, statusAt);
	const asked = [balance, transaction_status].filter((one) => one !== null);
	const [worst] = asked.toSorted((one, other) => WORST_FIRST.indexOf(one.outcome) - WORST_FIRST.indexOf(other.outcome));
	return worst ? { ...worst, balance, transaction_status } : null;
}

export const toChecked = (row: ConnectionRow, now: number): z.input<z.ZodObject<typeof checked>> => ({
	last_check: lastCheck(row, now),
	balances: row.balances?.map(({ account, available, currency }) => ({ account, available, currency })) ?? null,
	balances_at: row.balancesAt === null ? null : toTimestamp(row.balancesAt),
});

export function toAnswered(row: ConnectionRow, now: number): z.input<z.ZodObject<typeof answered>> {
	const paused = isPaused(row, now);
	return {
		provider: row.provider,
		environment: row.environment,
		payouts: row.payouts,
		status: paused ? "PAUSED" : "ACTIVE",
		paused_reason: paused ? row.pausedReason : null,
		paused_until: paused && row.pausedUntil !== null ? toTimestamp(row.pausedUntil) : null,
		replacement:
			row.replacement && row.replacedAt !== null
				? {
						environment: row.replacement.environment,
						account: row.replacement.shortCode,
						requested_by: row.replacement.requestedBy,
						acts_at: toTimestamp(row.replacedAt),
					}
				: null,
		created_at: toTimestamp(row.createdAt),
		updated_at: toTimestamp(row.updatedAt),
	};
}
