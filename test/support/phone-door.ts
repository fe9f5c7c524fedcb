// People who come through the service's own phone door, over HTTP.

import { confirmPhoneVerification, startPhoneVerification } from "../../src/domains/otp/operations";
import { exchangePhoneToken } from "../../src/domains/tokens/exchange/phone.operations";
import { signIn } from "../../src/domains/tokens/sign-in.operations";
import { call, expectOk } from "./client";
import { codeSentTo } from "./current-accounts";

/** A token that proves possession of the number (+254…); new users get the organization as their home. */
export async function verifiedPhone(number: string, organization?: string): Promise<string> {
	const body = { mobile_country_code: "254", mobile_number: number.slice(4), ...(organization !== undefined && { organization }) };
	const { id } = expectOk(await call(startPhoneVerification, { body }));
	const otp_code = await codeSentTo(number);
	return expectOk(await call(confirmPhoneVerification, { path: { id }, body: { otp_code } })).phone_verification_token;
}

export async function signedInByPhone(number: string, organization?: string) {
	const phone_verification_token = await verifiedPhone(number, organization);
	const { access_token } = expectOk(await call(exchangePhoneToken, { body: { phone_verification_token } }));
	return expectOk(await call(signIn, { body: { custom_token: access_token } }));
}
