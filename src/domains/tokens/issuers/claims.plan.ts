// Which claims of an issuer's accepted token are used, and by which rule the others are not.

import * as z from "zod";
import type { Json } from "../../../shared/json";
import type { TrustedIssuer } from "../../../shared/trusted-issuer";
import { isE164 } from "../../users/model/phone.policy";

const Email = z.email().max(254);

type Claims = { readonly [claim: string]: Json };
type Settings = Pick<
	TrustedIssuer,
	"kind" | "emails_are_verified" | "phone_numbers_are_verified" | "may_assert_phone_numbers" | "ignores_org_id"
>;

/** The token's mail address, if it is one and proven. */
export function provenEmail({ email, email_verified }: Claims, { emails_are_verified }: Settings): string | undefined {
	return email_verified === true || emails_are_verified ? Email.safeParse(email).data : undefined;
}

/** The token's mobile number, if it is one and proven, and the issuer may say it. */
export function provenNumber({ phone_number, phone_number_verified }: Claims, settings: Settings): string | undefined {
	const isProven = phone_number_verified === true || settings.phone_numbers_are_verified;
	return settings.may_assert_phone_numbers && isProven && typeof phone_number === "string" && isE164(phone_number)
		? phone_number
		: undefined;
}

export type Fault = { readonly claim: string; readonly rule: string; readonly set?: string };

/** The claims that say something of the person and are not used. */
export function faultsOfClaims(claims: Claims, settings: Settings): readonly Fault[] {
	return [...faultsOfEmail(claims, settings), ...faultsOfNumber(claims, settings), ...faultsOfOrganization(claims, settings)];
}

function* faultsOfEmail(claims: Claims, settings: Settings): Generator<Fault> {
	if (claims.email === undefined || provenEmail(claims, settings) !== undefined) return;
	if (!Email.safeParse(claims.email).success) yield { claim: "email", rule: "is no mail address" };
	else
		yield {
			claim: "email",
			rule: "email_verified is not true, and emails_are_verified is not set",
			set: "emails_are_verified to true, if the provider proves every address, or have it send email_verified",
		};
}

function* faultsOfNumber(claims: Claims, settings: Settings): Generator<Fault> {
	const { phone_number: number } = claims;
	if (number === undefined || provenNumber(claims, settings) !== undefined) return;
	if (!settings.may_assert_phone_numbers)
		yield { claim: "phone_number", rule: "may_assert_phone_numbers is not set", set: "may_assert_phone_numbers to true" };
	else if (typeof number !== "string" || !isE164(number)) yield { claim: "phone_number", rule: "is not in E.164 form" };
	else
		yield {
			claim: "phone_number",
			rule: "phone_number_verified is not true, and phone_numbers_are_verified is not set",
			set: "phone_numbers_are_verified to true, if the provider proves every number, or have it send phone_number_verified",
		};
}

function* faultsOfOrganization({ org_id }: Claims, { kind, ignores_org_id }: Settings): Generator<Fault> {
	if (org_id !== undefined && kind === "identity" && ignores_org_id) yield { claim: "org_id", rule: "ignores_org_id is set" };
}
