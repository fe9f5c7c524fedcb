// Users who sign in by a phone that is already verified.

import { exchangePhoneToken } from "../../src/domains/tokens/exchange/phone.operations";
import { createSandboxToken } from "../../src/domains/tokens/sandbox/operations";
import { refreshSession } from "../../src/domains/tokens/sessions/operations";
import { signIn } from "../../src/domains/tokens/sign-in.operations";
import { getMe } from "../../src/domains/users/profile.operations";
import { call, expectOk } from "./client";

export const NUMBER = "+254712345678";

export const phoneToken = async (subject = NUMBER, rest: Record<string, unknown> = {}) =>
	expectOk(await call(createSandboxToken, { body: { kind: "phone", subject, ...rest } })).token;
export const exchange = (phone_verification_token: string) => call(exchangePhoneToken, { body: { phone_verification_token } });
export const customToken = async (subject?: string) => expectOk(await exchange(await phoneToken(subject))).access_token;
export const signedIn = async (subject?: string) => expectOk(await call(signIn, { body: { custom_token: await customToken(subject) } }));
export const refresh = (refresh_token: string) => call(refreshSession, { body: { refresh_token } });
export const meStatus = async (as: string) => (await call(getMe, { as })).status;
