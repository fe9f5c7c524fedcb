// Confirmations of mobile-money payments by Daraja. The provider is always answered that they are accepted: what cannot be posted is
// kept as unmatched.

import { sql } from "drizzle-orm";
import * as z from "zod";
import { StaleWrite } from "../../../db/database";
import { findName } from "../../../db/names";
import { spend } from "../../../http/amount-windows";
import { anyone } from "../../../http/callers/access";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import { operation } from "../../../http/operation";
import type { Config } from "../../../runtime/config";
import type { HandlerServices, Services } from "../../../runtime/services";
import { equalBytes, sha256Hex, utf8 } from "../../../shared/bytes";
import { ApiError } from "../../../shared/errors";
import { isUuid } from "../../../shared/ids";
import { canonicalJson } from "../../../shared/json";
import { findAccountNumbered, useOfPayer } from "../../credit-accounts/store";
import type { CreditAccountRow } from "../../credit-accounts/table";
import { phoneName, phoneNameOfHash } from "../../users/store";
import type { PaymentDetails } from "../payment-details.wire";
import { OPERATORS } from "../store";
import type { PaymentRow } from "../table";
import { accountNumberIn, amountOf, type ConfirmedAmount, instantOf, payerOf } from "./daraja.policy";
import { type Report, record } from "./procedure";

/** The provider sends texts, and some of its versions numbers. */
const text = z.union([z.string().max(255), z.number()]);
const optional = text.nullish();

const Confirmation = z
	.looseObject({
		TransactionType: optional,
		TransID: z.string().trim().min(1).max(100),
		TransTime: text.meta({ description: "YYYYMMDDHHmmss in East Africa Time" }),
		TransAmount: text.meta({ description: "A decimal number" }),
		BusinessShortCode: optional,
		BillRefNumber: optional.meta({ description: "The account number, as the payer typed it in" }),
		MSISDN: optional.meta({ description: "The payer's number, or the SHA-256 of its digits" }),
	})
	.meta({ id: "DarajaConfirmation" });
type Confirmation = z.output<typeof Confirmation>;

const ACCEPTED = { ResultCode: 0, ResultDesc: "Accepted" } as const;
const CURRENCY = "KES";

export const confirmDaraja = operation({
	id: "confirmDaraja",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/{secret}/confirmation",
	summary: "Confirm a mobile-money payment: Daraja, by the secret path",
	description:
		"The account is found by its number in BillRefNumber, else by the payer's own number; otherwise the payment is kept as unmatched. Sent again, it changes nothing.",
	access: anyone,
	home: "directory",
	// The provider sends from few addresses. A wrong secret costs no look-up, and counts as a failure of its address.
	limit: "none",
	request: { path: z.object({ secret: z.string().min(1).max(255) }), body: Confirmation },
	response: z.object({ ResultCode: z.literal(0), ResultDesc: z.literal("Accepted") }),
	errors: ["NOT_FOUND"],
	async handle({ path, body }, services) {
		const source = await sourceOf(services.config.DARAJA_SECRETS, path.secret);
		if (source === undefined) throw refusalOfGuess(new ApiError("NOT_FOUND", { description: "No operation has this path" }));
		const amount = amountOf(String(body.TransAmount));
		if (!amount) {
			services.log.info("a confirmation without a usable amount is not recorded", { transaction: body.TransID });
			return ACCEPTED;
		}
		const organizationId = await idOf(services, source.organization_id);
		const received: Received = { organizationId, body, amount, source };
		try {
			return await recordConfirmation(services, received).catch((error: unknown) => {
				if (!(error instanceof OverDailyAmount)) throw error;
				services.log.info("the confirmations of a path exceed its amount of the day", { organization: source.organization_id });
				return recordConfirmation(services, { ...received, source: undefined });
			});
		} catch (error) {
			// Recorded by then, and posted by the sweep.
			if (error instanceof StaleWrite) return ACCEPTED;
			if (!(error instanceof ApiError && error.code === "DUPLICATE_CONFLICT")) throw error;
			services.log.info("a confirmation repeats a transaction with other facts", { transaction: body.TransID });
			return ACCEPTED;
		}
	},
});

type Source = Config["DARAJA_SECRETS"][number];

type Received = {
	readonly organizationId: string | undefined;
	readonly body: Confirmation;
	readonly amount: ConfirmedAmount;
	/** Whose amount of the day the payment uses up; without one it is kept as unmatched. */
	readonly source: Source | undefined;
};

/** The path has posted to accounts what it may in a day. */
class OverDailyAmount extends ApiError<"TOO_MANY_REQUESTS"> {
	constructor() {
		super("TOO_MANY_REQUESTS");
	}
}

/** The entry of the secret. Compares with all, so that the duration tells nothing about any. */
async function sourceOf(secrets: Config["DARAJA_SECRETS"], sent: string): Promise<Source | undefined> {
	const digest = utf8(await sha256Hex(sent));
	let found: Source | undefined;
	for (const source of secrets) {
		if (equalBytes(utf8(await sha256Hex(source.secret)), digest)) found = source;
	}
	return found;
}

/** What a payment that is posted uses up. */
async function spendingBy(source: Source): Promise<NonNullable<Report["spending"]>> {
	const credential = await sha256Hex(source.secret);
	return (there, { status, amount }, when) => {
		if (status === "UNMATCHED") return { writes: [] };
		const window = { name: "daraja-amount", credential, amount, quota: source.amount_per_day };
		return { writes: [spend(there, window, when)], overQuota: new OverDailyAmount() };
	};
}

/** Undefined when no organization has the slug. */
async function idOf({ databases: { directory } }: Services, reference: string): Promise<string | undefined> {
	if (isUuid(reference)) return reference.toLowerCase();
	const [[named]] = await directory.read(findName(directory.orm, "SLUG", reference));
	return named?.id;
}

async function recordConfirmation(services: HandlerServices, { organizationId, body, amount, source }: Received) {
	const there = organizationId === undefined ? services : services.moveTo(organizationId);
	const accountId = organizationId === undefined || !source ? undefined : await accountPaid(there, organizationId, body);
	const facts = [
		String(body.TransTime),
		amount.value,
		amount.isExact,
		String(body.BillRefNumber ?? ""),
		String(body.BusinessShortCode ?? ""),
	];
	const fingerprint = await sha256Hex(canonicalJson(["daraja", ...facts]));
	return record(
		there,
		{
			transactionId: body.TransID,
			account: accountId === undefined ? sql`(select null)` : sql`(select ${accountId})`,
			reporter: organizationId ?? OPERATORS,
			...(source && { spending: await spendingBy(source) }),
			rowFor: async (account, id) => {
				const row = paymentOf(there, body, amount, { id, fingerprint, account, organizationId });
				return source ? row : { ...row, unmatchedReason: "OVER_DAILY_AMOUNT" };
			},
		},
		() => ACCEPTED,
	);
}

/** The id of the account that the confirmation names, by its number or else by its payer. */
async function accountPaid(services: Services, organizationId: string, body: Confirmation): Promise<string | undefined> {
	const { db, databases } = services;
	const number = accountNumberIn(String(body.BillRefNumber ?? ""));
	const [[numbered]] = await db.read(findAccountNumbered(db.orm, number, organizationId));
	if (numbered) return numbered.id;
	const payer = payerOf(String(body.MSISDN ?? ""));
	if (!payer) return undefined;
	const name = "digits" in payer ? await phoneName(services, `+${payer.digits}`) : await phoneNameOfHash(services, payer.sha256);
	const [[named]] = await databases.directory.read(findName(databases.directory.orm, "PHONE", name));
	if (!named) return undefined;
	const [[used]] = await db.read(useOfPayer(db.orm, named.id, organizationId));
	return used?.id ?? undefined;
}

type Known = { id: string; fingerprint: string; account: CreditAccountRow | undefined; organizationId: string | undefined };

function paymentOf(
	{ now, realNow }: Services,
	body: Confirmation,
	amount: ConfirmedAmount,
	{ id, fingerprint, account, organizationId }: Known,
): PaymentRow {
	const unmatchedReason = reasonAgainst(account, amount, organizationId);
	// A payment cannot have been made after it was told of.
	const latest = Math.max(now, realNow);
	return {
		id,
		organizationId: organizationId ?? OPERATORS,
		mobileMoneyTransactionId: body.TransID,
		fingerprint,
		status: unmatchedReason === null ? "CONFIRMED" : "UNMATCHED",
		accountId: unmatchedReason === null ? (account?.id ?? null) : null,
		postedAsId: null,
		accountNumber: String(body.BillRefNumber ?? "").slice(0, 64) || null,
		amount: amount.value,
		currency: CURRENCY,
		feeAmount: 0,
		details: detailsOf(body),
		unmatchedReason,
		failureReason: null,
		transactedAt: Math.max(0, Math.min(instantOf(String(body.TransTime)) ?? latest, latest)),
		confirmedAt: now,
		postedAt: null,
		failedAt: null,
		createdAt: now,
	};
}

function reasonAgainst(
	account: CreditAccountRow | undefined,
	{ isExact }: ConfirmedAmount,
	organizationId: string | undefined,
): string | null {
	if (organizationId === undefined) return "UNKNOWN_ORGANIZATION";
	if (!account) return "UNKNOWN_ACCOUNT";
	if (account.currency !== CURRENCY) return "CURRENCY_MISMATCH";
	return isExact ? null : "AMOUNT_BELOW_MINOR_UNIT";
}

function detailsOf({ BusinessShortCode, BillRefNumber }: Confirmation): PaymentDetails {
	const code = String(BusinessShortCode ?? "").slice(0, 64) || "unknown";
	const reference = String(BillRefNumber ?? "").trim();
	return reference === ""
		? { type: "BUY_GOODS", till_number: code }
		: { type: "PAY_BILL", paybill_number: code, account_reference: reference.slice(0, 64) };
}
