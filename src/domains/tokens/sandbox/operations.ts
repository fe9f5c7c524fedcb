// The sandbox's tokens: a developer gets here what an identity provider would issue. Never in production.

import * as z from "zod";
import { anyone } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { ISSUER_KINDS } from "../../../shared/trusted-issuer";
import { SANDBOX_ISSUER } from "../issuers/own.plan";
import { signJwt } from "../model/service-token.crypto";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const createSandboxToken = operation({
	id: "createSandboxToken",
	method: "POST",
	path: "/v1/sandbox/tokens",
	summary: "A token of the embedded issuer, to try the service without an identity provider",
	access: anyone,
	home: "directory",
	limit: "none",
	only: ["local"],
	request: {
		body: z.strictObject({
			kind: z.enum(ISSUER_KINDS),
			subject: z.string().min(1).max(255),
			organization: z
				.string()
				.min(1)
				.max(255)
				.optional()
				.meta({ description: "Home organization of a new user: an id, or a slug, which is created" }),
			claims: z.record(z.string(), z.unknown()).optional().meta({ description: "Further claims; they win over the usual ones" }),
			expires_in: z
				.int()
				.min(-86_400)
				.max(86_400)
				.default(900)
				.meta({ description: "Seconds; below -60 for a token that has expired, because clocks may differ by a minute" }),
		}),
	},
	response: z.object({ token: z.string() }),
	errors: ["NOT_FOUND"],
	async handle({ body }, { config, realNow, url }) {
		// Operator tokens may do everything, so a web page that reaches this machine by another name (DNS rebinding) gets none.
		if (!LOOPBACK.has(new URL(url).hostname)) throw new ApiError("NOT_FOUND");
		const iat = Math.floor(realNow / 1000);
		const token = await signJwt(config, "JWT", {
			iss: SANDBOX_ISSUER,
			aud: "financial-account-service",
			sub: body.subject,
			jti: crypto.randomUUID(),
			// A token that expires in the past was issued before that.
			iat: Math.min(iat, iat + body.expires_in - 1),
			exp: iat + body.expires_in,
			...(body.organization !== undefined && { org_id: body.organization }),
			...body.claims,
			token_kind: body.kind,
		});
		return { token };
	},
});
