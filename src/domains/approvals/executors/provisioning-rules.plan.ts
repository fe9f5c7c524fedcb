// Gives an organization, or one of its loan products, new rules of provisions from a day on.

import * as z from "zod";
import { first } from "../../../db/reads";
import { findProduct } from "../../loan-products/model/store";
import { findNewestRules, insertRules } from "../../portfolio/model/rules.store";
import { MOST_STAGES } from "../../portfolio/model/stages.policy";
import { faultOfDay } from "./ahead.policy";
import { executor } from "./executor.plan";

const Stage = z.strictObject({
	up_to_days: z.int().min(0).max(10_000).nullable().meta({ description: "The most days past due; null for the last stage" }),
	rate_basis_points: z.int().min(0).max(10_000).meta({ description: "The loss that is expected, of what the loans owe" }),
	suspends_interest: z.boolean().default(false).meta({ description: "Interest and penalties that are not paid are no income" }),
});

export const RulesPayload = z.strictObject({
	loan_product_id: z.uuid().toLowerCase().nullable().meta({ description: "null: of all loan products that have none of their own" }),
	effective_from: z.string().meta({ description: "Later than the day of the approval, by a year at most" }),
	stages: z
		.array(Stage)
		.min(1)
		.max(MOST_STAGES)
		.refine(ascend, "must ascend by days past due, and the last one alone must have null")
		.meta({
			examples: [
				[
					{ up_to_days: 30, rate_basis_points: 100 },
					{ up_to_days: 90, rate_basis_points: 1000 },
					{ up_to_days: null, rate_basis_points: 5000, suspends_interest: true },
				],
			],
		}),
	cure_days: z
		.int()
		.min(0)
		.max(365)
		.meta({ description: "So many days nothing is overdue before a loan goes back a stage", examples: [90] }),
});

function ascend(stages: readonly { readonly up_to_days: number | null }[]): boolean {
	return stages.every(({ up_to_days }, index) => {
		const isLast = index === stages.length - 1;
		const before = stages[index - 1]?.up_to_days ?? -1;
		return up_to_days === null ? isLast : !isLast && up_to_days > before;
	});
}

export const provisioningRulesChange = executor({
	entity: "ORGANIZATION",
	payload: RulesPayload,
	home: (organizationId) => organizationId,
	find: (orm, organizationId, { loan_product_id }) => ({
		product: first(findProduct(orm, loan_product_id ?? "")),
		newest: first(findNewestRules(orm, { organizationId, loanProductId: loan_product_id ?? "" })),
	}),
	target(services, { product, newest }, organizationId, { loan_product_id, effective_from, stages, cure_days }) {
		return {
			organizationId,
			decider: "ORGANIZATION",
			version: `RULES_${newest?.id ?? "NONE"}`,
			plan({ approvalId, asker, person, reason }) {
				const fault = faultOfDay(effective_from, services.now);
				if (loan_product_id !== null && !(product && [null, organizationId].includes(product.organizationId)))
					return { accepted: false, reason: "NO_SUCH_PRODUCT", description: "The organization has no such loan product" };
				if (fault) return { accepted: false, reason: fault.reason, description: `The day ${fault.must}` };
				if (newest && newest.effectiveFrom >= effective_from)
					return { accepted: false, reason: "NOT_NEWEST", description: `There are rules from ${newest.effectiveFrom} on already` };
				const row = {
					...{ organizationId, loanProductId: loan_product_id ?? "", effectiveFrom: effective_from, id: services.newId() },
					stages: stages.map(({ up_to_days, rate_basis_points, suspends_interest }) => ({
						upToDays: up_to_days,
						rateBasisPoints: rate_basis_points,
						suspendsInterest: suspends_interest,
					})),
					...{ cureDays: cure_days, approvalId, reason, requestedBy: asker, approvedBy: person, createdAt: services.now },
				};
				return { accepted: true, writes: [insertRules(services.db.orm, row)] };
			},
		};
	},
});
