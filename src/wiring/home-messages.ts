// Every kind of message between homes.

import { approvalEvent } from "../domains/approvals/plan";
import { modelCopy } from "../domains/commissions/store";
import { productChange, productCopy, termsTextCopy } from "../domains/loan-products/model/store";
import {
	additionCopy,
	memberCopy,
	membershipRemoval,
	organizationChange,
	organizationCopy,
	promotionCopy,
	roleChange,
} from "../domains/organizations/copies.plan";
import { ownerNotice } from "../domains/organizations/notices.plan";
import { erasureCopy } from "../domains/people/copies.plan";
import { matchedPayment } from "../domains/repayments/unmatched/plan";
import { carryHomeMessages, type HomeMessage } from "../runtime/home-messages";
import type { JobServices } from "../runtime/services";

const homeMessages: readonly HomeMessage[] = [
	additionCopy,
	approvalEvent,
	erasureCopy,
	matchedPayment,
	memberCopy,
	membershipRemoval,
	modelCopy,
	organizationChange,
	organizationCopy,
	ownerNotice,
	productChange,
	productCopy,
	promotionCopy,
	roleChange,
	termsTextCopy,
];

/** Carries a portion of the messages that requests have left in this database. Returns whether more may be waiting. */
export const completeHomeMessages = (services: JobServices): Promise<boolean> => carryHomeMessages(services, homeMessages);
