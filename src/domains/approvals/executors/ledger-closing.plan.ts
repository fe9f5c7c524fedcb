// Closes a month of an organization's ledger.

import * as z from "zod";
import { first } from "../../../db/reads";
import { lastDayOf, refusalOf } from "../../ledger/model/closing.policy";
import { findFigures, findStanding, insertClosing } from "../../ledger/model/closings.store";
import { executor } from "./executor.plan";

export const ledgerClosing = executor({
	entity: "ORGANIZATION",
	payload: z.strictObject({ month: z.string() }),
	home: (organizationId) => organizationId,
	find: (orm, organizationId, { month }) => ({
		standing: first(findStanding(orm, organizationId)),
		figures: findFigures(orm, organizationId, month),
	}),
	target(services, { standing, figures }, organizationId, { month }) {
		if (!standing) return undefined;
		const { lastMonth } = standing;
		return {
			organizationId,
			decider: "ORGANIZATION",
			version: `CLOSED_${lastMonth ?? "NONE"}`,
			plan({ approvalId, asker, person, reason }) {
				const refusal = refusalOf(month, standing, figures);
				if (refusal) return { accepted: false, ...refusal };
				const closing = {
					...{ organizationId, month, lastDay: lastDayOf(month), approvalId, reason },
					...{ requestedBy: asker, approvedBy: person, closedAt: services.now },
				};
				return { accepted: true, writes: [insertClosing(services.db.orm, closing)] };
			},
		};
	},
});
