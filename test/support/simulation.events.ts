// The events that a simulation of webhooks raises.

import { loanDisbursementFailed } from "../../src/domains/loans/model/events";
import { userAdmitted } from "../../src/domains/users/model/events";
import { raise } from "../../src/events/raise";
import type { Services } from "../../src/runtime/services";

export const TYPES = [userAdmitted.type, loanDisbursementFailed.type] as const;
/** What the events are about: few, so that many wait for each other. */
export const ENTITIES = [1, 2, 3].map((n) => `01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e0${n}`);

/** The writes that raise an event of the type about the entity. */
export const raiseAbout = (made: Services, type: (typeof TYPES)[number], about: string, of: { id: string; organizationId: string }) => {
	const event = { ...of, entityId: crypto.randomUUID() };
	return type === userAdmitted.type
		? raise(made, userAdmitted, { ...event, data: { ...userAdmitted.example, user_id: about } })
		: raise(made, loanDisbursementFailed, { ...event, data: { ...loanDisbursementFailed.example, account_id: about } });
};
