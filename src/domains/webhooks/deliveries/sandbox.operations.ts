// The sandbox's own receiver: a delivery to it proves that webhooks leave signed and through the queue, and needs no other machine.

import { webhookEndpoints } from "../../../events/table";
import { alone, member } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { ApiError } from "../../../shared/errors";
import { OWN_RECEIVER } from "../diagnosis/own-receiver.procedure";
import { newEndpoint } from "../endpoints/plan";
import { endpointsOf } from "../endpoints/store";
import { NewEndpoint } from "../endpoints/wire";
import { DeliveryRecord } from "../wire";
import { newTest } from "./plan";

export const testOwnReceiver = operation({
	id: "testOwnReceiver",
	method: "POST",
	path: "/v1/sandbox/deliveries",
	summary: "Send a test to the receiver that the sandbox itself has",
	description:
		"`npm run deploy` calls it to prove that webhooks arrive. The receiver takes the delivery only if its signature is valid: then it becomes `DELIVERED`. Its endpoint is registered for the acting organization at the first call.",
	access: alone(member("org:webhooks:write")),
	only: ["local", "sandbox"],
	request: {},
	response: DeliveryRecord,
	status: 202,
	errors: ["NOT_FOUND", "WEBHOOK_SUSPENDED", "TOO_MANY_WEBHOOKS"],
	async handle({ caller: { organizationId } }, services) {
		const receiver = `${services.baseUrl}${OWN_RECEIVER}`;
		const endpoints = await services.db.read(endpointsOf(services.db.orm, organizationId));
		const known = endpoints.find(({ url }) => url.startsWith(receiver));
		if (known?.status === "SUSPENDED") throw new ApiError("WEBHOOK_SUSPENDED");
		const usual = NewEndpoint.omit({ events: true }).parse({ name: `Own receiver at ${new URL(receiver).host}`, url: receiver });
		// It subscribes to nothing: only tests go there.
		const wanted = { ...usual, events: [] };
		const { row, writes } = known
			? { row: known, writes: [] }
			: await newEndpoint(services, organizationId, { ...wanted, urlOf: (id) => `${receiver}${id}` });
		const test = newTest(services, row);
		return services.commit([...writes, ...test.writes], test.answer, {
			// Two calls at once register one endpoint.
			unique: [[[webhookEndpoints.organizationId, webhookEndpoints.name], "STALE"]],
		});
	},
});
