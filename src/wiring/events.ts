// The catalogue: every event type that a domain's `events.ts` declares.

import * as approvals from "../domains/approvals/events";
import * as audit from "../domains/audit/events";
import * as branding from "../domains/branding/events";
import * as commissions from "../domains/commissions/events";
import * as creditAccounts from "../domains/credit-accounts/events";
import * as currentAccounts from "../domains/current-accounts/events";
import * as invoices from "../domains/invoices/events";
import * as loans from "../domains/loans/events";
import * as numberChanges from "../domains/mobile-number-changes/events";
import * as organizations from "../domains/organizations/events";
import * as repayments from "../domains/repayments/events";
import * as transfers from "../domains/transfers/events";
import * as users from "../domains/users/events";
import * as webhooks from "../domains/webhooks/events";
import type { EventType, EventTypes } from "../shared/event-type";

const domains = [
	approvals,
	audit,
	branding,
	commissions,
	creditAccounts,
	currentAccounts,
	invoices,
	loans,
	numberChanges,
	organizations,
	repayments,
	transfers,
	users,
	webhooks,
];

const declared: readonly EventType[] = domains.flatMap((domain) => Object.values<EventType>(domain));

export const eventTypes: EventTypes = new Map(declared.map((eventType) => [eventType.type, eventType]));
