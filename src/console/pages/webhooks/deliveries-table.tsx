// Deliveries as rows, newest first.

import type { DeliverySummary } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { EventName } from "../../ui/event-name.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { deliveryState } from "./words.ts";

interface Props {
	readonly rows: readonly DeliverySummary[];
	/** The names of the endpoints, where they are not all the same. */
	readonly nameOf?: (webhookId: string) => string;
}

export function DeliveriesTable({ rows, nameOf }: Props) {
	const columns: Column<DeliverySummary>[] = [
		{ head: "Event", cell: ({ event_type }) => <EventName of={event_type} /> },
		{ head: "Delivery", wide: true, cell: ({ id }) => <Id of={id} what="the delivery’s id" /> },
		...(nameOf ? [{ head: "Endpoint", wide: true, cell: ({ webhook_id }: DeliverySummary) => nameOf(webhook_id) }] : []),
		{
			head: "State",
			cell: (delivery) => {
				const { of, word, note } = deliveryState(delivery);
				const next = delivery.next_attempt_at;
				return (
					<>
						<State of={of} word={word} note={note} />
						{delivery.status === "PENDING" && next && (
							<small>
								next <Time at={next} counting />
							</small>
						)}
					</>
				);
			},
		},
		{ head: "Attempts", right: true, wide: true, cell: ({ attempts }) => attempts },
		{ head: "Made", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
	];
	return <Table label="Deliveries" rows={rows} columns={columns} keyOf={({ id }) => id} to={({ id }) => `/deliveries/${id}`} />;
}
