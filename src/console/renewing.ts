// How a session goes on when its token ends.

import { call, Refused } from "./api.ts";
import { ofSandbox, ofService } from "./renewal.ts";
import type { Renewal, Session } from "./session.ts";

/** undefined: the session is over. */
export async function renewSession(renewal: Renewal): Promise<Session | undefined> {
	try {
		switch (renewal.by) {
			case "refresh":
				return ofService(await call("POST /v1/auth/token/refresh", { body: { refresh_token: renewal.token } }));
			case "sandbox":
				return await ofSandbox(renewal);
			case "issuer":
				return await (await import("./issuers.ts")).renewAtIssuer(renewal);
		}
	} catch (error) {
		if (error instanceof Refused && error.status < 429) return undefined;
		throw error;
	}
}
