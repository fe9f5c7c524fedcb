// Records money of a lender that enters or leaves its cash accounts.

import * as z from "zod";
import { visibleKey } from "../../../shared/visible-key";
import { CASH_ACCOUNTS, refusalOf, TREASURY_KINDS } from "../../ledger/model/treasury.policy";
import { findPriors, insertTreasury } from "../../ledger/model/treasury.store";
import { compareAgain } from "../../reconciliation/treasury.store";
import { executor } from "./executor.plan";

export const treasuryRecord = executor({
	entity: "TREASURY_RECORD",
	payload: z.strictObject({
		organization_id: z.string(),
		kind: z.enum(TREASURY_KINDS),
		amount: z.int(),
		currency: z.string(),
		account: z.enum(CASH_ACCOUNTS),
		to_account: z.enum(CASH_ACCOUNTS).nullable(),
		value_date: z.string(),
		reference: z.string(),
		corrects_id: z.string().nullable(),
	}),
	home: (recordId) => recordId,
	find: (orm, _, payload) => findPriors(orm, payload.organization_id, payload),
	target(services, { same, corrected, correction }, recordId, payload) {
		const { organization_id: organizationId, ...record } = payload;
		return {
			organizationId,
			decider: "ORGANIZATION",
			version: "NEW",
			plan({ approvalId, asker, person, reason }) {
				const refusal = refusalOf(record, {
					...{ same, correction, correctedTo: corrected?.toAccount ?? null },
					corrected: corrected && { ...corrected, corrects_id: corrected.correctsId },
				});
				if (refusal) return { accepted: false, ...refusal };
				const { kind, amount, currency, account, to_account, value_date, reference, corrects_id } = record;
				const row = {
					...{ id: recordId, organizationId, kind, amount, currency, account, toAccount: to_account, valueDate: value_date, reference },
					...{
						referenceKey: visibleKey(reference),
						correctsId: corrects_id,
						approvalId,
						requestedBy: asker,
						approvedBy: person,
						reason,
						bookedAt: services.now,
					},
				};
				const { db, now } = services;
				const again = corrected ? compareAgain(db.orm, corrected, now) : [];
				return { accepted: true, writes: [...insertTreasury(db.orm, row, record), ...again] };
			},
		};
	},
});
