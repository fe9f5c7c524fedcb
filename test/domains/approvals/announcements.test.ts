// A request's event goes to the database of its organization, which may take two tries.

import { expect, it } from "vitest";
import { approvalEvent } from "../../../src/domains/approvals/plan";
import { newId } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import { commitQuietly, deliveriesOf, fakeWorld, givenWebhookOwner } from "../../support/webhooks";

it("an approval of another home raises the event once, with one delivery, even if the message is delivered several times", async () => {
	fakeWorld();
	const { organization, register } = await givenWebhookOwner();
	const webhook = await register({ events: ["approval.outcome"] });
	const approvalId = newId();
	const data = {
		approval_request_id: approvalId,
		approval_type: "LIMIT_CHANGE",
		entity_type: "USER",
		entity_id: newId(),
		decision: "APPROVED",
	};
	const message = { id: newId(organization.id), type: "approval.outcome", organizationId: organization.id, approvalId, data };
	for (let time = 0; time < 2; time++) await commitQuietly(organization.id, (quiet) => [...approvalEvent.apply(quiet, message)]);
	expect(await eventsOf(organization.id)).toEqual([{ type: "approval.outcome", key: `approval.outcome:${approvalId}`, data }]);
	expect(await deliveriesOf(webhook.id)).toHaveLength(1);
});
