// Tables: the first column names the row, and leads to its page.

import type { ComponentChildren } from "preact";
import { hrefOf } from "../router.ts";

export interface Column<Row> {
	readonly head: string;
	readonly cell: (row: Row) => ComponentChildren;
	/** Figures and times are to the right. */
	readonly right?: boolean;
	/** Left out where the screen is narrow. */
	readonly wide?: boolean;
}

interface TableProps<Row> {
	readonly label: string;
	readonly rows: readonly Row[];
	readonly columns: readonly Column<Row>[];
	readonly keyOf: (row: Row) => string;
	/** The page of the row: its first cell is the link, and `Enter` opens it. Some rows may have none. */
	readonly to?: (row: Row) => string | null;
	readonly highlit?: (row: Row) => boolean;
	/** Sums, cell by cell, below a double line. */
	readonly foot?: readonly ComponentChildren[];
	readonly select?: Selection<Row> | undefined;
}

/** Rows that are chosen, for what is done to all of them. */
export interface Selection<Row> {
	readonly chosen: ReadonlySet<string>;
	readonly onChange: (chosen: ReadonlySet<string>) => void;
	/** Rows that cannot be chosen have no name. */
	readonly nameOf: (row: Row) => string | undefined;
}

export function Table<Row>({ label, rows, columns, keyOf, to, highlit, foot, select }: TableProps<Row>) {
	const choosable = select ? rows.filter((row) => select.nameOf(row) !== undefined).map(keyOf) : [];
	const toggle = (keys: readonly string[], on: boolean) =>
		select?.onChange(new Set([...[...select.chosen].filter((key) => !keys.includes(key)), ...(on ? keys : [])]));
	const tick = (name: string, keys: readonly string[]) => (
		<input
			type="checkbox"
			aria-label={name}
			checked={keys.length > 0 && keys.every((key) => select?.chosen.has(key))}
			disabled={keys.length === 0}
			onChange={({ currentTarget }) => toggle(keys, currentTarget.checked)}
		/>
	);
	const classOf = ({ right, wide }: Column<Row>) => [right && "right", wide && "wide"].filter(Boolean).join(" ") || undefined;
	return (
		<table>
			<caption class="hidden">{label}</caption>
			<thead>
				<tr>
					{select && <td class="tick">{tick("Select all that are shown", choosable)}</td>}
					{columns.map((column) => (
						<th key={column.head} scope="col" class={classOf(column)}>
							{column.head || <span class="hidden">Actions</span>}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map((row, _, __, page = to?.(row)) => (
					<tr key={keyOf(row)} class={highlit?.(row) ? "highlit" : undefined} data-row={page ? "" : undefined}>
						{select && <td class="tick">{select.nameOf(row) !== undefined && tick(`Select ${select.nameOf(row)}`, [keyOf(row)])}</td>}
						{columns.map((column, index) => (
							<td key={column.head} class={classOf(column)}>
								{page && index === 0 ? (
									<a class="row-link" href={hrefOf(page)}>
										{column.cell(row)}
									</a>
								) : (
									column.cell(row)
								)}
							</td>
						))}
					</tr>
				))}
			</tbody>
			{foot && (
				<tfoot>
					<tr>
						{select && <td class="tick" />}
						{columns.map((column, index) => (
							<td key={column.head} class={classOf(column)}>
								{foot[index]}
							</td>
						))}
					</tr>
				</tfoot>
			)}
		</table>
	);
}

/** `j` and `k` go through the rows of all tables of the page. */
export function moveRow(by: 1 | -1): void {
	const links = [...document.querySelectorAll<HTMLElement>("main tr[data-row] .row-link")];
	const at = links.indexOf(document.activeElement as HTMLElement);
	const next = links[at === -1 ? (by === 1 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1)];
	next?.focus();
}

interface PagerProps {
	readonly prev: string | null | undefined;
	readonly next: string | null | undefined;
	readonly onPage: (cursor: { readonly after?: string; readonly before?: string }) => void;
	/** What both buttons say. */
	readonly words?: readonly [back: string, on: string] | undefined;
}

/** The neighbouring pages of a list by cursor. */
export function Pager({ prev, next, onPage, words: [back, on] = ["Newer", "Older"] }: PagerProps) {
	if (!prev && !next) return null;
	return (
		<nav class="buttons pager" aria-label="Pages of the list">
			<button type="button" disabled={!prev} onClick={() => prev && onPage({ before: prev })}>
				{back}
			</button>
			<button type="button" disabled={!next} onClick={() => next && onPage({ after: next })}>
				{on}
			</button>
		</nav>
	);
}
