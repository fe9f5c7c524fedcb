// The account of an organization with MTN MoMo: by it the organization's loans are paid out from its own wallet.

import { alone, freshly, held, memberOfPath, organizationPath } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { byCaller } from "./callers";
import { MOMO, MomoConnection, MomoConnectionBody } from "./model/momo.wire";
import { connect, disconnect, readConnection, resume } from "./procedure";

const access = memberOfPath("org:connections:write");

export const putMomoConnection = operation({
	id: "putMomoConnection",
	method: "PUT",
	path: "/v1/organizations/{organizationId}/connections/momo",
	summary: "Connect the organization's MTN MoMo wallet",
	description:
		"A secret that is left out stays as it is. Secrets are stored sealed, and never answered. The first wallet, and changes of the connected one, hold at once and end a pause. Another API user, market or environment needs all secrets, and waits as `replacement`: until another member activates it, or for a day. The service informs the owners of each change.",
	access: freshly(access),
	request: { path: organizationPath, body: MomoConnectionBody },
	response: MomoConnection,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	handle: async ({ caller, body }, services) => connect(services, MOMO, { ...byCaller(caller), body }),
});

export const getMomoConnection = operation({
	id: "getMomoConnection",
	method: "GET",
	path: "/v1/organizations/{organizationId}/connections/momo",
	summary: "The organization's MTN MoMo wallet, without its secrets",
	access,
	request: { path: organizationPath },
	response: MomoConnection,
	errors: ["NOT_FOUND"],
	handle: async ({ caller: { organizationId } }, services) => readConnection(services, MOMO, organizationId),
});

export const deleteMomoConnection = operation({
	id: "deleteMomoConnection",
	method: "DELETE",
	path: "/v1/organizations/{organizationId}/connections/momo",
	summary: "Forget the organization's MTN MoMo wallet and its secrets",
	description: "For a day only the same wallet can be connected again. The service informs the owners.",
	access: freshly(held(access)),
	request: { path: organizationPath },
	response: null,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	handle: async ({ caller }, services) => disconnect(services, MOMO, byCaller(caller)),
});

export const resumeMomoConnection = operation({
	id: "resumeMomoConnection",
	method: "POST",
	path: "/v1/organizations/{organizationId}/connections/momo/resume",
	summary: "End the pause of the organization's MTN MoMo wallet",
	description: "After its reason is mended at MTN.",
	access: freshly(alone(access)),
	request: { path: organizationPath },
	response: MomoConnection,
	errors: ["NOT_FOUND"],
	handle: async ({ caller: { organizationId } }, services) => resume(services, MOMO, organizationId),
});
