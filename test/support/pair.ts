// Two members of a lender, of whom one asks and the other decides.

import { decideApproval, requestApproval } from "../../src/domains/approvals/operations";
import { call } from "./client";
import { givenMember } from "./factories";

type Body = Parameters<typeof call<never, (typeof requestApproval)["request"], (typeof requestApproval)["response"]>>[1]["body"];

/** Two members of the loan's lender, who ask and decide in turn. */
export async function givenPair({ organization, accountId }: { organization: { id: string }; accountId: string }) {
	const headers = { "x-organization-id": organization.id };
	const [asker, decider] = [
		(await givenMember(organization.id, "organization-lending-admin")).token,
		(await givenMember(organization.id, "organization-owner")).token,
	];
	const ask = (approval_type: string, payload: object = {}) =>
		call(requestApproval, {
			as: asker,
			headers,
			body: { approval_type, entity_type: "ACCOUNT", entity_id: accountId, payload, reason: "They asked for it" } as Body,
		});
	const approve = (id: string) => call(decideApproval, { as: decider, headers, path: { id }, body: { decision: "APPROVED" } });
	return { headers, asker, ask, approve };
}
