// The endpoints with how their last 24 hours went.

import { Spark } from "../../charts/spark.tsx";
import { count, milliseconds, percent } from "../../format.ts";
import type { BodyOf, WebhookEndpoint } from "../../typed.ts";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { stateOf } from "./words.ts";

export type Stats = BodyOf<"GET /v1/webhooks/stats">["data"][number];
export interface Row {
	readonly endpoint: WebhookEndpoint;
	readonly stats: Stats | undefined;
}

/** Of each of these endpoints its statistics, as far as they are read. */
export const rowsOf = (endpoints: readonly WebhookEndpoint[], stats: readonly Stats[]): Row[] =>
	endpoints.map((endpoint) => ({ endpoint, stats: stats.find(({ webhook_id }) => webhook_id === endpoint.id) }));

/** A URL without its scheme, which is always the same. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, "");

/** The share of attempts that succeeded; null when there was none. */
export function successOf(buckets: Stats["buckets"]): number | null {
	const attempts = buckets.reduce((sum, bucket) => sum + bucket.attempts, 0);
	return attempts === 0 ? null : buckets.reduce((sum, bucket) => sum + bucket.delivered, 0) / attempts;
}

const COLUMNS: readonly Column<Row>[] = [
	{
		head: "Endpoint",
		cell: ({ endpoint: { name, url } }) => (
			<>
				{name}
				<small class="mono">{shortUrl(url)}</small>
			</>
		),
	},
	{
		head: "State",
		cell: ({ endpoint }) => <State {...stateOf(endpoint)} />,
	},
	{ head: "Attempts, 24 h", wide: true, cell: ({ stats }) => stats && <Spark of={stats.buckets} /> },
	{
		head: "Delivered",
		right: true,
		cell: ({ stats }) =>
			stats && (
				<>
					{count(stats.deliveries.delivered)}
					{stats.deliveries.failed > 0 && <small class="bad">{count(stats.deliveries.failed)} failed</small>}
				</>
			),
	},
	{
		head: "Attempts that succeeded",
		right: true,
		wide: true,
		cell: ({ stats }) => {
			const success = stats && successOf(stats.buckets);
			return typeof success === "number" ? percent(success) : "–";
		},
	},
	{ head: "p95", right: true, wide: true, cell: ({ stats }) => (stats?.latency_ms ? milliseconds(stats.latency_ms.p95) : "–") },
];

export const EndpointsTable = ({ rows }: { readonly rows: readonly Row[] }) => (
	<Table
		label="Webhook endpoints"
		rows={rows}
		columns={COLUMNS}
		keyOf={({ endpoint }) => endpoint.id}
		to={({ endpoint }) => `/endpoints/${endpoint.id}`}
	/>
);
