// The log of deliveries, with filters that are in the address.

import { useState } from "preact/hooks";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Choice, Field, Head, Link } from "../../ui/page.tsx";
import { Pager } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";

const STATES = [
	["", "All"],
	["PENDING", "Pending"],
	["DELIVERED", "Delivered"],
	["FAILED", "Failed"],
] as const;
type State = (typeof STATES)[number][0];

/** What the states of the API stand for, where the word alone does not say it. */
const STANDS_FOR: Readonly<Partial<Record<State, string>>> = {
	PENDING: "Those that wait for their first attempt, and those that failed one and are still retried.",
	FAILED: "Deliveries that are no longer retried. A delivery with a failed attempt that is still retried is pending.",
};

const FILTERS = ["status", "webhook_id", "event_type", "event_id"] as const;

export function Page({ query }: PageProps) {
	const [cursor, setCursor] = useState<{ readonly after?: string; readonly before?: string }>({});
	const endpoints = useWatch("GET /v1/webhooks", {});
	const types = useWatch("GET /v1/webhooks/events/types", {});
	const [status, webhook_id, event_type, event_id] = FILTERS.map((name) => query.get(name) ?? "");
	const state = STATES.some(([value]) => value === status) ? (status as State) : "";
	// A person who turns to older pages reads, and does not watch.
	const deliveries = useWatch(
		"GET /v1/webhooks/deliveries",
		{
			query: {
				size: 25,
				...cursor,
				...(state && { status: state }),
				...(webhook_id && { webhook_id }),
				...(event_type && { event_type }),
				...(event_id && { event_id }),
			},
		},
		cursor.after || cursor.before ? 0 : 12,
	);
	const filter = (changes: Readonly<Record<string, string>>) => {
		setCursor({});
		setQuery(changes);
	};
	const clear = () => filter(Object.fromEntries(FILTERS.map((name) => [name, ""])));
	const nameOf = (id: string) => endpoints.value?.find((one) => one.id === id)?.name ?? "Deleted endpoint";
	return (
		<>
			<Head title="Deliveries" about="Each event to each endpoint, newest first" />
			<div class="filters">
				<Choice label="State" value={state} of={STATES} onChange={(value) => filter({ status: value })} />
				<Field label="Endpoint">
					{(ids) => (
						<select {...ids} value={webhook_id} onChange={({ currentTarget }) => filter({ webhook_id: currentTarget.value })}>
							<option value="">All</option>
							{endpoints.value?.map(({ id, name }) => (
								<option key={id} value={id}>
									{name}
								</option>
							))}
						</select>
					)}
				</Field>
				<Field label="Event type">
					{(ids) => (
						<select {...ids} value={event_type} onChange={({ currentTarget }) => filter({ event_type: currentTarget.value })}>
							<option value="">All</option>
							{types.value?.map(({ event }) => (
								<option key={event}>{event}</option>
							))}
						</select>
					)}
				</Field>
				{event_id && (
					<button type="button" onClick={() => filter({ event_id: "" })}>
						Of one event: show all
					</button>
				)}
			</div>
			{STANDS_FOR[state] && (
				<p class="foot-note">
					{STANDS_FOR[state]}
					{state === "FAILED" && (
						<>
							{" "}
							<button type="button" class="plain" onClick={() => filter({ status: "PENDING" })}>
								Show the pending ones
							</button>
						</>
					)}
				</p>
			)}
			<Loaded of={deliveries} skeleton={10}>
				{({ data, next, prev }) =>
					data.length > 0 ? (
						<>
							<DeliveriesTable rows={data} nameOf={nameOf} />
							<Pager next={next} prev={prev} onPage={setCursor} />
						</>
					) : next !== null ? (
						<>
							<Empty title="None of these deliveries is like this">Older ones may be.</Empty>
							<Pager next={next} prev={prev} onPage={setCursor} />
						</>
					) : query.size > 0 ? (
						<Empty
							title="No delivery is like this"
							action={
								<button type="button" onClick={clear}>
									Clear the filters
								</button>
							}
						/>
					) : (
						<Empty title="No delivery yet" action={<Link to="/endpoints">Endpoints</Link>}>
							When something happens that an endpoint subscribes to, it is here within a second. An endpoint’s page can send a test.
						</Empty>
					)
				}
			</Loaded>
		</>
	);
}
