// Lists of pages: their place and filters are in the address, and what has no row says why.

import type { ComponentChildren } from "preact";
import { money } from "../format.ts";
import { setQuery } from "../router.ts";
import { Empty, Loaded } from "../ui/loaded.tsx";
import { Pager } from "../ui/table.tsx";
import type { Watched } from "../watch.ts";
import type { Person } from "../who.ts";
import { isUnderWay } from "./bulk.tsx";
import { SaveList } from "./save.tsx";

/** Operators reach all organizations, others their own. */
export const reachOf = ({ kind }: Person): { readonly organization?: null } => (kind === "operator" ? { organization: null } : {});

/** The page of a list that the address names. */
export const pageOf = (query: URLSearchParams) => ({
	...(query.has("after") && { after: query.get("after") ?? "" }),
	...(query.has("before") && { before: query.get("before") ?? "" }),
});

/** Changes filters, and begins at the first page again. */
export const setFilter = (changes: Readonly<Record<string, string | undefined>>): void =>
	setQuery({ ...changes, after: undefined, before: undefined });

interface ListProps<Row> {
	readonly of: Watched<{ data: Row[]; links: { next: string | null; prev: string | null } }>;
	readonly skeleton?: number;
	/** What is said where there is none. */
	readonly empty: readonly [title: string, about: ComponentChildren, action?: ComponentChildren];
	/** The names of the filters that hold. */
	readonly filters?: readonly string[];
	/** Not where the first rows are shown alone. */
	readonly paged?: boolean;
	/** What the buttons to the pages before and behind say, where they are not of newer and older rows. */
	readonly words?: readonly [back: string, on: string] | undefined;
	readonly children: (rows: readonly Row[]) => ComponentChildren;
}

export function List<Row>({
	of,
	skeleton = 6,
	empty: [title, about, action],
	filters = [],
	paged = true,
	words,
	children,
}: ListProps<Row>) {
	const clear = () => setFilter(Object.fromEntries(filters.map((name) => [name, undefined])));
	return (
		<Loaded of={of} skeleton={skeleton}>
			{({ data, links }) => {
				if (data.length > 0 || links.next || links.prev || isUnderWay()) {
					return (
						<>
							{children(data)}
							{paged && (
								<Pager prev={links.prev} next={links.next} words={words} onPage={({ after, before }) => setQuery({ after, before })} />
							)}
							{paged && of.source && <SaveList of={of.source} />}
						</>
					);
				}
				if (filters.length === 0) return <Empty title={title} {...(action !== undefined && { action })} children={about} />;
				const button = (
					<button type="button" onClick={clear}>
						Clear the filter
					</button>
				);
				return <Empty title="Nothing matches" action={button} children="There is something, but not like this." />;
			}}
		</Loaded>
	);
}

/** An amount with its currency, where the head of the column cannot say it. */
export function Amount({ value, currency }: { readonly value: number; readonly currency: string }) {
	return (
		<>
			{money(value, currency)}
			<small>{currency}</small>
		</>
	);
}

/** A date and time that a field of the day gives: its first instant in UTC. */
export const startOf = (date: string): string => `${date}T00:00:00.000Z`;
