// The lender's own account at the stand-in for Daraja. Secrets and passwords with the word `wrong` are refused.

const WRONG = /wrong/i;

/** Whether the consumer's secret is. */
export function isWrong(request: Request): boolean {
	const basic = /^Basic (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
	return WRONG.test(atob(basic));
}

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

/** The result that tells the balance, in the portal's words. */
export function balanceOf(now: number): object {
	const held = [
		"Working Account|KES|700000.00|700000.00|0.00|0.00",
		"Utility Account|KES|228037.00|228037.00|0.00|0.00",
		"Charges Paid Account|KES|-1540.00|-1540.00|0.00|0.00",
	];
	const ResultParameter = [
		{ Key: "AccountBalance", Value: held.join("&") },
		{ Key: "BOCompletedTime", Value: new Date(now).toISOString().replaceAll(/\D/g, "").slice(0, 14) },
	];
	return { Result: { ...common, ResultCode: "0", ResultParameters: { ResultParameter } } };
}
