// Takes a list along: as a table for spreadsheets, all of its pages, or on paper.

import { useState } from "preact/hooks";
import { ask } from "../api.ts";
import { count } from "../format.ts";
import type { ReadLine, RequestOf } from "../typed.ts";
import { useDoing } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";

/** What is read, and how: as `useWatch` was asked. */
export interface Source {
	readonly line: ReadLine;
	readonly request: object;
	/** Of rows that name none. */
	readonly currency?: string;
}

const MOST_ROWS = 5_000;
const PAGE = 100;

type Row = Readonly<Record<string, unknown>>;
type Page = { readonly data?: readonly Row[]; readonly entries?: readonly Row[]; readonly links?: { readonly next: string | null } };

/** The rows of all pages from the first on, at most `MOST_ROWS`, with the names of the people whom they are about. */
async function rowsOf({ line, request }: Source, onRead: (rows: number) => void): Promise<{ rows: Row[]; isWhole: boolean }> {
	const { query = {}, ...rest } = request as { readonly query?: Row };
	const { after: _, before: __, ...filter } = query;
	const rows: Row[] = [];
	let after: string | null = null;
	do {
		const asked = { ...rest, query: { ...filter, ...("size" in filter && { size: PAGE }), ...(after !== null && { after }) } };
		const { body } = await ask(line, asked as RequestOf<ReadLine>);
		const { data, entries, links } = body as Page;
		rows.push(...(await named(data ?? entries ?? [], rest)));
		after = links?.next ?? null;
		onRead(rows.length);
	} while (after !== null && rows.length < MOST_ROWS);
	return { rows, isWhole: after === null };
}

/** The borrower's name next to their id. A caller who may not see people gets the ids alone. */
async function named(rows: readonly Row[], rest: object): Promise<readonly Row[]> {
	const ids = [...new Set(rows.flatMap(({ user_id }) => (typeof user_id === "string" ? [user_id] : [])))];
	if (ids.length === 0) return rows;
	const { organization } = rest as { readonly organization?: string | null };
	const reach = organization === undefined ? {} : { organization };
	const found = await ask("GET /v1/platform/users", { query: { ids }, ...reach }).then(
		({ body }) => new Map(body?.data.map((user) => [user.id, user])),
		() => undefined,
	);
	if (!found) return rows;
	return rows.map((row) => {
		const user = found.get(String(row.user_id));
		return { borrower: user?.display_name ?? user?.tag ?? null, mobile_number: user?.mobile_number ?? null, ...row };
	});
}

/** A list as a file of another type: the text of each page. */
export async function pagesOf<L extends ReadLine>(line: L, request: object, accept: string, then: (text: string) => void): Promise<void> {
	const { query, ...rest } = request as { readonly query?: object };
	let after: string | undefined;
	do {
		const { body, headers } = await ask(line, { ...rest, query: { ...query, after }, accept } as unknown as RequestOf<L>);
		then(String(body));
		const [, next] = /[?&]after=([^&>]+)[^>]*>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
		after = next && decodeURIComponent(next);
	} while (after !== undefined);
}

export function saveFile(name: string, type: string, parts: readonly string[]): void {
	const file = URL.createObjectURL(new Blob([...parts], { type }));
	Object.assign(document.createElement("a"), { href: file, download: name }).click();
	URL.revokeObjectURL(file);
}

/** Buttons next to a list: a file of all of it, and the page on paper. */
interface SaveProps {
	readonly of: Source;
	/** What is saved, where several lists can be; then there is no page of it to print. */
	readonly what?: string;
}

export function SaveList({ of, what }: SaveProps) {
	const [busy, run, error] = useDoing();
	const [read, setRead] = useState(0);
	const [isCut, cut] = useState(false);
	const save = () =>
		run(async () => {
			setRead(0);
			cut(false);
			const [{ rows, isWhole }, { csvOf }] = await Promise.all([rowsOf(of, setRead), import("./rows.ts")]);
			const name = of.line.split("/").findLast((part) => !part.startsWith("{"));
			saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, "text/csv", ["\ufeff", csvOf(rows, of.currency)]);
			cut(!isWhole);
		});
	return (
		<>
			{error && <Problem error={error} />}
			{isCut && <p class="foot-note">Saved are the first {count(MOST_ROWS)} rows. Filter the list to save the others.</p>}
			<div class="buttons saves">
				<button type="button" class="plain" disabled={busy} onClick={() => void save()}>
					{busy ? `Reading, ${count(read)} rows` : `Save ${what ? `${what} ` : ""}as CSV`}
				</button>
				{!what && (
					<button type="button" class="plain" onClick={() => print()}>
						Print
					</button>
				)}
			</div>
		</>
	);
}
