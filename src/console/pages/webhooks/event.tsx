// One event: its data, and what came of sending it.

import { words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { CopyButton, Id } from "../../ui/copy.tsx";
import { Json } from "../../ui/json.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Head, Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { onceRead, useWatch } from "../../watch.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";

export function Page({ params }: PageProps) {
	const event_id = params.id ?? "";
	const deliveries = useWatch("GET /v1/webhooks/deliveries", { query: { event_id } }, 12);
	const endpoints = useWatch("GET /v1/webhooks", {});
	const event = onceRead(useWatch("GET /v1/webhooks/events/{event_id}", { path: { event_id } }), deliveries, endpoints);
	const { value } = event;
	return (
		<>
			<Head
				title={value?.event_type ?? "Event"}
				mono={value !== undefined}
				from={["/events", "Live events"]}
				about={
					value ? (
						<>
							{words(value.category)}, number {value.sequence} · event <Id of={value.id} what="the event’s id" />
							{value.entity_id && (
								<>
									{" "}
									· about <Id of={value.entity_id} what="the id of what it is about" />
								</>
							)}{" "}
							· <Time at={value.created_at} />
						</>
					) : (
						"\u00a0"
					)
				}
			/>
			<Loaded of={event} skeleton={4}>
				{({ data }) => (
					<>
						<Section title="Deliveries">
							<Loaded of={deliveries}>
								{({ data: rows }) =>
									rows.length > 0 ? (
										<DeliveriesTable
											rows={rows}
											nameOf={(id) => endpoints.value?.find((one) => one.id === id)?.name ?? "Deleted endpoint"}
										/>
									) : (
										<Empty title="It was sent nowhere">
											When it happened, no active endpoint subscribed to it. Recovering an endpoint sends it.
										</Empty>
									)
								}
							</Loaded>
						</Section>
						<Section title="Data" action={<CopyButton text={JSON.stringify(data, null, 2)} />}>
							<Json text={JSON.stringify(data)} label="Data" />
						</Section>
					</>
				)}
			</Loaded>
		</>
	);
}
