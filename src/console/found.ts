// What the service finds of what somebody types, as lines of the search.

import { useEffect, useState } from "preact/hooks";
import { call } from "./api.ts";
import { amountIn } from "./format.ts";
import type { BodyOf } from "./typed.ts";
import { either, operators, type Person, permitted } from "./who.ts";

export interface Hit {
	readonly title: string;
	readonly path: string;
	readonly note?: string;
}
export interface Looking {
	readonly hits: readonly Hit[];
	readonly looking: boolean;
}

const searches = either(permitted("org:lending:read"), operators);
/** Somebody who types on is not asked for. */
const PAUSE_MS = 250;
const LEAST = 2;
const MOST = 64;

const said = (...parts: readonly (string | null | undefined | false)[]): string => parts.filter(Boolean).join(" · ");

export function hitsOf({ users, accounts, payments, invoices }: BodyOf<"GET /v1/search">, person: Person): readonly Hit[] {
	const names = new Map(person.organizations.map(({ id, name }) => [id, name]));
	// An operator sees whose it is.
	const whose = (id: string | null) => person.kind === "operator" && (id ? (names.get(id) ?? "another lender") : "no lender's");
	const amount = (of: { readonly value: number; readonly currency: string } | null) => of && amountIn(of.currency, of.value);
	return [
		...users.map(({ id, display_name, tag, mobile_number, organization_id }) => ({
			title: display_name ?? tag,
			path: `/users/${id}`,
			note: said(mobile_number ?? tag, whose(organization_id)),
		})),
		...accounts.map(({ id, account_number, type, organization_id }) => ({
			title: `${type === "CREDIT" ? "Loan" : "Current account"} ${account_number}`,
			path: `/accounts/${id}`,
			note: said("account", whose(organization_id)),
		})),
		...payments.map(({ mobile_money_transaction_id, account_id, amount: paid, organization_id }) => ({
			title: `Payment ${mobile_money_transaction_id}`,
			path: account_id ? `/accounts/${account_id}?tab=transactions` : "/payments",
			note: said(amount(paid), !account_id && "without account", whose(organization_id)),
		})),
		...invoices.map(({ invoice_number, amount: due, organization_id }) => ({
			title: `Invoice ${invoice_number}`,
			path: "/invoices",
			note: said(amount(due), whose(organization_id)),
		})),
	];
}

/** Asks once the typing pauses; not for those who may not read of loans. */
export function useSearch(text: string, person: Person): Looking {
	const [state, set] = useState<Looking>({ hits: [], looking: false });
	const asks = searches(person) && text.length >= LEAST && text.length <= MOST;
	useEffect(() => {
		set({ hits: [], looking: asks });
		if (!asks) return;
		const abort = new AbortController();
		const ask = () =>
			call("GET /v1/search", { query: { q: text }, signal: abort.signal, ...(person.kind === "operator" && { organization: null }) }).then(
				(found) => set({ hits: hitsOf(found, person), looking: false }),
				() => abort.signal.aborted || set({ hits: [], looking: false }),
			);
		const timer = setTimeout(() => void ask(), PAUSE_MS);
		return () => {
			clearTimeout(timer);
			abort.abort();
		};
	}, [text, asks]);
	return state;
}
