// What an approval is about, as it is now: the account that it names, and the currency of its amounts.

import type { RequestOf, ShownApproval } from "../../typed.ts";
import { useWatch } from "../../watch.ts";
import { either, operators, type Person, permitted, type Who } from "../../who.ts";
import { reachOf } from "../list.tsx";
import type { Each } from "../people.tsx";
import type { Known } from "./before-after.ts";
import { useLendsIn } from "./lends-in.ts";

type Source = "account" | "application" | "invoice" | "product" | "user";

/** By held operation. */
const OF_CALLS: Readonly<Record<string, Source>> = {
	applyForLoan: "application",
	createLoanApplication: "product",
	financeInvoice: "invoice",
	putCreditProfile: "user",
};

const lenders = either(permitted("org:lending:read"), operators);
/** Who may read it: nobody is to ask for what they are refused. */
const READERS: Readonly<Record<Source, Who>> = {
	account: lenders,
	application: lenders,
	invoice: either(permitted("org:financing.merchants:read"), operators),
	product: lenders,
	user: operators,
};

type Call = { readonly operation?: string; readonly body?: { readonly loan_product_id?: string } };

/** What is to be read, and its id; undefined where there are no amounts, or the person may not read it. */
export function sourceOf(
	{ approval_type, entity_id, payload, subject }: ShownApproval,
	person: Person,
): readonly [Source, string] | undefined {
	const { operation = "", body } = (payload ?? {}) as Call;
	const called = approval_type === "OPERATION" ? OF_CALLS[operation] : approval_type === "LIMIT_CHANGE" ? "user" : undefined;
	const source = called ?? (subject.account_id === null ? undefined : "account");
	const id = source === "product" ? body?.loan_product_id : source === "account" ? subject.account_id : entity_id;
	return source && id && READERS[source](person) ? [source, id] : undefined;
}

interface Subject extends Known {
	/** undefined until it is read, null where nobody says it. */
	readonly currency: string | null | undefined;
}

/** The account of a request for other due dates, and the dates; nothing of another. */
function datesAsked({ approval_type, payload, subject }: ShownApproval) {
	const { operation, body } = (payload ?? {}) as { readonly operation?: string; readonly body?: Dates };
	const asked = approval_type === "RESCHEDULE" ? (payload as unknown as Dates) : operation === "rescheduleAccount" ? body : undefined;
	const { kind = "EXTEND", installments, due_dates } = asked ?? {};
	return { accountId: asked && subject.account_id, kind, installments, due_dates };
}
type Dates = RequestOf<"GET /v1/accounts/{accountId}/reschedule">["query"];

interface Reading {
	/** Those that the requests of the page are about. */
	readonly accounts: Each<"GET /v1/accounts"> | undefined;
	/** Somebody is about to decide: then a limit is read as it is now. */
	readonly decides: boolean;
}

/** Reads it while a decision is waited for; what was decided only needs its currency. */
export function useSubject(approval: ShownApproval, person: Person, { accounts, decides }: Reading): Subject {
	const found = sourceOf(approval, person);
	const { currency } = approval.subject;
	// A limit has no account. Members may not read it as it is, and the organization's only currency is that of its limits.
	const lendsIn = useLendsIn(approval.approval_type === "LIMIT_CHANGE" && !found ? person : undefined);
	const isEnough = currency !== null && (approval.status !== "PENDING" || (found?.[0] === "user" && !decides));
	const [source, id = ""] = (!isEnough && found) || [];
	const reach = reachOf(person);
	const requestOf = <Path>(one: Source, path: Path) => (source === one ? { path, ...reach } : undefined);
	const read = {
		account: { value: accounts?.get(id), error: true },
		application: useWatch("GET /v1/accounts/loan/applications/{application_id}", requestOf("application", { application_id: id })),
		invoice: useWatch("GET /v1/financing/invoices/{id}", requestOf("invoice", { id })),
		product: useWatch("GET /v1/platform/loan-products/{id}", requestOf("product", { id })),
		user: useWatch("GET /v1/platform/users/{userId}", requestOf("user", { userId: id })),
	};
	const { accountId, ...change } = datesAsked(approval);
	const path = source === "account" && accountId ? { accountId } : undefined;
	const reschedule = useWatch("GET /v1/accounts/{accountId}/reschedule", path && { path, query: change, ...reach }).value;
	if (!source) return { currency: currency ?? lendsIn };
	const { value, error } = read[source];
	if (!value) return { currency: error || currency ? currency : undefined };
	if ("tag" in value) return { currency: value.credit_limit?.currency ?? currency, user: value };
	return { currency: value.currency, reschedule, ...("type" in value && value.type === "CREDIT" && { account: value }) };
}
