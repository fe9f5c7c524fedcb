// Every event type of the service. Add a type here, and raise it with `raise` in the commit of the change it reports.

export const CATEGORIES = [
	"APPROVAL",
	"USER",
	"ORGANIZATION",
	"LOAN_APPLICATION",
	"CREDIT_ACCOUNT",
	"REPAYMENT",
	"CURRENT_ACCOUNT",
	"AGENT",
	"INVOICE",
	"WEBHOOK",
] as const;
export type Category = (typeof CATEGORIES)[number];

type Entry = { category: Category; description: string };

export const EVENT_TYPES = {
	"approval.outcome": { category: "APPROVAL", description: "An approval request was approved or rejected" },
	"user.waitlisted": { category: "USER", description: "A new user was put on the waiting list" },
	"user.admitted": { category: "USER", description: "A user was admitted from the waiting list" },
	"api_key.created": { category: "ORGANIZATION", description: "An API key was created" },
	"api_key.revoked": { category: "ORGANIZATION", description: "An API key was revoked" },
	"loan_application.created": { category: "LOAN_APPLICATION", description: "A loan application was created and decided" },
	"loan_application.rejected": { category: "LOAN_APPLICATION", description: "A loan application was rejected" },
	"loan_application.submitted": { category: "LOAN_APPLICATION", description: "An offer was accepted for a chosen amount" },
	"loan_application.cancelled": { category: "LOAN_APPLICATION", description: "A loan application was cancelled" },
	"loan_application.expired": { category: "LOAN_APPLICATION", description: "A loan application expired" },
	"loan.disbursement_failed": { category: "LOAN_APPLICATION", description: "A loan could not be paid out" },
	"loan.disbursed": { category: "LOAN_APPLICATION", description: "A loan was paid out" },
	"credit_account.opened": { category: "CREDIT_ACCOUNT", description: "A credit account was opened with its first disbursement" },
	"credit_account.cycle_started": { category: "CREDIT_ACCOUNT", description: "A new cycle started, with its balance and schedule" },
	"webhook.test": { category: "WEBHOOK", description: "A test event, requested for a single endpoint" },
	"webhook.failing": { category: "WEBHOOK", description: "Five or eight deliveries to an endpoint failed in a row" },
	"webhook.suspended": { category: "WEBHOOK", description: "An endpoint was suspended" },
} as const satisfies Record<string, Entry>;

export type EventType = keyof typeof EVENT_TYPES;

export const isEventType = (name: string): name is EventType => Object.hasOwn(EVENT_TYPES, name);
