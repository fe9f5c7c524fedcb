// What operators set for the whole service, page by page.

import type { PageProps } from "../../route.ts";
import { Head } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";

const PAGES = [
	["/issuers", "Issuers", "Identity providers, partners and operators whose tokens are accepted"],
	["/imports", "Imports", "Running books of other programs"],
	["/commissions", "Commissions", "Reports of agents, and the models by which they earn"],
	["/app-settings", "App settings", "Versions, maintenance and support of the apps"],
	["/messages", "Messages sent", "SMS and mail by provider and day, with their cost"],
] as const;

export function Page(_: PageProps) {
	return (
		<>
			<Head title="Service" about="Settings and figures of the whole service, over all organizations." />
			<Table
				label="Pages of the service"
				rows={PAGES}
				columns={[
					{ head: "Page", cell: ([, name]) => name },
					{ head: "About", wide: true, cell: ([, , about]) => about },
				]}
				keyOf={([path]) => path}
				to={([path]) => path}
			/>
		</>
	);
}
