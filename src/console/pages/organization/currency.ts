// The currency that an approval's amounts are in: it names what it is about, and that thing has the currency.

import { useWatch } from "../../watch.ts";
import { either, operators, type Person, permitted, type Who } from "../../who.ts";
import { reachOf } from "../list.tsx";
import type { Asked } from "./effects.ts";

type Source = "account" | "application" | "invoice" | "product" | "user";

const OF_REQUESTS: Partial<Record<Asked["approval_type"], Source>> = {
	LIMIT_CHANGE: "user",
	SETTLEMENT: "account",
	WAIVER: "account",
	OVERPAYMENT_REFUND: "account",
};

/** By held operation. */
const OF_CALLS: Readonly<Record<string, Source>> = {
	applyForLoan: "application",
	createLoanApplication: "product",
	financeInvoice: "invoice",
	putCreditProfile: "user",
	settleAccount: "account",
	waive: "account",
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
export function sourceOf({ approval_type, entity_id, payload }: Asked, person: Person): readonly [Source, string] | undefined {
	const { operation = "", body } = (payload ?? {}) as Call;
	const source = approval_type === "OPERATION" ? OF_CALLS[operation] : OF_REQUESTS[approval_type];
	const id = source === "product" ? body?.loan_product_id : entity_id;
	return source && id && READERS[source](person) ? [source, id] : undefined;
}

/** undefined until it is read, null where nobody tells. */
export function useCurrency(asked: Asked, person: Person): string | null | undefined {
	const [source, id = ""] = sourceOf(asked, person) ?? [];
	const reach = reachOf(person);
	const requestOf = <Path>(one: Source, path: Path) => (source === one ? { path, ...reach } : undefined);
	const read = {
		account: useWatch("GET /v1/accounts/{accountId}", requestOf("account", { accountId: id })),
		application: useWatch("GET /v1/accounts/loan/applications/{application_id}", requestOf("application", { application_id: id })),
		invoice: useWatch("GET /v1/financing/invoices/{id}", requestOf("invoice", { id })),
		product: useWatch("GET /v1/platform/loan-products/{id}", requestOf("product", { id })),
		user: useWatch("GET /v1/platform/users/{userId}", requestOf("user", { userId: id })),
	};
	if (!source) return null;
	const { value, error } = read[source];
	if (!value) return error && null;
	return "currency" in value ? value.currency : (value.credit_limit?.currency ?? null);
}
