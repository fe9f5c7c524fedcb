// The sandbox's tokens: a developer gets here what an identity provider would issue. Never in production.

import * as z from "zod";
import { anyone } from "../../../http/callers/access";
import { refusalOfGuess } from "../../../http/callers/failed-credentials";
import { operation } from "../../../http/operation";
import type { Services } from "../../../runtime/services";
import { ApiError, badInput } from "../../../shared/errors";
import { all, has, is, lacks, when } from "../../../shared/schema-rules";
import { ISSUER_KINDS, MAX_ISSUER_NAME } from "../../../shared/trusted-issuer";
import { findTestIssuer } from "../issuers/cache";
import { SANDBOX_ISSUER } from "../issuers/own.plan";
import { signJwt } from "../model/service-token.crypto";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const Body = z
	.strictObject({
		kind: z.enum(ISSUER_KINDS),
		subject: z.string().min(1).max(255),
		issuer: z.string().min(1).max(MAX_ISSUER_NAME).optional().meta({
			description:
				"The name of a test issuer, registered with the kind `sandbox`. Required but on your machine, where an issuer is embedded",
		}),
		organization: z
			.string()
			.min(1)
			.max(255)
			.optional()
			.meta({ description: "Home organization of a new user: an id, or a slug, which is created. Of the embedded issuer alone" }),
		claims: z
			.record(z.string(), z.unknown())
			.optional()
			.meta({ description: "Further claims; they win over the usual ones. Of the embedded issuer alone" }),
		expires_in: z
			.int()
			.min(-86_400)
			.max(86_400)
			.default(900)
			.meta({ description: "Seconds; below -60 for a token that has expired, because clocks may differ by a minute" }),
	})
	.meta(when(has("issuer"), all(is("kind", "partner"), lacks("organization", "claims"))));
type Body = z.output<typeof Body>;

export const createSandboxToken = operation({
	id: "createSandboxToken",
	method: "POST",
	path: "/v1/sandbox/tokens",
	summary: "A token to try the service without an identity provider",
	description:
		"On your machine the embedded issuer signs tokens of every kind. On a deployed sandbox the tokens are those of a test issuer that the lender has registered, of the kind `partner`.",
	access: anyone,
	home: "directory",
	limit: "exchange",
	only: ["local", "sandbox"],
	request: { body: Body },
	response: z.object({ token: z.string() }),
	errors: ["NOT_FOUND"],
	async handle({ body }, services) {
		const { config, realNow, url } = services;
		const times = lifeOf(body, realNow);
		if (body.issuer !== undefined) return { token: await signJwt(config, "JWT", { ...(await testClaims(services, body)), ...times }) };
		if (config.ENVIRONMENT !== "local") throw badInput("issuer", "is required: the name of a test issuer of the lender", "REQUIRED");
		// Operator tokens may do everything, so a web page that reaches this machine by another name (DNS rebinding) gets none.
		if (!LOOPBACK.has(new URL(url).hostname)) throw new ApiError("NOT_FOUND");
		const token = await signJwt(config, "JWT", {
			iss: SANDBOX_ISSUER,
			aud: "financial-account-service",
			sub: body.subject,
			jti: crypto.randomUUID(),
			...times,
			...(body.organization !== undefined && { org_id: body.organization }),
			...body.claims,
			token_kind: body.kind,
		});
		return { token };
	},
});

/** A token that expires in the past was issued before that. */
function lifeOf({ expires_in }: Body, realNow: number) {
	const now = Math.floor(realNow / 1000);
	return { iat: Math.min(now, now + expires_in - 1), exp: now + expires_in };
}

/** What a test issuer says of anybody: a name alone, because anybody may ask. */
async function testClaims(services: Services, { issuer: name = "", kind, subject, organization, claims, expires_in }: Body) {
	if (kind !== "partner") throw badInput("kind", "must be partner, of which a test issuer is", "NOT_ALLOWED");
	if (organization !== undefined) throw badInput("organization", "is that of the test issuer", "NOT_ALLOWED");
	if (claims !== undefined) throw badInput("claims", "are of the embedded issuer alone", "NOT_ALLOWED");
	const issuer = await findTestIssuer(services, name);
	if (!issuer) throw refusalOfGuess(badInput("issuer", "is no test issuer of this sandbox", "NOT_ALLOWED"));
	if (expires_in > issuer.max_lifetime_seconds)
		throw badInput("expires_in", `must be at most ${issuer.max_lifetime_seconds}, as the issuer has it`, "OUT_OF_RANGE");
	const audience = issuer.audience_claim === "aud" ? {} : { [issuer.audience_claim]: issuer.audience };
	return { iss: name, aud: issuer.audience, ...audience, sub: subject, jti: crypto.randomUUID() };
}
