// Begins the recovery of a user's lost number. Only operators decide. The number is sealed in the request, whose readers need its last
// digits alone.

import * as z from "zod";
import { first } from "../../../db/reads";
import { findOpenAccount } from "../../current-accounts/accounts/store";
import { beginRecovery } from "../../mobile-number-changes/recovery.plan";
import { findOpenChange } from "../../mobile-number-changes/store";
import { mobileNumberChanges } from "../../users/model/number-change.table";
import { ERASED_TAG, findUser } from "../../users/model/store";
import { numberState } from "../../users/phone-name.procedure";
import { executor } from "./executor.plan";

export const numberRecovery = executor({
	entity: "USER",
	payload: z.strictObject({ sealed_number: z.string(), number_ending: z.string() }),
	home: (userId) => userId,
	find: (orm, userId) => ({
		owner: first(findUser(orm, userId)),
		open: first(findOpenChange(orm, userId)),
		account: first(findOpenAccount(userId)),
	}),
	target(services, { owner, open, account }, userId, { sealed_number }) {
		if (!owner) return undefined;
		const isRecovering = open != null && open.notBefore !== null;
		return {
			organizationId: owner.homeOrganizationId,
			decider: "OPERATOR",
			// Nothing else counts: the holder of the old number must not be able to make the request fail.
			version: isRecovering ? "RECOVERING" : "NOT_RECOVERING",
			async plan({ approvalId }) {
				if (owner.tag === ERASED_TAG) return { accepted: false, reason: "ERASED" };
				if (isRecovering) return { accepted: false, reason: "ALREADY_RECOVERING" };
				const newNumber = await services.config.keyring.open("recovery", userId, sealed_number);
				if (newNumber === undefined) return { accepted: false, reason: "PAYLOAD_CHANGED" };
				if (newNumber === owner.mobileNumber) return { accepted: false, reason: "NUMBER_UNCHANGED" };
				const holder = await numberState(services, newNumber);
				if (holder.kind === "HELD" && holder.userId !== userId) return { accepted: false, reason: "NUMBER_IN_USE" };
				const { writes, reserve } = await beginRecovery(services, { owner, open, account }, { id: approvalId, newNumber });
				// The user may begin a change meanwhile.
				return { accepted: true, writes, options: { reserve, unique: [[[mobileNumberChanges.userId], "STALE"]] } };
			},
		};
	},
});
