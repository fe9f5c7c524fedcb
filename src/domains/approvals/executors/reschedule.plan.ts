// Gives the installments to come other due dates.

import * as z from "zod";
import { first } from "../../../db/reads";
import type { CalendarDate } from "../../../shared/time";
import { FAULTS, planReschedule, type Rescheduled } from "../../credit-accounts/changes/plan";
import { changeAsked, changeMembers, changeOf, changeRule } from "../../credit-accounts/changes/wire";
import { findLoaded, loadedOf, theAccount } from "../../credit-accounts/ledger.store";
import { executor } from "./executor.plan";
import { deciderOf } from "./lending.plan";
import { findProductOf } from "./lending.store";

const ends = (dates: readonly CalendarDate[]) => `${dates.length} ${dates[0]} ${dates.at(-1)}`;
const versionOf = ({ replaced: { cycle, dueDates, changeId = "none" }, transaction }: Rescheduled) =>
	`${cycle} ${changeId} ${ends(dueDates)} to ${ends(transaction.dueDates)}`;

export const reschedule = executor({
	entity: "ACCOUNT",
	payload: z.strictObject(changeMembers).meta(changeRule),
	home: (accountId) => accountId,
	async check(_, __, payload) {
		changeOf(payload, "payload.");
	},
	find: (orm, accountId) => ({ product: first(findProductOf(orm, theAccount(accountId))), records: findLoaded(theAccount(accountId)) }),
	target(services, { product, records }, _, payload) {
		const loaded = loadedOf(records);
		const change = changeAsked(payload);
		if (!loaded || loaded.cycles.length === 0 || "fault" in change) return undefined;
		const by = { reason: "", actor: "" };
		const asked = planReschedule(services, loaded, change, undefined, by);
		return {
			organizationId: loaded.account.organizationId,
			decider: deciderOf(product),
			// What another person approves are these dates instead of those: if others follow from the request by then, or others are
			// replaced, it fails.
			version: "refusal" in asked ? asked.refusal : versionOf(asked),
			plan({ person, reason, approvalId }) {
				const plan = planReschedule(services, loaded, change, undefined, { reason: reason ?? `approval ${approvalId}`, actor: person });
				if (!("refusal" in plan)) return { accepted: true, writes: plan.writes() };
				const { refusal } = plan;
				const [member, fault] = refusal === "NOTHING_TO_COME" ? ["No installment", "is still to come"] : FAULTS[refusal];
				return { accepted: false, reason: refusal, description: `This cannot be executed: ${member} ${fault}` };
			},
		};
	},
});
