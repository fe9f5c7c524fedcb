// Sessions of the tokens that the service and the sandbox's issuer give.

import { call } from "./api.ts";
import type { Renewal, Session } from "./session.ts";
import type { SignedIn, TokenResponse } from "./typed.ts";

const until = (seconds: number): number => Date.now() + seconds * 1_000;

/** A session of the service, with its refresh token, which is good for one use. */
export const ofService = ({ access_token, refresh_token, expires_in }: SignedIn): Session => ({
	token: access_token,
	until: until(expires_in),
	renewal: { by: "refresh", token: refresh_token },
});

export const ofToken = ({ access_token, expires_in }: TokenResponse, renewal: Renewal | null): Session => ({
	token: access_token,
	until: until(expires_in),
	renewal,
});

export type SandboxPerson = Extract<Renewal, { by: "sandbox" }>;
const SANDBOX_SECONDS = 900;

/** A token of the sandbox's issuer; an operator's is sent as it is. */
export async function ofSandbox(person: SandboxPerson): Promise<Session> {
	const { kind, subject, organization } = person;
	const { token } = await call("POST /v1/sandbox/tokens", {
		body: { kind, subject, ...(organization !== undefined && { organization }), expires_in: SANDBOX_SECONDS },
	});
	if (kind === "operator") return { token, until: until(SANDBOX_SECONDS), renewal: person };
	return ofToken(await call("POST /v1/auth/exchange", { body: { partner_token: token } }), person);
}
