// The account of an organization with Safaricom's Daraja: by it the organization's loans are paid out from its own shortcode.

import * as z from "zod";
import { first } from "../../db/reads";
import { alone, freshly, held, memberOfPath, organizationPath } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { byCaller } from "./callers";
import { DARAJA, DarajaConnection, DarajaConnectionBody } from "./model/daraja.wire";
import { noConnection } from "./model/lifecycle";
import { findConnection, renewAddress } from "./model/store";
import { connect, disconnect, readConnection, resume } from "./procedure";

const access = memberOfPath("org:connections:write");

export const putDarajaConnection = operation({
	id: "putDarajaConnection",
	method: "PUT",
	path: "/v1/organizations/{organizationId}/connections/daraja",
	summary: "Connect the organization's M-Pesa shortcode",
	description:
		"A secret that is left out stays as it is. Secrets are stored sealed, and never answered. The first shortcode, and changes of the connected one, hold at once and end a pause. Another shortcode or environment needs all secrets, and waits as `replacement`: until another member activates it, or for a day. The service informs the owners of each change.",
	access: freshly(access),
	request: { path: organizationPath, body: DarajaConnectionBody },
	response: DarajaConnection,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	handle: async ({ caller, body }, services) => connect(services, DARAJA, { ...byCaller(caller), body }),
});

export const getDarajaConnection = operation({
	id: "getDarajaConnection",
	method: "GET",
	path: "/v1/organizations/{organizationId}/connections/daraja",
	summary: "The organization's M-Pesa shortcode, without its secrets",
	access,
	request: { path: organizationPath },
	response: DarajaConnection,
	errors: ["NOT_FOUND"],
	handle: async ({ caller: { organizationId } }, services) => readConnection(services, DARAJA, organizationId),
});

export const deleteDarajaConnection = operation({
	id: "deleteDarajaConnection",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/connections/daraja",
	summary: "Forget the organization's M-Pesa shortcode and its secrets",
	description: "For a day only the same shortcode can be connected again. The service informs the owners.",
	access: freshly(held(access)),
	request: { path: organizationPath },
	response: null,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	handle: async ({ caller }, services) => disconnect(services, DARAJA, byCaller(caller)),
});

export const resumeDarajaConnection = operation({
	id: "resumeDarajaConnection",
	method: "POST",
	path: "/v1/organizations/{organizationId}/connections/daraja/resume",
	summary: "End the pause of the organization's M-Pesa shortcode",
	description: "After its reason is mended in the portal: wrong passwords that are sent on and on are locked.",
	access: freshly(alone(access)),
	request: { path: organizationPath },
	response: DarajaConnection,
	errors: ["NOT_FOUND"],
	handle: async ({ caller: { organizationId } }, services) => resume(services, DARAJA, organizationId),
});

export const registerDarajaConfirmations = operation({
	id: "registerDarajaConfirmations",
	method: "POST",
	path: "/v1/organizations/{organizationId}/connections/daraja/confirmation-urls",
	summary: "Have payments to the organization's M-Pesa shortcode confirmed to the service",
	description:
		"Registers the addresses of confirmation and validation. In production Safaricom takes them once; to change them afterwards, ask Safaricom to remove them. With `renew` they are new ones, and the last ones go on to hold until the next time.",
	access: freshly(alone(access)),
	request: { path: organizationPath, body: z.strictObject({ renew: z.boolean().default(false) }).meta({ examples: [{ renew: false }] }) },
	response: z.object({
		outcome: z.enum(["REGISTERED", "REFUSED", "UNKNOWN"]).meta({ description: "UNKNOWN: no answer, or an answer without a clear meaning" }),
	}),
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ caller: { organizationId }, body: { renew } }, services) {
		const { db, realNow, providers, now } = services;
		const named = { organizationId, provider: DARAJA.provider };
		const seen = await db.read(first(findConnection(db.orm, named)));
		if (!seen) throw noConnection(DARAJA.provider);
		// A person who learns the address could post any payment: each is verified, which only an initiator may.
		if (!seen.hasInitiator)
			throw new ApiError("INVALID_STATE", { description: "The connection needs an initiator, to verify confirmations" });
		const version = seen.addressVersion + (renew ? 1 : 0);
		// Asked before the commit, which changes nothing that a repetition would not: an address that is registered and not stored is asked
		// for again.
		const outcome = await providers.collections.register({ organizationId, version }, realNow);
		// Written also where the address stays: the commit fails if the connection, or the organization's suspension, has changed meanwhile.
		const registered = () => renewAddress(db.orm, { ...named, version: seen.version }, version, now);
		return services.commit(outcome === "REGISTERED" ? [registered()] : [], { outcome });
	},
});
