// The lender's own account at the stand-in for Daraja: who may ask, and what each shortcode holds. Secrets and passwords with the word
// `wrong` are refused.

const WRONG = /wrong/i;

/** Whether the consumer's secret is. */
export const isWrong = (consumer: string): boolean => WRONG.test(atob(consumer));

/** The key and secret of the app, as they are sent for a token. */
export const consumerOf = (request: Request): string => /^Basic (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";

type Asked = { readonly SecurityCredential?: string };

const common = { ResultType: "0", OriginatorConversationID: "16917-22577599-3", TransactionID: "OA90000000" };

/** What an initiator may ask for, by the roles of its API user in the organization's portal. */
export type Role = "PAYOUT" | "STATUS" | "BALANCE" | "REVERSAL";

const NOT_ALLOWED = "The initiator is not allowed to initiate this request";

/** The result that refuses the initiator's password, or what it has no role for; undefined if it may ask. */
export function refusalOfInitiator({ SecurityCredential = "" }: Asked, role: Role, lacks: readonly Role[]): object | undefined {
	if (WRONG.test(SecurityCredential)) {
		return { Result: { ...common, ResultCode: 2001, ResultDesc: "The initiator information is invalid." } };
	}
	return lacks.includes(role) ? { Result: { ...common, ResultCode: 21, ResultDesc: NOT_ALLOWED } } : undefined;
}

/** In shillings. Payouts are taken from the utility account, to which customers pay; charges are owed until they are settled. */
export type Accounts = { working: number; utility: number; charges: number };

export const opened = (utility = 228_037): Accounts => ({ working: 700_000, utility, charges: -1540 });

/** What Safaricom takes for a payout, of the tariff for small ones. */
export const CHARGE = 15;

/** The result with the balance, in the portal's words. */
export function balanceOf({ working, utility, charges }: Accounts, now: number): object {
	const line = (name: string, held: number) => `${name}|KES|${held.toFixed(2)}|${held.toFixed(2)}|0.00|0.00`;
	const held = [line("Working Account", working), line("Utility Account", utility), line("Charges Paid Account", charges)];
	const ResultParameter = [
		{ Key: "AccountBalance", Value: held.join("&") },
		{ Key: "BOCompletedTime", Value: new Date(now).toISOString().replaceAll(/\D/g, "").slice(0, 14) },
	];
	return { Result: { ...common, ResultCode: "0", ResultParameters: { ResultParameter } } };
}

/** What the result of a payout says of the accounts. */
export const heldAfter = ({ working, utility, charges }: Accounts): readonly { readonly Key: string; readonly Value: unknown }[] => [
	{ Key: "B2CUtilityAccountAvailableFunds", Value: utility },
	{ Key: "B2CWorkingAccountAvailableFunds", Value: working },
	{ Key: "B2CChargesPaidAccountAvailableFunds", Value: charges },
	{ Key: "B2CRecipientIsRegisteredCustomer", Value: "Y" },
];
