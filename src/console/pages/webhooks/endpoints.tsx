// All endpoints of the organization.

import { useState } from "preact/hooks";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Head, Link } from "../../ui/page.tsx";
import { Pager } from "../../ui/table.tsx";
import { onceRead, useWatch } from "../../watch.ts";
import { EndpointsTable, rowsOf } from "./endpoints-table.tsx";

export const AddEndpoint = () => (
	<Link to="/endpoints/new" class="button primary">
		Add an endpoint
	</Link>
);

export function Page() {
	const [cursor, setCursor] = useState<{ readonly after?: string; readonly before?: string }>({});
	const stats = useWatch("GET /v1/webhooks/stats", { query: cursor }, 2);
	const endpoints = onceRead(useWatch("GET /v1/webhooks", {}, 3), stats);
	return (
		<>
			<Head title="Endpoints" about="Where events are sent, and how that went in the last 24 hours" actions={<AddEndpoint />} />
			<Loaded of={endpoints} skeleton={5}>
				{(all) => {
					if (all.length === 0) return <NoEndpoint />;
					const page = stats.value?.data;
					// Statistics come in pages: of many endpoints only those are shown.
					const shown =
						page && (stats.value?.links.next || stats.value?.links.prev)
							? all.filter(({ id }) => page.some((one) => one.webhook_id === id))
							: all;
					return (
						<>
							<EndpointsTable rows={rowsOf(shown.slice(0, 100), page ?? [])} />
							<Pager prev={stats.value?.links.prev} next={stats.value?.links.next} onPage={setCursor} />
						</>
					);
				}}
			</Loaded>
		</>
	);
}

export const NoEndpoint = () => (
	<Empty title="No endpoint yet" action={<AddEndpoint />}>
		An endpoint is an address of yours. Each event that it subscribes to is sent there, signed, within seconds of its commit.
	</Empty>
);
