// The feed of events as they happen, newest on top.

import { useRef, useState } from "preact/hooks";
import { call } from "../../api.ts";
import { words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import { useRepeated } from "../../tail.ts";
import type { WebhookEvent } from "../../typed.ts";
import { EventName } from "../../ui/event-name.tsx";
import { Empty, Rows } from "../../ui/loaded.tsx";
import { Choice, Head } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const FIRST = 50;
/** More are a history, and no feed. */
const KEPT = 300;

const COLUMNS: readonly Column<WebhookEvent>[] = [
	{ head: "Event", cell: ({ event_type }) => <EventName of={event_type} /> },
	{ head: "Sequence", right: true, cell: ({ sequence }) => sequence },
	{ head: "Category", wide: true, cell: ({ category }) => words(category) },
	{ head: "About", wide: true, cell: ({ entity_id }) => entity_id && <code>{entity_id.slice(-8)}</code> },
	{ head: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Page({ query }: PageProps) {
	const [events, setEvents] = useState<readonly WebhookEvent[]>();
	const [error, setError] = useState<Error>();
	const [paused, pause] = useState(false);
	const cursor = useRef<string>();
	const shownBefore = useRef(0);

	useRepeated(30, paused, async () => {
		try {
			if (cursor.current === undefined) {
				// The end first: what happens between the two reads is then read twice, and not missed.
				const { next } = await call("GET /v1/webhooks/events", { query: { from: "latest" } });
				const { data } = await call("GET /v1/webhooks/events", { query: { order: "desc", size: FIRST } });
				cursor.current = next;
				shownBefore.current = data[0]?.sequence ?? 0;
				setEvents(data);
			} else {
				const { data, next } = await call("GET /v1/webhooks/events", { query: { after: cursor.current, size: 100 } });
				cursor.current = next;
				if (data.length > 0) setEvents((before = []) => unique([...data.toReversed(), ...before]).slice(0, KEPT));
			}
			setError(undefined);
		} catch (failed) {
			setError(failed as Error);
			throw failed;
		}
	});

	const category = query.get("category") ?? "";
	const categories = [...new Set(events?.map((event) => event.category))].sort();
	const shown = events?.filter((event) => category === "" || event.category === category);
	return (
		<>
			<Head
				title="Live events"
				badge={<Badge of={paused || error ? "suspended" : "good"} word={paused ? "Paused" : error ? "Interrupted" : "Live"} />}
				about="Events in the order of the feed; newest first"
				actions={
					<button type="button" onClick={() => pause(!paused)}>
						{paused ? "Go on" : "Pause"}
					</button>
				}
			/>
			{error && <Problem error={error} />}
			<div class="filters">
				<Choice
					label="Category"
					value={category}
					of={[["", "All"], ...categories.map((one) => [one as string, words(one)] as const)]}
					onChange={(value) => setQuery({ category: value })}
				/>
			</div>
			{!shown ? (
				!error && <Rows of={12} two={false} />
			) : shown.length > 0 ? (
				<Table
					label="Events"
					rows={shown}
					columns={COLUMNS}
					keyOf={({ id }) => id}
					to={({ id }) => `/events/${id}`}
					highlit={({ sequence }) => sequence > shownBefore.current}
				/>
			) : category ? (
				<Empty
					title="No event of this category yet"
					action={
						<button type="button" onClick={() => setQuery({ category: "" })}>
							Show all
						</button>
					}
				/>
			) : (
				<Empty title="Nothing has happened yet">Apply for a loan, or upload an invoice: what follows appears here by itself.</Empty>
			)}
		</>
	);
}

function unique(events: readonly WebhookEvent[]): WebhookEvent[] {
	return [...new Map(events.map((event) => [event.id, event])).values()];
}
