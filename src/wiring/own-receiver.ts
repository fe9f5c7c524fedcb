// The sandbox's own receiver, as a stranger to the service would write one: no operation, but an address that webhooks are sent to.
// `domains/webhooks/deliveries/sandbox.operations.ts` says what it is for.

import type { Context } from "hono";
import * as z from "zod";
import { isSigned } from "../domains/webhooks/diagnosis/own-receiver.procedure";
import type { AppEnv } from "../http/answers/response";
import { readBody } from "../http/input";
import type { Ports } from "../http/ports";
import { SIGNATURE_HEADER } from "../webhook-verify/verify";

/** 204 for what is signed; 401 for anything else, whether or not there is such an endpoint; 404 in production. */
export async function receive(c: Context<AppEnv>, servicesFor: Ports["servicesFor"]): Promise<204 | 401 | 404> {
	const { env, executionCtx, req } = c;
	const services = await servicesFor({ env, ctx: executionCtx, url: req.url });
	if (services.config.ENVIRONMENT === "production") return 404;
	const webhookId = z.uuid().safeParse(req.param("webhookId")?.toLowerCase()).data;
	const signature = req.header(SIGNATURE_HEADER);
	const body = (await readBody(req.raw)) ?? new Uint8Array();
	return webhookId && signature && (await isSigned(services, webhookId, { signature, body })) ? 204 : 401;
}
