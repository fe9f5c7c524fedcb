// What a lender's people choose of the book: which loans, and in which order. It is in the address.

import { day } from "../../format.ts";
import type { RequestOf } from "../../typed.ts";
import { Field } from "../../ui/page.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { KeptFilters } from "../kept.tsx";
import { setFilter } from "../list.tsx";

const LATE = [
	["", "Any"],
	["today", "Due today"],
	["0", "Overdue"],
	["7", "Over 7 days late"],
	["30", "Over 30 days late"],
	["60", "Over 60 days late"],
	["90", "Over 90 days late"],
] as const;
const STATES = [
	["", "Any"],
	["ACTIVE", "In time"],
	["IN_ARREARS", "In arrears"],
	["DEFAULTED", "In default"],
	["SUSPENDED", "Suspended"],
	["WRITTEN_OFF", "Written off"],
] as const;
const SORTS = [
	["", "Newest first"],
	["DAYS_PAST_DUE", "Longest overdue first"],
	["OUTSTANDING", "Most principal first"],
] as const;

/** Their names in the address. */
export const BOOK_FILTERS = ["due", "product", "state", "sort"] as const;
type Chosen = Readonly<Record<(typeof BOOK_FILTERS)[number], string | undefined>>;

const oneOf = (of: readonly (readonly [string, string])[], value: string | null): string | undefined =>
	of.find(([one]) => one !== "" && one === value)?.[0];

export const chosenIn = (query: URLSearchParams): Chosen => ({
	due: oneOf(LATE, query.get("due")),
	product: query.get("product") ?? undefined,
	state: oneOf(STATES, query.get("state")),
	sort: oneOf(SORTS, query.get("sort")),
});

type Query = NonNullable<RequestOf<"GET /v1/accounts">["query"]>;

/** `today`: by the calendar of the service. */
export const queryOf = ({ due, product, state, sort }: Chosen, today: string): Query => ({
	...(due === "today" ? { due_on: today } : due && { past_due_over: Number(due) }),
	...(product && { loan_product_id: product }),
	...(state && { status: state as NonNullable<Query["status"]> }),
	...(sort && { sort: sort as NonNullable<Query["sort"]> }),
});

/** In whole days; 0 where nothing is overdue. */
export const daysLate = (due: string | null, today: string): number =>
	due === null ? 0 : Math.max(0, Math.round((Date.parse(today) - Date.parse(due)) / 86_400_000));

interface BookFiltersProps {
	readonly chosen: Chosen;
	readonly person: Person;
	readonly today: string;
}

export function BookFilters({ chosen, person, today }: BookFiltersProps) {
	const products = useWatch("GET /v1/platform/loan-products", { query: { size: 100 } });
	const named = (products.value?.data ?? []).map(({ id, name }) => [id, name] as const);
	const choices = [
		["due", "Days late", LATE],
		["product", "Product", [["", "Any"], ...named]],
		["state", "State", STATES],
		["sort", "Order", SORTS],
	] as const;
	const words = choices.flatMap(([name, , of]) => (chosen[name] ? (of.find(([value]) => value === chosen[name])?.[1] ?? "A product") : []));
	return (
		<>
			<div class="filters">
				{choices.map(([name, label, of]) => (
					<Field key={name} label={label}>
						{(ids) => (
							<select
								{...ids}
								value={chosen[name] ?? ""}
								onChange={({ currentTarget }) => setFilter({ [name]: currentTarget.value || undefined, number: undefined })}
							>
								{of.map(([value, text]) => (
									<option key={value} value={value}>
										{text}
									</option>
								))}
							</select>
						)}
					</Field>
				))}
			</div>
			<KeptFilters
				list="accounts"
				organization={person.acting?.id}
				filters={chosen}
				name={words.length > 0 ? words.join(", ") : undefined}
			/>
			{chosen.due === "today" && <p class="foot-note">Loans whose oldest unpaid installment is due on {day(today)}.</p>}
		</>
	);
}
