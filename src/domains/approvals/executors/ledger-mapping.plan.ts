// Gives the accounts of an organization's chart, or of one of its loan products, numbers of the lender's own ledger from a day on.

import * as z from "zod";
import { first } from "../../../db/reads";
import { isShown, MUST_BE_SHOWN } from "../../../shared/shown-text";
import { ALL_PRODUCTS, faultOf, OWN_NUMBER } from "../../ledger/model/mapping.policy";
import { findClosedThrough, findLastMade, findSameStart, insertMapping } from "../../ledger/model/mapping.store";
import { findProduct } from "../../loan-products/model/store";
import { latestStart } from "./ahead.policy";
import { executor } from "./executor.plan";

const Account = z.strictObject({
	account: z
		.string()
		.regex(/^\d{4}$/, "must be a number of the chart of accounts")
		.meta({ description: "A number of the chart of accounts" }),
	number: z
		.string()
		.regex(OWN_NUMBER, "must be 1 to 20 letters, digits and . _ / -, with a letter or digit first")
		.meta({ description: "Its number in the lender's own ledger" }),
	name: z.string().trim().min(1).max(150).refine(isShown, MUST_BE_SHOWN).nullable().default(null).meta({ description: "Its name there" }),
});

export const MappingPayload = z.strictObject({
	loan_product_id: z
		.uuid()
		.toLowerCase()
		.nullable()
		.meta({ description: "null: of all loan products, unless a product has a number of its own for the account" }),
	effective_from: z.string().meta({ description: "A day that is not closed yet, at most 366 days ahead" }),
	accounts: z
		.array(Account)
		.max(100)
		.meta({
			description:
				"Without a product each account of the chart. Of a product only accounts with `by_product`; every other account has the number of all products.",
			examples: [[{ account: "1210", number: "610", name: "Loans to customers" }]],
		}),
});

export const ledgerMapping = executor({
	entity: "ORGANIZATION",
	payload: MappingPayload,
	home: (organizationId) => organizationId,
	find: (orm, organizationId, { loan_product_id, effective_from }) => ({
		product: first(findProduct(orm, loan_product_id ?? "")),
		last: first(findLastMade(orm, organizationId)),
		same: first(findSameStart(orm, { organizationId, loanProductId: loan_product_id ?? ALL_PRODUCTS, effectiveFrom: effective_from })),
		ledger: first(findClosedThrough(orm, organizationId)),
	}),
	target(services, { product, last, same, ledger }, organizationId, { loan_product_id, effective_from, accounts }) {
		const loanProductId = loan_product_id ?? ALL_PRODUCTS;
		const closed = ledger?.closedThrough ?? null;
		return {
			organizationId,
			decider: "ORGANIZATION",
			version: `MAPPING_${last?.id ?? "NONE"}`,
			plan({ approvalId, asker, person, reason }) {
				const fault = faultOf(loanProductId, accounts);
				if (fault) return { accepted: false, reason: "UNMAPPED", description: `The mapping ${fault}` };
				if (loan_product_id !== null && !(product && [null, organizationId].includes(product.organizationId)))
					return { accepted: false, reason: "NO_SUCH_PRODUCT", description: "The organization has no such loan product" };
				if (closed !== null && effective_from <= closed)
					return {
						accepted: false,
						reason: "CLOSED",
						description: `The mapping must count from a later day than ${closed}, the last closed one`,
					};
				const latest = latestStart(services.now);
				if (effective_from > latest)
					return { accepted: false, reason: "TOO_FAR_AHEAD", description: `The mapping must count from ${latest} or an earlier day` };
				if (same) return { accepted: false, reason: "SAME_DAY", description: `There is a mapping from ${effective_from} on already` };
				const row = {
					...{ organizationId, loanProductId, effectiveFrom: effective_from, id: services.newId(), accounts },
					...{ approvalId, reason, requestedBy: asker, approvedBy: person, createdAt: services.now },
				};
				return { accepted: true, writes: insertMapping(services.db.orm, row) };
			},
		};
	},
});
