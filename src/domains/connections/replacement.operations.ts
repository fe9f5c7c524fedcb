// Another account in the place of the connected one: a second person agrees, or anybody who may discards it.

import * as z from "zod";
import { first } from "../../db/reads";
import { alone, freshly, memberOfPath, type OrganizationCaller, organizationPath } from "../../http/callers/access";
import { operation } from "../../http/operation";
import type { Committed, HandlerServices } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { findCaller, refuseNewDecider } from "../organizations/members/callers";
import { findOwners } from "../organizations/notices.plan";
import { byCaller, personOf } from "./callers";
import { DARAJA, DarajaConnection } from "./model/daraja.wire";
import { noReplacement } from "./model/lifecycle";
import { MOMO, MomoConnection } from "./model/momo.wire";
import { findConnection } from "./model/store";
import { discard, findOpen, type Kind, mustHaveNone, replacementOf } from "./procedure";

const access = memberOfPath("org:connections:write");

/** A person who agrees names what they agree to: another account may wait by now. */
const Named = z
	.strictObject({ account: z.string().min(1).max(64).meta({ description: "As `replacement.account` says it" }) })
	.meta({ examples: [{ account: "600998" }] });

export const activateDarajaReplacement = operation({
	id: "activateDarajaReplacement",
	method: "POST",
	path: "/v1/organizations/{organizationId}/connections/daraja/replacement/activate",
	summary: "Agree that another M-Pesa shortcode takes the place of the connected one",
	description:
		"For another member than the one who asked, and not for operators. While payouts or returns of money by the connected one are open, it is refused.",
	access: freshly(access),
	request: { path: organizationPath, body: Named },
	response: DarajaConnection,
	errors: ["NOT_FOUND", "SELF_APPROVAL", "INVALID_STATE"],
	handle: async ({ caller, body: { account } }, services) => activate(services, DARAJA, { caller, account }),
});

export const discardDarajaReplacement = operation({
	id: "discardDarajaReplacement",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/connections/daraja/replacement",
	summary: "Keep the connected M-Pesa shortcode, and discard its waiting replacement",
	access: alone(access),
	request: { path: organizationPath },
	response: null,
	errors: ["NOT_FOUND"],
	handle: async ({ caller }, services) => discard(services, DARAJA, byCaller(caller)),
});

export const activateMomoReplacement = operation({
	id: "activateMomoReplacement",
	method: "POST",
	path: "/v1/organizations/{organizationId}/connections/momo/replacement/activate",
	summary: "Agree that another MTN MoMo wallet takes the place of the connected one",
	description:
		"For another member than the one who asked, and not for operators. While payouts or returns of money by the connected one are open, it is refused.",
	access: freshly(access),
	request: { path: organizationPath, body: Named },
	response: MomoConnection,
	errors: ["NOT_FOUND", "SELF_APPROVAL", "INVALID_STATE"],
	handle: async ({ caller, body: { account } }, services) => activate(services, MOMO, { caller, account }),
});

export const discardMomoReplacement = operation({
	id: "discardMomoReplacement",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/connections/momo/replacement",
	summary: "Keep the connected MTN MoMo wallet, and discard its waiting replacement",
	access: alone(access),
	request: { path: organizationPath },
	response: null,
	errors: ["NOT_FOUND"],
	handle: async ({ caller }, services) => discard(services, MOMO, byCaller(caller)),
});

/** A second person lets the account that waits take the connection's place. */
async function activate<Wire>(
	services: HandlerServices,
	{ provider, toWire }: Kind<Wire>,
	{ caller, account }: { readonly caller: OrganizationCaller; readonly account: string },
): Promise<Committed<Wire>> {
	const { db } = services;
	const { organizationId } = caller;
	const named = { organizationId, provider };
	const { seen, self, owners, open } = await db.read({
		seen: first(findConnection(db.orm, named)),
		self: first(findCaller(db.orm, caller)),
		owners: findOwners(db.orm, organizationId),
		open: findOpen(db.orm, named),
	});
	if (!seen?.replacement) throw noReplacement(provider);
	refuseNewDecider(services, caller, self);
	if (seen.replacement.requestedBy === personOf(caller)) throw new ApiError("SELF_APPROVAL");
	if (seen.replacement.shortCode !== account)
		throw new ApiError("INVALID_STATE", { description: "Another account waits than the one you name" });
	mustHaveNone(open);
	const replaced = await replacementOf(services, seen, { person: personOf(caller), owners });
	if (!replaced) throw new ApiError("INVALID_STATE", { description: "Its secrets do not open any more: connect it again" });
	const answer = await services.commit(replaced.writes, toWire(replaced.row, services.now));
	await replaced.carry(services);
	return answer;
}
